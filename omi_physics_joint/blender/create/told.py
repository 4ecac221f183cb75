# SPDX-License-Identifier: GPL-3.0-or-later
"""What the report says of new joints: who stands, and what was meant otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import bpy
from bpy.types import Object
from mathutils import Vector

from ...model.geometry.extent import diagonal
from ...model.wording.words import some
from ..between_bodies.contact import room_of
from ..bridge.placed import body_of, is_dynamic
from ..joints.authoring import Pair
from .selection import way_between

AGAIN = 1e-3
"""How far apart, as a share of the size of what moves, two joints are one."""
NAMED = 2
"""So many names of bodies are said."""


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

    A door may move without its house, where what it is joined to is a part of that too. What is
    drawn as wire and cuts a hole was clicked for the wall around it.
    """
    for pair in pairs:
        for one, other in ((pair.moving, pair.still), (pair.still, pair.moving)):
            for wall in bpy.data.objects if one.display_type in {"WIRE", "BOUNDS"} else ():
                if any(cut.type == "BOOLEAN" and cut.object == one for cut in wall.modifiers):
                    return f"{one.name} only cuts {wall.name}: undo, and join {wall.name} instead."
            above = one.parent
            is_left = above is not None and above.type == "MESH" and body_of(above) is None
            if is_left and is_dynamic(one) and other not in {above, *above.children_recursive}:
                name = above.name
                return f"{one.name} is parented to {name}, which stays: join {name} to move both."
    return ""


def held_elsewhere(pairs: Sequence[Pair]) -> str:
    """Say of the first that is clicked and is not what is joined: a rig for its bone, or a part.

    A part of what is joined to the other one already was meant to move by itself, as a forearm.
    """
    for pair in pairs:
        for one, other in ((pair.moving, pair.still), (pair.still, pair.moving)):
            if one.type == "ARMATURE":
                held = f"{one.name} as a whole holds {other.name}, which follows none of its bones"
                return f"{held}: parent an empty to the bone (Ctrl P > Bone) and join that instead."
            body = body_of(one)
            if body not in {None, one} and len(way_between(pair)) == 1:
                return (
                    f"{one.name} is part of {body.name}, which is joined to {other.name} already: "
                    f"undo, make {one.name} a body, and join it then."
                )
    return ""


def joined_already(pairs: Sequence[Pair], places: Sequence[Vector]) -> str:
    """Say of the first two that a joint is where they are joined once more; else nothing."""
    for pair, place in zip(pairs, places, strict=True):
        way, same = way_between(pair), AGAIN * diagonal(room_of(pair.moving))
        if len(way) == 1 and (way[0].matrix_world.translation - place).length <= same:
            both = f"{pair.moving.name} and {pair.still.name}"
            return f"{way[0].name} joins {both} there already: undo, or remove one."
    return ""
