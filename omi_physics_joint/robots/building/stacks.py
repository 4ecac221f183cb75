# SPDX-License-Identifier: GPL-3.0-or-later
"""Several joints of one link, as joints of ours.

One joint of ours says exactly: slides square to each other, and after them one hinge along or
square to them, or one ball. Our angles are twists about each axis, whatever the others are, so two
hinges that follow each other are not two angles of ours: at 45° each the third twist is 19.5° and
not zero. Such stacks go through light links in between (``building``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...model.body import Vector3
from ...model.geometry.frames import frame_along
from ...model.geometry.transform import Rotation, cross, dot, linear_part, transpose
from ...model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from ..robot import Axis, Spring, Way
from ..turning import negative

SQUARE = 1e-6
"""Largest cosine of two directions that are square."""
ENDLESS = float("inf")


def stacks(axes: Sequence[Axis]) -> list[tuple[Axis, ...]]:
    """Return the joints of a link in runs, each of which is one joint of ours."""
    found: list[list[Axis]] = []
    for axis in axes:
        if found and _goes_on(found[-1], axis):
            found[-1].append(axis)
        else:
            found.append([axis])
    return [tuple(run) for run in found]


def _goes_on(run: list[Axis], axis: Axis) -> bool:
    """Return whether a joint may follow slides as part of the same joint of ours."""
    if any(one.way is not Way.SLIDE for one in run):
        return False
    if axis.way is Way.BALL:
        # The slides say the axes then, and angles of a ball with a spring are about its own.
        return all(_is_square(a, b) for i, a in enumerate(run) for b in run[:i])
    along = [abs(dot(one.direction, axis.direction)) for one in run]
    if axis.way is Way.HINGE:
        return all(cosine <= SQUARE or cosine >= 1.0 - SQUARE for cosine in along)
    return all(cosine <= SQUARE for cosine in along)


def _is_square(a: Axis, b: Axis) -> bool:
    return abs(dot(a.direction, b.direction)) <= SQUARE


@dataclass(frozen=True, slots=True)
class Spelled:
    """One run of joints as settings of ours, in the axes of glTF."""

    turn: Rotation
    """Link from joint frame, before both become glTF's."""
    settings: JointSettings


def spelled(run: Sequence[Axis], *, backwards: bool) -> Spelled:
    """Return the frame and the settings of a run.

    A plain hinge is about Z, one with a spring or motor about Y, a slider along X: so most engines
    take them for what they are.

    Args:
        run: see ``stacks``.
        backwards: whether the frame of the parent is measured in that of the link.
    """
    triad = _triad(run, backwards=backwards)
    places = [_place(triad, axis, backwards=backwards) for axis in run]
    free = {(_freedom(axis), place) for axis, (place, _) in zip(run, places, strict=True)}
    ball = next((axis for axis in run if axis.way is Way.BALL), None)
    limits: list[Limit] = []
    for freedom in Freedom:
        if ball is not None and freedom is Freedom.ANGULAR:
            continue
        held = tuple(axis for axis in AXES if (freedom, axis) not in free)
        if held:
            linear = freedom is Freedom.LINEAR
            limits.append(Limit(held if linear else (), () if linear else held, min=0.0, max=0.0))
    drives: list[Drive] = []
    for axis, (place, sign) in zip(run, places, strict=True):
        if axis is ball:
            if ball.high < ENDLESS:
                limits.append(Limit((), AXES, max=ball.high, together=True))
            drives += [drive for a in AXES for drive in _drives(axis, a, 1)]
            continue
        low, high = (axis.low, axis.high) if sign > 0 else (-axis.high, -axis.low)
        if (low, high) != (-ENDLESS, ENDLESS):
            linear = axis.way is Way.SLIDE
            on = (place,)
            limits.append(Limit(on if linear else (), () if linear else on, min=low, max=high))
        drives += _drives(axis, place, sign)
    x, y, z = triad
    turn = transpose((x, negative(z), y))
    name = " ".join(axis.name for axis in run if axis.name)
    return Spelled(turn, JointSettings(name, tuple(limits), tuple(drives)))


def _freedom(axis: Axis) -> Freedom:
    return Freedom.LINEAR if axis.way is Way.SLIDE else Freedom.ANGULAR


def _triad(run: Sequence[Axis], *, backwards: bool) -> tuple[Vector3, Vector3, Vector3]:
    """Return where X, Y and Z of glTF's joint frame point in the link."""
    main = next((axis for axis in run if axis.way is Way.HINGE), run[0])
    if main.way is Way.BALL:
        return ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))
    sign = negative if backwards else _same
    direction = sign(main.direction)
    first = 0 if main.way is Way.SLIDE else 1 if main.springs else 2
    others = [axis for axis in run if abs(dot(axis.direction, main.direction)) <= SQUARE]
    others = [axis for axis in others if axis.way is Way.SLIDE]
    if not others:
        columns = transpose(linear_part(frame_along(first, direction)))
        x, y, z = (tuple(column) for column in columns)
        return ((x[0], x[1], x[2]), (y[0], y[1], y[2]), (z[0], z[1], z[2]))
    second = sign(others[0].direction)
    axes = {first: direction, (first + 1) % 3: second, (first + 2) % 3: cross(direction, second)}
    return (axes[0], axes[1], axes[2])


def _same(a: Vector3) -> Vector3:
    return a


def _place(triad: Sequence[Vector3], axis: Axis, *, backwards: bool) -> tuple[int, int]:
    """Return which axis of the frame a joint goes along, and the sign of its value there."""
    if axis.way is Way.BALL:
        return 0, 1
    along = [dot(one, axis.direction) for one in triad]
    place = max(AXES, key=lambda i: abs(along[i]))
    return place, 1 if (along[place] > 0.0) is not backwards else -1


def _drives(axis: Axis, place: int, sign: int) -> list[Drive]:
    """Return the drives of a joint: forces without a bound are one."""
    endless = [spring for spring in axis.springs if spring.max_force == ENDLESS]
    springs = [spring for spring in axis.springs if spring.max_force != ENDLESS]
    if endless:
        springs.insert(0, _sum(endless))
    return [
        Drive(
            _freedom(axis),
            DriveMode.FORCE,
            place,
            max_force=spring.max_force,
            position_target=None if spring.target is None else sign * spring.target + 0.0,
            velocity_target=None if spring.rate is None else sign * spring.rate + 0.0,
            stiffness=spring.stiffness,
            damping=spring.damping,
        )
        for spring in springs
    ]


def _sum(springs: Sequence[Spring]) -> Spring:
    """Return springs that pull without a bound as the one that pulls as they do together."""
    if len(springs) == 1:
        return springs[0]
    stiffness = sum(spring.stiffness for spring in springs)
    damping = sum(spring.damping for spring in springs)
    pull = sum(spring.stiffness * (spring.target or 0.0) for spring in springs)
    push = sum(spring.damping * (spring.rate or 0.0) for spring in springs)
    return Spring(
        stiffness,
        damping,
        pull / stiffness if stiffness else None,
        push / damping if damping else None,
    )
