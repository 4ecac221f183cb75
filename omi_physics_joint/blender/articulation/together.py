# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects move together: the joints around an object, and the nodes that they need."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeGuard

from bpy.types import Object, Scene

from ...model.mechanics.islands import islands_of, nearest_first
from ..bridge.placed import PlacedObject, bodies_of, body_of, plain, with_second_frames
from ..bridge.poses.second_frames import below, is_joined
from ..data.joint import has_settings


def is_whole(joint: Object) -> bool:
    """Return whether an object is a joint that has all it needs and is not switched off."""
    data = joint.omi_physics_joint
    has_all = data.settings is not None and is_joined(joint)
    return data.is_joint and has_all and not data.mute


def is_dynamic(body: Object | None) -> TypeGuard[Object]:
    """Return whether joints move a body."""
    return body is not None and body.omi_physics_body.type == "dynamic"


def is_moving(body: Object | None) -> TypeGuard[Object]:
    """Return whether a body moves, by joints or by its animation."""
    return body is not None and body.omi_physics_body.type != "static"


def joints_around(
    obj: Object | None,
    scene: Scene,
    *,
    through: Callable[[Object | None], TypeGuard[Object]] = is_dynamic,
) -> list[Object]:
    """Return the joints of the mechanism that an object is part of, by name; nearest first.

    The object may be a body, anything below one, a joint or a partner; None is part of none. Bodies
    that do not lead ``through`` stand still and do not connect: a wall with a hundred doors belongs
    to all of them, a door to its own mechanism only.
    """
    if obj is None or not has_settings():
        return []
    whole = sorted((one for one in scene.objects if is_whole(one)), key=lambda one: one.name)
    ends = [bodies_of(one) for one in whole]
    movable = dict.fromkeys(body for pair in ends for body in pair if through(body))
    islands = islands_of(movable, ends)
    own = [i for i, one in enumerate(whole) if obj in (one, one.omi_physics_joint.connected_node)]
    body = body_of(obj)
    found = own or [i for i, pair in enumerate(ends) if body is not None and body in pair]
    start = sorted(found, key=lambda i: whole[i].name)
    near = [nearest_first(one, ends, [i for i in start if i in one.joints]) for one in islands]
    joints = dict.fromkeys([*start, *(i for part in near for i in part)])
    return [whole[i] for i in joints if any(is_dynamic(one) for one in ends[i])]


def placed_with(joints: Iterable[Object]) -> list[PlacedObject]:
    """Return the nodes of joints and of everything above them, see ``bridge.placed``."""
    above: dict[Object, int] = {}
    for joint in joints:
        for frame in (joint, below(joint)):
            chain = []
            obj: Object | None = frame
            while obj is not None and obj not in above:
                chain.append(obj)
                obj = obj.parent
            for one in reversed(chain):
                above[one] = len(above)
    placed = [
        PlacedObject(
            obj, None if obj.parent is None else above[obj.parent], plain(obj.matrix_world)
        )
        for obj in above
    ]
    return with_second_frames(placed)
