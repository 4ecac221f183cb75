# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints with names: Blender's own preset system, with presets shipped beside the package."""

from __future__ import annotations

import bpy

from ..registration import in_order
from . import operators, panels
from .files import shipped_root

PARTS = (operators, panels)

_register, _unregister = in_order(PARTS)
_paths: list[str] = []


def register() -> None:
    """Register the operators, and show Blender where the shipped presets are."""
    _register()
    root = str(shipped_root())
    bpy.utils.register_preset_path(root)
    _paths.append(root)


def unregister() -> None:
    """Take all of it back."""
    while _paths:
        bpy.utils.unregister_preset_path(_paths.pop())
    _unregister()
