# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of several that are joined at once stand, by what they look like, and what is told."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import isclose

import numpy as np
from bpy.types import Object
from mathutils import Vector

from ...model.wording.words import Say, some
from ..between_bodies.contact import (
    bounds_of,
    contact_between,
    far_apart,
    middle_of,
    room_of,
    width_along,
)
from ..between_bodies.descendants import joints_on
from ..between_bodies.forms import SLENDER, STEEP, bar_of, fills_box, fitted_box
from ..bridge.placed import body_of
from ..joints.authoring import Pair
from .selection import Plan, gaps_to, hangs, stands_already
from .slides import lies_on, way_out
from .standing import LARGER, bulk, is_around, why_other_moves, why_still_moves
from .suited import LEVER, NEARLY, ON_END, dial_reached, holds_side, spun_shape

SAME = 1e-3
"""Largest share by which the volumes of bodies that are alike differ."""
RING = 1.2
"""How many times as far from the last link of a chain as others the first is in a ring."""
NEAR = 0.1
"""Largest share of its length by which what is joined is drawn off what it is joined to."""
THIN = 0.25
"""Largest share of its width that a ceiling is thick."""
LIMB = 0.6
"""Share of the thickness of a bar from which on what hangs there is a leg of it, and no rope."""
DEEP = 0.4
"""Smallest share of its height by which a post reaches below a bridge."""
AT_HUB = 0.25
"""Largest share of its length by which a blade begins off that middle."""
HEAVIER = 10.0
"""How many times the volume of its bucket the cab of an excavator has."""


def with_roles(kind: str, asked: Plan) -> Plan:
    """Return a plan in which what carries several stands, and so do both posts of a bridge.

    What is welded to a door that hangs already is a part of it, such as its handle.
    """
    if kind == "WELD" and len(asked.pairs) == 1 and _is_part(*asked.pairs):
        return replace(asked, motions=("dynamic", "dynamic"))
    if asked.is_star:
        stands = ("static", "dynamic")
        return replace(asked, motions=stands) if _carries_all(kind, asked) else asked
    return replace(asked, also=_other_post(kind, asked)) if len(asked.pairs) > 1 else asked


def wrong_way(kind: str, asked: Plan, *, swap: bool) -> str:
    """Say that one that moves plainly stands, unless a swap or a role was asked for."""
    if len(asked.pairs) > 1 and not asked.is_star:
        return _wrong_end(kind, asked) or _left_open(asked)
    one_by_one = _turn_one_by_one(asked) if kind == "HINGE" else ""
    is_known = asked.active.type == "EMPTY" or asked.motions[0] == "static"
    if one_by_one or swap or (asked.is_star and is_known):
        return one_by_one
    whys = {pair: why for pair in asked.pairs if (why := why_other_moves(kind, pair))}
    whys = {one: why for one, why in whys.items() if whys.keys() >= _alike(one, asked)}
    if len(whys) > 1:
        names, last = some([pair.moving.name for pair in whys], 2), asked.active.name
        return f"{names} hold {last}: join it to one, or to each on its own, clicked last."
    if not whys:
        return "" if asked.is_star else why_still_moves(kind, asked)
    ((pair, why),) = whys.items()
    moving, still = pair.moving.name, pair.still.name
    if asked.is_star:
        return f"{moving} {why}, on which all of them hang: click {moving} last instead."
    return f"{moving} {why} and moves, as it was clicked last: Swap lets {still} move."


def _is_part(pair: Pair) -> bool:
    """Return whether what is no body yet is less than a body that something standing holds."""
    body = body_of(pair.moving)
    if body is None or body_of(pair.still) is not None or bulk(pair.still) > bulk(body):
        return False
    return any(other is not None and stands_already(other) for _, other in joints_on(body))


def _alike(pair: Pair, asked: Plan) -> set[Pair]:
    """Return the pairs of which what moves is as large: what is so of one alone is chance."""
    size = bulk(pair.moving)
    return {one for one in asked.pairs if isclose(bulk(one.moving), size, rel_tol=SAME)}


def _carries_all(kind: str, asked: Plan) -> bool:
    """Return whether all of several are on what was clicked last, which stands then.

    Furniture, walls and frames do with doors, lids and drawers, a ceiling or a beam with what hangs
    from it, a dial with its hands, the pole of a fan.
    """
    if kind == "HINGE" and _turn_one_by_one(asked):
        return body_of(asked.active) is None
    if any(body_of(obj) is not None for obj in (asked.active, *asked.others)):
        return False
    if kind == "SLIDER":
        return all(way_out(pair) is not None or lies_on(pair) for pair in asked.pairs)
    if kind == "WELD" or _hang(kind, asked):
        return kind != "WELD"
    return kind == "HINGE" and all(
        dial_reached(pair) is not None
        or (spun_shape(pair) is None and (holds_side(pair) or is_around(pair.still, pair.moving)))
        for pair in asked.pairs
    )


def _hang(kind: str, asked: Plan) -> bool:
    """Return whether several hang by their upper ends from a bar, a plate or a frame.

    Limbs are no ropes: they are at both sides of a bar, or outside of a body that is no box; those
    of a hinge are thick where a bar holds them, or long beside a plate.
    """
    box, bar = fitted_box(asked.active), bar_of(asked.active)
    parts = [part for part in (fitted_box(pair.moving) for pair in asked.pairs) if part is not None]
    if box is None or len(parts) < len(asked.pairs) or not all(map(hangs, asked.pairs)):
        return False
    if not fills_box(asked.active):
        return all((abs((part.middle - box.middle) @ box.ways) <= box.half).all() for part in parts)
    is_pin, long = kind == "PIN", float(np.linalg.norm(box.half))
    if box.is_plate(THIN) and abs(box.ways[2, 2]) > ON_END:
        return is_pin or all(long > LARGER * np.linalg.norm(part.half) for part in parts)
    if bar is None or abs(bar.way.z) > STEEP:
        return False
    across = Vector(np.cross(bar.way, (0.0, 0.0, 1.0))).normalized()
    held = [contact_between(pair.moving, pair.still) for pair in asked.pairs]
    aside = np.ptp([one.place.dot(across) for one in held])
    is_row = aside <= 0.5 * width_along(asked.active, across)
    thick = [
        np.ptp(np.array(one.points) @ bar.way)
        for one, part in zip(held, parts, strict=True)
        if part.half[0] > SLENDER * part.half[1]
    ]
    return bool(is_row and (is_pin or max(thick, default=0.0) <= LIMB * 2.0 * box.half[2]))


def _other_post(kind: str, asked: Plan) -> tuple[Object, ...]:
    """Return the far end of a chain that stands as its first one does, as posts of a bridge.

    Both reach far below all that is between, and are larger.
    """
    first, *between, last = asked.links
    if kind not in {"HINGE", "PIN"} or not between or body_of(last) is not None:
        return ()
    lowest, largest = min(bounds_of(one)[0].z for one in between), max(map(bulk, between))
    for post in (first, last):
        low, high = bounds_of(post)
        if bulk(post) <= largest or lowest - low.z < DEEP * (high.z - low.z):
            return ()
    return (last,)


def _turn_one_by_one(asked: Plan) -> str:
    """Say that several bars around one middle, as the blades of a fan, do not turn as one.

    What is in their middle and no post is a body with its legs.
    """
    boxes = [fitted_box(pair.moving) for pair in asked.pairs]
    bars = [box for box in boxes if box is not None and box.half[0] >= LEVER * box.half[1]]
    if not 3 <= len(bars) == len(boxes):
        return ""
    middle = np.mean([bar.middle for bar in bars], axis=0)
    arms = [bar.middle - middle for bar in bars]
    around = all(
        abs(arm @ bar.way) > NEARLY * np.linalg.norm(arm)
        and abs(np.linalg.norm(arm) - bar.half[0]) < AT_HUB * 2.0 * bar.half[0]
        for arm, bar in zip(arms, bars, strict=True)
    )
    off_middle = (middle_of(asked.active) - Vector(middle)).length
    is_post = bar_of(asked.active) is not None or off_middle > AT_HUB * 2.0 * bars[0].half[0]
    names = some([pair.moving.name for pair in asked.pairs], 2)
    said = f"{names} turn one by one: join them first (Ctrl J) if they are to turn as one."
    return said if around and is_post else ""


def _wrong_end(kind: str, asked: Plan) -> str:
    """Say that a rope begins with its lowest link, or an arm with what is plainly not its base."""
    first, *between, last = asked.links
    way = middle_of(last) - middle_of(first)
    is_lowest = all(middle_of(first).z <= middle_of(one).z for one in between)
    if kind == "PIN" and is_lowest and way.z > ON_END * way.length:
        return f"{first.name} stays and all others are above it: click {last.name} last to hang it."
    one, base = fitted_box(first), fitted_box(last)
    is_known = any(map(body_of, (first, last)))
    if kind != "HINGE" or is_known or one is None or base is None or way.z < -NEARLY * way.length:
        return ""
    is_much, is_largest = bulk(last) > HEAVIER * bulk(first), bulk(last) > max(map(bulk, between))
    lowest = min(bounds_of(obj)[0].z for obj in (first, *between))
    lies = base.is_plate() and abs(base.ways[2, 2]) > ON_END and bounds_of(last)[0].z < lowest
    is_base = is_much or (lies and not one.is_plate())
    if not (is_base and is_largest and np.linalg.norm(base.half) > np.linalg.norm(one.half)):
        return ""
    why = f"is much larger than {first.name}" if is_much else "lies below all others"
    return f"{last.name} {why}, and {first.name} stays: click {last.name} last instead."


def out_of_reach(asked: Plan, say: Say) -> str:
    """Say of the first that another one is between it and what it is joined to, or it is far off.

    All on one are the links of a rope, more often than bodies out of place; and a chain that begins
    in the middle comes back to there.
    """
    objects = (asked.active, *asked.others)
    rooms, remedy = np.array(list(map(room_of, objects))), "click an end of the chain last"
    if asked.is_star:
        remedy = "Chain joins each to its nearest"
    for pair in asked.pairs:
        moving = objects.index(pair.moving)
        away, beside = gaps_to(rooms, moving), gaps_to(rooms, objects.index(pair.still))
        near = (2.0 * away < beside[moving]) & (beside < beside[moving])
        if near.any() and beside[moving] > NEAR * np.ptp(rooms[moving], axis=0).max():
            name = objects[int(np.argmin(np.where(near, away, np.inf)))].name
            said = f"{pair.moving.name} is joined to {pair.still.name}, but {name} is between them"
            return f"{said}: join it to {name} on its own, or {remedy}."
        far = far_apart(pair.moving, pair.still, say)
        if far:
            mend = "move them together first, or put the 3D cursor where it belongs on one"
            return f"{far}, with the joint half-way: {mend}."
    return ""


def _left_open(asked: Plan) -> str:
    """Say that the last link of a chain is beside the first, as in a ring, and not joined to it."""
    links = asked.links
    steps = [(middle_of(b) - middle_of(a)).length for a, b in pairwise(links)]
    apart = (middle_of(links[-1]) - middle_of(links[0])).length
    if len(links) < 3 or apart > RING * np.median(steps):
        return ""
    return f"{links[-1].name} is not joined to {links[0].name}: join these two to close the ring."
