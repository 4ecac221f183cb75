# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertia of bodies as Check needs it, in plain numbers; the solver measures it more exactly.

What a body says, else its shapes at uniform density, else the bounds of its meshes. A mesh that
nobody has measured counts as its bounds, a tapered shape as one with the mean of its radii.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, isfinite, pi

from ..body import ZERO, Vector3
from ..geometry.frames import is_flat, rigid_frame
from ..geometry.scale import standing
from ..geometry.transform import (
    Matrix,
    Rotation,
    apply,
    determinant,
    linear_part,
    minus,
    multiply,
    plus,
    rotation_from_quaternion,
    times,
    translation_of,
    transpose,
)
from ..mechanism import Mechanism, Node
from ..shape import Box, Capsule, Convex, Cylinder, MeshShape, Shape, Sphere
from ..solid import Bounds, MeshSolids
from .masses import Mass, about, diagonal, summed, turned, turning
from .masses import times as of_mass


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
    own = ZERO if node.motion is None else node.motion.angular_velocity
    if own == ZERO or is_flat(linear_part(node.world)):
        return ZERO
    return apply(linear_part(rigid_frame(node.world)), own)


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
    whole = _whole(mechanism, parts)
    if whole is None:
        return None
    whole = of_mass(whole, motion.mass / whole.mass)
    return about(whole, centre_of(mechanism, body, parts))


def middle_of(mechanism: Mechanism, parts: Iterable[int]) -> Vector3 | None:
    """Return the centre of what fills a body, in the world; None where nothing is known to."""
    whole = _whole(mechanism, parts)
    return None if whole is None else whole.centre


def _whole(mechanism: Mechanism, parts: Iterable[int]) -> Mass | None:
    """Return what fills a body, its shapes, or else the room that meshes take, at density one."""
    nodes = [mechanism.nodes[part] for part in parts]
    nodes = [part for part in nodes if not is_flat(linear_part(part.world))]
    found = [part for node in nodes if (part := _of_shape(mechanism, node)) is not None]
    whole = summed(found or filter(None, (_of_room(node, node.bounds) for node in nodes)))
    return whole if whole is not None and isfinite(whole.mass) else None


def _of_shape(mechanism: Mechanism, node: Node) -> Mass | None:
    shape = mechanism.shape_of(node)
    if shape is None:
        return None
    if isinstance(shape, MeshShape):
        solids = mechanism.solids_of(shape.mesh) or MeshSolids()
        solid = solids.hull if isinstance(shape, Convex) else solids.inside or solids.hull
        if solid is None or not solid.volume > 0.0:
            return _of_room(node, mechanism.room_of(node))
        spread = tuple(tuple(x / solid.volume for x in row) for row in solid.spread)
        return _placed(node.world, solid.volume, solid.centre, spread)
    volume, squares = _filled(standing(shape, node.world))
    return _placed(rigid_frame(node.world), volume, ZERO, diagonal(*squares))


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


def _of_room(node: Node, room: Bounds | None) -> Mass | None:
    if room is None:
        return None
    low, high = room.low, room.high
    sides = minus(high, low)
    volume, squares = _box([max(side, 0.01 * max(sides)) for side in sides])
    centre = times(plus(low, high), 0.5)
    return _placed(node.world, volume, centre, diagonal(*squares))


def _placed(world: Matrix, volume: float, centre: Vector3, spread: Rotation) -> Mass:
    """Return a solid, with the mean of r r^T from its centre, as it is in the world."""
    linear = linear_part(world)
    size = volume * abs(determinant(linear))
    place = plus(translation_of(world), apply(linear, centre))
    spread = multiply(multiply(linear, spread), transpose(linear))
    return of_mass(Mass(1.0, place, turning(spread)), size)
