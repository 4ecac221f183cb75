# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings the nodes of the file to where a mechanism that was spelled for its reader has them.

Such a mechanism may have frames that stand elsewhere, bodies with another parent or without their
scale, and frames and shapes that need a node of their own. What is not physical, and what its
nodes show, stays where it is seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isclose

from ....model.geometry.frames import Placement, is_flat, placements
from ....model.geometry.transform import IDENTITY, Matrix, linear_part, multiply
from ....model.mechanism import Mechanism, Node
from .. import Untyped
from .node_tree import NodeTree, write_placement

NEAR = 1e-9
"""Of turns, and m."""


def follow(
    gltf: Untyped, before: Mechanism, after: Mechanism, node_index: dict[int, int]
) -> dict[int, int]:
    """Have the file say a mechanism that was spelled anew; return where its nodes are there.

    Before, its nodes stood as in the file, at these indices. After is in the axes of the file too;
    further nodes come last.
    """
    tree = _Tree(gltf)
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
        elif new.world != old.world and not tree.is_at(index, new.world):
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


class _Tree(NodeTree):
    """The nodes of the file, which may be put elsewhere."""

    def world(self, index: int | None) -> Matrix:
        """Return world from node, as the file says it."""
        matrix = IDENTITY
        while index is not None:
            matrix = multiply(self.local(index), matrix)
            index = self.parents.get(index)
        return matrix

    def is_at(self, index: int, world: Matrix) -> bool:
        """Return whether a node is at a place but for rounding."""
        rows = zip(self.world(index), world, strict=True)
        return all(isclose(a, b, abs_tol=NEAR) for row in rows for a, b in zip(*row, strict=True))

    def above(self, index: int) -> Iterator[int]:
        """Yield the nodes above a node, nearest first."""
        while index in self.parents:
            index = self.parents[index]
            yield index

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
        for one, place in worlds.items():
            self.move(one, index, place)  # out of a holder: below no scale it needs none
        return new

    def place(self, index: int, world: Matrix) -> None:
        """Put a node elsewhere, below the node that it is below."""
        chain = placements(self.world(self.parents.get(index)), world)
        if len(chain) > 1:
            self.hold(index, chain[0])
        write_placement(self.nodes[index], chain[-1])

    def move(self, index: int, parent: int | None, world: Matrix | None = None) -> None:
        """Put a node below another one, where it stands or elsewhere."""
        world = self.world(index) if world is None else world
        siblings = self.siblings(index)
        scene = self.scene_of(index)
        siblings.remove(index)
        self.parents.pop(index, None)
        if parent is None:
            scene.nodes.append(index)
        else:
            self.nodes[parent].children = [*(self.nodes[parent].children or ()), index]
            self.parents[index] = parent
        self.place(index, world)

    def add(self, parent: int, name: str, world: Matrix) -> int:
        """Put a new node below another one and return its index."""
        index = self.append(parent, name, Placement())
        self.place(index, world)
        return index
