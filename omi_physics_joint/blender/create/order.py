# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of two bodies stands, where they were clicked in an order that says otherwise."""

from __future__ import annotations

import numpy as np
from bpy.types import Object
from mathutils import Vector

from ..between_bodies.contact import bounds_of, contact_between, surface_of
from ..bridge.placed import body_of
from ..joints.authoring import Pair
from .suited import LONG, spun_shape

LARGER = 3.0
"""How many times as long as the other one a body is that plainly stands."""
WIDER = 3.0
"""How many times as wide as its post a door is."""
WITHIN = 0.01
"""Share of a body's size by which it may stick out of what it lies in."""


def stands_already(obj: Object) -> bool:
    """Return whether something is a body that no force moves, in our physics or in Blender's."""
    body = body_of(obj)
    if body is not None:
        return body.omi_physics_body.type != "dynamic"
    return obj.rigid_body is not None and obj.rigid_body.type == "PASSIVE"


def why_other_moves(kind: str, pair: Pair) -> str:
    """Return why the wrong one of two objects moves, if plainly so; else nothing.

    Neither of them is a body yet: what somebody has said is meant.
    """
    moving, still = pair.moving, pair.still
    if body_of(moving) is not None or body_of(still) is not None:
        return ""
    low, high = bounds_of(moving)
    other_low, other_high = bounds_of(still)
    size, other = (high - low).length, (other_high - other_low).length
    if size > LARGER * other > 0.0:
        return f"is much larger than {still.name}"
    spare = WITHIN * other
    if size > other > 0.0 and all(
        low[i] - spare <= other_low[i] and other_high[i] <= high[i] + spare for i in range(3)
    ):
        return f"is around {still.name}"
    if kind != "HINGE" or spun_shape(pair) is not None:
        return ""
    if size > other and spun_shape(Pair(moving, still)) is not None:
        return f"holds {still.name} in its middle"
    return f"is the post of {still.name}" if _is_post(moving, still) else ""


def _is_post(post: Object, door: Object) -> bool:
    """Return whether two meet along a long side, and one is much wider away from it."""
    area = contact_between(door, post).area
    if area is None or area.lengths[0] < LONG * area.lengths[1]:
        return False
    widths = []
    for obj in (door, post):
        surface = surface_of(obj)
        points = [] if surface is None else surface.points
        widths.append(np.ptp([point.dot(Vector(area.normal)) for point in points] or [0.0]))
    return bool(widths[0] > WIDER * widths[1])
