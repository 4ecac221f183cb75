# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Whole Mechanism below Pose: the tree of joints that the active object is part of."""

from __future__ import annotations

from bpy.types import Context, Object, Panel, UILayout

from ...model.articulation.joints import Articulation
from ...model.wording.words import capitalized, counted
from ..bridge.poses.frame_users import joint_of
from ..interface.sidebar import SidebarPanel
from ..interface.text import draw_text
from .connected_objects import Whole, shown_whole

MOST = 8
"""Articulations and joints that are listed; the rest is counted."""


class OMI_JOINT_PT_sidebar_articulation(SidebarPanel, Panel):
    """The tree of joints that the active object is part of"""

    bl_label = "Whole Mechanism"
    bl_parent_id = "OMI_JOINT_PT_sidebar_pose"
    topic = "mechanism"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_inside(self, layout: UILayout, context: Context) -> None:
        """Draw the buttons, then for each articulation its root, its size and its loops."""
        whole = shown_whole(context.object, context.scene)
        row = layout.row(align=True)
        row.enabled = whole is not None
        row.operator("omi_joint.select_mechanism", text="Select All", icon="RESTRICT_SELECT_OFF")
        row.operator_context = "INVOKE_REGION_WIN"
        row.operator("omi_joint.move_mechanism", text="Move All", icon="CON_LOCLIKE")
        if whole is None:
            draw_text(layout, context, "Select a body that a joint moves, or a joint", "INFO")
            return
        for one in whole.articulations[:MOST]:
            draw_articulation(layout, context, whole, one)
        if len(whole.articulations) > MOST:
            draw_text(layout, context, f"and {len(whole.articulations) - MOST} more")
        draw_joint(layout, context, whole)


def draw_joint(layout: UILayout, context: Context, whole: Whole) -> None:
    """Draw what the active joint is in its tree."""
    joint = joint_of(context.object)
    own = whole.joint_of(joint) if joint is not None else None
    if joint is None or own is None:
        return
    parent = own.static_parent if own.parent is None else own.parent
    above = "the world" if parent is None else whole.object_of(parent).name
    text = f"{own.type}, {above} > {whole.object_of(own.child).name}"
    draw_text(layout, context, text, "EMPTY_ARROWS")


def draw_articulation(layout: UILayout, context: Context, whole: Whole, one: Articulation) -> None:
    """Draw the root of an articulation, how it is held, how large it is, and its loops."""
    box = layout.column(align=True)
    root = whole.object_of(one.root)
    row = box.row(align=True)
    row.label(text="Root")
    select_button(row, root, "OBJECT_DATA")
    for line in size_of(one):
        draw_text(box, context, line)
    loops = [whole.object_of(loop.node) for loop in one.loops if loop.node is not None]
    if loops:
        draw_text(box, context, f"{counted(len(loops), 'joint')} closing a loop:")
    for joint in loops[:MOST]:
        select_button(box, joint, "CONSTRAINT")
    if len(loops) > MOST:
        box.label(text=f"and {len(loops) - MOST} more", translate=False)


def size_of(one: Articulation) -> tuple[str, str]:
    """Say how a root is held, and how many bodies, joints and degrees of freedom there are."""
    stored = list(one.stored_joints())
    freedoms = sum(joint.counts.qd for joint in one.joints if joint.node is not None)
    bodies, joints = counted(len(one.bodies), "moving body"), counted(len(stored), "joint")
    freedom = f"{counted(freedoms, 'degree')} of freedom"
    return f"{capitalized(one.base)} base, {bodies}", f"{joints}, {freedom}"


def select_button(layout: UILayout, obj: Object, icon: str) -> None:
    """Draw a button that selects an object."""
    button = layout.operator("omi_joint.select_joint", text=obj.name, icon=icon, translate=False)
    button.object_name = obj.name
