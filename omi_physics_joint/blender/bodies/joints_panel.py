# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties > Physics: which joints the active body has."""

from __future__ import annotations

from bpy.types import Context, Panel

from ..create.selection import joints_on
from ..interface.text import fits
from ..joints.lists import NAMES
from ..joints.parts import title_of
from .panels import MotionPanel

MOST_ROWS = 12
"""Of more joints the rest is counted."""


class OMI_JOINT_PT_body_joints(MotionPanel, Panel):
    """The joints of the active body"""

    bl_label = "Joints"
    bl_options = set()
    bl_order = -1

    def draw(self, context: Context) -> None:
        """Draw a row for each: its name, the other body, what it does, and a way to it."""
        layout, _ = self.prepared(context)
        found = joints_on(context.object)
        if not found:
            layout.label(text="No joints", icon="INFO")
        column = layout.column(align=True)
        for joint, other in found[:MOST_ROWS]:
            row = column.split(factor=NAMES, align=True)
            select = row.operator("omi_joint.select_joint", text=joint.name, icon="CONSTRAINT")
            select.object_name = joint.name
            block = joint.omi_physics_joint.settings
            what = title_of(block, context.scene) if block is not None else "No settings"
            where = f"{other.name}: {what}" if other is not None else what
            if other is not None and not fits(context, where, 1.0 - NAMES):
                where = other.name
            row.label(text=where, translate=False)
        if len(found) > MOST_ROWS:
            column.label(text=f"and {len(found) - MOST_ROWS} more", translate=False)
