# SPDX-License-Identifier: GPL-3.0-or-later
"""A document as KHR_physics_rigid_bodies and KHR_implicit_shapes say it, out of JSON.

Where the two families differ: nodes without a motion are static, zero masses and inertias are
infinite, a mass that is not said is the engine's choice, and limits over several axes hold them
together. Of geometry, drafts up to 2025 name a ``node``, programs of its authors since then the
``mesh`` itself; both are read, the mesh first. Source: KHR_physics_rigid_bodies (draft of 2025).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import inf

from ...model.body import ZERO, Collider, Motion, MotionType, Trigger
from ...model.issue import Severity
from ...model.joint import Freedom, JointSettings, Limit
from ...model.mechanism import Mechanism, Node
from ...model.settings.together import plain
from ...model.shape import Capsule, Convex, Cylinder, Plane, Shape, Trimesh
from ..document.members import Members, Table, quiet
from ..shared.kept import kept_for
from ..shared.read_settings import (
    Blocks,
    read_box,
    read_joint,
    read_motion_of,
    read_round,
    read_settings,
    read_shape,
    read_sphere,
)
from ..shared.resources import Tables, read_resources
from ..source import Source
from .names import BODY, EXTENSIONS


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


MOTION = Motion(MotionType.DYNAMIC)


def read_khr(source: Source) -> tuple[Mechanism, frozenset[str]]:
    """Return what the extensions of Khronos say, and which of them the file uses."""
    found = {name: source.root.extension(name) for name in EXTENSIONS}
    body, shape = ((found[name] or quiet({})).in_dialect(BODY) for name in EXTENSIONS)
    mechanism, tables = read_resources(
        source, (body, body, shape), _read_settings, partial(read_shape, blocks=BLOCKS)
    )
    geometries = Geometries(source, list(mechanism.shapes), tables.shapes)
    unknown = {name: members.unknown() for name, members in found.items() if members is not None}
    nodes = list(source.nodes)
    used = set(unknown)
    for index, members in enumerate(source.members):
        body_of = members.extension(BODY)
        if body_of is not None:
            used.add(BODY)
            nodes[index] = _with_physics(nodes[index], body_of.in_dialect(BODY), tables, geometries)
    mechanism = replace(
        mechanism,
        nodes=tuple(nodes),
        shapes=tuple(geometries.shapes),
        unknown={name: kept_for(BODY, text) for name, text in unknown.items() if text},
    )
    return mechanism, frozenset(used)


def _read_settings(settings: Members) -> JointSettings:
    """Read joint settings; a range on several axes holds them together."""
    read = read_settings(settings)
    return replace(read, limits=tuple(part for limit in read.limits for part in _parts(limit)))


def _parts(limit: Limit) -> list[Limit]:
    bare = (replace(limit, angular_axes=()), replace(limit, linear_axes=()))
    return [
        plain(replace(one, together=True))
        for one, freedom in zip(bare, Freedom, strict=True)
        if one.axes(freedom)
    ]


def _with_physics(node: Node, body: Members, tables: Tables, geometries: Geometries) -> Node:
    return replace(
        node,
        motion=body.part("motion", _read_motion),
        collider=body.part("collider", lambda one: _read_collider(one, tables, geometries)),
        trigger=body.part("trigger", lambda one: _read_trigger(one, tables, geometries)),
        joint=body.part("joint", lambda one: read_joint(one, tables.settings, tables.nodes)),
        unknown=body.unknown(),
    )


def _read_motion(motion: Members) -> Motion:
    kinematic = motion.flag("isKinematic")
    if not motion.has("mass") and not kinematic:
        message = "The body has no mass, so every engine takes its own."
        fix = f"Set one; {MOTION.mass:g} kg is taken."
        motion.report(Severity.HINT, "mass-left-open", message, fix)
    diagonal = ZERO
    if motion.has("inertiaDiagonal"):
        x, y, z = (part or inf for part in motion.vector("inertiaDiagonal", ZERO))
        diagonal = (x, y, z)
    kind = MotionType.KINEMATIC if kinematic else MotionType.DYNAMIC
    mass = motion.number("mass", MOTION.mass) or inf
    return read_motion_of(motion, kind, mass, None, diagonal)


def _read_collider(collider: Members, tables: Tables, geometries: Geometries) -> Collider | None:
    """Read what makes a node solid; None, with an issue, where its geometry cannot be read."""
    geometry = collider.child("geometry")
    shape = geometries.read(collider, geometry)
    material = collider.index("physicsMaterial", tables.physics_materials)
    collision_filter = collider.index("collisionFilter", tables.collision_filters)
    unknown = collider.unknown(geometry=geometry)
    return None if shape is None else Collider(shape, material, collision_filter, unknown)


def _read_trigger(trigger: Members, tables: Tables, geometries: Geometries) -> Trigger | None:
    nodes = trigger.integers("nodes", tables.nodes.count, "node")
    geometry, shape = trigger.child("geometry"), None
    if trigger.has("geometry") or not nodes:
        shape = geometries.read(trigger, geometry)
    if shape is not None and nodes:
        message = "The trigger has a geometry and also nodes."
        trigger.error("trigger-both", message, "Only the geometry counts.")
        nodes = ()
    collision_filter = trigger.index("collisionFilter", tables.collision_filters)
    unknown = trigger.unknown(geometry=geometry)
    if shape is None and not nodes:
        return None
    return Trigger(shape, nodes, collision_filter, unknown)


def with_world_bodies(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism with a static body wherever a joint holds what has no motion.

    That is the nearest collider, the node itself or above it; else the node above; else itself.
    """
    nodes = list(mechanism.nodes)
    for index, _, joint in mechanism.joints():
        for end in (index, joint.connected_node):
            above = list(mechanism.ancestry(end))
            if any(nodes[one].motion for one in above):
                continue
            solid = [one for one in above if nodes[one].collider is not None]
            at = (solid or above[1:2] or above)[0]
            nodes[at] = replace(nodes[at], motion=Motion(MotionType.STATIC))
    return replace(mechanism, nodes=tuple(nodes))
