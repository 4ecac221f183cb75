# SPDX-License-Identifier: GPL-3.0-or-later
"""What of the joints is drawn in the 3D view; saved with the scene."""

from __future__ import annotations

import bpy

from ..data.fields import flag, number
from ..registration import OVERRIDABLE


class OMI_JOINT_PG_overlay(bpy.types.PropertyGroup):
    """Toggles in the overlays of the 3D view."""

    show = flag("Physics Joints", "Show the joints of this scene and their limits", default=True)
    only_selected = flag("Only Selected", "Show only joints that are selected, or whose bodies are")
    frames = flag(
        "Frames",
        "Axes of the joint: solid arrows, and hollow ones for its second frame",
        default=True,
    )
    limits = flag(
        "Limits", "Arcs, cones, rails and boxes that show how far the joint moves", default=True
    )
    values = flag("Values", "Mark the current value of each joint within its limits", default=True)
    text = flag("Numbers", "Show the values of the active joint as numbers", default=True)
    drives = flag("Drives", "Arrows for the targets of springs and for motors", default=True)
    links = flag("Links", "Dashed lines to second frames that are apart", default=True)
    in_front = flag(
        "In Front",
        "Draw joints in front of everything; if off, they are faint behind objects",
        default=True,
    )
    size = number(
        "Size",
        "Size of arcs and frames, as a factor on the display size of a joint's empty",
        default=1.0,
        min=0.01,
        soft_min=0.1,
        soft_max=5.0,
        max=1000.0,
    )
    line_width = number(
        "Line Width", "Width of thin lines", default=1.0, min=0.5, max=10.0, subtype="PIXEL"
    )
    force_size = number(
        "Force Size",
        "Factor on the arrows of forces; the largest is a fifth of the mechanism, and "
        "half of that shows its weight",
        default=1.0,
        min=0.01,
        soft_max=5.0,
    )


POINTERS = ((bpy.types.Scene, "omi_physics_overlay", OMI_JOINT_PG_overlay, OVERRIDABLE),)
