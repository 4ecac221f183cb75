# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender's USD exporter and importer call: physics onto a stage, and from one.

Where Python's module ``pxr`` is missing, a hook that is registered ends Blender at the next export:
then there is none, and the dialogs say why, or standard error where there is no window.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import bpy

from ...usd.stage import is_available
from . import panels

HAS_USD = hasattr(bpy.types, "USDHook")
"""Some builds of Blender have no USD at all."""


class _Hook:
    """Blender loads what reads and writes stages when one is read or written."""

    bl_idname = "OMI_JOINT_usd"
    bl_label = "Physics Joints"
    bl_description = "Bodies, shapes and joints as UsdPhysics"

    @staticmethod
    def on_export(context: Any) -> bool:  # noqa: ANN401 - Blender's classes, which have no stubs
        """Write physics onto the stage that Blender has made."""
        import_module(f"{__name__}.exporting").export_physics(context)
        return True

    @staticmethod
    def on_import(context: Any) -> bool:  # noqa: ANN401
        """Read physics onto the objects that Blender has made."""
        import_module(f"{__name__}.importing").import_physics(context)
        return True


HOOKS: list[Any] = [type("OMI_JOINT_usd", (_Hook, bpy.types.USDHook), {})] if HAS_USD else []


PARTS = ("panels",) if HAS_USD else ()


def while_on() -> Iterator[None]:
    """Have Blender call us, where it can."""
    if is_available():
        for hook in HOOKS:
            bpy.utils.register_class(hook)
    elif HAS_USD and bpy.app.background:  # scripts see no dialog, and no hook can tell them later
        print(*panels.MISSING, file=sys.stderr)
    yield
    for hook in HOOKS:
        if hook.is_registered:
            bpy.utils.unregister_class(hook)
