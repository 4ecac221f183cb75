# SPDX-License-Identifier: GPL-3.0-or-later
"""Who of those to be joined stands, by what they look like, and whether the wrong one moves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import dist

import numpy as np
from bpy.types import Object
from mathutils import Matrix, Vector

from ...model.validate.unintended import why_it_stands
from ...model.wording.words import some
from ..between_bodies.contact import bounds_of, contact_between, middle_of, width_along
from ..between_bodies.forms import SLENDER, bar_of, fills_box, fitted_box, round_shape
from ..bridge.placed import body_of
from ..joints.authoring import Pair
from .selection import Plan
from .slides import lies_on, way_out
from .suited import HELD, WHOLE, across_lever, holds_side, is_long, shared_edge, spun_shape

LARGER = 3.0
"""How many times as long as the other one a body is that plainly stands."""
BULKIER = 30.0
"""How many times the volume of the other one it has then, where it is longer at all."""
IN_MIDDLE = 0.2
"""How far from its middle, as a share of its length, a plank rocks."""
STANDING = 0.7
"""Smallest part upwards of the way from one end of a rope to the other in one that stands."""
RING = 1.2
"""How many times as far from the last link of a chain as any other the first is in a ring."""
UPRIGHT = 0.5
"""Smallest part that is vertical of the side at which a door is."""
WIDER = 3.0
"""How many times as wide as its post a door is."""


def carries_doors(kind: str, asked: Plan) -> bool:
    """Return whether all that moves of several is doors, lids or drawers of what was clicked last.

    That stands then, as furniture, walls and the pole of a fan do.
    """
    if len(asked.pairs) < 2:
        return False
    if kind == "HINGE" and turn_one_by_one(asked):
        return not any(body_of(pair.still) is not None for pair in asked.pairs)
    for pair in asked.pairs:
        if any(body_of(obj) is not None for obj in (pair.moving, pair.still)):
            return False
        is_door = kind == "HINGE" and spun_shape(pair) is None and holds_side(pair)
        is_drawer = kind == "SLIDER" and (way_out(pair) is not None or lies_on(pair))
        if not (is_door or is_drawer) or pair.still != asked.active:
            return False
    return True


def turn_one_by_one(asked: Plan) -> str:
    """Say that several bars around one post, as the blades of a fan, do not turn as one."""
    post, bars = fitted_box(asked.active), [bar_of(pair.moving) for pair in asked.pairs]
    if post is None or len(bars) < 3 or post.half[0] < SLENDER * post.half[1]:
        return ""
    axis = Vector(post.ways[:, 0])
    middle = sum((middle_of(pair.moving) for pair in asked.pairs), Vector()) / len(bars)
    off = middle - Vector(post.middle)
    off -= off.project(axis)
    around = all(
        bar is not None
        and pair.still == asked.active
        and abs(axis.dot(Vector(bar.way))) < UPRIGHT
        and off.length < IN_MIDDLE * bar.length
        for bar, pair in zip(bars, asked.pairs, strict=True)
    )
    names = some([pair.moving.name for pair in asked.pairs], 2)
    return f"{names} turn one by one: join them first (Ctrl J) to turn as one." if around else ""


def standing_rope(kind: str, asked: Plan) -> str:
    """Say that a rope begins with its lowest link, from which nothing hangs."""
    first, last = asked.active, asked.pairs[-1].moving
    way = middle_of(last) - middle_of(first)
    if kind != "PIN" or way.z < STANDING * way.length or not way.length:
        return ""
    return f"{first.name} stays, and all others are above it: click {last.name} last to hang it."


def left_open(asked: Plan) -> str:
    """Say that the last link of a chain is beside the first, as in a ring, and not joined to it."""
    links = [asked.active, *(pair.moving for pair in asked.pairs)]
    steps = [(middle_of(b) - middle_of(a)).length for a, b in pairwise(links)]
    if len(links) < 3 or (middle_of(links[-1]) - middle_of(links[0])).length > RING * max(steps):
        return ""
    return f"{links[-1].name} is not joined to {links[0].name}: join these two to close the ring."


def why_other_moves(kind: str, pair: Pair) -> str:
    """Return why the wrong one of two objects moves, if plainly so; else nothing.

    Neither of them is a body yet: what somebody has said is meant.
    """
    if body_of(pair.moving) is not None or body_of(pair.still) is not None:
        return ""
    return next(_reasons(kind, pair, Pair(pair.moving, pair.still)), "")


def _reasons(kind: str, pair: Pair, other_way: Pair) -> Iterator[str]:
    """Yield why what moves of a pair plainly stands: by its size, then by what the other is."""
    moving, still = pair.moving, pair.still
    location, rotation, _ = moving.matrix_world.decompose()
    space = Matrix.LocRotScale(location, rotation, None)
    one, beside = (tuple(corner[:] for corner in bounds_of(obj, space)) for obj in (moving, still))
    size, other = dist(*one), dist(*beside)
    is_below = middle_of(moving).z < middle_of(still).z
    spins = kind == "HINGE" and spun_shape(pair) is not None
    is_much = size > LARGER * other or (size > other and _bulk(moving) > BULKIER * _bulk(still))
    if is_much and other > 0.0 and not (kind == "HINGE" and _turns_on_less(pair, spins=spins)):
        yield f"is much larger than {still.name}"
    why = why_it_stands(one, beside, is_below=is_below)
    if why:
        yield f"{why} {still.name}"
    if kind == "SLIDER" and size > other and way_out(pair) is None:
        yield from _why_it_holds(pair, other_way)
    if kind != "HINGE" or spins:
        return
    if holds_side(other_way) and (size > other or not holds_side(pair)):
        yield f"has {still.name} at it along its sides"
    is_blades = not fills_box(still)
    is_lever = across_lever(pair) is not None and not is_blades
    is_axle = not is_lever and (is_below or is_blades or size > other)
    if is_axle and _is_in_middle(other_way):
        yield f"holds {still.name} in its middle"
    if _is_post(moving, still):
        yield f"is the post of {still.name}"


def _is_in_middle(pair: Pair) -> bool:
    """Return whether what turns about its own axis meets the other body there, not at its rim."""
    spun, place = spun_shape(pair), contact_between(pair.moving, pair.still).place
    return spun is not None and (place - spun.on_axis(place)).length <= HELD * spun.radius


def _bulk(obj: Object) -> float:
    """Return the volume of the box around a body, m³."""
    box = fitted_box(obj)
    return 0.0 if box is None else float(np.prod(2.0 * box.half))


def _turns_on_less(pair: Pair, *, spins: bool) -> bool:
    """Return whether a large thing turns on a small one: blades, a boom, a plank; not a car.

    A wheel is below the end of a bar, as a skateboard, and not in its middle.
    """
    bar = bar_of(pair.moving)
    if bar is None:
        is_round = round_shape(pair.moving) is not None
        return spins and (is_round or not fills_box(pair.moving))
    wheel = round_shape(pair.still)
    off = (middle_of(pair.still) - Vector(bar.middle)).dot(Vector(bar.way))
    return wheel is None or not wheel.is_disc or abs(off) < IN_MIDDLE * bar.length


def _why_it_holds(pair: Pair, other_way: Pair) -> Iterator[str]:
    """Yield why the larger one of two does not slide: it is around the other, or its rail."""
    name = pair.still.name
    if way_out(other_way) is not None:
        yield f"is around {name}"
    if lies_on(other_way) and not lies_on(pair):
        yield f"has {name} on it"
    if bar_of(pair.moving) is not None and bar_of(pair.still) is None:
        yield f"is the rail of {name}"


def _is_post(post: Object, door: Object) -> bool:
    """Return whether two meet along an upright side, and one is much wider away from it.

    A post is a bar, and no hand on a dial, which meets that across its thickness.
    """
    box = fitted_box(door)
    if bar_of(post) is None or box is None:
        return False
    area = contact_between(door, post).area
    if area is None:
        along = shared_edge(Pair(post, door))
    else:
        along = Vector(area.along) if is_long(area) else None
    if along is None or abs(along.z) < UPRIGHT:
        return False
    way = middle_of(door) - middle_of(post)
    way = (way - way.project(along)).normalized()
    wide = width_along(door, way)
    return wide > max(WIDER * width_along(post, way), WHOLE * 2.0 * float(box.half[2]))
