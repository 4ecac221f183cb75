# SPDX-License-Identifier: GPL-3.0-or-later
"""Physics Joint in menus of Blender: File, Add, Object, Link/Transfer Data, right click, fields."""

from __future__ import annotations

from typing import Any

from bpy.types import Context, Menu

from .bridge.poses.frame_users import joint_of
from .data.joint import OmiJointSettings
from .data.limits import OMI_JOINT_PG_limit
from .interface.words import KIND_ICONS


class OMI_JOINT_MT_add(Menu):
    """Join the selected objects"""

    bl_label = "Physics Joint"

    def draw(self, _context: Context) -> None:
        """List the kinds of joints."""
        layout = self.layout
        layout.operator_context = "INVOKE_REGION_WIN"
        for name, icon in KIND_ICONS.items():
            layout.operator("omi_joint.create", text=name, icon=icon).kind = name.upper()


class OMI_JOINT_MT_object(Menu):
    """Change physics joints and bodies"""

    bl_label = "Physics Joint"

    def draw(self, _context: Context) -> None:
        """List what can be done to joints, then to bodies."""
        layout = self.layout
        layout.operator_context = "INVOKE_REGION_WIN"
        layout.operator("omi_joint.select_mechanism")
        layout.operator("omi_joint.move_mechanism")
        layout.separator()
        layout.operator("omi_joint.select_second_frame")
        layout.operator("omi_joint.snap_frames")
        layout.operator("omi_joint.connect")
        layout.operator_menu_enum("omi_joint.reaim", "direction", text="Change Axis")
        layout.operator_menu_enum("omi_joint.change_type", "kind")
        layout.operator("omi_joint.flip")
        layout.operator("omi_joint.swap_sides")
        layout.operator("omi_joint.settings_copy")
        layout.operator("omi_joint.set_limit", text="Set Limits of Selected...")
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


def draw_add(self: Any, context: Context) -> None:
    """Draw our entry in the Add menu."""
    if context.mode == "OBJECT":
        self.layout.menu("OMI_JOINT_MT_add", icon="CONSTRAINT")


def draw_object(self: Any, _context: Context) -> None:
    """Draw our entry in the Object menu."""
    self.layout.separator()
    self.layout.menu("OMI_JOINT_MT_object", icon="CONSTRAINT")


def draw_context_menu(self: Any, context: Context) -> None:
    """Draw our entries where the right mouse button was pressed: for joints, or to make one."""
    if context.mode != "OBJECT" or context.object is None:
        return
    layout = self.layout
    layout.separator()
    if joint_of(context.object) is None:
        layout.menu("OMI_JOINT_MT_add", text="Add Physics Joint", icon="CONSTRAINT")
    layout.menu("OMI_JOINT_MT_object", icon="CONSTRAINT")


def draw_link(self: Any, _context: Context) -> None:
    """Draw our entry in the menu Link/Transfer Data, beside Blender's own of that kind."""
    layout = self.layout
    layout.separator()
    layout.operator("omi_joint.settings_copy", text="Copy Joint Settings")
    layout.operator("omi_joint.settings_copy", text="Link Joint Settings").share = True
    layout.operator("omi_joint.body_copy", text="Copy Physics Body")


def draw_field(self: Any, context: Context) -> None:
    """Draw, for a field of joint settings, what Alt+Enter does not do: reach selected joints."""
    owner = getattr(context, "button_pointer", None)
    if not isinstance(getattr(owner, "id_data", None), OmiJointSettings):
        return
    layout = self.layout
    layout.separator()
    layout.operator("omi_joint.settings_copy")
    if isinstance(owner, OMI_JOINT_PG_limit):
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator("omi_joint.set_limit", text="Set Limits of Selected...")


def draw_import(self: Any, _context: Context) -> None:
    """Draw, in File > Import, robots."""
    self.layout.operator("omi_joint.import_robot", text="Robot (.urdf, .xml)")


def draw_export(self: Any, _context: Context) -> None:
    """Draw, in File > Export, robots."""
    self.layout.operator("omi_joint.export_robot", text="Robot (.urdf, .xml)")


ENTRIES = (
    ("TOPBAR_MT_file_import", draw_import),
    ("TOPBAR_MT_file_export", draw_export),
    ("VIEW3D_MT_add", draw_add),
    ("VIEW3D_MT_object", draw_object),
    ("VIEW3D_MT_object_context_menu", draw_context_menu),
    ("VIEW3D_MT_make_links", draw_link),
    ("UI_MT_button_context_menu", draw_field),
)
