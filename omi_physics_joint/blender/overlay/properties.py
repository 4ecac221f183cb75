# SPDX-License-Identifier: GPL-3.0-or-later
"""What of the joints is drawn in the 3D view; saved with the scene."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, FloatProperty

from ..registration import OVERRIDABLE, with_pointers


class OMI_JOINT_PG_overlay(bpy.types.PropertyGroup):
    """Toggles in the overlays of the 3D view."""

    show: BoolProperty(
        name="Physics Joints",
        description="Show the joints of this scene and their limits",
        default=True,
        override=OVERRIDABLE,
    )
    only_selected: BoolProperty(
        name="Only Selected",
        description="Show only joints that are selected, or whose bodies are",
        override=OVERRIDABLE,
    )
    frames: BoolProperty(
        name="Frames",
        description="Axes of the joint: solid arrows, and hollow ones for its second frame",
        default=True,
        override=OVERRIDABLE,
    )
    limits: BoolProperty(
        name="Limits",
        description="Arcs, cones, rails and boxes that show how far the joint moves",
        default=True,
        override=OVERRIDABLE,
    )
    values: BoolProperty(
        name="Values",
        description="Mark the current value of each joint within its limits",
        default=True,
        override=OVERRIDABLE,
    )
    text: BoolProperty(
        name="Numbers",
        description="Show the values of the active joint as numbers",
        default=True,
        override=OVERRIDABLE,
    )
    drives: BoolProperty(
        name="Drives",
        description="Arrows for the targets of springs and for motors",
        default=True,
        override=OVERRIDABLE,
    )
    links: BoolProperty(
        name="Links",
        description="Dashed lines to second frames that are apart",
        default=True,
        override=OVERRIDABLE,
    )
    in_front: BoolProperty(
        name="In Front",
        description="Draw joints in front of everything; if off, they are faint behind objects",
        default=True,
        override=OVERRIDABLE,
    )
    size: FloatProperty(
        name="Size",
        description="Size of arcs and frames, as a factor on the display size of a joint's empty",
        default=1.0,
        min=0.01,
        soft_min=0.1,
        soft_max=5.0,
        max=1000.0,
        override=OVERRIDABLE,
    )
    line_width: FloatProperty(
        name="Line Width",
        description="Width of thin lines",
        default=1.0,
        min=0.5,
        max=10.0,
        subtype="PIXEL",
        override=OVERRIDABLE,
    )
    force_size: FloatProperty(
        name="Force Size",
        description="Factor on the arrows of forces; the largest is a fifth of the mechanism, and "
        "half of that shows its weight",
        default=1.0,
        min=0.01,
        soft_max=5.0,
        override=OVERRIDABLE,
    )


classes = (OMI_JOINT_PG_overlay,)
POINTERS = ((bpy.types.Scene, "omi_physics_overlay", OMI_JOINT_PG_overlay, OVERRIDABLE),)
register, unregister = with_pointers(bpy.utils.register_classes_factory(classes), POINTERS)
