# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints of two empties into joints of one: what older files and glTF files hold.

A second frame that says nothing but where the joint is anyway becomes the joint's own. Whatever
else such an object may be for somebody, it stays an object: a separate frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import bpy
from bpy.types import Object
from mathutils import Matrix

from .placed import body_of, world_by_numbers
from .poses.second_frames import between, fields_of

SAME_PLACE, SAME_TURN = 1e-5, 1e-5
"""m, for each metre of the largest coordinate, and rad that frames at one place may be apart."""
HOLDER = " holder"
"""How a node is called that our own files have above a frame under an unevenly scaled body."""


def absorb(
    joints: Iterable[Object], name_of: Callable[[Object], str] = lambda frame: frame.name
) -> list[Object]:
    """Make joints one object each where their second frames are nothing but that.

    They were read just now, and the view layer need not be updated. ``name_of`` says what a second
    frame is called in a file. Returned is what is needed no more, to be removed by the caller.
    """
    known = {joint: joint.omi_physics_joint.connected_node for joint in joints}
    plain = {joint: frame for joint, frame in known.items() if frame and _is_plain(joint, frame)}
    asked = {one for frame in plain.values() for one in (frame, frame.parent)}
    users = bpy.data.user_map(subset=asked) if plain else {}  # children are users too
    gone: list[Object] = []
    for joint, frame in plain.items():
        others = {one for one in users[frame] if isinstance(one, Object)} - {joint}
        above = [one for one in users[frame.parent] if isinstance(one, Object)]
        holder = frame.parent if above == [frame] and _is_holder(frame.parent) else None
        # Blender keeps no world matrices of what it has not evaluated: new objects, other scenes.
        if others - {holder} or not is_same_place(*map(world_by_numbers, (joint, frame))):
            continue
        body = frame.parent if holder is None else holder.parent
        if not body.omi_physics_body.is_body or body == body_of(joint):
            continue
        data = joint.omi_physics_joint
        data.connected_node = None
        data.connected_body = body
        data.connected_name = name_of(frame)
        gone += [frame] if holder is None else [frame, holder]
    return gone


def _is_plain(joint: Object, frame: Object) -> bool:
    """Return whether both objects are plain empties whose place only their parents say."""
    still = all(
        one.is_editable
        and one.override_library is None
        and one.animation_data is None
        and not one.constraints
        and one.parent_type == "OBJECT"
        for one in (joint, frame)
    )
    return still and frame.parent is not None and _says_nothing(frame)


def _says_nothing(obj: Object) -> bool:
    """Return whether an object is an empty without anything of its own."""
    body = obj.omi_physics_body
    is_physical = body.is_physical or bool(body.unknown)
    own = [key for key in obj.keys() if not key.startswith("omi_physics_")]  # noqa: SIM118
    is_empty = obj.type == "EMPTY" and obj.data is None and obj.instance_type == "NONE"
    return is_empty and not (is_physical or own or obj.omi_physics_joint.is_joint)


def _is_holder(above: Object) -> bool:
    """Return whether what a frame is below is an empty for nothing but its place."""
    is_ours = above.name.rpartition(".")[0].endswith(HOLDER) or above.name.endswith(HOLDER)
    in_place = is_ours and above.parent is not None and above.animation_data is None
    return in_place and _says_nothing(above)


def is_same_place(here: Matrix, there: Matrix) -> bool:
    """Return whether two frames coincide."""
    value = between(here, there)
    if value.determinant() < 0.0:
        return False
    position, rotation = fields_of(value)
    size = max(1.0, *map(abs, here.translation))
    return bool(position.length <= SAME_PLACE * size and rotation.length <= SAME_TURN)
