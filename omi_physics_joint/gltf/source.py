# SPDX-License-Identifier: GPL-3.0-or-later
"""What every dialect reads from: the document, its nodes without physics, and its meshes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from ..model.bounds import Bounds
from ..model.mechanism import Node
from ..model.target import Target
from .document.json_text import Json
from .document.members import Members, Place, Table
from .document.node_graph import read_node_graph
from .parts.read_bounds import read_mesh_bounds

Item = TypeVar("Item")
NOT_ON_A_JOINT = ("mesh", "camera", "skin")
LIGHT = "KHR_lights_punctual"


@dataclass(frozen=True, slots=True)
class Source:
    """A document while dialects read it."""

    root: Members
    members: tuple[Members, ...]
    """Of each node of the file."""
    nodes: tuple[Node, ...]
    """The same with name, parent, pose and bounds, and nothing of physics."""
    meshes: tuple[str, ...]
    target: Target

    @property
    def node_table(self) -> Table:
        """Nodes, as indices point at them."""
        return _whole("nodes", len(self.nodes))

    @property
    def mesh_table(self) -> Table:
        """Meshes, as indices point at them."""
        return _whole("meshes", len(self.meshes))

    def extension(self, name: str) -> Members | None:
        """Return an extension object of the document."""
        extensions = self.root.child("extensions")
        return None if extensions is None else extensions.child(name)

    def none(self) -> Members:
        """Return an object without members, in place of one that the document lacks."""
        return Members({}, self.root.place, [])


def source_of(root: Members, target: Target) -> Source:
    """Return what dialects read from."""
    graph = read_node_graph(root)
    bounds = read_mesh_bounds(root)
    rest = zip(graph.nodes, graph.names, graph.parents, graph.worlds, strict=True)
    nodes = tuple(
        Node(name, parent, world, bounds=_bounds(members, bounds))
        for members, name, parent, world in rest
    )
    return Source(root, graph.nodes, nodes, _mesh_names(root), target)


def read_items(
    extension: Members, key: str, what: str, read_item: Callable[[Members], Item | None]
) -> tuple[list[Item], Table]:
    """Read the sound items of an array, and where each of them came from."""
    items: list[Item] = []
    index_from_file: dict[int, int] = {}
    for position, members in extension.children(key):
        item = read_item(members)
        if item is not None:
            index_from_file[position] = len(items)
            items.append(item)
    array = extension.json.get(key)
    count = len(array) if isinstance(array, list) else 0
    return items, Table(what, count, index_from_file)


def check_alone(node: Members, joint: Members) -> None:
    """Note what specifications do not want on the node of a joint, bodies aside."""
    others = beside_a_joint(node.json)
    if others:
        joint.error(
            "joint-not-alone",
            f"The node of the joint also has a {' and a '.join(others)}.",
            "Give the joint a node of its own.",
        )


def beside_a_joint(node: Mapping[str, Json]) -> list[str]:
    """Return what a node has that does not belong on the node of a joint."""
    extensions = node.get("extensions")
    others = [key for key in NOT_ON_A_JOINT if key in node]
    if isinstance(extensions, dict) and LIGHT in extensions:
        others.append("light")
    return others


def _whole(what: str, count: int) -> Table:
    return Table(what, count, {index: index for index in range(count)})


def _mesh_names(root: Members) -> tuple[str, ...]:
    """Return the name of every mesh; meshes themselves are not judged here."""
    meshes: Json = root.json.get("meshes")
    items = meshes if isinstance(meshes, list) else []
    return tuple(
        Members(item, Place(), []).text("name") if isinstance(item, dict) else "" for item in items
    )


def _bounds(node: Members, meshes: tuple[Bounds | None, ...]) -> Bounds | None:
    """Return the bounds of the mesh of a node; a wrong index is for others to judge."""
    mesh = Members(node.json, Place(), []).integer("mesh")
    return meshes[mesh] if mesh is not None and 0 <= mesh < len(meshes) else None
