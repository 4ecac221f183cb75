# SPDX-License-Identifier: GPL-3.0-or-later
"""Masses added up, and the principal axes of their inertia."""

from __future__ import annotations

from collections.abc import Iterable
from math import pi

from ..model.body import IDENTITY_QUATERNION, ZERO, Motion, MotionType, Quaternion, Vector3
from ..model.geometry.transform import (
    Matrix,
    Rotation,
    cross,
    determinant,
    dot,
    linear_part,
    multiply,
    quaternion_from_rotation,
    rotation_from_quaternion,
    singular_values,
    transpose,
)
from ..model.shape import Box, Capsule, Cylinder, Shape, Sphere
from .robot import NO_INERTIA, Mass, Surface
from .turning import minus, moved

THINNEST = 1e-12
"""Volume as a part of the cube of the size; less is flat."""


def summed(masses: Iterable[Mass]) -> Mass | None:
    """Return masses of one link as one; None where there are none."""
    parts = [part for part in masses if part.mass > 0.0]
    total = sum(part.mass for part in parts)
    if not total > 0.0:
        return None
    x, y, z = (sum(part.mass * part.centre[i] for part in parts) / total for i in range(3))
    centre = (x, y, z)
    inertia = NO_INERTIA
    for part in parts:
        arm = minus(part.centre, centre)
        inertia = _sum(_sum(inertia, part.inertia), _of_point(part.mass, arm))
    return Mass(total, centre, inertia)


def without(mass: Mass, part: Mass) -> Mass | None:
    """Return what is left of a mass without a part; None where no body is like that."""
    left = mass.mass - part.mass
    if not left > 0.0:
        return None
    pairs = zip(mass.centre, part.centre, strict=True)
    x, y, z = ((mass.mass * a - part.mass * b) / left for a, b in pairs)
    whole = _sum(mass.inertia, _of_point(mass.mass, minus(mass.centre, (x, y, z))))
    gone = _sum(part.inertia, _of_point(part.mass, minus(part.centre, (x, y, z))))
    inertia = tuple(
        tuple(a - b for a, b in zip(*rows, strict=True)) for rows in zip(whole, gone, strict=True)
    )
    if not determinant(inertia) > 0.0:
        return None
    low, middle, high = sorted(principal(inertia)[0])
    return Mass(left, (x, y, z), inertia) if low > 0.0 and low + middle >= high else None


def through(mass: Mass, pose: Matrix) -> Mass:
    """Return the mass of a part where the part stands at a pose."""
    turn = linear_part(pose)
    inertia = multiply(multiply(turn, mass.inertia), transpose(turn))
    return Mass(mass.mass, moved(pose, mass.centre), inertia)


def times(mass: Mass, factor: float) -> Mass:
    """Return a part of a mass that is spread as it is."""
    inertia = tuple(tuple(x * factor for x in row) for row in mass.inertia)
    return Mass(mass.mass * factor, mass.centre, inertia)


def principal(inertia: Rotation) -> tuple[Vector3, Quaternion]:
    """Return the principal moments of an inertia, and the rotation of their axes."""
    largest = max(abs(x) for row in inertia for x in row)
    if not largest > 0.0:
        return ZERO, IDENTITY_QUATERNION
    off = max(abs(inertia[i][j]) for i, j in ((0, 1), (0, 2), (1, 2)))
    if off <= 1e-12 * largest:
        return (inertia[0][0], inertia[1][1], inertia[2][2]), IDENTITY_QUATERNION
    # A hair is added, so that no singular value is zero; it is taken off again.
    hair = 1e-9 * largest
    raised = tuple(
        tuple(0.5 * (inertia[i][j] + inertia[j][i]) + (hair if i == j else 0.0) for j in range(3))
        for i in range(3)
    )
    _, values, axes = singular_values(raised)
    x, y, z = (max(abs(value) - hair, 0.0) for value in values)
    return (x, y, z), quaternion_from_rotation(axes)


def motion_of(mass: Mass) -> Motion:
    """Return a dynamic body of a mass."""
    diagonal, orientation = principal(mass.inertia)
    return Motion(
        MotionType.DYNAMIC,
        mass=mass.mass,
        center_of_mass=mass.centre,
        inertia_diagonal=diagonal,
        inertia_orientation=orientation,
    )


def mass_of(motion: Motion) -> Mass:
    """Return what a body weighs; its inertia is zero where the body does not say it."""
    turn = rotation_from_quaternion(motion.inertia_orientation)
    diagonal = motion.inertia_diagonal
    spread = tuple(tuple(row[i] * diagonal[i] for i in range(3)) for row in turn)
    return Mass(motion.mass, motion.center_of_mass, multiply(spread, transpose(turn)))


def filled(shape: Shape, surface: Surface | None) -> Mass | None:
    """Return a shape of density one, about its own origin, upright along Z; None: no volume."""
    if isinstance(shape, Box):
        x, y, z = shape.size
        volume = x * y * z
        return _about_axes(volume, (y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12)
    if isinstance(shape, Sphere):
        r = shape.radius
        inertia = 0.4 * r * r
        return _about_axes(4.0 / 3.0 * pi * r**3, inertia, inertia, inertia)
    if isinstance(shape, Cylinder | Capsule):
        return _round(shape)
    return None if surface is None else enclosed(surface)


def enclosed(surface: Surface) -> Mass | None:
    """Return what triangles enclose at density one; None where that is nothing.

    Tetrahedra from the mean of all points to each triangle, those of inner sides negative.
    """
    count = len(surface.points)
    if not count:
        return None
    a, b, c = (sum(p[i] for p in surface.points) / count for i in range(3))
    points = [(p[0] - a, p[1] - b, p[2] - c) for p in surface.points]
    size = max((max(map(abs, p)) for p in points), default=0.0)
    six, first = 0.0, [0.0] * 3
    second = [[0.0] * 3 for _ in range(3)]
    for i, j, k in surface.triangles:
        p, q, r = points[i], points[j], points[k]
        det = dot(p, cross(q, r))
        six += det
        s = (p[0] + q[0] + r[0], p[1] + q[1] + r[1], p[2] + q[2] + r[2])
        for m in range(3):
            first[m] += det * s[m]
            for n in range(m, 3):
                second[m][n] += det * (s[m] * s[n] + p[m] * p[n] + q[m] * q[n] + r[m] * r[n])
    volume = six / 6.0
    if not abs(volume) > THINNEST * size**3:
        return None
    x, y, z = (f / 24.0 / volume for f in first)
    m2 = [[second[min(i, j)][max(i, j)] / 120.0 for j in range(3)] for i in range(3)]
    trace = m2[0][0] + m2[1][1] + m2[2][2]
    about = tuple(tuple((trace if i == j else 0.0) - m2[i][j] for j in range(3)) for i in range(3))
    sign = 1.0 if volume > 0.0 else -1.0  # turned inside out
    about = tuple(tuple(sign * x for x in row) for row in about)
    volume = abs(volume)
    moved_away = _of_point(volume, (x, y, z))
    inertia = tuple(
        tuple(u - v for u, v in zip(*rows, strict=True))
        for rows in zip(about, moved_away, strict=True)
    )
    return Mass(volume, (x + a, y + b, z + c), inertia)


def _round(shape: Cylinder | Capsule) -> Mass | None:
    r, h = shape.radius_bottom, shape.height
    tube = pi * r * r * h
    across, along = tube * (r * r / 4.0 + h * h / 12.0), tube * r * r / 2.0
    volume = tube
    if isinstance(shape, Capsule):
        ball = 4.0 / 3.0 * pi * r**3
        volume += ball
        along += 0.4 * ball * r * r
        across += ball * (0.4 * r * r + 0.375 * h * r + 0.25 * h * h)
    if not volume > 0.0:
        return None
    return _about_axes(volume, across / volume, across / volume, along / volume)


def _about_axes(volume: float, x: float, y: float, z: float) -> Mass | None:
    if not volume > 0.0:
        return None
    rows = ((volume * x, 0.0, 0.0), (0.0, volume * y, 0.0), (0.0, 0.0, volume * z))
    return Mass(volume, ZERO, rows)


def _of_point(mass: float, arm: Vector3) -> Rotation:
    square = dot(arm, arm)
    return tuple(
        tuple(mass * ((square if i == j else 0.0) - arm[i] * arm[j]) for j in range(3))
        for i in range(3)
    )


def _sum(a: Rotation, b: Rotation) -> Rotation:
    return tuple(
        tuple(x + y for x, y in zip(*rows, strict=True)) for rows in zip(a, b, strict=True)
    )
