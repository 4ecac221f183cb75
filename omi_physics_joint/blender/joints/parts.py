# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces of panels about one joint, drawn in the properties and in the sidebar alike."""

from __future__ import annotations

from bpy.types import Context, Object, Operator, PropertyGroup, Scene, UILayout

from ...model.joint import JointSettings
from ...model.wording.describe import kind, sentence, special_name, summary
from ...model.wording.words import capitalized
from ..bridge.placed import absence, bodies_of, body_of
from ..bridge.poses.second_frames import below
from ..bridge.read_settings import limit_from_item, settings_from_block
from ..data.joint import OmiJointSettings
from ..data.limits import OMI_JOINT_PG_limit
from ..data.units import sayer
from ..interface.mixins import fields_in
from ..interface.text import draw_text
from ..interface.words import KIND_ICONS, shared_by
from .authoring import only_first_moves
from .settings_editing import is_together

REVERSED = "Minimum above maximum"
REMEDIES = {"No settings": "Press New", REVERSED: "It bounds nothing: swap the two"}
"""What to do about faults that are none of the bodies."""
ANOTHER_BODY = "Pick a body in Physics, or Remove"
NAME_SHARE = 0.62
"""Share of a narrow row that a switch and its name take."""


def fault_of(joint: Object, scene: Scene) -> str:
    """Return what is wrong with a joint, in a few words; nothing where it holds."""
    data = joint.omi_physics_joint
    if data.settings is None:
        return "No settings"
    other, (first, second) = below(joint), bodies_of(joint)
    if first is None or other is None:
        return "No body" if first is None else "No second body"
    for body in (first, other):
        if not body.visible_get() and scene not in body.users_scene:  # which looks at all objects
            return f"{body.name} {absence(body)}"
    if second is None:
        return f"{other.name} is no physics body"
    if first == second:
        return f"Both sides are {first.name}"
    limits = settings_from_block(data.settings).limits
    return REVERSED if any(limit.is_reversed for limit in limits) else ""


def draw_bodies(layout: UILayout, context: Context, joint: Object) -> None:
    """Draw the two bodies of a joint; to choose another one re-targets it."""
    data, options = joint.omi_physics_joint, context.scene.omi_physics_joint
    column = fields_in(layout.column())
    first = body_of(joint)
    row = column.row()
    if context.object == joint and options.first_body == first:
        row.alert = first is None
        row.enabled = joint.is_editable
        row.prop(options, "first_body")
    else:  # Another joint is active where that is kept
        row.label(text=f"Body: {first.name if first else 'none'}", translate=False)
    row = column.row()
    row.alert = below(joint) is None
    row.prop(data, "connected_body" if data.connected_node is None else "connected_node")


def title_of(settings: JointSettings, scene: Scene) -> str:
    """Return in a few words what settings allow: "Hinge, 0° to 90°"."""
    return capitalized(summary(settings, sayer(scene)))


def bodies_in_words(joint: Object) -> str:
    """Return "Door, on Frame": what moves, and what it moves on."""
    holder, other = bodies_of(joint)
    is_holder = holder is None or other is None or only_first_moves(holder, other)
    bodies = (holder, other) if is_holder else (other, holder)
    first, second = (body.name if body else "nothing" for body in bodies)
    return f"{first}, on {second}"


def draw_settings(layout: UILayout, context: Context, joint: Object) -> None:
    """Draw the selector of the settings, who else uses them, and what they mean.

    Where another object is active, their name stands for the selector.
    """
    block = joint.omi_physics_joint.settings
    column = layout.column()
    if context.object == joint:
        column.template_ID(joint.omi_physics_joint, "settings", new="omi_joint.settings_new")
    else:
        column.label(text=block.name if block else "", icon="CONSTRAINT", translate=False)
    if block is None:
        draw_text(layout, context, "No settings: this joint holds nothing", "ERROR")
        return
    note = shared_by(block.users, fake=block.use_fake_user)
    if note:
        draw_text(layout, context, note, "INFO")
    if block.library is not None:
        draw_text(layout, context, "Linked from another file", "LIBRARY_DATA_DIRECT")
    settings = settings_from_block(block)
    name = special_name(settings) or kind(settings)
    meaning = capitalized(sentence(settings, sayer(context.scene)))
    text = f"{name}: {meaning}" if name else meaning
    draw_text(layout, context, text, KIND_ICONS.get(name, "CONSTRAINT"))


def draw_switch(layout: UILayout, joint: Object | None) -> None:
    """Draw whether a joint is on."""
    if joint is not None:
        layout.prop(joint.omi_physics_joint, "mute", text="", invert_checkbox=True)


def draw_type(
    layout: UILayout, block: OmiJointSettings | None, *, narrow: bool = False
) -> UILayout:
    """Draw what kind of joint it is, as a menu of what it can become, and which way it goes.

    Return the row, for what else makes it another joint.
    """
    name = kind(settings_from_block(block)) if block is not None else ""
    row = draw_pair(layout, narrow=narrow)
    row.operator_menu_enum(
        "omi_joint.change_type",
        "kind",
        text=name or ("Type" if block is None else "Custom"),
        icon=KIND_ICONS.get(name, "CONSTRAINT"),
    )
    row.operator("omi_joint.flip", text="Flip", icon="ARROW_LEFTRIGHT")
    return row


def draw_second_frame(layout: UILayout) -> None:
    """Draw the way from a joint to its second frame, and back."""
    icon = "RESTRICT_SELECT_OFF"
    layout.operator("omi_joint.select_second_frame", text="Other End", icon=icon)


def draw_pair(layout: UILayout, *, narrow: bool) -> UILayout:
    """Return what puts two buttons beside each other, or where it is narrow one below the other."""
    pair: UILayout = layout.column(align=True) if narrow else layout.row(align=True)
    return pair


def draw_choice(layout: UILayout, item: PropertyGroup, field: str) -> None:
    """Draw a choice as buttons over the whole width, so that their names fit."""
    row = layout.row()
    row.use_property_split = False
    row.prop(item, field, expand=True)


def draw_bounds(
    layout: UILayout, item: PropertyGroup | Operator, kind: str, *, narrow: bool = False
) -> None:
    """Draw a minimum and a maximum, each with its switch; their fields begin with a kind."""
    for bound, heading in (("min", "Minimum"), ("max", "Maximum")):
        draw_switched(layout, item, heading, f"use_{bound}", f"{kind}_{bound}", narrow=narrow)


def draw_switched(
    layout: UILayout,
    item: PropertyGroup | Operator,
    heading: str,
    switch: str,
    field: str,
    unit: str = "",
    *,
    narrow: bool = False,
) -> None:
    """Draw one field that counts only where its switch is on."""
    if narrow:
        row = layout.split(factor=NAME_SHARE, align=True)
        row.use_property_split = False
    else:
        row = layout.row(heading=heading, align=True)
    row.prop(item, switch, text=heading if narrow else "")
    sub = row.row(align=True)
    sub.active = getattr(item, switch)
    sub.prop(item, field, text="")
    if unit:
        draw_unit(sub, unit)


def draw_unit(row: UILayout, unit: str, width: float = 2.6) -> None:
    """Draw a unit behind a field; as wide as any, so that fields end below each other."""
    label = row.row()
    label.ui_units_x = width
    label.label(text=unit, translate=False)


def ranged_limit(block: OmiJointSettings) -> OMI_JOINT_PG_limit | None:
    """Return the one limit that leaves a range, on one axis or several together; None of more.

    Where none does, it is the only one of a single axis, as its bounds were typed one by one.
    """
    ranged = [item for item in block.limits if _leaves_range(item)]
    ranged = ranged or [item for item in block.limits if sum(item.axes) == 1]
    return ranged[0] if len(ranged) == 1 else None


def _leaves_range(item: OMI_JOINT_PG_limit) -> bool:
    return not limit_from_item(item).is_lock if sum(item.axes) == 1 else is_together(item)
