# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated motion hangs on each number of what moves a body, there and back."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import pytest

from omi_physics_joint.blender.timeline.cache.fingerprint import (
    Part,
    difference,
    fingerprint,
)
from tests.scenes import box, door

NUMBERS = {
    "frame_start": 3.0,
    "frame_end": 30.0,
    "action_frame_start": 2.0,
    "action_frame_end": 15.0,
    "scale": 2.0,
    "repeat": 2.0,
    "blend_in": 2.0,
    "blend_out": 2.0,
    "influence": 0.5,
    "mute": True,
    "use_reverse": True,
    "blend_type": "ADD",
    "extrapolation": "NOTHING",
}
"""Another value for each of what counts of a strip."""


def keyed(name: str) -> bpy.types.Object:
    """Return an object with three keys along X."""
    obj = box(name, (0.0, 9.0, 0.0))
    for frame in (1, 10, 20):
        obj.location.x = 0.1 * frame
        obj.keyframe_insert("location", index=0, frame=frame)
    return obj


def curve_of(obj: bpy.types.Object) -> bpy.types.FCurve:
    """Return the only curve of an object."""
    data = obj.animation_data
    return data.action.layers[0].strips[0].channelbag(data.action_slot).fcurves[0]


def moved_by_strip(holder: bpy.types.Object) -> bpy.types.NlaTrack:
    """Have an object moved by a strip, which lasts longer than what it plays."""
    data = keyed("Taken").animation_data
    track = holder.animation_data_create().nla_tracks.new()
    track.strips.new("Strip", 1, data.action)
    return track


def strip(holder: bpy.types.Object) -> bpy.types.NlaStrip:
    """Return a strip that moves an object."""
    found = moved_by_strip(holder).strips[0]
    found.use_animated_influence = False
    return found


def curve(holder: bpy.types.Object) -> bpy.types.FCurve:
    """Return a curve that moves an object."""
    for frame, x in ((1, 0.0), (10, 2.0), (20, 1.0)):
        holder.location.x = x
        holder.keyframe_insert("location", index=0, frame=frame)
    found = curve_of(holder)
    for key in found.keyframe_points:
        key.handle_left_type = key.handle_right_type = "FREE"
    return found


def cycles(holder: bpy.types.Object) -> bpy.types.FModifier:
    """Return a modifier of a curve that moves an object."""
    return curve(holder).modifiers.new("NOISE")


def key(holder: bpy.types.Object) -> bpy.types.Keyframe:
    """Return a key of a curve that moves an object."""
    return curve(holder).keyframe_points[1]


def constraint(holder: bpy.types.Object) -> bpy.types.Constraint:
    """Return a constraint that holds an object elsewhere."""
    return holder.constraints.new("LIMIT_LOCATION")


def driver(holder: bpy.types.Object) -> bpy.types.Driver:
    """Return a driver that moves an object as another one stands."""
    found = holder.driver_add("location", 0).driver
    variable = found.variables.new()
    variable.type = "TRANSFORMS"
    variable.targets[0].id = box("Led", (0.0, -9.0, 0.0))
    variable.targets[0].transform_type = "ROT_X"
    return found


def variable(holder: bpy.types.Object) -> bpy.types.DriverVariable:
    """Return a variable of a driver."""
    return driver(holder).variables[0]


def target(holder: bpy.types.Object) -> bpy.types.DriverTarget:
    """Return what a driver looks at."""
    return variable(holder).targets[0]


def itself(holder: bpy.types.Object) -> bpy.types.Object:
    """Return what a body that stands hangs below."""
    return holder


def on_a_bone(holder: bpy.types.Object) -> bpy.types.Object:
    """Return what hangs on one of two bones."""
    armature = bpy.data.objects.new("Arm", bpy.data.armatures.new("Arm"))
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for name in ("One", "Other"):
        bone = armature.data.edit_bones.new(name)
        bone.head, bone.tail = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    holder.parent, holder.parent_type, holder.parent_bone = armature, "BONE", "One"
    return holder


def leaf(_holder: bpy.types.Object) -> bpy.types.Object:
    """Return the body that the motion is of: its own transform is the cache's."""
    return bpy.data.objects["Door"]


def hinge(_holder: bpy.types.Object) -> bpy.types.PropertyGroup:
    """Return the joint of the body."""
    return bpy.data.objects["Door Hinge"].omi_physics_joint


CASES: tuple[tuple[Callable[..., object], str, object], ...] = (
    *((strip, name, other) for name, other in NUMBERS.items()),
    (moved_by_strip, "mute", True),
    (moved_by_strip, "is_solo", True),
    (curve, "mute", True),
    (curve, "extrapolation", "LINEAR"),
    (cycles, "mute", True),
    (cycles, "influence", 0.5),
    (key, "co", (10.0, 3.0)),
    (key, "handle_left", (8.0, 3.0)),
    (key, "handle_right", (12.0, 3.0)),
    (key, "interpolation", "LINEAR"),
    (constraint, "mute", True),
    (constraint, "influence", 0.5),
    (driver, "type", "SUM"),
    (driver, "expression", "var + 1"),
    (variable, "name", "other"),
    (target, "transform_type", "ROT_Y"),
    (target, "transform_space", "LOCAL_SPACE"),
    (target, "rotation_mode", "ZYX"),
    (itself, "location", (1.0, 0.0, 0.0)),
    (itself, "rotation_euler", (1.0, 0.0, 0.0)),
    (itself, "scale", (2.0, 2.0, 2.0)),
    (on_a_bone, "parent_bone", "Other"),
    (on_a_bone, "parent_type", "OBJECT"),
    (leaf, "scale", (2.0, 2.0, 2.0)),
    (leaf, "delta_location", (1.0, 0.0, 0.0)),
    (leaf, "delta_rotation_euler", (1.0, 0.0, 0.0)),
    (leaf, "delta_rotation_quaternion", (0.0, 1.0, 0.0, 0.0)),
    (leaf, "delta_scale", (2.0, 2.0, 2.0)),
    (hinge, "connected_position", (1.0, 0.0, 0.0)),
    (hinge, "connected_rotation", (1.0, 0.0, 0.0)),
)


def plain(value: object) -> object:
    """Return a value of Blender's that stays as it is."""
    return tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value


def now() -> list[Part]:
    """Return what the motion of the door hangs on."""
    bpy.context.view_layer.update()
    return fingerprint(bpy.context.scene, [bpy.data.objects["Door"]])


@pytest.mark.parametrize(
    ("of", "name", "other"), CASES, ids=lambda one: getattr(one, "__name__", None)
)
def test_each_number_counts_until_it_is_as_it_was(
    of: Callable[..., object], name: str, other: object
) -> None:
    """Another value is an edit, and the old one is none any more."""
    frame, _, _ = door(direction="GLOBAL_Y")
    holder = bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(holder)
    frame.parent = holder
    owner = of(holder)
    before, old = now(), plain(getattr(owner, name))
    there = set(bpy.context.scene.objects.keys())
    setattr(owner, name, other)
    assert plain(getattr(owner, name)) != old
    assert difference(before, now(), there)
    setattr(owner, name, old)
    assert difference(before, now(), there) == ""
