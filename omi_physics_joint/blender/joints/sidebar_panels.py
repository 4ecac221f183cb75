# SPDX-License-Identifier: GPL-3.0-or-later
"""The joints of a scene and the active one, in the sidebar."""

from __future__ import annotations

from bpy.types import Context, Object, Panel, UILayout

from ...model.wording.describe import drive_kind, kind
from ..bridge.poses.frame_users import joint_of
from ..bridge.poses.second_frames import below
from ..bridge.read_settings import drive_from_item, settings_of
from ..data.joint import OmiJointSettings
from ..interface.mixins import fields_in
from ..interface.playing import is_playing
from ..interface.sidebar import SidebarPanel
from ..interface.text import draw_text, is_narrow
from ..interface.words import KIND_ICONS, unit_of
from . import parts
from .authoring import AuthoringError
from .lists import FEW, ROWS
from .settings_editing import driven_axis, drives_on, first_bounds

STRENGTH = {"spring": "stiffness", "motor": "damping", "servo": "stiffness"}
"""By kind: how strong a drive is whose force has no bound."""


class OMI_JOINT_PT_sidebar_list(SidebarPanel, Panel):
    """All joints of the scene; it grows with them, so it is below the buttons"""

    bl_label = "Joints in Scene"
    topic = "frames"
    bl_order = 11

    def draw_inside(self, layout: UILayout, context: Context) -> None:
        """Draw the list."""
        shown = (context.scene, "objects", context.window_manager, "omi_physics_joint_row")
        layout.template_list("OMI_JOINT_UL_joints", "", *shown, rows=FEW, maxrows=ROWS)


class OMI_JOINT_PT_sidebar_joint(SidebarPanel, Panel):
    """The active joint; as high where there is none, so that nothing below it ever moves"""

    bl_label = "Active Joint"
    topic = "axis"
    bl_order = 2

    def draw_header(self, context: Context) -> None:
        """Draw the switch of the joint."""
        self.layout.enabled = not is_playing()
        parts.draw_switch(self.layout, joint_of(context.object))

    def draw_inside(self, layout: UILayout, context: Context) -> None:
        """Draw the joint and its range, each in its own place."""
        joint = joint_of(context.object)
        narrow = is_narrow(context)
        layout.active = joint is None or not joint.omi_physics_joint.mute
        draw_identity(layout, context, joint)
        block = joint.omi_physics_joint.settings if joint is not None else None
        column = layout.column()
        column.enabled = joint is not None
        row = parts.draw_type(column, block, narrow=narrow)
        row.menu("OMI_JOINT_MT_joint_presets", icon="PRESET", text="Presets")
        draw_range(layout, context, joint, narrow=narrow)
        draw_drive_choice(layout, block, narrow=narrow)
        column = layout.column(align=True)
        row = parts.draw_pair(column, narrow=narrow)
        if joint is not None and below(joint) is None:
            row.operator("omi_joint.connect", text="Connect", icon="ADD")
        elif joint is not None and joint.omi_physics_joint.connected_node is not None:
            parts.draw_second_frame(row)
        elif narrow:
            row.label(text="")
        row.operator("omi_joint.remove", text="Remove", icon="TRASH")


def draw_identity(layout: UILayout, context: Context, joint: Object | None) -> None:
    """Draw two lines: the name of a joint, and its bodies or why it holds nothing."""
    column = layout.column()
    if joint is None:
        column.label(text="")
        text = "Select a joint" if is_narrow(context) else "Select a joint in the view or list"
        draw_text(column, context, text, "INFO", rows=1)
        return
    if joint == context.object:
        column.prop(joint, "name", text="", icon="EMPTY_ARROWS")
    else:
        column.label(text=f"Other end of {joint.name}", icon="LINKED", translate=False)
    fault = parts.fault_of(joint, context.scene)
    icon = "ERROR" if fault else "BLANK1"
    draw_text(column, context, fault or parts.bodies_in_words(joint), icon, rows=1)


def draw_range(layout: UILayout, context: Context, joint: Object | None, *, narrow: bool) -> None:
    """Draw the bounds of the one limit that leaves a range, where there is just one.

    Where a joint is free on its one axis, there is a button instead that gives it bounds; else what
    it allows in words, or what to do where it holds nothing.
    """
    block = joint.omi_physics_joint.settings if joint is not None else None
    item = parts.ranged_limit(block) if block is not None else None
    column = layout.column()
    fault = parts.fault_of(joint, context.scene) if joint is not None else ""
    if block is not None and item is not None and fault in {"", parts.REVERSED}:
        column.enabled = block.is_editable
        if narrow:
            parts.draw_bounds(fields_in(column), item, item.freedom, narrow=True)
            return
        row = column.row(align=True)
        for bound in ("min", "max"):
            parts.draw_switched(row, item, "", f"use_{bound}", f"{item.freedom}_{bound}")
        return
    bounds = first_bounds(block)
    if fault:
        column.label(text=parts.REMEDIES.get(fault, parts.ANOTHER_BODY), icon="BLANK1")
    elif bounds is not None and bounds.are_none:
        column.operator("omi_joint.limit_range", icon="CHECKBOX_DEHLT")
    elif joint is not None:
        settings = settings_of(joint)
        icon = KIND_ICONS.get(kind(settings), "CONSTRAINT")
        draw_text(column, context, parts.title_of(settings, context.scene), icon, rows=1)
    else:
        column.label(text="")
    if narrow:
        column.label(text="")


def draw_drive_choice(layout: UILayout, block: OmiJointSettings | None, *, narrow: bool) -> None:
    """Draw what drives the one axis of a joint, its target and its strength; or why nothing can."""
    drive, reason = None, ""
    try:
        indices = drives_on(block, *driven_axis(block)) if block is not None else []
        drive = block.drives[indices[0]] if block is not None and indices else None
    except AuthoringError as error:
        reason = str(error)
    kind = drive_kind(drive_from_item(drive)) if drive is not None else ""
    row = parts.draw_pair(layout, narrow=narrow)
    row.enabled = block is not None and not reason
    text = reason or kind.capitalize() or "No Drive"
    row.operator_menu_enum("omi_joint.change_drive", "kind", text=text, icon="DRIVER")
    if not kind or drive is None:
        if narrow:
            layout.label(text="")
        return
    target = "velocity_target" if kind == "motor" else "position_target"
    fields = row.row(align=True)
    fields.prop(drive, f"{drive.freedom}_{target}", text="")
    unit = unit_of(drive.freedom, target)
    if unit:
        parts.draw_unit(fields, unit, 0.9)
    fields.prop(drive, "max_force" if drive.use_max_force else STRENGTH[kind], text="")
