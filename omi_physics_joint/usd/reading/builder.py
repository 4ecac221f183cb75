# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism while it is read from a stage: in the axes of the stage, lengths in m.

Nodes are the prims that stand somewhere and matter, in their order; what has no prim of its own
(frames of joints, turned shapes) comes after them. ``nodes.started`` begins one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...files.inputs import spend
from ...model.body import CollisionFilter, Motion, MotionType, PhysicsMaterial, Vector3
from ...model.contents import Contents, PoseKeys
from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ...model.geometry.transform import IDENTITY, Matrix
from ...model.joint import JointSettings
from ...model.mechanism import Mechanism, Node
from ...model.shape import Shape
from ...model.solid import Triangles
from ..prim import Prim, Stage, above
from ..units import has_space
from .values import Values

WORLD = "Static World"
"""Name of the node that stands for the world where a joint holds on to it."""


class StageReading(Values):
    """The values of a stage, and what has been read of it so far."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.up = 2 if stage.up_axis == "Z" else 1
        """The axis that is up."""
        self.nodes: list[Node] = []
        self.node_of: dict[str, int] = {}
        self.prim_of: dict[int, Prim] = {}
        """The prim that a node is."""
        self.joint_prims: dict[int, Prim] = {}
        """The joint that a node of our own is the first frame of."""
        self.joint_of: dict[str, int] = {}
        """The node of the first frame of a joint prim."""
        self.settings: dict[JointSettings, tuple[int, str]] = {}
        """Without names; with index and name, as are meshes."""
        self.meshes: dict[Triangles, tuple[int, str]] = {}
        self.shapes: dict[Shape, int] = {}
        self.materials: dict[PhysicsMaterial, int] = {}
        self.filters: dict[CollisionFilter, int] = {}
        self.shown: dict[int, int] = {}
        self.led: dict[int, PoseKeys] = {}
        self.gravity: Vector3 | None = None
        self._world: int | None = None

    def add(self, name: str, parent: int | None, world: Matrix, prim: Prim | None = None) -> int:
        """Add a node and return its index."""
        index = len(self.nodes)
        spend("nodes")
        self.nodes.append(Node(name, parent, world))
        if prim is not None:
            self.prim_of[index] = prim
        return index

    def change(self, index: int, **changes: Any) -> None:  # noqa: ANN401
        """Change a node."""
        self.nodes[index] = replace(self.nodes[index], **changes)

    def is_flat(self, index: int) -> bool:
        """Return whether a node is scaled by zero."""
        return not has_space(self.nodes[index].world)

    def node_at_or_above(self, path: str) -> int | None:
        """Return the node of a prim, or of the nearest one above it."""
        return next((self.node_of[one] for one in above(path) if one in self.node_of), None)

    def body_of(self, index: int | None) -> int | None:
        """Return the nearest node with a motion, the node itself or above it."""
        while index is not None and self.nodes[index].motion is None:
            index = self.nodes[index].parent
        return index

    def world(self) -> int:
        """Return the static node that stands for the world."""
        if self._world is None:
            self._world = self.add(WORLD, None, IDENTITY)
            self.change(self._world, motion=Motion(MotionType.STATIC))
        return self._world

    def settings_of(self, name: str, settings: JointSettings) -> int:
        """Return the index of joint settings; equal ones are one, called by the first."""
        return self.settings.setdefault(settings, (len(self.settings), name))[0]

    def mesh(self, name: str, triangles: Triangles) -> int:
        """Return the index of a mesh; equal ones are one, called by the first."""
        return self.meshes.setdefault(triangles, (len(self.meshes), name))[0]

    def contents(self) -> Contents:
        """Return what was read, in glTF axes."""
        mechanism = Mechanism(
            nodes=tuple(self.nodes),
            settings=tuple(replace(one, name=name) for one, (_, name) in self.settings.items()),
            shapes=tuple(self.shapes),
            physics_materials=tuple(self.materials),
            collision_filters=tuple(self.filters),
            meshes=tuple(name for _, name in self.meshes.values()),
            gravity=self.gravity,
        )
        contents = Contents(mechanism, tuple(self.meshes), self.shown, self.led)
        return contents.turned(Y_UP_FROM_Z_UP) if self.up == 2 else contents


def pooled(pool: dict[Any, int], item: Any) -> int:  # noqa: ANN401 - whatever is shared
    """Return the index of an item among equal ones."""
    return pool.setdefault(item, len(pool))
