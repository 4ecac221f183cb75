# SPDX-License-Identifier: GPL-3.0-or-later
"""What bodies leave open of their mass, and mechanisms that know what their meshes hold for it.

A body whose inertia nobody knows counts as a solid sphere of 0.1 m.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace

import numpy as np

from ..model.body import MotionType
from ..model.contents import Contents
from ..model.geometry.frames import is_flat, rigid_frame
from ..model.geometry.transform import (
    apply,
    linear_part,
    minus,
    translation_of,
    transpose,
)
from ..model.mechanics.inertias import filling_of
from ..model.mechanism import Mechanism
from ..model.shape import MeshShape
from ..model.solid import MeshSolids, Triangles
from .hull import Array
from .solids import measured_triangles

DEFAULT_RADIUS = 0.1
"""m, of the solid sphere that stands for a body without shapes and meshes."""


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
        whole = filling_of(mechanism, solid_ones)
        if node.motion is None or whole is None or is_flat(linear_part(node.world)):
            continue
        frame = rigid_frame(node.world)
        local = apply(transpose(linear_part(frame)), minus(whole.centre, translation_of(frame)))
        nodes[index] = replace(node, motion=replace(node.motion, found_center=local))
    return replace(mechanism, nodes=tuple(nodes))
