# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertia and centres of bodies, from shapes or meshes at uniform density where they say none.

A convex shape counts as its hull, a triangle mesh as what it encloses (an open one as its hull),
and a mesh that nobody has measured as its bounds. Where no shape has a volume, the bounds of the
meshes of a body count. The centre of mass is what the body says, else that of its shapes, else its
origin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf, isfinite, pi, sqrt

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
from ..shape import Box, Capsule, Cylinder, MeshShape, Plane, Shape, Sphere, Trimesh
from ..solid import Bounds, MeshSolids
from .masses import Mass, about, diagonal, spread_of, summed, turned, turning
from .masses import times as of_mass

Piece = tuple[float, float, Callable[[float], float]]
"""Of a solid of revolution about Y: from and to in m, and the squared radius at a height."""

THINNEST = 1e-18
"""m^3: a smaller volume is none."""
SHEET = 0.01
"""Thickness of what is flat, as a part of its longest side."""
NODES = ((-sqrt(0.6), 5.0 / 9.0), (0.0, 8.0 / 9.0), (sqrt(0.6), 5.0 / 9.0))
"""Gauss' nodes and weights, exact for polynomials of degree 5; squared radii are of degree 2."""


def centre_of(mechanism: Mechanism, body: int, parts: Iterable[int]) -> Vector3:
    """Return where the centre of mass of a body is in the world; its node is not flat."""
    node = mechanism.nodes[body]
    motion, place = node.motion, translation_of(node.world)
    if motion is not None and motion.center_of_mass is None and motion.found_center is None:
        solid = [one for one in parts if mechanism.shape_of(mechanism.nodes[one]) is not None]
        whole = filling_of(mechanism, solid)
        if whole is not None:
            return whole.centre
    if motion is None or motion.center == ZERO:
        return place
    return plus(place, apply(linear_part(rigid_frame(node.world)), motion.center))


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
    return filled_inertia(mechanism, parts, motion.mass, centre_of(mechanism, body, parts))


def filled_inertia(
    mechanism: Mechanism, parts: Iterable[int], mass: float, centre: Vector3
) -> Rotation | None:
    """Return the inertia of what fills a body, for a mass in kg; None if nothing does.

    World axes, kg m^2, about a centre of mass in the world in m.
    """
    whole = filling_of(mechanism, parts)
    return None if whole is None else about(of_mass(whole, mass / whole.mass), centre)


def filling_of(mechanism: Mechanism, parts: Iterable[int]) -> Mass | None:
    """Return the shapes of a body in the world at density one, else the bounds of its meshes.

    None where neither has a volume. Where shapes overlap, both count.
    """
    nodes = [mechanism.nodes[part] for part in parts]
    sound = [node for node in nodes if not is_flat(linear_part(node.world))]
    shapes = _together(_of_shape(mechanism, node) for node in sound)
    return shapes or _together(_of_room(node, mechanism.room_of(node)) for node in sound)


def _together(parts: Iterable[Mass | None]) -> Mass | None:
    """Return several masses as one; sizes beyond all numbers count as none."""
    whole = summed(filter(None, parts))
    if whole is None or not THINNEST < whole.mass < inf:
        return None
    return whole if all(isfinite(x) for row in whole.inertia for x in row) else None


def _of_shape(mechanism: Mechanism, node: Node) -> Mass | None:
    """Return what fills the collision shape of a node, in the world."""
    shape = mechanism.shape_of(node)
    if isinstance(shape, MeshShape):
        solids = mechanism.solids_of(shape.mesh)
        if solids is None:
            return _of_room(node, mechanism.room_of(node))
        return _placed(solid_of(shape, solids), node.world)
    solid = None if shape is None else solid_of(standing(shape, node.world))
    return _placed(solid, rigid_frame(node.world))


def _of_room(node: Node, room: Bounds | None) -> Mass | None:
    """Return the box that a mesh of a node takes, with its scale and shear; no side is thinner."""
    if room is None:
        return None
    sides = minus(room.high, room.low)
    x, y, z = (max(side, SHEET * max(sides)) for side in sides)
    return _placed(_box(x, y, z, times(plus(room.low, room.high), 0.5)), node.world)


def _placed(solid: Mass | None, world: Matrix) -> Mass | None:
    """Return a mass under a matrix: a linear map L makes |det L| L S L^T of its spread."""
    if solid is None:
        return None
    linear = linear_part(world)
    spread = multiply(multiply(linear, spread_of(solid.inertia)), transpose(linear))
    place = plus(translation_of(world), apply(linear, solid.centre))
    return of_mass(Mass(solid.mass, place, turning(spread)), abs(determinant(linear)))


def solid_of(shape: Shape, mesh: MeshSolids | None = None) -> Mass | None:
    """Return what fills a shape at density one, in its own space; None where it has no volume.

    A convex shape is its hull, a triangle mesh what it encloses, or its hull if it is open: that is
    known where somebody has measured the mesh.
    """
    if isinstance(shape, MeshShape):
        if mesh is None:
            return None
        inside = mesh.inside if isinstance(shape, Trimesh) else None
        return mesh.hull if inside is None else inside
    if isinstance(shape, Box):
        x, y, z = map(abs, shape.size)
        return _box(x, y, z)
    if isinstance(shape, Sphere):
        return _ball(abs(shape.radius), 0.0)
    return None if isinstance(shape, Plane) else _turned(shape)


def _turned(shape: Capsule | Cylinder) -> Mass | None:
    """Return what fills a capsule or a cylinder, both of which may taper towards an end.

    Both are solids of revolution about Y. A capsule is the hull of two balls whose centres are its
    height apart; the cone between them touches each at the same slope.
    """
    low, high = abs(shape.radius_bottom), abs(shape.radius_top)
    end = 0.5 * abs(shape.height)
    if isinstance(shape, Cylinder):
        taper = (high - low) / (2.0 * end) if end > 0.0 else 0.0
        return _revolved([(-end, end, lambda y: _square(low + taper * (y + end)))])
    if abs(low - high) >= 2.0 * end:  # one ball holds the other
        return _ball(max(low, high), -end if low > high else end)
    sine = (low - high) / (2.0 * end)
    cosine = sqrt(1.0 - sine * sine)
    first, last = -end + low * sine, end + high * sine
    begin, slope = low * cosine, (high - low) * cosine / (last - first)
    return _revolved(
        [
            (-end - low, first, lambda y: low * low - _square(y + end)),
            (first, last, lambda y: _square(begin + slope * (y - first))),
            (last, end + high, lambda y: high * high - _square(y - end)),
        ]
    )


def _square(x: float) -> float:
    """Return x^2; infinite, where a power is an error."""
    return x * x


def _ball(radius: float, height: float) -> Mass | None:
    """Return a ball on the Y axis."""
    squares = (_square(radius) / 5.0,) * 3
    return _solid(4.0 / 3.0 * pi * radius * _square(radius), (0.0, height, 0.0), squares)


def _box(x: float, y: float, z: float, centre: Vector3 = ZERO) -> Mass | None:
    return _solid(x * y * z, centre, (x * x / 12.0, y * y / 12.0, z * z / 12.0))


def _revolved(pieces: list[Piece]) -> Mass | None:
    """Return a solid of revolution about Y, made of pieces."""
    discs = []
    for first, last, squared in pieces:
        for node, weight in NODES:
            y = 0.5 * (first + last + node * (last - first))
            discs.append((0.5 * pi * (last - first) * weight * squared(y), y, squared(y)))
    volume = sum(part for part, _, _ in discs)
    if not volume > 0.0:
        return None
    centre = sum(part * y for part, y, _ in discs) / volume
    along = sum(part * _square(y - centre) for part, y, _ in discs) / volume
    across = 0.25 * sum(part * square for part, _, square in discs) / volume
    return _solid(volume, (0.0, centre, 0.0), (across, along, across))


def _solid(volume: float, centre: Vector3, squares: Vector3) -> Mass | None:
    """Return a solid from its volume, its centre, and the means of x^2, y^2 and z^2 about it."""
    if not volume > 0.0:
        return None
    x, y, z = times(squares, volume)
    return Mass(volume, centre, diagonal(y + z, x + z, x + y))
