# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Add Joint in the sidebar."""

from __future__ import annotations

from bpy.types import Context, Panel, UILayout

from ...model.wording.words import counted
from ..interface.sidebar import SidebarPanel, draw_options
from ..interface.text import draw_text, is_narrow, lines, measure, room
from ..interface.words import KIND_ICONS
from ..joints.authoring import frames_among
from .selection import HINT, joinable, plan, still_lacking


class OMI_JOINT_PT_sidebar_add(SidebarPanel, Panel):
    """Join the selected objects"""

    bl_label = "Add Joint"
    topic = "add"

    def draw_inside(self, layout: UILayout, context: Context) -> None:
        """Draw what a new joint needs to know, then one button for each kind."""
        fields, options = ("direction", "place"), context.scene.omi_physics_joint
        draw_options(layout, options, fields, narrow=is_narrow(context))
        draw_kinds(layout, context)
        rows = max(2, len(lines(HINT, room(context, icon=True), measure(context))))
        draw_text(layout, context, what_is_joined(context), "INFO", rows=rows)


def what_is_joined(context: Context) -> str:
    """Say what a new joint would join, or what to select."""
    lacking = still_lacking(context)
    if lacking:
        return lacking
    active, (objects, left) = context.active_object, joinable(context)
    frames = frames_among(objects)
    if frames:
        which = "these are joints" if len(frames) > 1 else f"{frames[0].name} is a joint"
        return f"Select the bodies to join: {which}"
    others = [obj for obj in objects if obj != active]
    without = f", without {left}" if left else ""
    if len(others) == 1:
        (pair,) = plan(active, objects).pairs
        return f"{pair.moving.name}, on {pair.still.name}{without}"
    return f"{counted(len(others), 'object')} and {active.name}{without}"


def draw_kinds(layout: UILayout, context: Context) -> None:
    """Draw four big buttons, one for each kind of joint.

    They are grey where joints are selected: the operator's poll lets that pass for its redo box.
    """
    grid = layout.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
    grid.enabled = not still_lacking(context) and not frames_among(context.selected_objects)
    grid.scale_y = 1.2
    grid.operator_context = "INVOKE_DEFAULT"
    for name, icon in KIND_ICONS.items():
        grid.operator("omi_joint.create", text=name, icon=icon).kind = name.upper()
