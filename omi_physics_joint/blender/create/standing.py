# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of two that are joined stands, by what they look like, and whether the wrong one moves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from bpy.types import Object
from mathutils import Matrix, Vector

from ...model.geometry.extent import Corners, diagonal
from ...model.settings.spans import spans_of
from ...model.validate.unintended import why_it_stands
from ..between_bodies.contact import contact_between, middle_of, room_of, width_along
from ..between_bodies.descendants import joints_on
from ..between_bodies.forms import (
    STEEP,
    are_parallel,
    bar_of,
    fills_box,
    fitted_box,
    is_around_pole,
    round_shape,
)
from ..bridge.placed import body_of
from ..bridge.read_settings import settings_of
from ..joints.authoring import Pair
from .selection import Plan, hangs
from .slides import lies_on, way_out
from .suited import HELD, IN_MIDDLE, across_lever, dial_reached, holds_side, shared_edge, spun_shape

LARGER = 3.0
"""How many times as long as the other one a body is that plainly stands, or as wide a door."""
BULKIER = 30.0
"""How many times the volume of the other one it has then, where it is longer at all."""


def why_other_moves(kind: str, pair: Pair) -> str:
    """Return why the wrong one of two objects moves, if plainly so; else nothing.

    Neither of them is a body yet: what somebody has said is meant.
    """
    if body_of(pair.moving) is not None or body_of(pair.still) is not None:
        return ""
    return next(_reasons(kind, pair), "")


def why_still_moves(kind: str, asked: Plan) -> str:
    """Say that of two the one clicked first moves, where the other stands and is not meant to.

    It does since something was welded to it, or the first one plainly stands. Where somebody made
    a frame static and clicked it last, or it is much larger, that is meant.
    """
    pair, door = asked.pairs[0], body_of(asked.active)
    if pair.still != asked.active or kind == "WELD" or body_of(pair.moving) is not None:
        return ""
    joints = [joint for joint, _ in joints_on(door)] if door is not None else []
    spans = [spans_of(settings_of(joint).limits) for joint in joints]
    is_welded = bool(spans) and all(span.is_locked for one in spans for span in one)
    is_wrong = any(_reasons(kind, pair))
    if not (is_wrong or is_welded) or any(_reasons(kind, Pair(pair.moving, pair.still))):
        return ""
    last, first = pair.still.name, pair.moving.name
    return f"{last} is static already, so {first} moves: Swap lets {last} move."


def _reasons(kind: str, pair: Pair, *, by_size: bool = True) -> Iterator[str]:
    """Yield why what moves of a pair plainly stands: by its size, then by what the other is."""
    moving, still, other_way = pair.moving, pair.still, Pair(pair.moving, pair.still)
    one, beside = _rooms(moving, still)
    size, other = diagonal(one), diagonal(beside)
    is_below = middle_of(moving).z < middle_of(still).z
    is_much = size > LARGER * (1 + _is_on_tip(pair)) * other
    is_much = is_much or (size > other and bulk(moving) > BULKIER * bulk(still))
    is_hung = kind == "WELD" or (is_below and (kind == "PIN" or hangs(pair)))  # hooks are small
    is_much = is_much and other > 0.0 and not is_hung and not _turns_on_less(kind, pair)
    is_much = is_much or (kind == "HINGE" and _is_wall(moving, still))
    if by_size and is_much and not any(_reasons(kind, other_way, by_size=False)):
        yield f"is much larger than {still.name}"
    is_hinge, spins = kind == "HINGE", kind == "HINGE" and spun_shape(pair) is not None
    if is_hinge and _is_post(moving, still):
        yield f"is the post of {still.name}"
    why = why_it_stands(one, beside, is_below=is_below)
    if why and not (spins and round_shape(moving)):
        yield f"{why} {still.name}"
    if kind == "SLIDER" and size > other and way_out(pair) is None:
        yield from _why_it_holds(pair, other_way)
    wheel = round_shape(still) if other > size and dial_reached(pair) is None else None
    is_wheel = wheel is not None and wheel.is_disc
    is_level = is_wheel and wheel is not None and abs(wheel.axis.z) < STEEP
    has_axle = is_level and not round_shape(moving) and contact_between(moving, still).area is None
    if not is_hinge or (spins and not has_axle):
        return
    if holds_side(other_way) and (size > other or not holds_side(pair)):
        yield f"has {still.name} at it along its sides"
    is_blades = not fills_box(still)
    is_lever = across_lever(pair) is not None and not is_blades and not is_wheel
    bar = bar_of(moving)
    is_beam = bar is not None and abs(bar.way.z) < STEEP
    carries = is_below and other < LARGER * size and not is_beam  # what is above is no ceiling
    is_axle = has_axle or (not is_lever and (carries or is_blades or size > other))
    if is_axle and not holds_side(pair) and _is_in_middle(other_way):
        yield f"holds {still.name} in its middle"


def is_around(outer: Object, inner: Object) -> bool:
    """Return whether an object takes the room of another in, as a frame does with its door."""
    return why_it_stands(*_rooms(outer, inner), is_below=False) != ""


def _rooms(one: Object, other: Object) -> tuple[Corners, Corners]:
    """Return the rooms of two objects along the axes of the first."""
    location, rotation, _ = one.matrix_world.decompose()
    space = Matrix.LocRotScale(location, rotation, None)
    return room_of(one, space), room_of(other, space)


def _is_in_middle(pair: Pair) -> bool:
    """Return whether what turns about its own axis meets the other body there, not at its rim.

    A plate holds no blades with its edge, and a drum is around what turns in it.
    """
    contact = contact_between(pair.moving, pair.still)
    spun, plate = spun_shape(pair), fitted_box(pair.still)
    near = HELD if round_shape(pair.moving) else IN_MIDDLE
    if spun is None or (contact.place - spun.on_axis(contact.place)).length > near * spun.radius:
        return False
    if round_shape(pair.moving) is None:
        is_edge = abs(spun.axis.dot(Vector(plate.ways[:, 2]))) < STEEP if plate else False
        return plate is None or not (plate.is_plate() and is_edge)
    off = min(((at - spun.on_axis(at)).length for at in contact.points), default=0.0)
    is_inside = abs((middle_of(pair.still) - spun.middle).dot(spun.axis)) < 0.5 * spun.length
    return contact.area is not None or not is_inside or off <= HELD * spun.radius


def _is_on_tip(pair: Pair) -> bool:
    """Return whether a level bar points at a plate, as an arm at its TV."""
    plate, bar = fitted_box(pair.moving), bar_of(pair.still)
    if plate is None or bar is None or not plate.is_plate() or abs(bar.way.z) > STEEP:
        return False
    return are_parallel(Vector(plate.ways[:, 2]), bar.way)


def bulk(obj: Object) -> float:
    """Return the volume of the box around a body, m³."""
    box = fitted_box(obj)
    return 0.0 if box is None else float(np.prod(2.0 * box.half))


def _turns_on_less(kind: str, pair: Pair) -> bool:
    """Return whether a wheel, or a bar as a boom or a plank, turns on what is small.

    A wheel is below the end of a bar, as a skateboard, and not in its middle.
    """
    if kind == "HINGE" and is_around_pole(pair.moving, pair.still):
        return True
    bar, wheel = bar_of(pair.moving), round_shape(pair.still)
    if kind != "HINGE" or bar is None:
        return kind == "HINGE" and bool(round_shape(pair.moving) and spun_shape(pair))
    off = (middle_of(pair.still) - Vector(bar.middle)).dot(bar.way)
    return wheel is None or not wheel.is_disc or abs(off) < IN_MIDDLE * 2.0 * float(bar.half[0])


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

    A post is a bar that reaches beyond the face of a door, and no hand on a clock; of what lies,
    as blades about their pole, it is longer than that is wide.
    """
    box, bar = fitted_box(door), fitted_box(post)
    if box is None or not box.is_plate() or not (bar_of(post) or round_shape(post)):
        return False
    if bar is not None:
        reach = (
            np.abs((bar.middle - box.middle) @ box.ways) + np.abs(box.ways.T @ bar.ways) @ bar.half
        )
        if (reach[:2] <= box.half[:2]).all():
            return False
    along = shared_edge(Pair(post, door))
    if along is None:
        return False
    if are_parallel(along, Vector(box.ways[:, 2])) and width_along(post, along) < 2.0 * box.half[1]:
        return False
    return _is_wider(door, post)


def _is_wall(wall: Object, door: Object) -> bool:
    """Return whether two plates meet along an upright side, from which one is much wider."""
    plates = [fitted_box(one) for one in (wall, door)]
    are_plates = all(box is not None and box.is_plate() for box in plates)
    return are_plates and bar_of(door) is None and _is_wider(wall, door)


def _is_wider(wide: Object, narrow: Object) -> bool:
    """Return whether of two that meet along an upright side one is much wider away from it."""
    along = shared_edge(Pair(narrow, wide))
    if along is None or abs(along.z) < STEEP:
        return False
    way = middle_of(wide) - middle_of(narrow)
    way = (way - way.project(along)).normalized()
    return width_along(wide, way) > LARGER * width_along(narrow, way)
