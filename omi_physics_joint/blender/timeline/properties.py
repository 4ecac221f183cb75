# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated motion as a data-block of its own, and what a scene says of its timeline.

The motion is a node tree that no editor shows, like joint settings: it is saved, undone, appended
and counted by Blender. Numbers of a frame are bytes of an ID property, which no other part reads.
"""

from __future__ import annotations

from bpy.props import (
    CollectionProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import Context, NodeTree, Object, PropertyGroup, Scene

from ..data.fields import choice, integer
from ..registration import OVERRIDABLE

MOTION = "motion"
"""ID property of a cache: all frames, packed."""
FINGERPRINT = "fingerprint"
"""ID property of a cache: what the mechanism was, as JSON."""


class OMI_JOINT_PG_cached_body(PropertyGroup):
    """A body that a cache moves, and the transform that its user gave it."""

    object: PointerProperty(type=Object, options={"HIDDEN"})
    rotation_mode: StringProperty(options={"HIDDEN"})
    location: FloatVectorProperty(size=3, options={"HIDDEN"})
    rotation_euler: FloatVectorProperty(size=3, options={"HIDDEN"})
    rotation_quaternion: FloatVectorProperty(size=4, options={"HIDDEN"})
    rotation_axis_angle: FloatVectorProperty(size=4, options={"HIDDEN"})
    scale: FloatVectorProperty(size=3, options={"HIDDEN"})


class OMI_JOINT_PG_cached_joint(PropertyGroup):
    """A joint whose second frame goes with its second body as long as a cache is shown."""

    object: PointerProperty(type=Object, options={"HIDDEN"})
    frame: FloatVectorProperty(size=16, options={"HIDDEN"})


class OmiMotionCache(NodeTree):
    """What a simulation found, frame by frame."""

    bl_idname = "OmiMotionCache"
    bl_label = "Joint Motion"
    bl_icon = "TIME"

    scene: PointerProperty(type=Scene, options={"HIDDEN"})
    bodies: CollectionProperty(type=OMI_JOINT_PG_cached_body, options={"HIDDEN"})
    joints: CollectionProperty(type=OMI_JOINT_PG_cached_joint, options={"HIDDEN"})
    frame_start: IntProperty(name="Start", options={"HIDDEN"})
    frame_end: IntProperty(name="End", options={"HIDDEN"})
    outdated: StringProperty(
        name="Outdated", description="What was changed since; empty is valid", options={"HIDDEN"}
    )
    stamp: StringProperty(options={"HIDDEN"})

    @classmethod
    def poll(cls, _context: Context) -> bool:
        """Keep the motion out of the node editors."""
        return False


RANGES = (
    ("SCENE", "Scene", "From the first to the last frame of the scene, or of its preview range"),
    ("CUSTOM", "Custom", "Frames of your own choice"),
)


class OMI_JOINT_PG_timeline(PropertyGroup):
    """How a scene simulates its joints into a cache."""

    range: choice("Range", "Frames to simulate. The current pose is the first one", items=RANGES)
    frame_start: integer("Start", "First frame; bodies start from the current pose", default=1)
    frame_end: integer("End", "Last frame", default=250)
    cache: PointerProperty(type=OmiMotionCache, name="Cache", options={"HIDDEN"})
    changes: IntProperty(
        description="How often the cache was made or removed: undo tells two caches apart by it",
        options={"HIDDEN"},
    )


POINTERS = ((Scene, "omi_physics_timeline", OMI_JOINT_PG_timeline, OVERRIDABLE),)
