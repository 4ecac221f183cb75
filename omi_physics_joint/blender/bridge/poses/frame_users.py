# SPDX-License-Identifier: GPL-3.0-or-later
"""Which joints have an object as their second frame: asked in each redraw and for each joint.

Only joints point at their second frames, so whoever asks has to look at all objects. What was found
is kept with the number of users that each object has besides joints: another joint would be one
more, and nobody needs to look again while that number is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import bpy
from bpy.types import Object

from ...interface.signals import signals


@dataclass(slots=True)
class _Found:
    """What was found when all objects were looked at, by the session uid of each."""

    generation: int = -1
    """References are good while no data-blocks were replaced."""
    users: dict[int, tuple[int, tuple[Object, ...]]] = field(default_factory=dict)
    """Users that are no joints, and all that point at it."""


_found = _Found()


def joints_using(frame: Object) -> list[Object]:
    """Return the joints whose second frame an object is."""
    return [obj for obj in _pointing_at(frame) if obj.omi_physics_joint.is_joint]


def joints_from(objects: Sequence[Object]) -> list[Object]:
    """Return the joints among objects; a partner stands for its joints. Each once, in order."""
    found: dict[Object, None] = {}
    for obj in objects:
        if obj.omi_physics_joint.is_joint:
            found[obj] = None
        elif obj.type == "EMPTY":
            found.update(dict.fromkeys(joints_using(obj)))
    return list(found)


def joint_of(obj: Object | None) -> Object | None:
    """Return the joint that an object is the frame of, or the first whose partner it is."""
    if obj is None:
        return None
    return obj if obj.omi_physics_joint.is_joint else next(iter(joints_from([obj])), None)


def any_joint(objects: Sequence[Object]) -> bool:
    """Return whether there is a joint or a partner among objects, as fast as a panel needs it."""
    return any(obj.omi_physics_joint.is_joint for obj in objects) or bool(joints_from(objects))


def _pointing_at(frame: Object) -> Sequence[Object]:
    if _found.generation == signals.generation and frame.session_uid in _found.users:
        others, known = _found.users[frame.session_uid]
        try:
            pointing = [obj for obj in known if obj.omi_physics_joint.connected_node == frame]
        except ReferenceError:  # one of them was removed
            pointing = []
        if frame.users - len(pointing) == others:
            return pointing
    _look()
    return _found.users[frame.session_uid][1]


def _look() -> None:
    pointing: dict[Object, list[Object]] = {}
    for obj in bpy.data.objects:
        frame = obj.omi_physics_joint.connected_node
        if frame is not None:
            pointing.setdefault(frame, []).append(obj)
    _found.generation = signals.generation
    _found.users = {}
    for obj in bpy.data.objects:
        found = tuple(pointing.get(obj, ()))
        _found.users[obj.session_uid] = (obj.users - len(found), found)
