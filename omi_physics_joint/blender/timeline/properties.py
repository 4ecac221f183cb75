# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated motion as a data-block of its own, and what a scene says of its timeline.

The motion is a node tree that no editor shows, like joint settings: it is saved, undone, appended
and counted by Blender. Numbers of a frame are bytes of an ID property, which no other part reads.
"""

from __future__ import annotations

from bpy.types import Context, NodeTree, Object, PropertyGroup, Scene

from ..data.fields import choice, collection, integer, numbers, pointer, string
from ..registration import NOT_OVERRIDABLE, OVERRIDABLE

MOTION = "motion"
"""ID property of a cache: all frames, packed."""
FINGERPRINT = "fingerprint"
"""ID property of a cache: what the mechanism was, as JSON."""
OWN = {"options": {"HIDDEN"}, "override": NOT_OVERRIDABLE}
"""A cache belongs to the scene of its own file."""


class OMI_JOINT_PG_cached_body(PropertyGroup):
    """A body that a cache moves, and the transform that its user gave it."""

    object = pointer(type=Object, **OWN)
    rotation_mode = string(**OWN)
    location = rotation_euler = scale = numbers(size=3, **OWN)
    rotation_quaternion = rotation_axis_angle = numbers(size=4, **OWN)


class OMI_JOINT_PG_cached_joint(PropertyGroup):
    """A joint whose second frame goes with its second body, or a body that a cache leaves alone."""

    object = pointer(type=Object, **OWN)
    frame = numbers(size=16, **OWN)


class OmiMotionCache(NodeTree):
    """What a simulation found, frame by frame."""

    bl_idname = "OmiMotionCache"
    bl_label = "Joint Motion"
    bl_icon = "TIME"

    scene = pointer(type=Scene, **OWN)
    bodies = collection(type=OMI_JOINT_PG_cached_body, **OWN)
    joints = stands = collection(type=OMI_JOINT_PG_cached_joint, **OWN)
    frame_start = frame_end = integer(**OWN)
    outdated = string("Outdated", "What was changed since; empty is valid", **OWN)
    stamp = string(**OWN)

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

    range = choice("Range", "Frames to simulate. The current pose is the first one", items=RANGES)
    frame_start = integer("Start", "First frame; bodies start from the current pose", default=1)
    frame_end = integer("End", "Last frame", default=250)
    cache = pointer(type=OmiMotionCache, **OWN)
    changes = integer(**OWN)
    """How often the cache was made or removed: undo tells two caches apart by it."""


POINTERS = ((Scene, "omi_physics_timeline", OMI_JOINT_PG_timeline, OVERRIDABLE),)
