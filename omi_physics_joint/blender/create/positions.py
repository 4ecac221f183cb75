# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a new joint is: the cursor, where bodies touch, origins, bounding boxes and vertices."""

from __future__ import annotations

from collections.abc import Sequence

from bpy.types import Context, Object
from mathutils import Vector

from ...model.geometry.extent import distance
from ...model.joint import Freedom
from ...model.wording.words import Say
from ..between_bodies.contact import bounds_of, contact_between
from ..joints.aiming import selected
from ..joints.authoring import AuthoringError, Pair

CURSOR_MARGIN = 0.1
"""How far from a body, as a share of its size, the 3D cursor still marks a place on it."""
SIDES = {"MIN": 0.0, "MIDDLE": 0.5, "MAX": 1.0}
"""Where on one axis of a bounding box a side is, as a share of its length."""


def automatic(context: Context, pairs: Sequence[Pair]) -> str:
    """Return the position that "Automatic" stands for.

    It is the 3D cursor where that was put onto one of two bodies, otherwise where bodies touch.
    """
    cursor = context.scene.cursor.location
    if len(pairs) == 1 and cursor.length > 0.0:
        for obj in (pairs[0].moving, pairs[0].still):
            low, high = bounds_of(obj)
            margin = CURSOR_MARGIN * max(high - low)
            if all(low[i] - margin <= cursor[i] <= high[i] + margin for i in range(3)):
                return "CURSOR"
    return "NEAREST"


def far_apart(pairs: Sequence[Pair], say: Say, *, chain: bool) -> str:
    """Say of the first two that are farther apart than they are long together; else nothing.

    Several that all hang on one are the links of a rope, more often than bodies out of place.
    """
    is_star = len(pairs) > 1 and not chain
    remedy = "Chain joins each to its nearest" if is_star else "move them together first"
    for pair in pairs:
        rooms = [bounds_of(obj) for obj in (pair.moving, pair.still)]
        (a, b, c), (d, e, f) = (tuple(low) for low, _ in rooms)
        (u, v, w), (x, y, z) = (tuple(high) for _, high in rooms)
        apart = distance(((a, b, c), (u, v, w)), ((d, e, f), (x, y, z)))
        if 0.0 < sum((high - low).length for low, high in rooms) < apart:
            far = f"{pair.moving.name} and {pair.still.name} are {say(apart, Freedom.LINEAR)} apart"
            return f"{far}, with the joint half-way: {remedy}."
    return ""


def place_of(
    choice: str,
    context: Context,
    pair: Pair,
    sides: tuple[str, str, str] = ("MIDDLE", "MIDDLE", "MIDDLE"),
) -> Vector:
    """Return a point in the world for one of ``data.scene.PLACES`` but "AUTO".

    For "BOX" the sides are those of the moving body's bounding box, on each of its axes.

    Raises:
        AuthoringError: no vertex is selected.
    """
    moving, still = pair.moving.matrix_world.translation, pair.still.matrix_world.translation
    plain = {
        "CURSOR": context.scene.cursor.location,
        "ACTIVE": moving,
        "OTHER": still,
        "MIDDLE": moving.lerp(still, 0.5),
    }
    if choice in plain:
        return plain[choice].copy()
    if choice == "NEAREST":
        return contact_between(pair.moving, pair.still).place
    if choice == "BOX":
        low, high = pair.moving.bound_box[0], pair.moving.bound_box[6]
        ends = zip(low, high, sides, strict=True)
        corner = Vector([a + SIDES[side] * (b - a) for a, b, side in ends])
        return pair.moving.matrix_world @ corner
    return _vertex_middle(pair.moving)


def _vertex_middle(obj: Object) -> Vector:
    points = [obj.matrix_world @ vertex.co for vertex in selected(obj, "vertices")]
    if not points:
        raise AuthoringError(f"Select at least one vertex of {obj.name} in Edit Mode.")
    return sum(points, Vector()) / len(points)
