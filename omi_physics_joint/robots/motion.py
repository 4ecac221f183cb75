# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the links of a robot are at the start, and how they move then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..model.body import ZERO, Vector3
from ..model.geometry.transform import (
    IDENTITY,
    Matrix,
    cross,
    inverse,
    linear_part,
    multiply,
    rotation_from_quaternion,
    translation_of,
)
from .robot import WORLD, Axis, Link, Way
from .turning import about, around, minus, moved, plus, shifted, times, turned


@dataclass(frozen=True, slots=True)
class Frame:
    """A link, or what is between two of its joints, at the start."""

    world: Matrix = IDENTITY
    velocity: Vector3 = ZERO
    """Of its origin, world axes, m/s."""
    spin: Vector3 = ZERO
    """World axes, rad/s."""


def frames(links: Sequence[Link]) -> list[list[Frame]]:
    """Return of each link where it would be without its joints, then after each of them."""
    found: list[list[Frame]] = []
    for link in links:
        above = Frame() if link.parent == WORLD else found[link.parent][-1]
        run = [_carried(above, link)]
        rates = list(link.rates)
        for axis in link.axes:
            count = 3 if axis.way is Way.BALL else 1
            own, rates = rates[:count], rates[count:]
            run.append(_after(run[-1], axis, own or [0.0] * count))
        found.append(run)
    return found


def _carried(above: Frame, link: Link) -> Frame:
    world = multiply(above.world, link.placed)
    if link.free:
        return Frame(world, link.velocity, link.spin)
    arm = minus(translation_of(world), translation_of(above.world))
    return Frame(world, plus(above.velocity, cross(above.spin, arm)), above.spin)


def _after(before: Frame, axis: Axis, rates: Sequence[float]) -> Frame:
    """Return where one joint brings a link, and how it moves there."""
    if axis.way is Way.SLIDE:
        way = times(axis.direction, axis.value - axis.rest)
        world = multiply(before.world, shifted(way))
        carried = cross(before.spin, turned(before.world, way))
        push = times(turned(before.world, axis.direction), rates[0])
        return Frame(world, plus(plus(before.velocity, carried), push), before.spin)
    if axis.way is Way.HINGE:
        turn = about(axis.direction, axis.value - axis.rest)
        spin = times(turned(before.world, axis.direction), rates[0])
    else:
        turn = rotation_from_quaternion(axis.turn)
        spin = ZERO
    world = multiply(before.world, around(axis.anchor, turn))
    if axis.way is Way.BALL:
        spin = turned(world, (rates[0], rates[1], rates[2]))
    place = moved(before.world, axis.anchor)
    held = plus(before.velocity, cross(before.spin, minus(place, translation_of(before.world))))
    whole = plus(before.spin, spin)
    return Frame(world, plus(held, cross(whole, minus(translation_of(world), place))), whole)


def in_axes_of(world: Matrix, v: Vector3) -> Vector3:
    """Return a direction of the world in the axes of a rigid frame."""
    turn = linear_part(world)
    x, y, z = (sum(turn[j][i] * v[j] for j in range(3)) for i in range(3))
    return (x, y, z)


def seen_from(axis: Axis, placed: Matrix) -> Axis:
    """Return a joint of a link in the axes of what stands at a pose in that link."""
    back = inverse(placed)
    return replace(axis, direction=turned(back, axis.direction), anchor=moved(back, axis.anchor))
