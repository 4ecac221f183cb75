# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Pose in the sidebar, and the tool in the toolbar."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
from bpy.types import Context, Object, Panel, UILayout, WorkSpaceTool

from ...model.settings.spans import is_free
from ..articulation.connected_objects import joints_around
from ..bridge.read_settings import settings_of
from ..interface.sidebar import SidebarPanel
from ..interface.text import draw_text
from .properties import NAMES
from .session import frame_to_pose_at, obstacle_here, rest_of
from .stands import Stand, freedom_of, stand_of

MOST = 16
"""Joints whose sliders are drawn at once; the nearest come first."""
TOOL = "omi_joint.pose_tool"


class OMI_JOINT_PT_sidebar_pose(SidebarPanel, Panel):
    """Move a mechanism through its joints"""

    bl_label = "Pose"
    topic = "pose"
    bl_order = 20
    bl_options = {"DEFAULT_CLOSED"}

    def draw_inside(self, layout: UILayout, context: Context) -> None:
        """Draw the tool and the buttons, then a slider for each free value of the joint at hand."""
        reason = obstacle_here(context)
        column = layout.column()
        if reason and frame_to_pose_at(context.scene) is not None:
            column.operator("omi_joint.go_to_rest", icon="REW")
        else:
            tool = column.row()
            tool.enabled = not reason
            tool.operator("wm.tool_set_by_id", text="Pose Joints", icon="VIEW_PAN").name = TOOL
        joints = joints_around(context.object, context.scene)
        draw_buttons(layout, joints)
        shown = posable(joints[:1])
        if reason or not shown:
            draw_text(layout, context, reason or "Select a body that a joint moves", "INFO")
        for joint, stand in shown if not reason else ():
            draw_sliders(layout, joint, stand)


class OMI_JOINT_PT_sidebar_pose_others(SidebarPanel, Panel):
    """The other joints of the mechanism"""

    bl_label = "Other Joints"
    bl_parent_id = "OMI_JOINT_PT_sidebar_pose"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_inside(self, layout: UILayout, context: Context) -> None:
        """Draw a slider for each free value of the joints around."""
        joints = joints_around(context.object, context.scene)[1:]
        if obstacle_here(context) or not joints:
            draw_text(layout, context, "None can be posed now", "INFO")
            return
        near = sorted(joints[:MOST], key=lambda joint: joint.name)
        for joint, stand in posable(near):
            draw_sliders(layout, joint, stand)
        if len(joints) > MOST:
            rest = len(joints) - MOST
            draw_text(layout, context, f"{rest} more: select a body near them", "INFO")


def posable(joints: list[Object]) -> list[tuple[Object, Stand]]:
    """Return those joints that leave something free, and where they stand."""
    stands = ((joint, stand_of(joint)) for joint in joints)
    return [(joint, stand) for joint, stand in stands if stand and any(stand.free)]


def draw_sliders(layout: UILayout, joint: Object, stand: Stand) -> None:
    """Draw the free values of a joint: each as a number, and in its range as a bar."""
    settings = settings_of(joint)
    column = layout.column(align=True)
    column.label(text=joint.name, icon="EMPTY_ARROWS", translate=False)
    for number, name in enumerate(NAMES):
        if stand.free[number]:
            row = column.row(align=True)
            row.prop(joint.omi_physics_pose, name, text=stand.name(number))
            bounded = not is_free(settings, freedom_of(number), number % 3)
            if bounded and stand.share(number) is not None:
                row.prop(joint.omi_physics_pose, f"{name}_share", text="", slider=True)


def draw_buttons(layout: UILayout, joints: list[Object]) -> None:
    """Draw what is done with a pose."""
    layout.operator("omi_joint.pose_key", icon="KEYTYPE_KEYFRAME_VEC")
    column = layout.column(align=True)
    row = column.row(align=True)
    row.operator("omi_joint.pose_zero", text="Zero", icon="LOOP_BACK")
    back = row.row(align=True)
    back.enabled = bool(rest_of(joints))
    back.operator("omi_joint.pose_reset", text="Reset", icon="FILE_REFRESH")
    keep = column.row(align=True)
    keep.enabled = back.enabled
    keep.operator("omi_joint.pose_rest", text="Set as Rest", icon="PINNED")


class OMI_JOINT_TOOL_pose(WorkSpaceTool):
    """The tool in the toolbar of the 3D view"""

    bl_space_type = "VIEW_3D"
    bl_context_mode = "OBJECT"
    bl_idname = TOOL
    bl_label = "Pose Joints"
    bl_description = (
        "Drag a body; all bodies that joints connect to it follow, within their limits, and loops "
        "stay closed"
    )
    bl_icon = "ops.pose.relax"
    bl_keymap = (
        ("omi_joint.pose_drag", {"type": "LEFTMOUSE", "value": "CLICK_DRAG"}, None),
        (
            "view3d.select",
            {"type": "LEFTMOUSE", "value": "CLICK"},
            {"properties": [("deselect_all", True)]},
        ),
        (
            "view3d.select",
            {"type": "LEFTMOUSE", "value": "CLICK", "shift": True},
            {"properties": [("toggle", True)]},
        ),
    )

    @staticmethod
    def draw_settings(_context: Context, layout: UILayout, _tool: WorkSpaceTool) -> None:
        """Say how it is used."""
        layout.label(text="Drag a body")


def while_on() -> Iterator[None]:
    """Register the tool."""
    bpy.utils.register_tool(OMI_JOINT_TOOL_pose, separator=True)
    yield
    bpy.utils.unregister_tool(OMI_JOINT_TOOL_pose)
