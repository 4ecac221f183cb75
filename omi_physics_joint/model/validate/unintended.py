# SPDX-License-Identifier: GPL-3.0-or-later
"""What is allowed and works, but looks unintended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import dist, hypot, inf, isfinite, sqrt

from ..body import ZERO, MotionType
from ..geometry.extent import (
    Corners,
    box_around,
    boxes,
    diagonal,
    distance,
    longest_side,
    mesh_box,
)
from ..geometry.frames import is_sound
from ..geometry.transform import (
    cross,
    linear_part,
    minus,
    normalized,
    off_line,
    plus,
    times,
    translation_of,
)
from ..issue import Issue
from ..joint import AXES, Drive, Freedom, Limit
from ..mechanics.inertias import centre_of, spin_of
from ..mechanics.sagging import mass_of
from ..settings.reach import most_about
from ..settings.spans import Spans, span_on
from ..wording.words import number, some
from .parts import part_issues, seen_from
from .survey import Ends, Survey

MASS_RATIO, LARGE_MASS_RATIO = 10.0, 100.0
"""From these on PhysX advises against a joint, and Jolt's opens by centimetres."""
MOST_LOOSE = 3
"""More bodies without a joint are meant so."""
NEAR, FAR = 0.01, 0.05
"""How far an origin on the axis and a middle off it are, as parts of the size of a body.

A centre of mass that is this far outside of its body counts as lost."""
BESIDE = 0.1
"""How far off the middle of a body a joint is that it does not turn round on, likewise."""
COVERS, THIN = 0.8, 0.5
"""How wide and how high what covers a body is, as parts of that."""
NARROW, WIDE = 1e-3, 5.0
"""What an inertia in other units puts a mass beyond, as parts of the size of its body."""
HUGE = 300.0
"""m: nothing that large is moved by a joint, and gravity seems to leave it in the air."""
HANGING = 0.15
"""Part of its longest side that a body is thin at most which hangs below its rail, as a blind."""
UPRIGHT = 0.999
"""Cosine of the angle to gravity from which an axis counts as vertical."""


def intent_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what looks unintended."""
    for index, settings in enumerate(survey.mechanism.settings):
        yield from _limits(survey, index, settings.limits)
        for drive in settings.drives:
            yield from _drive(survey, index, drive)
    for ends in survey.joints:
        yield from _mass_ratio(survey, ends)
    yield from _apart(survey)
    for index, node in enumerate(survey.mechanism.nodes):
        if node.motion is None or index in survey.solid:
            continue
        if survey.is_dynamic(index):
            what = "it touches nothing and passes through floors"
        elif node.bounds is not None and node.trigger is None:
            what = "all that moves passes through it"
        else:
            continue  # a trigger, or a place that others are joined to
        kind = node.motion.type.value
        yield survey.at_node("body-without-collider", index, kind=kind, what=what)
    joined = {body for ends in survey.joints for body in ends.bodies if survey.is_dynamic(body)}
    for body in sorted(joined & survey.rooms.keys()):
        size = longest_side(survey.rooms[body])
        if HUGE < size < inf:
            yield survey.at_node("body-huge", body, size=survey.words.say(size, Freedom.LINEAR))
    yield from part_issues(survey, joined)
    yield from _without_joint(survey, joined)
    yield from _centres(survey)
    yield from _velocities(survey, joined)


def _velocities(survey: Survey, joined: set[int]) -> Iterator[Issue]:
    """Yield what is to move and stands, and what is loose and only to spin, and moves off as well.

    The latter as its origin, of which a velocity is, is off its centre of mass.
    """
    for body, motion in survey.mechanism.motions():
        if motion.type is MotionType.STATIC and not motion.is_still:
            yield survey.at_node("static-velocity", body)
        node = survey.mechanism.nodes[body]
        spin = spin_of(node) if motion.linear_velocity == ZERO else ZERO
        room = survey.rooms.get(body)
        if not any(spin) or room is None or body in joined or not survey.is_dynamic(body):
            continue
        centre = centre_of(survey.mechanism, body, survey.parts[body])
        way = hypot(*cross(spin, minus(centre, translation_of(node.world))))
        if FAR * longest_side(room) * hypot(*spin) < way < inf:
            yield survey.at_node("spins-off", body, way=survey.words.say(way, Freedom.LINEAR))


def _limits(survey: Survey, index: int, limits: Sequence[Limit]) -> Iterator[Issue]:
    for position, limit in enumerate(limits, start=1):
        if limit.stiffness == limit.damping == 0.0:
            name = survey.words.limit(limit, position)
            yield survey.at_settings("limit-powerless", index, limit=name)
    twice = [survey.way(span) for span in survey.spans[index] if len(span.limits) > span.opinions]
    if twice:
        yield survey.at_settings("limit-twice", index, ways=some(twice))


def _drive(survey: Survey, index: int, drive: Drive) -> Iterator[Issue]:
    way = survey.way(drive)
    if drive.velocity_target is not None and not drive.damping and not drive.pulls_to_place:
        yield survey.at_settings("velocity-without-damping", index, way=way)
    if drive.position_target is not None and drive.stiffness == 0.0:
        yield survey.at_settings("position-without-stiffness", index, way=way)
    if drive.position_target is None and drive.stiffness > 0.0:
        yield survey.at_settings("drive-without-target", index, way=way)
    elif drive.position_target is None and drive.velocity_target is None:
        says = f"The drive {way} has no target, so it does nothing."
        yield survey.at_settings("drive-without-target", index, says=says)
    yield from _beyond_bound(survey, index, drive, way)
    bound = met_bound(drive, survey.spans[index])
    if bound is not None:
        stop = survey.words.value(drive.type, drive.axis, bound)
        yield survey.at_settings("motor-meets-bound", index, way=way, stop=stop)


def met_bound(drive: Drive, spans: Spans) -> float | None:
    """Return the rigid bound in rad at which a motor stops for good, if it does.

    What slides has to end somewhere, and a motor with keys may turn back before.
    """
    speed = drive.velocity_target
    if not speed or not drive.damping or drive.pulls_to_place or drive.keys:
        return None
    if drive.axis not in AXES or drive.type is Freedom.LINEAR:
        return None
    span = span_on(spans, drive.type, drive.axis)
    bound = span.rigid_high if speed > 0.0 else span.rigid_low
    return bound if isfinite(bound) and not span.is_rigidly_locked else None


def _beyond_bound(survey: Survey, index: int, drive: Drive, way: str) -> Iterator[Issue]:
    if drive.position_target is None or drive.axis not in AXES:
        return
    span = span_on(survey.spans[index], drive.type, drive.axis)
    most = most_about(drive.type, drive.axis, survey.mechanism.settings[index].limits)
    low, high = max(span.low, -most), min(span.high, most)
    if span.is_rigidly_locked or low <= drive.position_target <= high:
        return
    bound = high if drive.position_target > high else low
    target, stop = (
        survey.words.value(drive.type, drive.axis, value)
        for value in (drive.position_target, bound)
    )
    yield survey.at_settings("drive-beyond-bound", index, way=way, target=target, stop=stop)


def _mass_ratio(survey: Survey, ends: Ends) -> Iterator[Issue]:
    bodies = [body for body in ends.bodies if survey.is_dynamic(body)]
    if len(bodies) < 2:
        return
    light, heavy = sorted(bodies, key=lambda body: mass_of(survey.mechanism, body))
    low, high = mass_of(survey.mechanism, light), mass_of(survey.mechanism, heavy)
    if 0.0 < low < inf and MASS_RATIO * low <= high < inf:
        yield survey.at_node(
            "mass-ratio-large" if LARGE_MASS_RATIO * low <= high else "mass-ratio",
            ends.index,
            heavy=survey.name(heavy),
            light=survey.name(light),
            times=number(high / low),
        )


def _apart(survey: Survey) -> Iterator[Issue]:
    """Yield joints far from both bodies, or that move what plainly stands."""
    others: dict[int, set[int]] = {}
    for ends in survey.joints:
        for body in ends.bodies:
            others.setdefault(body, set()).update(ends.bodies)
    for ends in survey.joints:
        found = [survey.rooms[body] for body in ends.bodies if body in survey.rooms]
        if len(found) < 2:
            continue
        places = [(place, place) for place in map(translation_of, survey.worlds(ends))]
        off, away = map(distance, found, places)
        apart, long = distance(*found), sum(map(diagonal, found))
        if 0.0 < long < min(apart, off + away) and apart < inf:
            gap, size = (survey.words.say(one, Freedom.LINEAR) for one in (apart, long))
            both = some([survey.name(body) for body in ends.bodies])
            yield survey.at_node("bodies-apart", ends.index, bodies=both, apart=gap, long=size)
        if all(len(others[body]) == 2 for body in ends.bodies):
            yield from _wrong_one(survey, ends)


def _wrong_one(survey: Survey, ends: Ends) -> Iterator[Issue]:
    """Yield a joint of two bodies alone of which the one stands that is in the other, or on it."""
    moves, stands = sorted(ends.bodies, key=survey.is_dynamic, reverse=True)
    both = one, other = survey.mechanism.nodes[moves], survey.mechanism.nodes[stands]
    is_fixed = other.motion is not None and other.motion.type is MotionType.STATIC
    if not (is_fixed and survey.is_dynamic(moves) and all(is_sound(node.world) for node in both)):
        return
    found = boxes(replace(survey.mechanism, nodes=tuple(seen_from(one, *both))))
    middle, above = (plus(*survey.rooms[body]) for body in (moves, stands))  # twice that
    off = dist(times(middle, 0.5), translation_of(survey.worlds(ends)[0]))
    if len(found) < 2 or off < BESIDE * diagonal(survey.rooms[moves]):
        return
    why = why_it_stands(found[0], found[1], is_below=above[1] > middle[1])
    if why:
        words = {"moves": survey.name(moves), "stands": survey.name(stands), "why": why}
        yield survey.at_node("wrong-one-moves", ends.index, **words)


def why_it_stands(one: Corners, other: Corners, *, is_below: bool) -> str:
    """Return why one body plainly stands and not another, if so; boxes along the axes of the one.

    With ``is_below`` its middle is lower than that of the other one.
    """
    (low, high), (least, most) = one, other
    spare = NEAR * diagonal(other)
    fits = [low[i] - spare <= least[i] and most[i] <= high[i] + spare for i in AXES]
    if all(fits) and diagonal(one) > diagonal(other):
        return "is around"
    shares = [(most[i] - least[i]) / (high[i] - low[i] or inf) for i in AXES]
    lid = [shares[i] < THIN and not fits[i] for i in AXES]
    covers = all(lid[i] or (fits[i] and shares[i] > COVERS) for i in AXES)
    sides = [high[i] - low[i] for i in AXES]
    is_sheet = min(sides) < HANGING * max(sides)
    return "is covered by" if is_below and any(lid) and covers and not is_sheet else ""


def _without_joint(survey: Survey, joined: set[int]) -> Iterator[Issue]:
    """Yield dynamic bodies without a joint where most have one, as a duplicate of one has none.

    Where there are many, or more than the others, they are meant to be loose.
    """
    loose = [body for body in survey.dynamic - joined if body is not None]
    if len(loose) <= min(len(joined), MOST_LOOSE):
        for body in sorted(loose):
            yield survey.at_node("body-without-joint", body)


def _centres(survey: Survey) -> Iterator[Issue]:
    """Yield bodies whose mass, untyped, is on the axis of their hinge, or far outside of them."""
    said: set[int] = set()
    for ends in survey.joints:
        for body in ends.bodies:
            if body not in said and _hangs_on(survey, ends, body):
                said.add(body)
                yield survey.at_node("center-on-hinge", body, hinge=survey.name(ends.index))
    for body, box in survey.rooms.items():
        if body not in said and _is_lost(survey, body, box):
            yield survey.at_node("center-outside", body)
        motion = survey.mechanism.nodes[body].motion
        most = max(motion.inertia_diagonal) if motion and survey.is_dynamic(body) else 0.0
        away = sqrt(most / motion.mass) if motion and most > 0.0 and motion.mass > 0.0 else 0.0
        size = diagonal(box)
        if 0.0 < away * size < inf and not NARROW * size < away < WIDE * size:
            far = survey.words.say(away, Freedom.LINEAR)
            yield survey.at_node("inertia-size", body, away=far)


def _is_lost(survey: Survey, body: int, box: Corners) -> bool:
    """Return whether a body has its centre of mass outside of its box, by a part of its size."""
    node = survey.mechanism.nodes[body]
    typed = node.motion is not None and node.motion.center_of_mass is not None
    if not (typed and survey.is_dynamic(body) and is_sound(node.world)):
        return False
    place = centre_of(survey.mechanism, body, ())
    return FAR * diagonal(box) < distance(box, (place, place)) < inf


def _hangs_on(survey: Survey, ends: Ends, body: int) -> bool:
    """Return whether a body has its mass on a sloping hinge that its middle is off."""
    nodes = survey.mechanism.nodes
    motion, axis = nodes[body].motion, _hinge_axis(survey, ends)
    if motion is None or axis is None or not survey.is_dynamic(body):
        return False
    if motion.center_of_mass != ZERO or motion.gravity_factor == 0.0:
        return False
    frame, room = nodes[ends.index].world, survey.rooms.get(body)
    direction = normalized(tuple(row[axis] for row in linear_part(frame)))
    origin = translation_of(frame)
    off = off_line(translation_of(nodes[body].world), origin, direction)
    if room is None or abs(direction[1]) > UPRIGHT or not off < NEAR * diagonal(room):
        return False  # what is solid of it is no larger
    solid = [nodes[one] for one in survey.parts[body] if nodes[one].collider is not None]
    meshes = [box for one in solid if (box := mesh_box(one)) is not None]
    if not meshes:
        return False
    box = box_around(meshes)
    size = diagonal(box)
    if not (0.0 < size < inf and off < NEAR * size):
        return False
    return FAR * size < off_line(times(plus(*box), 0.5), origin, direction) < inf


def _hinge_axis(survey: Survey, ends: Ends) -> int | None:
    """Return the one axis that a joint turns about and does nothing else; None for other joints."""
    spans = survey.spans[ends.joint.settings]
    open_ones = [number for number, span in enumerate(spans) if not span.is_locked]
    return open_ones[0] - 3 if len(open_ones) == 1 and open_ones[0] >= 3 else None
