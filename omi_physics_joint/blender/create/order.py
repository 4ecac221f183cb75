# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of two bodies stands, where they were clicked in an order that says otherwise."""

from __future__ import annotations

from math import dist

import numpy as np
from bpy.types import Object
from mathutils import Matrix, Vector

from ...model.validate.unintended import why_it_stands
from ..between_bodies.contact import bounds_of, contact_between, middle_of, surface_of
from ..bridge.placed import body_of
from ..joints.authoring import Pair
from .suited import LONG, spun_shape

LARGER = 3.0
"""How many times as long as the other one a body is that plainly stands."""
WIDER = 3.0
"""How many times as wide as its post a door is."""


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
    location, rotation, _ = moving.matrix_world.decompose()
    space = Matrix.LocRotScale(location, rotation, None)
    one, beside = (tuple(corner[:] for corner in bounds_of(obj, space)) for obj in (moving, still))
    size, other = dist(*one), dist(*beside)
    if size > LARGER * other > 0.0:
        return f"is much larger than {still.name}"
    is_below = middle_of(moving).z < middle_of(still).z
    why = why_it_stands(one, beside, is_below=is_below)
    if why:
        return f"{why} {still.name}"
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
