# SPDX-License-Identifier: GPL-3.0-or-later
"""The exporter's nodes as a tree: who is above whom, and new nodes and holders in it."""

from __future__ import annotations

from functools import lru_cache
from inspect import signature
from typing import Any

from io_scene_gltf2.io.com import gltf2_io

from ....model.body import IDENTITY_QUATERNION, ZERO
from ....model.geometry.frames import Placement
from ....model.geometry.transform import IDENTITY_ROTATION, ONE, Matrix, compose, matrix_from
from .. import Untyped


def made(kind: Untyped, **members: object) -> Untyped:
    """Return an object of a class of the exporter: all members that are not given are absent."""
    return kind(**{**dict.fromkeys(_members_of(kind)), **members})


@lru_cache
def _members_of(kind: Untyped) -> tuple[str, ...]:
    return tuple(signature(kind).parameters)


class FrameNode(gltf2_io.Node):  # type: ignore[misc]  # the exporter has no types
    """A node of ours, with nothing but a name, a place, children and extensions.

    The exporter asks each node for its members twice, and takes an exception for each that is not
    there: a tenth of a second for a thousand joints.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the members that are there."""
        said = {name: value for name, value in vars(self).items() if value is not None}
        if self.extensions:
            said["extensions"] = {
                name: gltf2_io.from_extension(members) for name, members in self.extensions.items()
            }
        return said


class NodeTree:
    """The nodes of the file and who is above whom."""

    def __init__(self, gltf: Untyped) -> None:
        self.nodes = gltf.nodes
        self.scenes = gltf.scenes
        self.parents = {
            child: index for index, node in enumerate(self.nodes) for child in node.children or ()
        }

    def local(self, index: int) -> Matrix:
        """Return the matrix of a node in the one above it, as the file says it."""
        node = self.nodes[index]
        if node.rotation is None and node.scale is None:
            return matrix_from(IDENTITY_ROTATION, tuple(node.translation or ZERO))
        return compose(
            tuple(node.translation or ZERO),
            tuple(node.rotation or IDENTITY_QUATERNION),
            tuple(node.scale or ONE),
        )

    def append(self, parent: int, name: str, placement: Placement) -> int:
        """Put a new node below another one and return its index."""
        index = self._new(name, placement)
        self.nodes[parent].children = [*(self.nodes[parent].children or ()), index]
        self.parents[index] = parent
        return index

    def hold(self, index: int, placement: Placement) -> None:
        """Put a holder between a node and the one above it."""
        holder = self._new(f"{self.nodes[index].name} holder", placement)
        siblings = self.siblings(index)
        siblings[siblings.index(index)] = holder
        self.nodes[holder].children = [index]
        if index in self.parents:
            self.parents[holder] = self.parents[index]
        self.parents[index] = holder

    def siblings(self, index: int) -> list[int]:
        """Return the list of children, or of roots of a scene, that holds a node."""
        if index in self.parents:
            found: list[int] = self.nodes[self.parents[index]].children
        else:
            found = self.scene_of(index).nodes
        return found

    def scene_of(self, index: int) -> Untyped:
        """Return the scene that a node is in."""
        while index in self.parents:
            index = self.parents[index]
        return next(scene for scene in self.scenes if index in scene.nodes)

    def _new(self, name: str, placement: Placement) -> int:
        node = made(FrameNode, name=name, children=[])
        write_placement(node, placement)
        self.nodes.append(node)
        return len(self.nodes) - 1


def write_placement(node: Untyped, placement: Placement) -> None:
    """Write a placement into a node, leaving out what is the default."""
    defaults = Placement()
    for part in ("translation", "rotation", "scale"):
        value = getattr(placement, part)
        setattr(node, part, None if value == getattr(defaults, part) else list(value))
