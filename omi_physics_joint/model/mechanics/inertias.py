# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertia of bodies as Check needs it, in plain numbers; the solver measures it more exactly.

What a body says, else its shapes at uniform density, else the bounds of its meshes. A mesh that
nobody has measured counts as its bounds, a tapered shape as one with the mean of its radii.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import inf, isfinite, pi

from ..body import IDENTITY_QUATERNION, ZERO, Quaternion, Vector3
from ..geometry.frames import is_flat, rigid_frame
from ..geometry.scale import standing
from ..geometry.transform import (
    IDENTITY_ROTATION,
    SMALLEST_SQUARE,
    Matrix,
    Rotation,
    apply,
    determinant,
    dot,
    linear_part,
    minus,
    multiply,
    plus,
    quaternion_from_rotation,
    rotation_from_quaternion,
    singular_values,
    times,
    translation_of,
    transpose,
)
from ..mechanism import Mechanism, Node
from ..shape import Box, Capsule, Convex, Cylinder, MeshShape, Shape, Sphere
from ..solid import MeshSolids

Part = tuple[float, Vector3, Rotation]
"""Volume in m^3, centre in the world, and the mean of r r^T from there."""


def centre_of(mechanism: Mechanism, body: int, parts: Iterable[int]) -> Vector3:
    """Return where the centre of mass of a body is in the world; its node is not flat."""
    node = mechanism.nodes[body]
    motion, frame = node.motion, rigid_frame(node.world)
    if motion is not None and motion.center_of_mass is None and motion.found_center is None:
        solid = [one for one in parts if mechanism.shape_of(mechanism.nodes[one]) is not None]
        middle = middle_of(mechanism, solid)
        if middle is not None:
            return middle
    return plus(translation_of(frame), apply(linear_part(frame), motion.center if motion else ZERO))


def spin_of(node: Node) -> Vector3:
    """Return the angular velocity of a body at the start, world axes; zero where it is flat."""
    if node.motion is None or is_flat(linear_part(node.world)):
        return ZERO
    return apply(linear_part(rigid_frame(node.world)), node.motion.angular_velocity)


def inertia_of(mechanism: Mechanism, body: int, parts: Sequence[int]) -> Rotation | None:
    """Return the inertia of a body about its centre of mass, world axes; None if none is known."""
    node = mechanism.nodes[body]
    motion = node.motion
    if motion is None or inf in (motion.mass, *motion.inertia_diagonal):
        return None
    if motion.inertia_diagonal != ZERO:
        turn = linear_part(rigid_frame(node.world))
        if any(motion.inertia_orientation):
            turn = multiply(turn, rotation_from_quaternion(motion.inertia_orientation))
        return turned(turn, motion.inertia_diagonal)
    found, total = _solid_parts(mechanism, parts)
    if not found:
        return None
    centre = centre_of(mechanism, body, parts)
    mean = [[0.0] * 3 for _ in range(3)]
    for volume, place, spread in found:
        arm = minus(place, centre)
        for i, j in product(range(3), repeat=2):
            mean[i][j] += volume / total * (spread[i][j] + arm[i] * arm[j])
    trace = sum(mean[i][i] for i in range(3))
    return tuple(
        tuple(motion.mass * ((trace if i == j else 0.0) - mean[i][j]) for j in range(3))
        for i in range(3)
    )


def middle_of(mechanism: Mechanism, parts: Iterable[int]) -> Vector3 | None:
    """Return the centre of what fills a body, in the world; None where nothing is known to."""
    found, total = _solid_parts(mechanism, parts)
    if not found:
        return None
    x, y, z = (sum(volume * place[axis] for volume, place, _ in found) / total for axis in range(3))
    return (x, y, z)


def _solid_parts(mechanism: Mechanism, parts: Iterable[int]) -> tuple[list[Part], float]:
    """Return what fills a body, its shapes, or else the room that meshes take; and its volume."""
    nodes = [mechanism.nodes[part] for part in parts]
    nodes = [part for part in nodes if not is_flat(linear_part(part.world))]
    found = [part for node in nodes if (part := _of_shape(mechanism, node)) is not None]
    found = found or [part for node in nodes if (part := _of_bounds(node)) is not None]
    total = sum(volume for volume, _, _ in found)
    return (found, total) if isfinite(total) and total > 0.0 else ([], 0.0)


def _of_shape(mechanism: Mechanism, node: Node) -> Part | None:
    shape = mechanism.shape_of(node)
    if shape is None:
        return None
    if isinstance(shape, MeshShape):
        solids = mechanism.solids_of(shape.mesh) or MeshSolids()
        solid = solids.hull if isinstance(shape, Convex) else solids.inside or solids.hull
        if solid is None or not solid.volume > 0.0:
            return _of_bounds(node)
        spread = tuple(tuple(x / solid.volume for x in row) for row in solid.spread)
        return _placed(node.world, solid.volume, solid.centre, spread)
    volume, squares = _filled(standing(shape, node.world))
    return _placed(rigid_frame(node.world), volume, ZERO, turned(IDENTITY_ROTATION, squares))


def _filled(shape: Shape) -> tuple[float, Vector3]:
    """Return the volume of a shape with a size, and the means of x^2, y^2 and z^2."""
    if isinstance(shape, Box):
        return _box(shape.size)
    if isinstance(shape, Sphere):
        r = shape.radius
        return _ball(r), (r * r / 5.0, r * r / 5.0, r * r / 5.0)
    if not isinstance(shape, Capsule | Cylinder):
        return 0.0, ZERO
    r, h = 0.5 * (shape.radius_bottom + shape.radius_top), shape.height
    tube = pi * r * r * h
    ball = _ball(r) if isinstance(shape, Capsule) else 0.0
    if not tube + ball > 0.0:
        return 0.0, ZERO
    across = (tube * r * r / 4.0 + ball * r * r / 5.0) / (tube + ball)
    ends = r * r / 5.0 + 0.375 * h * r + 0.25 * h * h
    along = (tube * h * h / 12.0 + ball * ends) / (tube + ball)
    return tube + ball, (across, along, across)


def _ball(radius: float) -> float:
    """Return the volume of a ball; a power would not end as infinite, but in an error."""
    return 4.0 / 3.0 * pi * (radius * radius * radius)


def _box(size: Sequence[float]) -> tuple[float, Vector3]:
    x, y, z = size
    return abs(x * y * z), (x * x / 12.0, y * y / 12.0, z * z / 12.0)


def _of_bounds(node: Node) -> Part | None:
    if node.bounds is None:
        return None
    low, high = node.bounds.low, node.bounds.high
    sides = minus(high, low)
    volume, squares = _box([max(side, 0.01 * max(sides)) for side in sides])
    centre = times(plus(low, high), 0.5)
    return _placed(node.world, volume, centre, turned(IDENTITY_ROTATION, squares))


def _placed(world: Matrix, volume: float, centre: Vector3, spread: Rotation) -> Part:
    linear = linear_part(world)
    size = abs(determinant(linear))
    place = plus(translation_of(world), apply(linear, centre))
    return volume * size, place, multiply(multiply(linear, spread), transpose(linear))


def turned(turn: Rotation, diagonal: Vector3) -> Rotation:
    """Return R D R^T: what has these principal values about the axes of a rotation."""
    rows = tuple(tuple(row[i] * diagonal[i] for i in range(3)) for row in turn)
    return tuple(tuple(dot(row, other) for other in turn) for row in rows)


def principal(inertia: Rotation) -> tuple[Vector3, Quaternion]:
    """Return the principal moments of an inertia, and the rotation of their axes."""
    moments = (inertia[0][0], inertia[1][1], inertia[2][2])
    largest = max(abs(x) for row in inertia for x in row)
    off = max(abs(inertia[i][j] + inertia[j][i]) for i, j in ((0, 1), (0, 2), (1, 2)))
    if off <= 2e-12 * largest or largest * largest < SMALLEST_SQUARE:
        return moments, IDENTITY_QUATERNION
    # A hair is added, so that no singular value is zero; it is taken off again.
    hair = 1e-9 * largest
    raised = tuple(
        tuple(0.5 * (inertia[i][j] + inertia[j][i]) + (hair if i == j else 0.0) for j in range(3))
        for i in range(3)
    )
    _, values, axes = singular_values(raised)
    x, y, z = (max(abs(value) - hair, 0.0) for value in values)
    return (x, y, z), quaternion_from_rotation(axes)
