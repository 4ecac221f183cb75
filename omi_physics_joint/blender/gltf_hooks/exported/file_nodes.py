# SPDX-License-Identifier: GPL-3.0-or-later
"""The exporter's nodes as a tree, and as a mechanism has them that was spelled for its reader.

Such a mechanism may have frames that stand elsewhere, bodies with another parent or without their
scale, and frames and shapes that need a node of their own. What is not physical, and what its
nodes show, stays where it is seen.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import lru_cache
from inspect import signature
from typing import Any

from io_scene_gltf2.io.com import gltf2_io

from ....model.body import IDENTITY_QUATERNION, ZERO
from ....model.geometry.frames import Placement, is_flat, placements
from ....model.geometry.transform import (
    IDENTITY,
    IDENTITY_ROTATION,
    ONE,
    Matrix,
    compose,
    linear_part,
    matrix_from,
    multiply,
)
from ....model.mechanism import Mechanism, Node
from .. import Untyped

NEAR = 1e-9
"""Of turns, and m."""


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


class FileTree:
    """The nodes of the file, who is above whom, and where they are."""

    def __init__(self, gltf: Untyped, pinned: Container[int]) -> None:
        """Take over a document; ``pinned`` are nodes that hold no others merely for their place."""
        self.nodes = gltf.nodes
        self.scenes = gltf.scenes
        self.parents = {
            child: index for index, node in enumerate(self.nodes) for child in node.children or ()
        }
        self._pinned = pinned
        self._worlds: dict[int, Matrix] = {}

    def world(self, index: int | None) -> Matrix:
        """Return world from node, as the file says it."""
        line: list[int] = []
        while index is not None and index not in self._worlds:
            line.append(index)
            index = self.parents.get(index)
        world = IDENTITY if index is None else self._worlds[index]
        for one in reversed(line):
            world = self._worlds[one] = multiply(world, self.local(one))
        return world

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

    def is_at(self, index: int, world: Matrix, place: float, turn: float) -> bool:
        """Return whether a node is at a place: to so many m for each metre, and parts of one."""
        (a, b, c, x), (d, e, f, y), (g, h, i, z), _ = self.world(index)
        (k, l, m, u), (n, o, p, v), (q, r, s, w), _ = world  # noqa: E741 - twelve numbers
        if max(abs(x - u), abs(y - v), abs(z - w)) > place * max(1.0, abs(u), abs(v), abs(w)):
            return False
        first = max(abs(a - k), abs(b - l), abs(c - m), abs(d - n), abs(e - o))
        return max(first, abs(f - p), abs(g - q), abs(h - r), abs(i - s)) <= turn

    def shows_something(self, index: int) -> bool:
        """Return whether a node is seen, or an extension says something of it."""
        node = self.nodes[index]
        parts = (node.mesh, node.camera, node.skin)
        return any(part is not None for part in parts) or bool(node.extensions)

    def above(self, index: int) -> Iterator[int]:
        """Yield the nodes above a node, nearest first."""
        while index in self.parents:
            index = self.parents[index]
            yield index

    def add(self, parent: int, name: str, world: Matrix, holder: str = "") -> int:
        """Put a new node below another one and return its index; where it must, in a holder."""
        chain = placements(self.world(parent), world)
        names = (holder or f"{name} holder", name)
        for placement, called in zip(chain, names[-len(chain) :], strict=True):
            index = self._new(called, placement)
            self.nodes[parent].children = [*(self.nodes[parent].children or ()), index]
            self.parents[index] = parent
            parent = index
        self._worlds[parent] = world
        return parent

    def place(self, index: int, world: Matrix) -> None:
        """Put a node elsewhere, below the node that it is below; where it must, in a holder."""
        parent = self.parents.get(index)
        chain = placements(self.world(parent), world)
        if len(chain) > 1:
            chain = self._held(index, parent, chain, world)
        write_placement(self.nodes[index], chain[-1])
        if self.nodes[index].children:
            self._worlds.clear()
        self._worlds[index] = world

    def _held(
        self, index: int, parent: int | None, chain: tuple[Placement, ...], world: Matrix
    ) -> tuple[Placement, ...]:
        """Put a node below a holder: the one that it has, as in files of our own, or a new one."""
        if parent is not None and self._merely_holds(parent, index):
            chain = placements(self.world(self.parents.get(parent)), world)
            if len(chain) == 1:
                chain = (Placement(), *chain)
            write_placement(self.nodes[parent], chain[0])
            del self._worlds[parent]
            return chain
        holder = self._new(f"{self.nodes[index].name} holder", chain[0])
        siblings = self._siblings(index)
        siblings[siblings.index(index)] = holder
        self.nodes[holder].children = [index]
        self.parents[index] = holder
        if parent is not None:
            self.parents[holder] = parent
        return chain

    def _merely_holds(self, index: int, child: int) -> bool:
        alone = list(self.nodes[index].children) == [child] and index not in self._pinned
        return alone and not self.shows_something(index)

    def move(self, index: int, parent: int | None, world: Matrix | None = None) -> None:
        """Put a node below another one, where it stands or elsewhere."""
        world = self.world(index) if world is None else world
        scene = self._scene_of(index)
        self._siblings(index).remove(index)
        self.parents.pop(index, None)
        if parent is None:
            scene.nodes.append(index)
        else:
            self.nodes[parent].children = [*(self.nodes[parent].children or ()), index]
            self.parents[index] = parent
        self.place(index, world)

    def split(self, index: int, name: str, world: Matrix, staying: set[int]) -> int:
        """Put a node elsewhere, and below it a new one that shows all that it showed, as it was.

        Some nodes stay directly below it, where they are. Returned is the index of the new one.
        """
        old = self.world(index)
        worlds = {node: self.world(node) for node in staying}
        node = self.nodes[index]
        kept = [
            child
            for child in node.children or ()
            if child in staying or any(child in self.above(one) for one in staying)
        ]
        taken = [child for child in node.children or () if child not in kept]
        self.place(index, world)
        node.children = kept
        new = self.add(index, name, old)
        for part in ("mesh", "skin", "weights", "camera"):
            setattr(self.nodes[new], part, getattr(node, part))
            setattr(node, part, None)
        self.nodes[new].children = taken
        self.parents.update(dict.fromkeys(taken, new))
        self._worlds.clear()
        for one, place in worlds.items():
            self.move(one, index, place)  # out of a holder: below no scale it needs none
        return new

    def _siblings(self, index: int) -> list[int]:
        """Return the list of children, or of roots of a scene, that holds a node."""
        if index in self.parents:
            found: list[int] = self.nodes[self.parents[index]].children
        else:
            found = self._scene_of(index).nodes
        return found

    def _scene_of(self, index: int) -> Untyped:
        """Return the scene that a node is in."""
        top = [index, *self.above(index)][-1]
        return next(scene for scene in self.scenes if top in scene.nodes)

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


def follow(
    gltf: Untyped, before: Mechanism, after: Mechanism, node_index: dict[int, int]
) -> dict[int, int]:
    """Have the file say a mechanism that was spelled anew; return where its nodes are there.

    Before, its nodes stood as in the file, at these indices. After is in the axes of the file too;
    further nodes come last.
    """
    tree = FileTree(gltf, range(len(gltf.nodes)))
    count = len(before.nodes)
    indices = dict(node_index)
    split: set[int] = set()
    for node, scaled in enumerate(after.nodes[count:], start=count):
        above = scaled.parent
        if above in indices and above not in split and _is_scaled(before, after, scaled):
            split.add(above)
            staying = {
                indices[child]
                for child, new in enumerate(after.nodes[:count])
                if new.parent == above and child in indices
            }
            world = after.nodes[above].world
            indices[node] = tree.split(indices[above], scaled.name, world, staying)
    for node, old in enumerate(before.nodes):
        new = after.nodes[node]
        if node not in indices:
            continue
        index = indices[node]
        if new.name != old.name:
            gltf.nodes[index].name = new.name
        parent = None if new.parent is None else indices.get(new.parent)
        if new.parent != old.parent and (new.parent is None or parent is not None):
            if parent is None or parent not in tree.above(index):
                tree.move(index, parent)
        elif new.world != old.world and not tree.is_at(index, new.world, NEAR, NEAR):
            tree.place(index, new.world)
    for node, new in enumerate(after.nodes[count:], start=count):
        if node in indices or new.parent not in indices:
            continue
        if not is_flat(linear_part(after.nodes[new.parent].world)):
            indices[node] = tree.add(indices[new.parent], new.name, new.world)
    return indices


def _is_scaled(before: Mechanism, after: Mechanism, node: Node) -> bool:
    """Return whether a new node stands where the one above it stood, and now does not."""
    parent = node.parent
    if parent is None or parent >= len(before.nodes):
        return False
    return after.nodes[parent].world != before.nodes[parent].world == node.world
