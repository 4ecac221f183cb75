# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders and shown meshes of nodes as geoms of links."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...model.body import Combine
from ...model.changes.pairing import is_near
from ...model.contents import Contents
from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.geometry.scale import standing
from ...model.geometry.transform import Matrix, determinant, inverse, linear_part, multiply
from ...model.mechanism import Mechanism, Node
from ...model.shape import Box, Capsule, Convex, Cylinder, MeshShape, Plane, Shape, Trimesh, slab
from ...model.wording.findings import Findings
from ..robot import Geom, Surface
from ..surfaces import outward, surface_of
from ..turning import is_none, moved

SAME = 1e-5
"""m: points nearer than this are the same."""
HULL = Convex(0)


@dataclass(slots=True)
class Geoms:
    """Makes geoms; equal meshes stay one."""

    mechanism: Mechanism
    """Z up, in rigid frames."""
    contents: Contents
    findings: Findings
    has_planes: bool
    _surfaces: dict[tuple[int, Matrix], Surface | None] = field(default_factory=dict)
    _frictions: set[float] = field(init=False)

    def __post_init__(self) -> None:
        """Look which frictions there are."""
        colliders = (node.collider for node in self.mechanism.nodes if node.collider is not None)
        self._frictions = {self.mechanism.material_of(one).dynamic_friction for one in colliders}

    def of_node(self, index: int, link_world: Matrix, *, moves: bool) -> tuple[Geom, ...]:
        """Return what a node collides with and shows, in a link."""
        node = self.mechanism.nodes[index]
        name = self.mechanism.name_of(index)
        whole = Z_UP_FROM_Y_UP.matrix(self.contents.mechanism.nodes[index].world)
        stretch = multiply(inverse(node.world), whole)
        pose = multiply(inverse(link_world), node.world)
        mesh = self.contents.shown.get(index)
        look = None if mesh is None else self._surface(mesh, stretch, name)
        solid = self._solid(node, name, stretch, moves=moves)
        if solid is None:
            return () if look is None else (Geom(name, pose, None, look),)
        shape, surface = solid
        own = surface or surface_of(shape)
        shown = look and own and (look is own or is_near(look.points, own.points, SAME))
        collider = Geom(
            name, pose, shape, surface, shown=bool(shown), friction=self._friction(node)
        )
        if look is None or shown:
            return (collider,)
        return (collider, Geom(f"{name} shown", pose, None, look))

    def _solid(
        self, node: Node, name: str, stretch: Matrix, *, moves: bool
    ) -> tuple[Shape, Surface | None] | None:
        """Return the shape of a node, its scale taken in."""
        own = self.mechanism.shape_of(node)
        if own is None:
            return None
        shape = standing(own, stretch, up=2)
        if isinstance(shape, MeshShape):
            surface = self._surface(shape.mesh, stretch, name)
            if isinstance(shape, Trimesh) and surface is not None:
                self.findings.note("surface", node.name)
            return None if surface is None else (HULL, surface)
        if isinstance(shape, Plane) and (moves or not self.has_planes):
            self.findings.note("plane", node.name)
            thin = slab(shape)
            shape = Box((thin.size[0], thin.size[2], thin.size[1]))  # its Y is up
        if isinstance(shape, Capsule | Cylinder) and shape.radius_bottom != shape.radius_top:
            self.findings.note("tapered", node.name)
            return HULL, surface_of(shape)
        return replace(shape, name="", unknown=""), None

    def _surface(self, mesh: int, stretch: Matrix, name: str) -> Surface | None:
        """Return the triangles of a mesh of a node; None, which is noted, where it has none."""
        key = (mesh, () if is_none(stretch) else stretch)
        if key not in self._surfaces:
            found = self.contents.meshes[mesh] if mesh < len(self.contents.meshes) else None
            self._surfaces[key] = None
            if found is not None and found.triangles:
                called = self.mechanism.meshes[mesh] or f"mesh {mesh}"
                points = tuple(moved(stretch, (x, -z, y)) for x, y, z in found.points)
                triangles = outward(found.triangles, determinant(linear_part(stretch)))
                self._surfaces[key] = Surface(called, points, triangles)
        if self._surfaces[key] is None:
            self.findings.note("mesh", name, name)
        return self._surfaces[key]

    def _friction(self, node: Node) -> float | None:
        collider = node.collider
        if collider is None or collider.physics_material is None:
            return None
        material = self.mechanism.material_of(collider)
        takes_larger = material.friction_combine is Combine.MAXIMUM or len(self._frictions) == 1
        is_one = material.static_friction == material.dynamic_friction
        if material.restitution or not (is_one and takes_larger):
            self.findings.note("combine", node.name)
        return material.dynamic_friction
