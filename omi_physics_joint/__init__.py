# SPDX-License-Identifier: GPL-3.0-or-later
"""Physics joints for Blender, exported as OMI_physics_joint. Importable without Blender."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for who checks types; found by __getattr__
    from .library.formats import Choices
    from .library.offered import check, convert, load, read, simulate
    from .model.contents import ContentsError
    from .model.issue import Issue
    from .model.mechanism import Mechanism

__all__ = [
    "Choices", "ContentsError", "Issue", "Mechanism", "check", "convert", "load", "read", "simulate"
]  # fmt: skip
"""What other Python may use; docs/manual/library.md says more of it."""
GLTF_HOOKS = {
    "glTF2ExportUserExtension": ("exported.exporting", "GltfExport"),
    "glTF2ImportUserExtension": ("imported.importing", "GltfImport"),
    "draw_import": ("panels", "draw_import"),
}
"""What Blender's glTF add-on looks for on the top module of every enabled add-on; where it is."""


def register() -> None:
    """Add everything to Blender."""
    import_module(f"{__name__}.blender").register()


def unregister() -> None:
    """Take everything out of Blender again."""
    import_module(f"{__name__}.blender").unregister()


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module attribute may be anything
    """Find what others ask for only then, so that neither Blender nor NumPy is needed before."""
    if name in __all__:
        return getattr(import_module(f"{__name__}.library.offered"), name)
    if name in GLTF_HOOKS:
        module, attribute = GLTF_HOOKS[name]
        return getattr(import_module(f"{__name__}.blender.gltf_hooks.{module}"), attribute)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
