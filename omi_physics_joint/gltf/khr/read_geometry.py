# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry of colliders and triggers, out of JSON: implicit shapes, or the mesh of a node.

Source: KHR_implicit_shapes, and KHR_physics_rigid_bodies "Geometry". Drafts up to 2025 name a
``node``, programs of its authors since then the ``mesh`` itself; both are read, the mesh first.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

from ...model.shape import Box, Capsule, Convex, Cylinder, Plane, Shape, Sphere, Trimesh
from ...model.wording.words import one_line
from ..document.json_text import members_of, text_of
from ..document.members import Members, Place, Table
from ..document.node_graph import vector3
from ..parts.kept import kept_for, kept_under
from ..source import Source
from .names import BODY

CAPSULE = Capsule(0.5, 0.25, 0.25)
CYLINDER = Cylinder(0.5, 0.25, 0.25)
"""The defaults of KHR_implicit_shapes."""


def read_shape(shape: Members) -> Shape | None:
    """Read one implicit shape; None, with an issue, where its type is not known."""
    name = shape.text("name")
    shape.named(name)
    kind = shape.text("type")
    block = shape.child(kind) or Members({}, shape.place.at(kind), [])
    read = _read_block(kind, block)
    if read is None:
        message = f'There is no implicit shape of type "{one_line(kind)}".'
        if "type" not in shape.json:
            shape.error("missing-member", "The shape has no type.", "It is left out.")
        else:
            shape.error("unknown-shape-type", message, "It is left out.", "type")
        return None
    unknown = members_of(kept_for(BODY, shape.unknown()))
    inner = members_of(kept_for(BODY, block.in_dialect(BODY).unknown()))
    if inner:
        unknown[kind] = inner
    return replace(read, name=name, unknown=kept_under(BODY, text_of(unknown) if unknown else ""))


def _read_block(kind: str, block: Members) -> Shape | None:
    if kind == "box":
        return Box(vector3(block.vector("size", Box().size)))
    if kind == "sphere":
        return Sphere(block.number("radius", Sphere().radius))
    if kind == "plane":
        return Plane(
            block.number("sizeX", inf) or inf,
            block.number("sizeZ", inf) or inf,
            block.flag("doubleSided", default=False),
        )
    if kind in ("capsule", "cylinder"):
        default = CAPSULE if kind == "capsule" else CYLINDER
        return replace(
            default,
            height=block.number("height", default.height),
            radius_bottom=block.number("radiusBottom", default.radius_bottom),
            radius_top=block.number("radiusTop", default.radius_top),
        )
    return None


class Geometries:
    """The shapes of a mechanism, to which those that meshes of nodes give are added."""

    def __init__(self, source: Source, shapes: list[Shape], table: Table) -> None:
        self.shapes = shapes
        self._source = source
        self._table = table
        self._children: dict[int | None, list[int]] = {}
        for index, node in enumerate(source.nodes):
            self._children.setdefault(node.parent, []).append(index)

    def read(self, owner: Members) -> int | None:
        """Return the shape of a collider or a trigger; None, with an issue, where it has none."""
        geometry = owner.child("geometry")
        if geometry is None:
            owner.error("missing-member", "It has no geometry.", "It is left out.")
            return None
        convex = geometry.flag("convexHull", default=False)
        if geometry.has("shape"):
            return geometry.index("shape", self._table)
        mesh = self._mesh_of(geometry)
        if mesh is None:
            return None
        shape = Convex(mesh) if convex else Trimesh(mesh)
        if shape not in self.shapes:
            self.shapes.append(shape)
        return self.shapes.index(shape)

    def _mesh_of(self, geometry: Members) -> int | None:
        node = geometry.index("node", self._source.node_table)
        named = geometry.index("mesh", self._source.mesh_table)
        if named is not None:
            return named
        if node is None:
            geometry.error("missing-member", "The geometry has no shape, no mesh and no node.")
            return None
        held = [
            (index, mesh) for index in self._below(node) if (mesh := self._own(index)) is not None
        ]
        if not held:
            geometry.error(
                "geometry-without-mesh",
                f"Node {node} has no mesh that could be the geometry.",
                "Point it at a node with a mesh.",
                "node",
            )
            return None
        if len(held) > 1:
            geometry.error(
                "geometry-of-several",
                f"Below node {node} there are {len(held)} meshes, and only the first is read.",
                "Join them to one mesh.",
                "node",
            )
        elif held[0][0] != node:
            geometry.warn(
                "geometry-below",
                f"The mesh of the geometry is below node {node}; where it is there does not count.",
                "Point at the node that has the mesh.",
                "node",
            )
        return held[0][1]

    def _below(self, node: int) -> list[int]:
        """Return a node and all nodes below it, nearest first."""
        found = [node]
        for index in found:
            found += self._children.get(index, ())
        return found

    def _own(self, node: int) -> int | None:
        quiet = Members(self._source.members[node].json, Place(), [])
        mesh = quiet.integer("mesh")
        return mesh if mesh is not None and 0 <= mesh < len(self._source.meshes) else None
