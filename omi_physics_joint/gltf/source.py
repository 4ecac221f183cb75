# SPDX-License-Identifier: GPL-3.0-or-later
"""What every dialect reads from: the document, its nodes without physics, and its meshes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..model.mechanism import Node
from ..model.solid import Bounds
from .document.json_text import Json, items_of, object_of
from .document.members import Members, Table, quiet
from .document.node_graph import read_node_graph
from .shared.read_meshes import read_mesh_bounds

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

    node_table: Table
    """Nodes, as indices point at them."""
    mesh_table: Table
    """Meshes, likewise."""
    boxes: tuple[Bounds | None, ...]
    """Room that each mesh takes."""

    def mesh_of(self, node: int) -> int | None:
        """Return the mesh of a node; a wrong index is for others to judge."""
        mesh = quiet(self.members[node].json).integer("mesh")
        return mesh if mesh is not None and 0 <= mesh < len(self.meshes) else None


def source_of(root: Members) -> Source:
    """Return what dialects read from."""
    names = tuple(quiet(object_of(mesh)).text("name") for mesh in items_of(root.json, "meshes"))
    rooms = read_mesh_bounds(root)
    boxes: dict[int | None, Bounds | None] = dict(enumerate(rooms))
    graph = read_node_graph(root)
    nodes = tuple(
        replace(node, bounds=box) if (box := boxes.get(quiet(one.json).integer("mesh"))) else node
        for one, node in graph
    )
    of_nodes, of_meshes = (
        Table(what, len(items), dict(enumerate(range(len(items)))))
        for what, items in (("nodes", nodes), ("meshes", names))
    )
    return Source(root, tuple(one for one, _ in graph), nodes, names, of_nodes, of_meshes, rooms)


def check_alone(node: Members, joint: Members) -> None:
    """Note what specifications do not want on the node of a joint, bodies aside."""
    others = beside_a_joint(node.json)
    if others:
        message = f"The node of the joint also has a {' and a '.join(others)}."
        joint.error("joint-not-alone", message, "Give the joint a node of its own.")


def beside_a_joint(node: Mapping[str, Json]) -> list[str]:
    """Return what a node has that does not belong on the node of a joint."""
    others = [key for key in NOT_ON_A_JOINT if key in node]
    return [*others, "light"] if LIGHT in object_of(node, "extensions") else others
