# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects move together: the joints around an object, and the nodes that they need."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

import bpy

from ..bridge.placed import Placed, bodies_of, body_of, plain, with_second_frames
from ..bridge.second_frames import below, is_joined
from ..properties.joint import has_settings


def is_whole(joint: bpy.types.Object) -> bool:
    """Return whether an object is a joint that has all it needs and is not switched off."""
    data = joint.omi_physics_joint
    has_all = data.settings is not None and is_joined(joint)
    return data.is_joint and has_all and not data.mute


def is_dynamic(body: bpy.types.Object | None) -> TypeGuard[bpy.types.Object]:
    """Return whether joints move a body."""
    return body is not None and body.omi_physics_body.type == "dynamic"


def joints_around(obj: bpy.types.Object | None, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Return the joints of the mechanism that an object is part of, by name; nearest first.

    The object may be a body, anything below one, a joint or a partner. What stands still does not
    connect: a wall with a hundred doors belongs to all of them, a door to its own mechanism only.
    """
    if obj is None or not has_settings():
        return []
    whole = [one for one in scene.objects if is_whole(one)]
    ends = {one: bodies_of(one) for one in whole}
    at_body: dict[bpy.types.Object | None, list[bpy.types.Object]] = {}
    for one, bodies in ends.items():
        for body in bodies:
            if body is not None:
                at_body.setdefault(body, []).append(one)
    own = [one for one in whole if obj in (one, one.omi_physics_joint.connected_node)]
    found = sorted(own or at_body.get(body_of(obj), []), key=lambda one: one.name)
    seen = set(found)
    for one in found:  # grows while it is walked
        for body in ends[one]:
            if is_dynamic(body):
                new = [other for other in at_body[body] if other not in seen]
                seen.update(new)
                found += sorted(new, key=lambda other: other.name)
    return [one for one in found if any(is_dynamic(body) for body in ends[one])]


def placed_with(joints: Iterable[bpy.types.Object]) -> list[Placed]:
    """Return the nodes of joints and of everything above them, see ``bridge.placed``."""
    above: dict[bpy.types.Object, int] = {}
    for joint in joints:
        for frame in (joint, below(joint)):
            chain = []
            obj: bpy.types.Object | None = frame
            while obj is not None and obj not in above:
                chain.append(obj)
                obj = obj.parent
            for one in reversed(chain):
                above[one] = len(above)
    placed = [
        Placed(obj, None if obj.parent is None else above[obj.parent], plain(obj.matrix_world))
        for obj in above
    ]
    return with_second_frames(placed)
