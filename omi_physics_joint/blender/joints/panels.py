# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels of joints: limits and drives in Properties > Physics, those of a scene in the sidebar."""

from __future__ import annotations

from bpy.types import Context, Object, Panel, UILayout

from ...model.joint import Freedom
from ...model.settings.fields import BESIDE_BOUNDS, DRIVE_FIELDS, Field, Quantity
from ...model.wording.describe import drive_kind, kind
from ..bridge.poses.frame_users import joint_of, joints_using
from ..bridge.poses.second_frames import below
from ..bridge.read_settings import drive_from_item, settings_of
from ..data.joint import OmiJointSettings
from ..data.limits import Item, OMI_JOINT_PG_drive, OMI_JOINT_PG_limit
from ..interface.manual import HelpedPanel, draw_help
from ..interface.mixins import active_of, fields_in
from ..interface.playing import is_playing
from ..interface.sidebar import SidebarPanel
from ..interface.text import draw_text, is_narrow
from ..interface.words import KIND_ICONS, unit_of
from . import parts
from .authoring import AuthoringError
from .lists import FEW, ROWS
from .settings_editing import driven_axis, drives_on, first_bounds


class PhysicsPanel(HelpedPanel):
    """Places a panel where Blender has its own physics."""

    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"


class OMI_JOINT_PT_joint(PhysicsPanel, Panel):
    """The active joint, or that of the active second frame"""

    bl_label = "Physics Joint"
    topic = "frames"

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Show for joints and second frames."""
        return joint_of(context.object) is not None

    def draw_header(self, context: Context) -> None:
        """Draw the switch of the joint."""
        parts.draw_switch(self.layout, joint_of(context.object))

    def draw_header_preset(self, _context: Context) -> None:
        """Draw the button of the presets, and the way to the manual."""
        row = self.layout.row(align=True)
        presets = row.row()
        presets.emboss = "NONE"
        presets.menu("OMI_JOINT_MT_joint_presets", icon="PRESET", text="")
        draw_help(row, self.topic)

    def draw(self, context: Context) -> None:
        """Draw the joint, or for a second frame the way to it."""
        layout = fields_in(self.layout)
        joint = active_of(context)
        if not joint.omi_physics_joint.is_joint:
            draw_owners(layout, context, joint)
            return
        layout.active = not joint.omi_physics_joint.mute
        parts.draw_settings(layout, context, joint)
        parts.draw_type(layout, joint.omi_physics_joint.settings)
        draw_connection(layout, context, joint)
        draw_actions(layout, joint)


class SettingsPanel(PhysicsPanel):
    """A sub-panel about the settings of the active joint."""

    bl_parent_id = "OMI_JOINT_PT_joint"

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Show where there are settings."""
        joint = context.object.omi_physics_joint if context.object else None
        block = joint.settings if joint and joint.is_joint else None
        return block is not None and not block.is_missing

    def prepared(self, context: Context) -> tuple[UILayout, OmiJointSettings]:
        """Return the layout, grey where nothing can be changed or counts, and the settings."""
        data = active_of(context).omi_physics_joint
        block, layout = data.settings, fields_in(self.layout)
        assert block is not None
        layout.enabled, layout.active = block.is_editable, not data.mute
        return layout, block


class OMI_JOINT_PT_joint_limits(SettingsPanel, Panel):
    """What the joint does not allow"""

    bl_label = "Limits"
    topic = "limits"

    def draw(self, context: Context) -> None:
        """Draw the list, then the active limit."""
        layout, block = self.prepared(context)
        draw_list(layout, block, "limits")
        if 0 <= block.active_limit < len(block.limits):
            draw_limit(layout, block.limits[block.active_limit])
        layout.operator("omi_joint.set_limit", text="Set Limits of Selected", icon="OPTIONS")


class OMI_JOINT_PT_joint_drives(SettingsPanel, Panel):
    """Motors and springs of the joint"""

    bl_label = "Drives"
    topic = "drives"

    def draw(self, context: Context) -> None:
        """Draw the list, then the active drive."""
        layout, block = self.prepared(context)
        draw_list(layout, block, "drives")
        if 0 <= block.active_drive < len(block.drives):
            draw_drive(layout, block.drives[block.active_drive])
        if block.foreign_drives:
            draw_text(layout, context, "Drives of other extensions are kept as they are", "INFO")


def draw_owners(layout: UILayout, context: Context, second: Object) -> None:
    """Draw which joints a second frame belongs to."""
    for joint in joints_using(second):
        draw_text(layout, context, f"Other end of {joint.name}", "LINKED")
        select = layout.operator("omi_joint.select_joint", icon="RESTRICT_SELECT_OFF")
        select.object_name = joint.name


def draw_connection(layout: UILayout, context: Context, joint: Object) -> None:
    """Draw the two bodies of a joint, and how to mend it where it lacks one."""
    data = joint.omi_physics_joint
    parts.draw_bodies(layout, context, joint)
    if below(joint) is None:
        layout.operator("omi_joint.connect", icon="ADD")
    fault = parts.fault_of(joint, context.scene) if data.settings is not None else ""
    if fault:
        draw_text(layout, context, fault, "ERROR")
    column = layout.column(heading="Frames")
    is_separate = data.connected_node is not None
    icon = "CHECKBOX_HLT" if is_separate else "CHECKBOX_DEHLT"
    button = column.operator("omi_joint.separate_frames", icon=icon, depress=is_separate)
    button.use_separate = not is_separate
    layout.prop(data, "enable_collision", text="Bodies Collide")


def draw_actions(layout: UILayout, joint: Object) -> None:
    """Draw the buttons that change a joint; those of its second frame where that is an object."""
    grid = layout.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
    if joint.omi_physics_joint.connected_node is not None:
        parts.draw_second_frame(grid)
        grid.operator("omi_joint.snap_frames", text="Snap Frames", icon="SNAP_ON")
    grid.operator_menu_enum(
        "omi_joint.reaim", "direction", text="Change Axis", icon="ORIENTATION_GIMBAL"
    )
    grid.operator("omi_joint.swap_sides", icon="UV_SYNC_SELECT")
    layout.operator("omi_joint.remove", icon="TRASH")


def draw_list(layout: UILayout, block: OmiJointSettings, target: str) -> None:
    """Draw the list of limits or drives with its buttons."""
    several = len(getattr(block, target)) > 1
    row, active = layout.row(), f"active_{target[:-1]}"
    rows = 4 if several else 2
    row.template_list("OMI_JOINT_UL_settings", target, block, target, block, active, rows=rows)
    column = row.column(align=True)
    edit = "omi_joint.list_edit"
    add = column.operator_menu_enum(edit, "freedom", text="", icon="ADD")
    add.target, add.action = target, "ADD"
    moves = (("UP", "TRIA_UP"), ("DOWN", "TRIA_DOWN")) if several else ()
    for action, icon in (("REMOVE", "REMOVE"), *moves):
        if action == "UP":
            column.separator()
        button = column.operator(edit, text="", icon=icon)
        button.target, button.action = target, action


def draw_limit(layout: UILayout, item: OMI_JOINT_PG_limit) -> None:
    """Draw the fields of one limit."""
    column = layout.column()
    parts.draw_choice(column, item, "freedom")
    axes = column.row(heading="Axes", align=True)
    for axis, name in enumerate("XYZ"):
        axes.prop(item, "axes", index=axis, text=name, toggle=True)
    if sum(item.axes) > 1:
        column.prop(item, "together")
    parts.draw_bounds(column, item, item.freedom)
    column.separator()
    for field in BESIDE_BOUNDS:
        _draw_number(column, item, field, unit_of(item.freedom, field.name))


def draw_drive(layout: UILayout, item: OMI_JOINT_PG_drive) -> None:
    """Draw the fields of one drive: targets, then strengths."""
    column = layout.column()
    parts.draw_choice(column, item, "freedom")
    column.row().prop(item, "axis", expand=True)
    column.prop(item, "mode")
    for is_target in (True, False):
        column.separator()
        fields = (field for field in DRIVE_FIELDS if field.is_measured is is_target)
        for field in sorted(fields, key=lambda field: field.quantity is Quantity.FORCE):
            _draw_number(column, item, field, unit_of(item.freedom, field.name, item.mode))


def _draw_number(layout: UILayout, item: Item, field: Field, unit: str) -> None:
    """Draw one number of a limit or a drive, with its switch where it may be absent."""
    name, switch = field.property_on(item.freedom), f"use_{field.name}"
    properties = item.bl_rna.properties
    heading = properties[name].name.partition(" (")[0]
    if field.quantity is Quantity.FORCE and item.freedom == Freedom.ANGULAR:
        heading = heading.replace("Force", "Torque")
    if switch in properties:
        parts.draw_switched(layout, item, heading, switch, name, unit)
    else:
        row = layout.row(align=True)
        row.prop(item, name)
        parts.draw_unit(row, unit)


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
