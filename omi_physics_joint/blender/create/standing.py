# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of two that are joined stands, by what they look like, and whether the wrong one moves."""

from __future__ import annotations

from collections.abc import Iterator
from math import dist

import numpy as np
from bpy.types import Object
from mathutils import Matrix, Vector

from ...model.settings.spans import spans_of
from ...model.validate.unintended import why_it_stands
from ..between_bodies.contact import bounds_of, contact_between, middle_of, width_along
from ..between_bodies.descendants import joints_on
from ..between_bodies.forms import bar_of, fills_box, fitted_box, round_shape
from ..bridge.placed import body_of
from ..bridge.read_settings import settings_of
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
UPRIGHT = 0.5
"""Smallest part that is vertical of the side at which a door is."""
WIDER = 3.0
"""How many times as wide as its post a door is."""


def why_other_moves(kind: str, pair: Pair) -> str:
    """Return why the wrong one of two objects moves, if plainly so; else nothing.

    Neither of them is a body yet: what somebody has said is meant.
    """
    if body_of(pair.moving) is not None or body_of(pair.still) is not None:
        return ""
    return next(_reasons(kind, pair, Pair(pair.moving, pair.still)), "")


def why_still_moves(kind: str, asked: Plan) -> str:
    """Say that of two the one clicked first moves, where the other stands and is not meant to.

    It does since something was welded to it, or the first one plainly stands. Where somebody made
    a frame static and clicked it last, or it is much larger, that is meant.
    """
    pair, door = asked.pairs[0], body_of(asked.active)
    other_way = Pair(pair.moving, pair.still)
    if pair.still != asked.active or kind == "WELD" or body_of(pair.moving) is not None:
        return ""
    joints = [joint for joint, _ in joints_on(door)] if door is not None else []
    spans = [spans_of(settings_of(joint).limits) for joint in joints]
    is_welded = bool(spans) and all(span.is_locked for one in spans for span in one)
    is_wrong = any(_reasons(kind, pair, other_way))
    if not (is_wrong or is_welded) or any(_reasons(kind, other_way, pair)):
        return ""
    last, first = pair.still.name, pair.moving.name
    return f"{last} is static already, so {first} moves: Swap lets {last} move."


def _reasons(kind: str, pair: Pair, other_way: Pair) -> Iterator[str]:
    """Yield why what moves of a pair plainly stands: by its size, then by what the other is."""
    moving, still = pair.moving, pair.still
    location, rotation, _ = moving.matrix_world.decompose()
    space = Matrix.LocRotScale(location, rotation, None)
    one, beside = (tuple(corner[:] for corner in bounds_of(obj, space)) for obj in (moving, still))
    size, other = dist(*one), dist(*beside)
    is_below = middle_of(moving).z < middle_of(still).z
    spins = kind == "HINGE" and spun_shape(pair) is not None
    is_much = size > LARGER * other or (size > other and bulk(moving) > BULKIER * bulk(still))
    hangs = kind == "WELD" or (kind == "PIN" and is_below)  # hooks are small
    is_much = is_much and other > 0.0 and not hangs
    if is_much and not (kind == "HINGE" and _turns_on_less(pair, spins=spins)):
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
    """Return whether what turns about its own axis meets the other body there, not at its rim.

    A plate holds no blades with its edge, and a drum is around what turns in it.
    """
    contact = contact_between(pair.moving, pair.still)
    spun, plate = spun_shape(pair), fitted_box(pair.still)
    if spun is None or (contact.place - spun.on_axis(contact.place)).length > HELD * spun.radius:
        return False
    if round_shape(pair.moving) is None:
        if plate is None or not plate.is_plate():
            return True
        return bool(abs(spun.axis.dot(Vector(plate.ways[:, 2]))) >= UPRIGHT)
    off = min(((at - spun.on_axis(at)).length for at in contact.points), default=0.0)
    is_inside = abs((middle_of(pair.still) - spun.middle).dot(spun.axis)) < 0.5 * spun.length
    return contact.area is not None or not is_inside or off <= HELD * spun.radius


def bulk(obj: Object) -> float:
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
