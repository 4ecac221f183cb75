# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole: nodes with their bodies, colliders, triggers and joints, and what they share.

A mechanism is in glTF axes (Y up) unless it came from ``geometry.axes``. It is the one truth
that is drawn, played and exported.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field, replace

from .body import (
    GRIP,
    Collider,
    CollisionFilter,
    Motion,
    MotionType,
    PhysicsMaterial,
    Trigger,
    Vector3,
)
from .geometry.transform import IDENTITY, Matrix
from .joint import JointNode, JointSettings
from .shape import MeshShape, Shape
from .solid import Bounds, MeshSolids, Triangles

GRAVITY = 9.81
"""m/s^2, of the Earth."""
EARTH: Vector3 = (0.0, -GRAVITY, 0.0)
"""m/s^2: the gravity of a mechanism that says none, Y up."""


PARTS = ("motion", "collider", "trigger", "joint")
"""What physics says of a node, by attribute."""
SHARED = {
    "settings": "settings",
    "shape": "shapes",
    "physics_material": "physics_materials",
    "collision_filter": "collision_filters",
}
"""Attribute of a part that is an index -> the resources of a mechanism that it points into."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node in its rest pose, with what physics says of it."""

    name: str
    parent: int | None = None
    """Index of the node above."""
    world: Matrix = IDENTITY
    """World from node, 4 x 4, lengths in m."""
    motion: Motion | None = None
    collider: Collider | None = None
    trigger: Trigger | None = None
    joint: JointNode | None = None
    unknown: str = ""
    """JSON object text of members of the body extension that the specification does not name."""
    gravity_shape: int | None = None
    """Index into the shapes of the mechanism: what the gravity of the node is shaped by. All else
    of that gravity is kept in ``unknown``; nobody plays it."""
    bounds: Bounds | None = field(default=None, compare=False)
    """Room that the node's own mesh takes. It follows from the mesh, so it is never written and
    nodes are equal without it."""
    scene: int = field(default=0, compare=False)
    """Which scene it is in, by any number, where a file holds several: only what is in one scene
    meets. Where a node stands does not hang on it."""

    @property
    def is_physical(self) -> bool:
        """Whether physics says anything of this node itself."""
        parts = (self.motion, self.collider, self.trigger, self.joint)
        return any(part is not None for part in parts)

    @property
    def moves(self) -> bool:
        """Whether it is a body that does not stand still."""
        return self.motion is not None and self.motion.type is not MotionType.STATIC


@dataclass(frozen=True, slots=True)
class Mechanism:
    """Nodes and the resources that they share by index."""

    nodes: tuple[Node, ...] = ()
    settings: tuple[JointSettings, ...] = ()
    shapes: tuple[Shape, ...] = ()
    physics_materials: tuple[PhysicsMaterial, ...] = ()
    collision_filters: tuple[CollisionFilter, ...] = ()
    meshes: tuple[str, ...] = ()
    """Names of the meshes that convex and trimesh shapes refer to."""
    unknown: dict[str, str] = field(default_factory=dict)
    """JSON object text of unknown members of the document, by extension name."""
    gravity: Vector3 | None = None
    """m/s^2; None is that of the Earth, ``EARTH``, which files need not say."""
    rooms: tuple[Bounds | None, ...] = field(default=(), compare=False)
    """Room that each of these meshes takes, where somebody has read it; never written either."""
    solids: tuple[MeshSolids | None, ...] = field(default=(), compare=False)
    """What these meshes hold, where somebody has measured it. It follows from the meshes, so it is
    never written and mechanisms are equal without it."""
    surfaces: tuple[Triangles | None, ...] = field(default=(), compare=False)
    """Their triangles, where somebody has read them for what is to touch; never written either."""

    def joints(self) -> Iterator[tuple[int, Node, JointNode]]:
        """Yield index, node and joint of every joint node that holds."""
        return (one for one in self.all_joints() if one[2].enabled)

    def all_joints(self) -> Iterator[tuple[int, Node, JointNode]]:
        """Yield the same of those too that are muted."""
        for index, node in enumerate(self.nodes):
            if node.joint is not None:
                yield index, node, node.joint

    def motions(self) -> Iterator[tuple[int, Motion]]:
        """Yield the index of every body, and how it moves."""
        for index, node in enumerate(self.nodes):
            if node.motion is not None:
                yield index, node.motion

    def colliders(self) -> Iterator[tuple[int, Node, Collider]]:
        """Yield index, node and collider of every node that others meet."""
        for index, node in enumerate(self.nodes):
            if node.collider is not None:
                yield index, node, node.collider

    def name_of(self, index: int | None) -> str:
        """Return what a node is called: its number where it has no name; "" is of none."""
        return "" if index is None else self.nodes[index].name or f"node {index}"

    def ancestry(self, index: int | None) -> Iterator[int]:
        """Yield a node and all nodes above it; ends also where parents form a cycle."""
        seen: set[int] = set()
        while index is not None and index not in seen:
            seen.add(index)
            yield index
            index = self.nodes[index].parent

    def body_of(self, index: int) -> int | None:
        """Return the nearest node with a motion, the node itself or above it."""
        for ancestor in self.ancestry(index):
            if self.nodes[ancestor].motion is not None:
                return ancestor
        return None

    def motion_of(self, index: int | None) -> Motion | None:
        """Return the motion of a node, if there is a node."""
        return None if index is None else self.nodes[index].motion

    def is_dynamic(self, index: int | None) -> bool:
        """Return whether a node is a body that forces move."""
        motion = self.motion_of(index)
        return motion is not None and motion.type is MotionType.DYNAMIC

    def with_standing(self, bodies: Container[int]) -> Mechanism:
        """Return the mechanism in which some of the bodies that forces move stand still."""
        nodes = list(self.nodes)
        for body, motion in self.motions():
            if motion.type is MotionType.DYNAMIC and body in bodies:
                nodes[body] = replace(nodes[body], motion=replace(motion, type=MotionType.STATIC))
        return replace(self, nodes=tuple(nodes))

    def meshes_of(self, index: int) -> Iterator[int]:
        """Yield the meshes that shapes of a node refer to."""
        node = self.nodes[index]
        used = [part.shape for part in (node.collider, node.trigger) if part is not None]
        for at in (*used, node.gravity_shape):
            shape = self.shape_at(at)
            if isinstance(shape, MeshShape):
                yield shape.mesh

    def shape_of(self, node: Node) -> Shape | None:
        """Return the shape of a node's collider; None where there is none."""
        return None if node.collider is None else self.shape_at(node.collider.shape)

    def shape_at(self, at: int | None) -> Shape | None:
        """Return the shape of a number; None where there is none."""
        return None if at is None or not 0 <= at < len(self.shapes) else self.shapes[at]

    def material_of(self, collider: Collider) -> PhysicsMaterial:
        """Return what a collider is made of."""
        at = collider.physics_material
        return GRIP if at is None else self.physics_materials[at]

    def settings_of(self, joint: JointNode) -> JointSettings:
        """Return the settings of a joint."""
        return self.settings[joint.settings]

    def room_of(self, node: Node) -> Bounds | None:
        """Return the room that the mesh of a node's collider takes, else that of its own mesh."""
        shape = self.shape_of(node)
        if not isinstance(shape, MeshShape) or not 0 <= shape.mesh < len(self.rooms):
            return node.bounds
        return self.rooms[shape.mesh]

    def solids_of(self, mesh: int) -> MeshSolids | None:
        """Return what a mesh holds; None where nobody has measured it."""
        return self.solids[mesh] if 0 <= mesh < len(self.solids) else None

    def surface_of(self, mesh: int) -> Triangles | None:
        """Return the triangles of a mesh; None where nobody has read them."""
        return self.surfaces[mesh] if 0 <= mesh < len(self.surfaces) else None
