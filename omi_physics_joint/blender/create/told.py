# SPDX-License-Identifier: GPL-3.0-or-later
"""What the report says of new joints: about which axis they turn, and who stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bpy.types import Object
from mathutils import Vector

from ...model.wording.words import listed, some
from ..bridge.placed import body_of, is_dynamic
from ..joints.authoring import Pair

WAYS = {"HINGE": " about ", "SLIDER": " along "}
SQUARE = 0.99995
"""Cosine of half a degree: an axis of the world is called so within that."""
NAMED = 2
"""So many names of bodies are said."""


def along_which(kind: str, directions: Sequence[Vector]) -> str:
    """Return " about Z" or " along X and a level axis"; nothing for what has no axis."""
    if kind not in WAYS:
        return ""
    return WAYS[kind] + listed(list(dict.fromkeys(map(_axis, directions))))


def _axis(direction: Vector) -> str:
    for letter, part in zip("XYZ", direction.normalized(), strict=True):
        if abs(part) > SQUARE:
            return letter
    is_level = abs(direction.normalized().z) < (1.0 - SQUARE**2) ** 0.5
    return "a level axis" if is_level else "a slanted axis"


def who_stands(objects: Iterable[Object]) -> str:
    """Return "; Frame stands", or that all of some bodies move."""
    bodies = dict.fromkeys(filter(None, map(body_of, objects)))
    still = [body.name for body in bodies if body.omi_physics_body.type == "static"]
    if still:
        return f"; {some(still, NAMED)} stand{'s' * (len(still) == 1)}"
    if any(body.omi_physics_body.type == "kinematic" for body in bodies):
        return ""
    return "; both move" if len(bodies) == 2 else "; all move"


def left_behind(pairs: Iterable[Pair]) -> str:
    """Say of the first that moves without what it is parented to, as a handle without its door.

    A door may move without its house, where what it is joined to is a part of that too.
    """
    for pair in pairs:
        for one, other in ((pair.moving, pair.still), (pair.still, pair.moving)):
            above = one.parent
            is_left = above is not None and above.type == "MESH" and body_of(above) is None
            if is_left and is_dynamic(one) and other not in {above, *above.children_recursive}:
                name = above.name
                return f"{one.name} is parented to {name}, which stays: join {name} to move both."
    return ""
