# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertia and centres of bodies that do not say theirs, from shapes or meshes at uniform density.

Absent or all zero, the inertia comes from the shapes, scaled to the mass of the body; a convex
shape counts as its hull, a triangle mesh as what it encloses (an open one as its hull). Where no
shape has a volume, it comes from the bounds of the meshes; where there are none, it is that of a
solid sphere of 0.1 m. The centre of mass is what the body says, its origin if it says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import replace
from math import isfinite

import numpy as np

from ..model.body import MotionType
from ..model.contents import Contents
from ..model.geometry.frames import is_flat, rigid_frame
from ..model.geometry.scale import standing
from ..model.geometry.transform import (
    apply,
    linear_part,
    minus,
    translation_of,
    transpose,
)
from ..model.mechanism import Mechanism, Node
from ..model.shape import MeshShape
from ..model.solid import Bounds, MeshSolids, Solid, Triangles
from .hull import Array
from .solids import measured_triangles, solid_from, solid_of

THINNEST = 1e-18
"""m^3: a smaller volume is none."""
DEFAULT_RADIUS = 0.1
"""m, of the solid sphere that stands for a body without shapes and meshes."""
SHEET = 0.01
"""Thickness of what is flat, as a part of its longest side."""


def sphere_inertia(mass: float) -> Array:
    """Return the principal inertia of that sphere in kg m^2, shape (3,)."""
    return np.full(3, 0.4 * mass * DEFAULT_RADIUS * DEFAULT_RADIUS)


def parts_of_bodies(mechanism: Mechanism) -> dict[int, list[int]]:
    """Return the nodes that belong to each body and have a shape or a mesh, by the body's node."""
    parts: dict[int, list[int]] = {}
    for index, node in enumerate(mechanism.nodes):
        has_shape = node.collider is not None and node.collider.shape is not None
        body = mechanism.body_of(index) if has_shape or node.bounds is not None else None
        if body is not None:
            parts.setdefault(body, []).append(index)
    return parts


def body_inertia(
    mechanism: Mechanism, parts: Iterable[int], mass: float, centre: Array
) -> Array | None:
    """Return the inertia of ``body_solid``, None if that is none.

    World axes, kg m^2, (3, 3), about a centre of mass in the world (3,), for a mass in kg.
    """
    solid = body_solid(mechanism, parts)
    if solid is None:
        return None
    arm = np.array(solid.centre) - centre
    spread = np.array(solid.spread) + solid.volume * np.outer(arm, arm)
    return np.asarray((np.trace(spread) * np.eye(3) - spread) * (mass / solid.volume))


def body_solid(mechanism: Mechanism, parts: Iterable[int]) -> Solid | None:
    """Return the shapes of a body as one solid in the world, else the bounds of its meshes.

    None where neither has a volume.
    """
    nodes = [mechanism.nodes[part] for part in parts]
    sound = [node for node in nodes if not is_flat(linear_part(node.world))]
    with np.errstate(all="ignore"):  # sizes beyond all numbers count as none
        shapes = _together(_of_shape(mechanism, node) for node in sound)
        rooms = (_of_room(node, mechanism.room_of(node)) for node in sound)
        return _together(rooms) if shapes is None else shapes


def _of_shape(mechanism: Mechanism, node: Node) -> Solid | None:
    """Return the collision shape of a node in the world."""
    shape = mechanism.shape_of(node)
    if isinstance(shape, MeshShape):
        return _placed(solid_of(shape, mechanism.solids_of(shape.mesh)), np.array(node.world))
    solid = None if shape is None else solid_of(standing(shape, node.world))
    return _placed(solid, np.array(rigid_frame(node.world)))


def _of_room(node: Node, room: Bounds | None) -> Solid | None:
    """Return the box that a mesh of a node takes, with its scale and shear.

    What is flat counts as a sheet a hundredth as thick as it is long.
    """
    if room is None:
        return None
    low, high = np.array(room.low), np.array(room.high)
    sides = np.maximum(high - low, SHEET * (high - low).max())
    return _placed(
        solid_from(float(sides.prod()), 0.5 * (low + high), np.diag(sides * sides / 12.0)),
        np.array(node.world),
    )


def _placed(solid: Solid | None, world: Array) -> Solid | None:
    """Return a solid under a matrix (4, 4): a linear map L makes |det L| L S L^T of its spread."""
    if solid is None:
        return None
    linear = world[:3, :3]
    centre = linear @ np.array(solid.centre) + world[:3, 3]
    mean = linear @ np.array(solid.spread) @ linear.T / solid.volume
    return solid_from(solid.volume * float(abs(np.linalg.det(linear))), centre, mean)


def _together(parts: Iterable[Solid | None]) -> Solid | None:
    """Return several solids as one; where they overlap, both count."""
    solids = [part for part in parts if part is not None]
    total = sum(part.volume for part in solids)
    if not (isfinite(total) and total > THINNEST):
        return None
    centre = sum((part.volume * np.array(part.centre) for part in solids), np.zeros(3)) / total
    spread = np.zeros((3, 3))
    for part in solids:
        arm = np.array(part.centre) - centre
        spread += np.array(part.spread) + part.volume * np.outer(arm, arm)
    return solid_from(total, centre, spread / total) if np.isfinite(spread).all() else None


def guessed_bodies(mechanism: Mechanism) -> set[int]:
    """Return the nodes of bodies that leave their centre of mass or some of their inertia open."""
    guessed = {
        index
        for index, own in mechanism.motions()
        if own.type is MotionType.DYNAMIC and 0.0 in own.inertia_diagonal
    }
    return guessed | open_centres(mechanism)


def open_centres(mechanism: Mechanism) -> set[int]:
    """Return the nodes of bodies whose centre of mass is computed, and that nobody has weighed."""
    return {
        index
        for index, own in mechanism.motions()
        if own.center_of_mass is None and own.found_center is None
    }


def meshes_of(mechanism: Mechanism, bodies: Container[int]) -> set[int]:
    """Return the meshes that the colliders of some bodies are made of."""
    shapes = map(mechanism.shape_of, mechanism.nodes)
    return {
        shape.mesh
        for index, shape in enumerate(shapes)
        if isinstance(shape, MeshShape) and mechanism.body_of(index) in bodies
    }


def with_solids(
    mechanism: Mechanism, meshes: Container[int], measure: Callable[[int], MeshSolids | None]
) -> Mechanism:
    """Return a mechanism that knows what some of its meshes hold: what ``measure`` says of each.

    It answers in the axes of the mechanism, None where a mesh cannot be read. Centres of mass that
    are computed are known then too.
    """
    known = (measure(i) if i in meshes else None for i in range(len(mechanism.meshes)))
    return with_centres(replace(mechanism, solids=tuple(known)))


def touching_meshes(mechanism: Mechanism) -> set[int]:
    """Return the meshes of colliders and triggers."""
    nodes = range(len(mechanism.nodes))
    return {mesh for index in nodes for mesh in mechanism.meshes_of(index)}


def with_surfaces(mechanism: Mechanism, read: Callable[[int], Triangles | None]) -> Mechanism:
    """Return a mechanism that knows the triangles of what may touch, and of triggers."""
    wanted, meshes = touching_meshes(mechanism), range(len(mechanism.meshes))
    surfaces = tuple(read(index) if index in wanted else None for index in meshes)
    return replace(mechanism, surfaces=surfaces)


def measured_contents(contents: Contents, bodies: Container[int]) -> Mechanism:
    """Return the mechanism of contents with what the meshes of these bodies hold."""
    meshes = meshes_of(contents.mechanism, bodies).intersection(range(len(contents.meshes)))
    return with_solids(contents.mechanism, meshes, lambda i: measured_triangles(contents.meshes[i]))


def with_centres(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism that knows the centres of mass that it leaves open.

    That is the centre of what a body's colliders fill, at uniform density; its origin without any.
    """
    wanted = open_centres(mechanism)
    if not wanted:
        return mechanism
    parts = parts_of_bodies(mechanism)
    nodes = list(mechanism.nodes)
    for index in wanted:
        node = nodes[index]
        solid_ones = (i for i in parts.get(index, ()) if mechanism.shape_of(nodes[i]) is not None)
        solid = body_solid(mechanism, solid_ones)
        if node.motion is None or solid is None or is_flat(linear_part(node.world)):
            continue
        frame = rigid_frame(node.world)
        local = apply(transpose(linear_part(frame)), minus(solid.centre, translation_of(frame)))
        nodes[index] = replace(node, motion=replace(node.motion, found_center=local))
    return replace(mechanism, nodes=tuple(nodes))
