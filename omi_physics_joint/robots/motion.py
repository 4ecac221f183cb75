# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the links of a robot are at the start, and how they move then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..model.body import ZERO, Vector3
from ..model.geometry.transform import (
    IDENTITY,
    Matrix,
    apply,
    cross,
    inverse,
    linear_part,
    minus,
    multiply,
    plus,
    rotation_about,
    rotation_from_quaternion,
    times,
    translation_of,
    transpose,
)
from .robot import WORLD, Axis, Link, Way
from .turning import around, moved, shifted, turned


@dataclass(frozen=True, slots=True)
class Frame:
    """A link, or what is between two of its joints, at the start."""

    world: Matrix = IDENTITY
    velocity: Vector3 = ZERO
    """Of its origin, world axes, m/s."""
    spin: Vector3 = ZERO
    """World axes, rad/s."""


def frames(links: Sequence[Link]) -> dict[int, list[Frame]]:
    """Return of each link and the world where it would be without its joints, then after each."""
    found = {WORLD: [Frame()]}
    for index, link in enumerate(links):
        run = [_carried(found[link.parent][-1], link)]
        for axis, rates in zip(link.axes, link.rates_by_axis(), strict=True):
            run.append(_after(run[-1], axis, rates))
        found[index] = run
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
        turn = rotation_about(axis.direction, axis.value - axis.rest)
        world = multiply(before.world, around(axis.anchor, turn))
        spin = times(turned(world, axis.direction), rates[0])
    else:
        world = multiply(before.world, around(axis.anchor, rotation_from_quaternion(axis.turn)))
        spin = turned(world, (rates[0], rates[1], rates[2]))
    place = moved(before.world, axis.anchor)
    held = plus(before.velocity, cross(before.spin, minus(place, translation_of(before.world))))
    whole = plus(before.spin, spin)
    return Frame(world, plus(held, cross(whole, minus(translation_of(world), place))), whole)


def in_axes_of(world: Matrix, v: Vector3) -> Vector3:
    """Return a direction of the world in the axes of a rigid frame."""
    return apply(transpose(linear_part(world)), v)


def seen_from(axis: Axis, placed: Matrix) -> Axis:
    """Return a joint of a link in the axes of what stands at a pose in that link."""
    back = inverse(placed)
    return replace(axis, direction=turned(back, axis.direction), anchor=moved(back, axis.anchor))
