# SPDX-License-Identifier: GPL-3.0-or-later
"""Physics joints for Blender, exported as OMI_physics_joint. Importable without Blender."""

from __future__ import annotations

from importlib import import_module
from typing import Any

GLTF_HOOKS = frozenset({"glTF2ExportUserExtension", "glTF2ImportUserExtension", "draw_import"})
"""What Blender's glTF add-on looks for on the top module of every enabled add-on."""


def register() -> None:
    """Add everything to Blender."""
    import_module(f"{__name__}.blender").register()


def unregister() -> None:
    """Take everything out of Blender again."""
    import_module(f"{__name__}.blender").unregister()


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module attribute may be anything
    """Find the glTF hooks only when they are asked for, so that Blender is not needed before."""
    if name in GLTF_HOOKS:
        return getattr(import_module(f"{__name__}.blender.gltf_hooks"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
