# SPDX-License-Identifier: GPL-3.0-or-later
"""How a pose gets into the transforms of objects, and into keyframes.

A pose is an edit that stays, so it leaves alone what it does not change: scales as they were typed,
objects that did not move, and the turns that an angle has made, since keyframes go through them.
"""

from __future__ import annotations

from collections.abc import Iterable

from bpy.types import Object, Scene
from mathutils import Euler, Quaternion, Vector
from mathutils import Matrix as BlenderMatrix

from ..bridge.poses.second_frames import PATHS
from ..bridge.poses.transforms import FIELDS, GROUP, NOISE, Kept, rotation_field

SQUARE = 1e-4
"""How far a rotation may be from one, after the old scale is taken out, for that scale to stay."""


def tidy(obj: Object, before: Kept) -> None:
    """Give an object whose matrix was set its scale back, and the turn nearest to the last one."""
    if not _is_plain(obj):
        return
    old = dict(zip(FIELDS, before.values, strict=True))
    scale = Vector(old["scale"])
    if 0.0 in scale:
        return
    inverse = BlenderMatrix.Diagonal([1.0 / x for x in scale])
    rotation = obj.matrix_basis.to_3x3() @ inverse
    off = rotation.transposed() @ rotation - BlenderMatrix.Identity(3)
    if max(abs(x) for row in off for x in row) > SQUARE or rotation.determinant() < 0.0:
        return
    obj.scale = scale
    if tuple(obj.delta_location) == (0.0, 0.0, 0.0):
        obj.location = _steady(obj.location, old["location"])
    if obj.rotation_mode == "QUATERNION":
        quaternion = rotation.to_quaternion()
        quaternion.make_compatible(Quaternion(old["rotation_quaternion"]))
        obj.rotation_quaternion = quaternion
    elif obj.rotation_mode != "AXIS_ANGLE":
        order = obj.rotation_mode
        euler = rotation.to_euler(order, Euler(old["rotation_euler"], order))
        obj.rotation_euler = _steady(euler, old["rotation_euler"])


def _steady(new: Iterable[float], old: Iterable[float]) -> tuple[float, ...]:
    """Return new numbers, but old ones where the difference is rounding."""
    return tuple(b if abs(a - b) <= NOISE else a for a, b in zip(new, old, strict=True))


def _is_plain(obj: Object) -> bool:
    """Whether no delta transform is added to what the user types."""
    return (
        tuple(obj.delta_scale) == (1.0, 1.0, 1.0)
        and tuple(obj.delta_rotation_euler) == (0.0, 0.0, 0.0)
        and tuple(obj.delta_rotation_quaternion) == (1.0, 0.0, 0.0, 0.0)
    )


def key(objects: Iterable[Object], *, replace_only: bool = False) -> int:
    """Insert keyframes for the places and rotations of objects; return how many got some.

    A joint does not move by itself: its value is keyed, which belongs to the pose of its bodies.
    """
    options = {"INSERTKEY_REPLACE"} if replace_only else set()
    count = 0
    for obj in objects:
        if obj.is_editable:
            paths: tuple[str, ...] = ("location", rotation_field(obj.rotation_mode))
            if obj.omi_physics_joint.is_joint:
                paths = PATHS
            done = [obj.keyframe_insert(path, group=GROUP, options=options) for path in paths]
            count += any(done)
    return count


def key_automatically(scene: Scene, objects: Iterable[Object]) -> None:
    """Insert keyframes where the scene records every change."""
    tools = scene.tool_settings
    if tools.use_keyframe_insert_auto:
        key(objects, replace_only=tools.auto_keying_mode == "REPLACE_KEYS")
