# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender's glTF add-on calls: the only place that knows its internals.

The hooks are found when a file is exported or imported, not when Blender starts.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .panels import draw_import, register, unregister

__all__ = ("draw_import", "register", "unregister")

Untyped = Any
"""An object of the glTF add-on, whose classes have no types."""
ExportSettings = dict[str, Any]
"""The exporter's own settings: 136 keys without types, read nowhere but in this package."""
HOOKS = {
    "glTF2ExportUserExtension": ("exported.exporting", "GltfExport"),
    "glTF2ImportUserExtension": ("imported.importing", "GltfImport"),
}
"""Names that the glTF add-on looks for, and where they are."""


def __getattr__(name: str) -> Untyped:
    """Find a hook."""
    if name in HOOKS:
        module, attribute = HOOKS[name]
        return getattr(import_module(f"{__name__}.{module}"), attribute)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
