# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of several that are joined at once stand, by what they look like, and what is told."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from bpy.types import Object
from mathutils import Vector

from ...model.wording.words import some
from ..between_bodies.contact import bounds_of, contact_between, middle_of, width_along
from ..between_bodies.forms import SLENDER, bar_of, fills_box, fitted_box, round_shape
from ..bridge.placed import body_of
from ..joints.authoring import Pair
from .selection import Plan
from .slides import lies_on, way_out
from .standing import LARGER, UPRIGHT, bulk
from .suited import LEVER, dial_reached, holds_side, spun_shape

STANDING = 0.7
"""Smallest part upwards of the way from one end of a rope to the other in one that stands."""
RING = 1.2
"""How many times as far from the last link of a chain as any other the first is in a ring."""
UPPER = 0.3
"""Share of its height from its top within which something hangs."""
TALL = 0.5
"""Smallest height of what hangs, as a share of its width: less is a truck below a deck."""
THIN = 0.25
"""Largest share of its width that a ceiling is thick."""
LIMB = 0.6
"""Share of the thickness of a bar from which on what hangs there is a leg of it, and no rope."""
DEEP = 0.4
"""Smallest share of its height by which a post reaches below a bridge."""
RADIAL = 0.9
"""Cosine of the angle within which a blade points to the middle of its fan."""
AT_HUB = 0.25
"""Largest share of its length by which a blade begins off that middle."""
PLUMB = 0.95
"""Smallest part downwards of the way to what hangs at the end of an arm."""
HEAVIER = 10.0
"""How many times the volume of its bucket the cab of an excavator has."""


def carries_all(kind: str, asked: Plan) -> bool:
    """Return whether all of several are on what was clicked last, which stands then.

    Furniture and walls do with doors, lids and drawers, a ceiling or a beam with what hangs from
    it, a dial with its hands, the pole of a fan.
    """
    pairs = asked.pairs
    if len(pairs) < 2 or any(pair.still != asked.active for pair in pairs):
        return False
    if kind == "HINGE" and turn_one_by_one(asked):
        return body_of(asked.active) is None
    if any(body_of(obj) is not None for obj in (asked.active, *asked.others)):
        return False
    if kind in {"HINGE", "PIN"} and _hang(kind, asked):
        return True
    return all(
        (kind == "HINGE" and spun_shape(pair) is None and holds_side(pair))
        or (kind == "HINGE" and dial_reached(pair) is not None and not round_shape(pair.moving))
        or (kind == "SLIDER" and (way_out(pair) is not None or lies_on(pair)))
        for pair in pairs
    )


def _hang(kind: str, asked: Plan) -> bool:
    """Return whether several hang by their upper ends from a bar, a plate or a frame.

    Limbs are no ropes: they are at both sides of a bar, or outside of a body that is no box; those
    of a hinge are thick beside a bar, or long beside a plate.
    """
    box, bar = fitted_box(asked.active), bar_of(asked.active)
    parts = [part for part in (fitted_box(pair.moving) for pair in asked.pairs) if part is not None]
    if box is None or len(parts) < len(asked.pairs) or not all(map(_hangs, asked.pairs)):
        return False
    if not fills_box(asked.active):
        return all((abs((part.middle - box.middle) @ box.ways) <= box.half).all() for part in parts)
    is_pin, long = kind == "PIN", float(np.linalg.norm(box.half))
    if box.is_plate(THIN) and abs(box.ways[2, 2]) > STANDING:
        return is_pin or all(long > LARGER * np.linalg.norm(part.half) for part in parts)
    if bar is None or abs(bar.way[2]) > UPRIGHT:
        return False
    across = Vector(np.cross(bar.way, (0.0, 0.0, 1.0))).normalized()
    aside = [contact_between(pair.moving, pair.still).place.dot(across) for pair in asked.pairs]
    legs = [part.half[2] for part in parts if part.half[0] > SLENDER * part.half[1]]
    is_row = np.ptp(aside) <= 0.5 * width_along(asked.active, across)
    return bool(is_row and (is_pin or max(legs, default=0.0) <= LIMB * box.half[2]))


def _hangs(pair: Pair) -> bool:
    """Return whether a body is below where another one holds it, and no wheel."""
    low, high = bounds_of(pair.moving)
    wheel, (wide, deep, tall) = round_shape(pair.moving), high - low
    if wheel is not None and wheel.is_disc and abs(wheel.axis.z) < UPRIGHT:
        return False
    is_upper = contact_between(pair.moving, pair.still).place.z >= high.z - UPPER * tall
    return bool(is_upper and tall >= TALL * max(wide, deep))


def other_post(kind: str, asked: Plan) -> tuple[Object, ...]:
    """Return the far end of a chain that stands as its first one does, as posts of a bridge.

    Both reach far below all that is between, and are larger.
    """
    first, *between, last = asked.links
    if kind != "PIN" or not between or body_of(last) is not None:
        return ()
    lowest, largest = min(bounds_of(one)[0].z for one in between), max(map(bulk, between))
    rooms = [(bulk(post), *bounds_of(post)) for post in (first, last)]
    are_posts = all(
        size > largest and lowest - low.z >= DEEP * (high.z - low.z) for size, low, high in rooms
    )
    return (last,) if are_posts else ()


def turn_one_by_one(asked: Plan) -> str:
    """Say that several bars around one middle, as the blades of a fan, do not turn as one.

    What is in their middle and no post is a body with its legs.
    """
    boxes = [fitted_box(pair.moving) for pair in asked.pairs]
    bars = [box for box in boxes if box is not None and box.half[0] >= LEVER * box.half[1]]
    if not 3 <= len(bars) == len(boxes):
        return ""
    arms = np.array([bar.middle for bar in bars])
    middle = arms.mean(axis=0)
    arms -= middle
    flat, far = np.linalg.svd(arms)[2][2], np.linalg.norm(arms, axis=1)
    around = all(
        abs(arm @ bar.ways[:, 0]) > RADIAL * off
        and abs(flat @ bar.ways[:, 0]) < 1.0 - RADIAL
        and abs(off - bar.half[0]) < AT_HUB * 2.0 * bar.half[0]
        for arm, off, bar in zip(arms, far, bars, strict=True)
    )
    off_middle = (middle_of(asked.active) - Vector(middle)).length
    is_post = bar_of(asked.active) is not None or off_middle > AT_HUB * 2.0 * bars[0].half[0]
    names = some([pair.moving.name for pair in asked.pairs], 2)
    said = f"{names} turn one by one: join them first (Ctrl J) to turn as one."
    return said if around and is_post else ""


def wrong_end(kind: str, asked: Plan) -> str:
    """Say that a rope begins with its lowest link, or an arm with what is plainly not its base."""
    first, *between, last = asked.links
    way = middle_of(last) - middle_of(first)
    if not way.length:
        return ""
    if kind == "PIN" and way.z >= STANDING * way.length:
        return f"{first.name} stays and all others are above it: click {last.name} last to hang it."
    one, base = fitted_box(first), fitted_box(last)
    is_known = any(map(body_of, (first, last)))
    if kind != "HINGE" or is_known or one is None or base is None or way.z < -PLUMB * way.length:
        return ""
    is_much, is_largest = bulk(last) > HEAVIER * bulk(first), bulk(last) > max(map(bulk, between))
    lowest = min(bounds_of(obj)[0].z for obj in (first, *between))
    lies = base.is_plate() and abs(base.ways[2, 2]) > STANDING and bounds_of(last)[0].z < lowest
    is_base = is_much or (lies and not one.is_plate())
    if not (is_base and is_largest and np.linalg.norm(base.half) > np.linalg.norm(one.half)):
        return ""
    why = f"is much larger than {first.name}" if is_much else "lies below all others"
    return f"{last.name} {why}, and {first.name} stays: click {last.name} last instead."


def left_open(asked: Plan) -> str:
    """Say that the last link of a chain is beside the first, as in a ring, and not joined to it."""
    links = asked.links
    steps = [(middle_of(b) - middle_of(a)).length for a, b in pairwise(links)]
    if len(links) < 3 or (middle_of(links[-1]) - middle_of(links[0])).length > RING * max(steps):
        return ""
    return f"{links[-1].name} is not joined to {links[0].name}: join these two to close the ring."
