# SPDX-License-Identifier: GPL-3.0-or-later
"""Masses added up, turned and shared, and the principal axes of inertia, in plain numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..body import IDENTITY_QUATERNION, ZERO, Quaternion, Vector3
from ..geometry.transform import (
    SMALLEST_SQUARE,
    Matrix,
    Rotation,
    apply,
    linear_part,
    minus,
    multiply,
    plus,
    quaternion_from_rotation,
    singular_values,
    translation_of,
    transpose,
)
from ..geometry.transform import times as scaled

NO_INERTIA: Rotation = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True)
class Mass:
    """What a body or a part of one weighs; at density one its mass in kg is its volume in m^3."""

    mass: float
    centre: Vector3 = ZERO
    """m."""
    inertia: Rotation = NO_INERTIA
    """About the centre, kg m^2."""


def summed(masses: Iterable[Mass]) -> Mass | None:
    """Return several masses as one; None where there are none."""
    parts = [part for part in masses if part.mass > 0.0]
    total = sum(part.mass for part in parts)
    if not total > 0.0:
        return None
    x, y, z = (sum(part.mass * part.centre[i] for part in parts) / total for i in range(3))
    inertia = NO_INERTIA
    for part in parts:
        inertia = added(inertia, about(part, (x, y, z)))
    return Mass(total, (x, y, z), inertia)


def through(mass: Mass, pose: Matrix) -> Mass:
    """Return the mass of a part where the part stands at a pose."""
    turn = linear_part(pose)
    inertia = multiply(multiply(turn, mass.inertia), transpose(turn))
    return Mass(mass.mass, plus(translation_of(pose), apply(turn, mass.centre)), inertia)


def times(mass: Mass, factor: float) -> Mass:
    """Return a part of a mass that is spread as it is."""
    return Mass(mass.mass * factor, mass.centre, added(NO_INERTIA, mass.inertia, factor))


def about(mass: Mass, point: Vector3) -> Rotation:
    """Return the inertia of a mass about a point, kg m^2."""
    arm = minus(mass.centre, point)
    return added(mass.inertia, turning(tuple(scaled(arm, mass.mass * a) for a in arm)))


def turning(spread: Rotation) -> Rotation:
    """Return the inertia that the integral of r r^T makes."""
    trace = sum(spread[i][i] for i in range(3))
    return added(diagonal(trace, trace, trace), spread, -1.0)


def spread_of(inertia: Rotation) -> Rotation:
    """Return the integral of r r^T that makes an inertia: what ``turning`` takes."""
    half = 0.5 * sum(inertia[i][i] for i in range(3))
    return added(diagonal(half, half, half), inertia, -1.0)


def added(a: Rotation, b: Rotation, factor: float = 1.0) -> Rotation:
    """Return a matrix and a multiple of another."""
    return tuple(
        tuple(x + factor * y for x, y in zip(*rows, strict=True)) for rows in zip(a, b, strict=True)
    )


def diagonal(x: float, y: float, z: float) -> Rotation:
    """Return an inertia about the axes themselves."""
    return ((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z))


def turned(turn: Rotation, moments: Vector3) -> Rotation:
    """Return R D R^T: what has these principal values about the axes of a rotation."""
    return multiply(multiply(turn, diagonal(*moments)), transpose(turn))


def principal(inertia: Rotation) -> tuple[Vector3, Quaternion]:
    """Return the principal moments of an inertia, and the rotation of their axes."""
    moments = (inertia[0][0], inertia[1][1], inertia[2][2])
    largest = max(abs(x) for row in inertia for x in row)
    off = max(abs(inertia[i][j] + inertia[j][i]) for i, j in ((0, 1), (0, 2), (1, 2)))
    if off <= 2e-12 * largest or largest * largest < SMALLEST_SQUARE:
        return moments, IDENTITY_QUATERNION
    # A hair is added, so that no singular value is zero; it is taken off again.
    hair = 1e-9 * largest
    symmetric = added(inertia, transpose(inertia))
    _, values, axes = singular_values(added(diagonal(hair, hair, hair), symmetric, 0.5))
    x, y, z = (max(abs(value) - hair, 0.0) for value in values)
    return (x, y, z), quaternion_from_rotation(axes)
