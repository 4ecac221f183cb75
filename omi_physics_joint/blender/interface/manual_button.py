# SPDX-License-Identifier: GPL-3.0-or-later
"""Open the manual where it is about the panel at hand."""

from __future__ import annotations

import bpy
from bpy.props import StringProperty
from bpy.types import Context, Operator, UILayout

from .manual import address


def draw_help(layout: UILayout, topic: str) -> None:
    """Draw the small button that opens the manual at a topic."""
    row = layout.row()
    row.emboss = "NONE"
    row.operator("omi_joint.help", text="", icon="QUESTION").topic = topic


class OMI_JOINT_OT_help(Operator):
    """Open the manual at this topic in the web browser. It comes with the add-on"""

    bl_idname = "omi_joint.help"
    bl_label = "Help"
    bl_options = {"INTERNAL"}

    topic: StringProperty(name="Topic", description="Where in the manual", options={"SKIP_SAVE"})

    def execute(self, _context: Context) -> set[str]:
        """Hand the address to Blender, which hands it to the system."""
        done: set[str] = bpy.ops.wm.url_open(url=address(self.topic))
        return done
