# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual that comes with the add-on: where it is, which of its topics is about what, and Help.

Blender asks the map on right click > Online Manual, and our own Help buttons name a topic.
"""

from __future__ import annotations

from collections.abc import Iterator

import bpy
from bpy.props import StringProperty
from bpy.types import Context, Operator, UILayout

from ..registration import ROOT
from .mixins import PanelMixin

PAGE = ROOT / "manual" / "index.html"

TOPICS = {
    "add": ("ops.omi_joint.create",),
    "axis": (
        "ops.omi_joint.reaim",
        "ops.omi_joint.flip",
        "ops.omi_joint.change_type",
        "ops.omi_joint.swap_sides",
        "types.omi_joint_pg_scene.direction",
        "types.omi_joint_pg_scene.place",
    ),
    "limits": ("ops.omi_joint.set_limit", "ops.omi_joint.limit_range", "types.omi_joint_pg_limit*"),
    "drives": ("ops.omi_joint.change_drive", "types.omi_joint_pg_drive*"),
    "settings": ("ops.omi_joint.settings_*", "ops.omi_joint.preset_*", "ops.omi_joint.list_edit"),
    "bodies": (
        "ops.omi_joint.body_*",
        "ops.omi_joint.mass_from_volume",
        "ops.omi_joint.center_from_volume",
        "ops.omi_joint.trigger_parts",
        "ops.omi_joint.from_rigid_body",
        "types.omi_joint_pg_body*",
        "types.omi_joint_pg_colli*",
        "types.omi_joint_pg_trigger*",
        "types.omi_joint_pg_shape*",
        "types.omi_joint_pg_physics_material*",
    ),
    "mechanism": ("ops.omi_joint.select_mechanism", "ops.omi_joint.move_mechanism"),
    "frames": (
        "ops.omi_joint.separate_frames",
        "ops.omi_joint.snap_frames",
        "ops.omi_joint.select_*",
        "ops.omi_joint.connect",
        "ops.omi_joint.remove",
        "types.omi_joint_pg_joint.*",
        "types.omi_joint_pg_scene.first_body",
    ),
    "view": ("ops.omi_joint.drag", "types.omi_joint_pg_overlay*", "types.omi_joint_pg_handles*"),
    "play": ("ops.omi_joint.play*", "types.omi_joint_pg_preview*", "types.omi_joint_pg_breaking*"),
    "pose": ("ops.omi_joint.pose_*", "types.omi_joint_pg_pose*"),
    "timeline": (
        "ops.omi_joint.simulate",
        "ops.omi_joint.bake",
        "ops.omi_joint.free_cache",
        "ops.omi_joint.go_to_rest",
        "types.omi_joint_pg_timeline*",
    ),
    "check": (
        "ops.omi_joint.check",
        "ops.omi_joint.issue_*",
        "types.omi_joint_pg_report*",
        "types.omi_joint_pg_issue*",
    ),
    "export": ("types.omi_joint_pg_scene*",),
    "robots": ("ops.omi_joint.import_robot", "ops.omi_joint.export_robot"),
    "command-line": ("ops.omi_joint.run",),
    "start": ("ops.omi_joint.help",),
}
"""Anchor in the page -> what it is about, as Blender's lookup names it after "bpy."."""


def draw_help(layout: UILayout, topic: str) -> None:
    """Draw the small button that opens the manual at a topic."""
    row = layout.row()
    row.emboss = "NONE"
    row.operator("omi_joint.help", text="", icon="QUESTION").topic = topic


class HelpedPanel(PanelMixin):
    """A panel with a way to the manual in its header."""

    topic = ""

    def draw_header_preset(self, _context: Context) -> None:
        """Draw the way to the manual."""
        if self.topic:
            draw_help(self.layout, self.topic)


class OMI_JOINT_OT_help(Operator):
    """Open the manual at this topic in the web browser. It comes with the add-on"""

    bl_label = "Help"
    bl_options = {"INTERNAL"}

    topic = StringProperty(name="Topic", description="Where in the manual", options={"SKIP_SAVE"})

    def execute(self, _context: Context) -> set[str]:
        """Hand the address to Blender, which hands it to the system."""
        done: set[str] = bpy.ops.wm.url_open(url=f"{PAGE.as_uri()}#{self.topic}")
        return done


def manual_map() -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the address of the page, and for each pattern what follows it."""
    pairs = ((f"bpy.{one}", f"#{topic}") for topic, ours in TOPICS.items() for one in ours)
    return PAGE.as_uri(), tuple(pairs)


def while_on() -> Iterator[None]:
    """Have Blender look into our manual too."""
    bpy.utils.register_manual_map(manual_map)
    yield
    bpy.utils.unregister_manual_map(manual_map)
