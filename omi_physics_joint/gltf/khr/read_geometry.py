# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry of colliders and triggers, out of JSON: implicit shapes, or the mesh of a node.

Source: KHR_implicit_shapes, and KHR_physics_rigid_bodies "Geometry". Drafts up to 2025 name a
``node``, programs of its authors since then the ``mesh`` itself; both are read, the mesh first.
"""

from __future__ import annotations

from functools import partial
from math import inf

from ...model.shape import Capsule, Convex, Cylinder, Plane, Shape, Trimesh
from ..document.members import Members, Table
from ..shared.read_bodies import Blocks, read_box, read_round, read_sphere
from ..source import Source


def _read_plane(block: Members) -> Plane:
    x, z = (block.number(key, inf) or inf for key in ("sizeX", "sizeZ"))
    return Plane(x, z, block.flag("doubleSided"))


BLOCKS: Blocks = {
    "box": read_box,
    "sphere": read_sphere,
    "plane": _read_plane,
    "capsule": partial(read_round, default=Capsule(0.5, 0.25, 0.25)),
    "cylinder": partial(read_round, default=Cylinder(0.5, 0.25, 0.25)),
}
"""With the defaults of KHR_implicit_shapes."""


class Geometries:
    """The shapes of a mechanism, to which those that meshes of nodes give are added."""

    def __init__(self, source: Source, shapes: list[Shape], table: Table) -> None:
        self.shapes = shapes
        self._of_meshes: dict[Shape, int] = {}
        self._source = source
        self._table = table
        self._children: dict[int | None, list[int]] = {}
        for index, node in enumerate(source.nodes):
            self._children.setdefault(node.parent, []).append(index)

    def read(self, owner: Members, geometry: Members | None) -> int | None:
        """Return the shape of a collider or a trigger; None, with an issue, where it has none."""
        if geometry is None:
            owner.error("missing-member", "It has no geometry.", "It is left out.")
            return None
        convex = geometry.flag("convexHull")
        for other in ("node", "mesh"):
            geometry.has(other)  # no unknown one, whichever of the three counts
        if geometry.has("shape"):
            return geometry.index("shape", self._table)
        mesh = self._mesh_of(geometry)
        if mesh is None:
            return None
        shape = Convex(mesh) if convex else Trimesh(mesh)
        at = self._of_meshes.setdefault(shape, len(self.shapes))
        if at == len(self.shapes):
            self.shapes.append(shape)
        return at

    def _mesh_of(self, geometry: Members) -> int | None:
        node = geometry.index("node", self._source.node_table)
        named = geometry.index("mesh", self._source.mesh_table)
        if named is not None:
            return named
        if node is None:
            geometry.error("missing-member", "The geometry has no shape, no mesh and no node.")
            return None
        below = [node]
        for index in below:  # nearest first
            below += self._children.get(index, ())
        meshes = ((index, self._source.mesh_of(index)) for index in below)
        held = [(index, mesh) for index, mesh in meshes if mesh is not None]
        if not held:
            message = f"Node {node} has no mesh that could be the geometry."
            fix = "Point it at a node with a mesh."
            geometry.error("geometry-without-mesh", message, fix, "node")
            return None
        if len(held) > 1:
            message = f"Below node {node} there are {len(held)} meshes, and only the first is read."
            geometry.error("geometry-of-several", message, "Join them to one mesh.", "node")
        elif held[0][0] != node:
            geometry.warn(
                "geometry-below",
                f"The mesh of the geometry is below node {node}; where it is there does not count.",
                "Point at the node that has the mesh.",
                "node",
            )
        return held[0][1]
