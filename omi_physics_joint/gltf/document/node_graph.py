# SPDX-License-Identifier: GPL-3.0-or-later
"""The node hierarchy of a file: parents from children, world matrices from local ones.

Source: glTF 2.0, "Nodes and Hierarchy" and "Transformations".
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from ...model.body import IDENTITY_QUATERNION, ZERO, Quaternion, Vector3
from ...model.geometry.transform import IDENTITY, ONE, Matrix, compose, multiply
from .members import Members, Place

IDENTITY_COLUMNS = tuple(x for row in IDENTITY for x in row)
SHORTEST_QUATERNION = 1e-6
"""A quaternion must have length one; one this short is not a rotation at all."""


@dataclass(frozen=True, slots=True)
class NodeGraph:
    """All nodes of a file, in their order."""

    nodes: tuple[Members, ...]
    names: tuple[str, ...]
    parents: tuple[int | None, ...]
    worlds: tuple[Matrix, ...]
    """World from node, lengths in m."""


def read_node_graph(root: Members) -> NodeGraph:
    """Read the nodes of a file; every one, so that indices stay what they are in the file."""
    nodes = _nodes(root)
    names = tuple(node.place.name for node in nodes)
    parents = _without_cycles(_parents(nodes), nodes)
    locals_ = [_local(node) for node in nodes]
    return NodeGraph(nodes, names, tuple(parents), _worlds(locals_, parents, nodes))


def vector3(v: tuple[float, ...]) -> Vector3:
    """Return three numbers as a vector."""
    return (v[0], v[1], v[2])


def quaternion(members: Members, key: str) -> Quaternion:
    """Read a rotation; one of length zero is none."""
    q = members.vector(key, IDENTITY_QUATERNION)
    if max(abs(x) for x in q) < SHORTEST_QUATERNION:
        members.error("zero-quaternion", f"{key} has no length, so it is no rotation.", key=key)
        return IDENTITY_QUATERNION
    return (q[0], q[1], q[2], q[3])


def _nodes(root: Members) -> tuple[Members, ...]:
    items = root.items("nodes")
    found = dict(root.children("nodes"))
    place = root.place.at("nodes")
    nodes: list[Members] = []
    for index in range(len(items)):
        node = found[index] if index in found else Members({}, place.at(index), [])
        node.place = Place(place.at(index).pointer, "", index)
        nodes.append(node.named(node.text("name")))
    return tuple(nodes)


def _parents(nodes: tuple[Members, ...]) -> list[int | None]:
    parents: list[int | None] = [None] * len(nodes)
    for index, node in enumerate(nodes):
        for child in node.integers("children", len(nodes), "node"):
            other = parents[child]
            if other is None:
                parents[child] = index
            else:
                nodes[child].error(
                    "two-parents",
                    f"The node is a child of node {other} and of node {index}.",
                    f"Only node {other} counts.",
                )
    return parents


def _without_cycles(parents: list[int | None], nodes: tuple[Members, ...]) -> list[int | None]:
    """Cut one link of every loop: the one above the node with the lowest index on it."""
    clear: set[int] = set()
    for start in range(len(parents)):
        path: dict[int, None] = {}
        index: int | None = start
        while index is not None and index not in clear and index not in path:
            path[index] = None
            index = parents[index]
        if index is not None and index in path:
            on_path = list(path)
            lowest = min(on_path[on_path.index(index) :])
            parents[lowest] = None
            nodes[lowest].error(
                "parent-cycle", "The node is below itself.", "It is taken as a root."
            )
        clear.update(path)
    return parents


def _local(node: Members) -> Matrix:
    """Return parent from node, from a matrix or from translation, rotation and scale."""
    parts = ("translation", "rotation", "scale")
    if node.has("matrix"):
        if any(node.has(part) for part in parts):
            node.error(
                "matrix-and-parts",
                "The node has a matrix and also translation, rotation or scale.",
                "Only the matrix counts.",
            )
        m = node.vector("matrix", IDENTITY_COLUMNS)
        return tuple(tuple(m[column * 4 + row] for column in range(4)) for row in range(4))
    return compose(
        vector3(node.vector("translation", ZERO)),
        quaternion(node, "rotation"),
        vector3(node.vector("scale", ONE)),
    )


def _worlds(
    locals_: list[Matrix], parents: list[int | None], nodes: tuple[Members, ...]
) -> tuple[Matrix, ...]:
    """Compose from the roots down, without recursion: hierarchies may be deep."""
    worlds: list[Matrix | None] = [None] * len(locals_)
    for start in range(len(locals_)):
        path: list[int] = []
        index: int | None = start
        while index is not None and worlds[index] is None:
            path.append(index)
            index = parents[index]
        above = None if index is None else worlds[index]
        for node in reversed(path):
            world = locals_[node] if above is None else multiply(above, locals_[node])
            if not all(isfinite(x) for row in world for x in row):
                nodes[node].error(
                    "transform-not-finite",
                    "The pose of the node in the world is beyond all numbers.",
                    "It is taken as the origin.",
                )
                world = IDENTITY
            worlds[node] = above = world
    return tuple(IDENTITY if world is None else world for world in worlds)
