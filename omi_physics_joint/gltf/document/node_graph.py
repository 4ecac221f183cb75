# SPDX-License-Identifier: GPL-3.0-or-later
"""The node hierarchy of a file: parents from children, world matrices from local ones.

Source: glTF 2.0, "Nodes and Hierarchy" and "Transformations".
"""

from __future__ import annotations

from math import isfinite

from ...model.body import IDENTITY_QUATERNION, ZERO, Quaternion, Vector3
from ...model.geometry.transform import IDENTITY, ONE, Matrix, compose, multiply
from ...model.mechanism import Node
from .json_text import items_of, object_of
from .members import Members, Place, quiet

IDENTITY_COLUMNS = tuple(x for row in IDENTITY for x in row)
SHORTEST_QUATERNION = 1e-6
"""A quaternion must have length one; one this short is not a rotation at all."""


def read_node_graph(root: Members) -> list[tuple[Members, Node]]:
    """Read the nodes of a file: name, parent and pose of each.

    That is every one, so that indices stay what they are in the file.
    """
    nodes = _nodes(root)
    parents = _parents(nodes)
    _cut_cycles(parents, nodes)
    worlds = _worlds([_local(node) for node in nodes], parents, nodes)
    scenes = _scenes(root, parents)
    rest = zip(nodes, parents, worlds, scenes, strict=True)
    return [
        (node, Node(node.place.name, parent, world, scene=scene))
        for node, parent, world, scene in rest
    ]


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


def _nodes(root: Members) -> list[Members]:
    found = dict(root.children("nodes"))
    nodes = [found.get(index) or quiet({}) for index in range(len(items_of(root.json, "nodes")))]
    for index, node in enumerate(nodes):
        node.place = Place(f"/nodes/{index}", "", index)
        node.name()
    return nodes


def _parents(nodes: list[Members]) -> list[int | None]:
    parents: list[int | None] = [None] * len(nodes)
    for index, node in enumerate(nodes):
        for child in node.integers("children", len(nodes), "node"):
            other = parents[child]
            if other is None:
                parents[child] = index
            else:
                message = f"The node is a child of node {other} and of node {index}."
                nodes[child].error("two-parents", message, f"Only node {other} counts.")
    return parents


def _scenes(root: Members, parents: list[int | None]) -> list[int]:
    """Return the scene of every node, of several the first; -1 for those that are in none."""
    scenes = items_of(root.json, "scenes")
    below: list[list[int]] = [[] for _ in parents]
    for index, parent in enumerate(parents):
        if parent is not None:
            below[parent].append(index)
    found = [-1 if scenes else 0] * len(parents)
    for number, scene in reversed([*enumerate(scenes)]):
        tops = (one for one in items_of(object_of(scene), "nodes") if isinstance(one, int))
        waiting = [one for one in tops if 0 <= one < len(parents) and parents[one] is None]
        while waiting:
            index = waiting.pop()
            found[index] = number
            waiting += below[index]
    return found


def _cut_cycles(parents: list[int | None], nodes: list[Members]) -> None:
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
            message = "The node is below itself."
            nodes[lowest].error("parent-cycle", message, "It is taken as a root.")
        clear.update(path)


def _local(node: Members) -> Matrix:
    """Return parent from node, from a matrix or from translation, rotation and scale."""
    parts = ("translation", "rotation", "scale")
    if node.has("matrix"):
        if any(node.has(part) for part in parts):
            message = "The node has a matrix and also translation, rotation or scale."
            node.error("matrix-and-parts", message, "Only the matrix counts.")
        m = node.vector("matrix", IDENTITY_COLUMNS)
        return tuple(tuple(m[column * 4 + row] for column in range(4)) for row in range(4))
    return compose(
        vector3(node.vector("translation", ZERO)),
        quaternion(node, "rotation"),
        vector3(node.vector("scale", ONE)),
    )


def _worlds(locals_: list[Matrix], parents: list[int | None], nodes: list[Members]) -> list[Matrix]:
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
                message = "The pose of the node in the world is beyond all numbers."
                nodes[node].error("transform-not-finite", message, "It is taken as the origin.")
                world = IDENTITY
            worlds[node] = above = world
    return [IDENTITY if world is None else world for world in worlds]
