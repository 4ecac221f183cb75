# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a new joint is, and what suits it where nobody has said it: its axis, and a range.

Doors, wheels, fans, linkages and drawers are told by what bodies look like and where they touch.
What nothing tells is upright and has a range, as a door.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from bpy.types import Context, Object
from mathutils import Vector

from ...model.geometry.extent import distance, longest_side
from ..between_bodies.contact import (
    bounds_of,
    contact_between,
    middle_of,
    room_of,
    surface_of,
    width_along,
)
from ..between_bodies.facing import Facing
from ..between_bodies.forms import (
    STEEP,
    RoundShape,
    across_both,
    are_parallel,
    bar_of,
    fills_box,
    fitted_box,
    flat_shape,
    is_around_pole,
    is_hub,
    mostly_positive,
    round_shape,
)
from ..between_bodies.rim import HeldSide, opened, side_held
from ..bridge.placed import body_of, is_dynamic
from ..bridge.read_settings import settings_of
from ..joints.authoring import AuthoringError, Pair
from ..joints.editing import UPRIGHT, aimed_axis, selected, turns_about
from .selection import hangs, joints_of_loops, way_between
from .slides import slide_of

LONG = 4.0
"""How many times longer than wide an area of contact is that tells a direction."""
WHOLE = 1.5
"""How many times wider than what it lies on is what lies on that with all of its width."""
HELD = 0.6
"""Share of their radius within which blades are held."""
NEARLY = 0.95
"""Cosine of the angle to an axis of a body within which an edge is meant to be along it."""
LEVER = 2.0
"""How many times longer than wide a lever is at least."""
AT_END = 0.4
"""How far from its middle, as a share of its length, a lever is joined at its end."""
ON_END = 0.7
"""Smallest part that is vertical of a lever that stands on its end."""
CARRIED = 0.5
"""Smallest share of its length along which a shaft is held that turns about its own axis."""
BEARING = (1.4, 0.125)
"""Shares of its thickness and of its length along which a level one is that sticks in a block."""
BESIDE = 0.5
"""Share of its radius from the axis of a post at which something is on its side, not at its end."""
SQUARE = 0.7
"""Smallest width of a clock, as a share of its height."""
BALANCED = 0.02
"""How far off its middle, as a share of its length, a bar that rocks was meant to be in balance."""
IN_MIDDLE = 0.2
"""How far from its middle, as a share of its length, a plank rocks."""
SLUNG = 0.25
"""Part of its height by which what swings is below its hinge: a lid or a flap reaches to that."""
UNTOLD = "Global Z"
"""Why an axis is upright that nothing tells."""
CURSOR_MARGIN = 0.1
"""How far from a body, as a share of its size, the 3D cursor still marks a place on it."""
SIDES = {"MIN": 0.0, "MIDDLE": 0.5, "MAX": 1.0}
"""Where on one axis of a bounding box a side is, as a share of its length."""


def suited_axes(kind: str, pairs: Sequence[Pair]) -> list[tuple[Vector, str]]:
    """Return unit vectors in the world for a "HINGE" or "SLIDER", each with a word or two why.

    Hinges of a chain that nothing tells are as the nearest one of it that something does.
    """
    found = [slide_of(pair) if kind == "SLIDER" else _turn(pair) for pair in pairs]
    is_arm = kind == "HINGE" and pairs[-1].still != pairs[0].still
    told = [at for at, one in enumerate(found) if one and is_arm]
    near = [min(told, key=lambda at: abs(at - here), default=here) for here in range(len(found))]
    return [one or found[at] or (UPRIGHT, UNTOLD) for one, at in zip(found, near, strict=True)]


def suits_range(
    kind: str, pairs: Sequence[Pair], axes: Sequence[Vector], places: Sequence[Vector]
) -> bool:
    """Return whether new joints suit a range.

    They do where each joins a body to one that stands, closes no loop, turns nothing round about
    its own axis, and is no pendulum and no seesaw. All bodies are there already.
    """
    if any(is_dynamic(body_of(pair.still)) and is_dynamic(body_of(pair.moving)) for pair in pairs):
        return False
    if joints_of_loops(pairs):
        return False
    return kind != "HINGE" or not any(map(_turns_both_ways, pairs, axes, places))


def _turns_both_ways(pair: Pair, axis: Vector, place: Vector) -> bool:
    """Return whether a body turns about its own axis, swings from where it hangs, or rocks."""
    shapes = filter(None, (round_shape(pair.moving), spun_shape(pair)))
    if any(are_parallel(shape.axis, axis) for shape in shapes):
        return True
    is_upright = abs(axis.z) > STEEP
    if is_upright or not is_dynamic(body_of(pair.moving)):
        return is_upright and is_around_pole(pair.moving, pair.still)
    box, (low, high) = fitted_box(pair.moving), bounds_of(pair.moving)
    if place.z > high.z + SLUNG * (high.z - low.z):  # a bob, whatever it hangs by
        return True
    if box is None or not (box.is_bar or box.is_plate()):
        return False
    if abs(box.ways[2, 2]) < STEEP and hangs(pair):  # no chest below its lid
        return True
    across = [at for at in range(3) if abs(axis.dot(Vector(box.ways[:, at]))) < STEEP]
    off = np.abs((np.array(place) - box.middle) @ box.ways)
    return any(off[at] < IN_MIDDLE * 2.0 * box.half[at] for at in across[:1])


def suited_place(pair: Pair, place: Vector, axis: Vector) -> Vector:
    """Return where a hinge at a place is for what turns about its own axis, or at a side held.

    A hand that reaches the middle of a dial turns there, and a gondola hangs by its top on a wheel.
    """
    spun, side = spun_shape(pair) or dial_reached(pair), _side(pair)
    if spun is not None:
        own = are_parallel(spun.axis, axis) and not _held_off_middle(pair, spun)
        return spun.on_axis(place) if own else place
    wheel, (low, high) = round_shape(pair.still), bounds_of(pair.moving)
    is_on = wheel is not None and wheel.is_disc and are_parallel(wheel.axis, axis)
    is_loose = is_dynamic(body_of(pair.still)) and bar_of(pair.moving) is None
    if is_on and is_loose and abs(axis.z) < STEEP:
        top = Vector((*(0.5 * (low + high)).xy, high.z))
        return top + (place - top).project(axis)
    return side.place if side is not None and are_parallel(side.along, axis) else place


def _held_off_middle(pair: Pair, spun: RoundShape) -> bool:
    """Return whether a bar meets the other body beside its middle, as one out of balance."""
    bar = bar_of(pair.moving)
    if bar is None or round_shape(pair.moving) is not None:
        return False
    middle, ends = spun.middle.dot(bar.way), contact_between(pair.moving, pair.still).points
    along, slack = [end.dot(bar.way) for end in ends], BALANCED * 2.0 * bar.half[0]
    return bool(along) and not min(along) - slack <= middle <= max(along) + slack


def dial_reached(pair: Pair) -> RoundShape | None:
    """Return the dial that a hand lies on of which it reaches the middle; else None."""
    dial, hand = _dial(pair.still), fitted_box(pair.moving)
    if dial is None or hand is None or not hand.is_bar:
        return None
    along = abs((np.array(dial.middle) - hand.middle) @ hand.ways)
    lies = are_parallel(Vector(hand.ways[:, 2]), dial.axis)
    return dial if lies and (along[:2] <= hand.half[:2]).all() else None


def _dial(obj: Object) -> RoundShape | None:
    """Return the axis of a disc, or across a plate that is about as wide as high."""
    shape, box = round_shape(obj), fitted_box(obj)
    is_dial = box is not None and box.is_plate() and box.half[1] >= SQUARE * box.half[0]
    if shape is not None or box is None or not (is_dial and fills_box(obj)):
        return shape if shape is not None and shape.is_disc else None
    across, (_, radius, deep) = mostly_positive(Vector(box.ways[:, 2])), box.half.tolist()
    return RoundShape(across, Vector(box.middle), radius, 2.0 * deep)


def _side(pair: Pair) -> HeldSide | None:
    """Return the side of the moving body, or of what stands but for a base, that the other is at.

    A lid that was clicked before its chest is joined where it would be the other way round.
    """
    own = side_held(pair.moving, pair.still)
    if own is not None:
        return own
    return side_held(pair.still, pair.moving) if holds_side(Pair(pair.moving, pair.still)) else None


def holds_side(pair: Pair) -> bool:
    """Return whether what moves of a pair is at the other body along its sides, and no base."""
    side = side_held(pair.moving, pair.still)
    return side is not None and not (side.lift is not None and side.lift.z < -STEEP)


def _turn(pair: Pair) -> tuple[Vector, str] | None:
    others = [axis for axis in map(_hinge_axis, way_between(pair)) if axis is not None]
    if others and all(are_parallel(axis, others[0]) for axis in others):
        return others[0], "Loop"
    contact, line = contact_between(pair.moving, pair.still), shared_edge(pair)
    area = contact.area
    is_edge = area is not None and line is not None and not _lies(pair.moving, area)
    found = (None if is_edge else _crossing(pair)) or _round_axis(pair, contact.place)
    if found is not None:
        return found
    side, lever = _side(pair), across_lever(pair)
    if side is not None:
        return side.along, "Side Held"
    is_hung = line is not None and contact.place.z > middle_of(pair.moving).z  # as a swing
    if lever is not None and not is_hung:
        return lever, "Across Lever"
    if area is None or is_edge:
        out, why = contact.place - middle_of(pair.moving), "Facing Sides" if area else "Shared Edge"
        return None if line is None else (opened(pair.moving, pair.still, line, out), why)
    normal = Vector(area.normal)
    are_plates = all(_is_plate(obj, normal) for obj in (pair.moving, pair.still))
    return (mostly_positive(normal), "Plates") if are_plates else None


def across_lever(pair: Pair) -> Vector | None:
    """Return the level axis about which a bar tips that stands on its end, as a lever on its base.

    It goes along the longer side of what it stands on, or its own, where that is as a cross.
    """
    lever, base = fitted_box(pair.moving), fitted_box(pair.still)
    if lever is None or base is None or lever.half[0] < LEVER * lever.half[1]:
        return None
    way, contact = Vector(lever.ways[:, 0]), contact_between(pair.moving, pair.still).place
    from_middle = abs((contact - Vector(lever.middle)).dot(way))
    if abs(way.z) < ON_END or from_middle < AT_END * 2.0 * lever.half[0]:
        return None
    across = [at for at in range(3) if abs(way.dot(Vector(base.ways[:, at]))) < ON_END]
    axis = Vector(base.ways[:, across[-1]])
    if not fills_box(pair.still):
        axis = max(map(Vector, lever.ways.T[1:]), key=lambda own: abs(own.dot(axis)))
    return mostly_positive((axis - axis.project(way)).normalized())


def shared_edge(pair: Pair) -> Vector | None:
    """Return the line along which two bodies meet, if they meet along one: an edge, or nearly."""
    contact, box = contact_between(pair.moving, pair.still), fitted_box(pair.moving)
    points, area = contact.points, contact.area
    if area is not None:
        is_long = area.lengths[0] >= LONG * area.lengths[1]
        return mostly_positive(Vector(area.along)) if is_long else None
    if len(points) < 2 or box is None:
        return None
    _, sizes, ways = np.linalg.svd(points - np.mean(points, axis=0), full_matrices=False)
    if sizes[0] == 0.0 or (len(sizes) > 1 and sizes[0] < LONG * sizes[1]):
        return None
    own = max(box.ways.T, key=lambda way: abs(float(way @ ways[0])))
    return mostly_positive(Vector(own if abs(float(own @ ways[0])) > NEARLY else ways[0]))


def _lies(obj: Object, area: Facing) -> bool:
    """Return whether a body lies on an area with all of its width, as a hand on a dial."""
    wide = width_along(obj, Vector(np.cross(area.normal, area.along)))
    return wide <= WHOLE * area.lengths[1] and _is_plate(obj, Vector(area.normal))


def _crossing(pair: Pair) -> tuple[Vector, str] | None:
    """Return the line across two bars that cross, unless one rolls on the other or is a fan."""
    if round_shape(pair.still) is not None and round_shape(pair.moving) is None:
        return None
    across, blades = across_both(pair.moving, pair.still), spun_shape(pair)
    if across is None or (blades is not None and _is_plate(pair.moving, blades.axis)):
        return None
    return across, "Crossing Bars"


def _round_axis(pair: Pair, contact: Vector) -> tuple[Vector, str] | None:
    """Return the axis of a wheel or of blades that move, or of a disc or the side of a post.

    Two limbs that meet at their ends turn about neither of their axes.
    """
    spun, post = spun_shape(pair), round_shape(pair.still) or dial_reached(pair)
    if spun is not None:
        return spun.axis, "Own Middle"
    if post is None or not (post.is_disc or _is_beside(post, contact) or _is_crank(pair, post)):
        return None
    return post.axis, "Round Shape"


def _is_crank(pair: Pair, shaft: RoundShape) -> bool:
    """Return whether a bar lies across the end of a shaft, or a plate, or hangs on it as on a nail.

    An elbow of two limbs does not.
    """
    area, bar = contact_between(pair.moving, pair.still).area, bar_of(pair.moving)
    if bar is None or area is None:
        return _is_plate(pair.moving, shaft.axis)
    across = are_parallel(Vector(area.normal), shaft.axis)
    return across and bool(abs(shaft.axis.dot(bar.way)) < BESIDE)


def _is_beside(post: RoundShape, contact: Vector) -> bool:
    return bool((contact - post.on_axis(contact)).length > BESIDE * post.radius)


def spun_shape(pair: Pair) -> RoundShape | None:
    """Return how the moving body turns about its own middle: a wheel, or blades held there.

    A plank on a roller or a ridge that is short beside it rocks, and turns about that instead.
    """
    wheel = round_shape(pair.moving)
    contact = contact_between(pair.moving, pair.still)
    if wheel is not None and (
        wheel.is_disc or _is_carried(wheel, pair) or is_hub(pair.moving, wheel)
    ):
        return wheel
    area = contact.area
    blades = flat_shape(pair.moving, None if area is None else area.normal.tolist())
    if blades is None or not contact.points:
        return None
    far = max((point - blades.on_axis(point)).length for point in contact.points)
    post = round_shape(pair.still)
    edge = shared_edge(pair) if area is None else None
    if post is not None and _is_beside(post, contact.place):
        edge = post.axis
    rocks = edge is not None and width_along(pair.still, edge) < blades.radius
    return None if rocks or far > HELD * blades.radius else blades


def _is_carried(shaft: RoundShape, pair: Pair) -> bool:
    """Return whether a shaft is held along it, as in two bearings, not at one end as a limb is.

    A level one that sticks in a block is, where that holds more of it than a socket of a limb.
    """
    contact, block = contact_between(pair.moving, pair.still), surface_of(pair.still)
    along = [(point - shaft.middle).dot(shaft.axis) for point in contact.points] or [0.0]
    if max(along) - min(along) >= CARRIED * shaft.length:
        return True
    if block is None or abs(shaft.axis.z) > STEEP or _is_beside(shaft, contact.place):
        return False
    ends = (0.5 * shaft.length, -0.5 * shaft.length)
    along += [end for end in ends if block.has_inside(shaft.middle + end * shaft.axis)]
    least = max(BEARING[0] * 2.0 * shaft.radius, BEARING[1] * shaft.length)
    return bool(max(along) - min(along) >= least)


def _hinge_axis(joint: Object) -> Vector | None:
    settings = settings_of(joint)
    axis = aimed_axis(settings)
    if axis is None or not turns_about(settings, axis):
        return None
    return mostly_positive(joint.matrix_world.col[axis].to_3d().normalized())


def _is_plate(obj: Object, normal: Vector) -> bool:
    """Return whether a body is much thinner along a direction than across it."""
    box = fitted_box(obj)
    return box is not None and box.is_plate() and are_parallel(Vector(box.ways[:, 2]), normal)


def automatic(context: Context, pairs: Sequence[Pair]) -> str:
    """Return the position that "Automatic" stands for.

    It is the 3D cursor where that was put onto one of two bodies, otherwise where bodies touch.
    """
    cursor = context.scene.cursor.location.to_tuple()
    for obj in (pairs[0].moving, pairs[0].still) if len(pairs) == 1 and any(cursor) else ():
        room = room_of(obj)
        if distance(room, (cursor, cursor)) <= CURSOR_MARGIN * longest_side(room):
            return "CURSOR"
    return "NEAREST"


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
        return pair.moving.matrix_world @ Vector([a + SIDES[s] * (b - a) for a, b, s in ends])
    points = [pair.moving.matrix_world @ one.co for one in selected(pair.moving, "vertices")]
    if not points:
        raise AuthoringError(f"Select at least one vertex of {pair.moving.name} in Edit Mode.")
    return sum(points, Vector()) / len(points)
