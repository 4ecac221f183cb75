# SPDX-License-Identifier: GPL-3.0-or-later
"""Several joints of one link, as joints of ours.

One joint of ours says exactly: slides square to each other, and after them one hinge along or
square to them, or one ball. Our angles are twists about each axis, whatever the others are, so two
hinges that follow each other are not two angles of ours: at 45° each the third twist is 19.5° and
not zero. Such stacks go through light links in between (``masses``).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import inf

from ...model.body import Vector3
from ...model.geometry.frames import frame_along
from ...model.geometry.transform import UNITS, Rotation, cross, dot, transpose
from ...model.geometry.transform import times as scaled
from ...model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit, on_axes
from ..robot import Axis, Spring, Way
from ..turning import turned

SQUARE = 1e-6
"""Largest cosine of two directions that are square."""
Stack = tuple[Axis, ...]
"""Joints of one link that are one joint of ours, one after the other."""


def stacks(axes: Sequence[Axis]) -> list[Stack]:
    """Return the joints of a link in runs, each of which is one joint of ours."""
    found: list[Stack] = []
    for axis in axes:
        if found and _goes_on(found[-1], axis):
            found[-1] = (*found[-1], axis)
        else:
            found.append((axis,))
    return found


def _goes_on(run: Stack, axis: Axis) -> bool:
    """Return whether a joint may follow slides as part of the same joint of ours."""
    if any(one.way is not Way.SLIDE for one in run):
        return False
    if axis.way is Way.BALL:
        # The slides say the axes then, and angles of a ball with a spring are about its own.
        pairs = combinations(run, 2)
        return all(abs(dot(a.direction, b.direction)) <= SQUARE for a, b in pairs)
    along = [dot(one.direction, axis.direction) for one in run]
    if axis.way is Way.HINGE:
        return all(abs(cosine) <= SQUARE or cosine >= 1.0 - SQUARE for cosine in along)
    return all(abs(cosine) <= SQUARE for cosine in along)


def spelled(run: Stack, *, backwards: bool) -> tuple[Rotation, JointSettings, list[int]]:
    """Return a run as settings of ours, the turn of its frame in the link, and the axis of each.

    All of it is Z up. Backwards, the frame of the parent is measured in that of the link.

    A hinge is about Z and a slide along X, which are Y and X of glTF: no axis changes its sign
    between the two, so a value is the same number in the file, in Blender and in glTF.
    """
    triad = _triad(run, backwards=backwards)
    places = [_place(triad, axis) for axis in run]
    free = {(freedom_of(axis), place) for axis, place in zip(run, places, strict=True)}
    ball = next((axis for axis in run if axis.way is Way.BALL), None)
    limits: list[Limit] = []
    for freedom in Freedom:
        held = tuple(axis for axis in AXES if (freedom, axis) not in free)
        if held and not (ball is not None and freedom is Freedom.ANGULAR):
            limits.append(on_axes(Limit(min=0.0, max=0.0), freedom, held))
    drives: list[Drive] = []
    for axis, place in zip(run, places, strict=True):
        if axis is ball:
            if ball.high < inf:
                limits.append(Limit((), AXES, max=ball.high, together=True))
            drives += [drive for a in AXES for drive in _drives(axis, a)]
            continue
        if (axis.low, axis.high) != (-inf, inf):
            limit = Limit(min=axis.low, max=axis.high)
            limits.append(on_axes(limit, freedom_of(axis), (place,)))
        drives += _drives(axis, place)
    name = " ".join(axis.name for axis in run if axis.name)
    return transpose(triad), JointSettings(name, tuple(limits), tuple(drives)), places


def freedom_of(axis: Axis) -> Freedom:
    """Return whether a joint of one degree of freedom is a distance or an angle."""
    return Freedom.LINEAR if axis.way is Way.SLIDE else Freedom.ANGULAR


def _triad(run: Sequence[Axis], *, backwards: bool) -> tuple[Vector3, Vector3, Vector3]:
    """Return where X, Y and Z of the joint frame point in the link, Z up.

    Where several joints are square to each other, which of them is along which axis is chosen so
    that all count the right way.
    """
    main = next((axis for axis in run if axis.way is Way.HINGE), run[0])
    if main.way is Way.BALL:
        return (UNITS[0], UNITS[1], UNITS[2])
    sign = -1.0 if backwards else 1.0
    direction = scaled(main.direction, sign)
    first = 0 if main.way is Way.SLIDE else 2
    slides = [scaled(axis.direction, sign) for axis in run if axis.way is Way.SLIDE]
    square = [one for one in slides if dot(one, direction) <= SQUARE]
    if not square:
        frame = frame_along(first, direction)
        x, y, z = (turned(frame, unit) for unit in UNITS)
        return (x, y, z)
    goes_on = len(square) < 2 or dot(cross(direction, square[0]), square[1]) > 0.0
    second = square[0] if goes_on else square[1]
    axes = {first: direction, (first + 1) % 3: second, (first + 2) % 3: cross(direction, second)}
    return (axes[0], axes[1], axes[2])


def _place(triad: Sequence[Vector3], axis: Axis) -> int:
    """Return which axis of the frame a joint goes along or about."""
    if axis.way is Way.BALL:
        return 0
    return max(AXES, key=lambda i: abs(dot(triad[i], axis.direction)))


def _drives(axis: Axis, place: int) -> list[Drive]:
    """Return the drives of a joint: forces without a bound are one."""
    endless = [spring for spring in axis.springs if spring.max_force == inf]
    springs = [spring for spring in axis.springs if spring.max_force != inf]
    if endless:
        springs.insert(0, _sum(endless))
    return [
        Drive(
            freedom_of(axis),
            DriveMode.FORCE,
            place,
            max_force=spring.max_force,
            position_target=spring.target,
            velocity_target=spring.rate,
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
