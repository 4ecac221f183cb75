# SPDX-License-Identifier: GPL-3.0-or-later
"""Add > Physics Joint and Object > Physics Joint in the 3D view."""

from __future__ import annotations

from typing import Any

import bpy

from .words import KIND_ICONS


class OMI_MT_add(bpy.types.Menu):
    """Join the selected objects"""

    bl_label = "Physics Joint"

    def draw(self, _context: bpy.types.Context) -> None:
        """List the kinds of joints."""
        layout = self.layout
        layout.operator_context = "INVOKE_REGION_WIN"
        for name, icon in KIND_ICONS.items():
            layout.operator("omi_joint.create", text=name, icon=icon).kind = name.upper()


class OMI_MT_object(bpy.types.Menu):
    """Change physics joints and bodies"""

    bl_label = "Physics Joint"

    def draw(self, _context: bpy.types.Context) -> None:
        """List what can be done to joints, then to bodies."""
        layout = self.layout
        layout.operator_context = "INVOKE_REGION_WIN"
        layout.operator("omi_joint.select_partner")
        layout.operator("omi_joint.snap_partner")
        layout.operator("omi_joint.add_partner")
        layout.operator_menu_enum("omi_joint.reaim", "direction", text="Re-Aim")
        layout.operator_menu_enum("omi_joint.change_type", "kind")
        layout.operator("omi_joint.flip")
        layout.operator("omi_joint.swap_sides")
        layout.operator("omi_joint.set_limit", text="Set Bounds of Selected...")
        layout.operator("omi_joint.remove")
        layout.separator()
        for motion in ("static", "kinematic", "dynamic"):
            text = f"Make {motion.title()} Body"
            layout.operator("omi_joint.body_add", text=text).type = motion
        layout.operator("omi_joint.body_copy")
        layout.operator("omi_joint.body_remove")
        layout.operator("omi_joint.from_rigid_body")
        layout.separator()
        layout.operator("omi_joint.check")


def draw_add(self: Any, context: bpy.types.Context) -> None:
    """Draw our entry in the Add menu."""
    if context.mode == "OBJECT":
        self.layout.menu("OMI_MT_add", icon="CONSTRAINT")


def draw_object(self: Any, _context: bpy.types.Context) -> None:
    """Draw our entry in the Object menu."""
    self.layout.separator()
    self.layout.menu("OMI_MT_object", icon="CONSTRAINT")


classes = (OMI_MT_add, OMI_MT_object)
_register_classes, _unregister_classes = bpy.utils.register_classes_factory(classes)


def register() -> None:
    """Register the menus and hang them into Blender's."""
    _register_classes()
    bpy.types.VIEW3D_MT_add.append(draw_add)
    bpy.types.VIEW3D_MT_object.append(draw_object)


def unregister() -> None:
    """Take the menus out again."""
    bpy.types.VIEW3D_MT_object.remove(draw_object)
    bpy.types.VIEW3D_MT_add.remove(draw_add)
    _unregister_classes()
