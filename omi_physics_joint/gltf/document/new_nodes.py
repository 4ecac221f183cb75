# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes that a mechanism has and its document lacks, put into the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

from ...model.geometry.frames import Placement, placements
from ...model.geometry.transform import IDENTITY
from ...model.issue import Issue
from ...model.mechanism import Mechanism, Node
from ..source import beside_a_joint
from .json_text import Json, JsonObject, items_of, object_of
from .members import Place
from .numbers import numbers


@dataclass(frozen=True, slots=True)
class Numbering:
    """Indices in the file of what a mechanism has and is in it."""

    nodes: Mapping[int, int]
    meshes: Mapping[int, int]
    holders: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """Of meshes of the file, the nodes that hold it and nothing below it."""

    def holder_of(self, mesh: int, own: int) -> int | None:
        """Return a node that holds a mesh of the file, best the one that asks, if there is one."""
        known = self.holders.get(mesh, ())
        return own if own in known else next(iter(known), None)


def holders_of(nodes: Sequence[Json]) -> dict[int, list[int]]:
    """Return, by mesh, the nodes of a document that hold it alone: no skin, nothing below."""
    holders: dict[int, list[int]] = {}
    for index, node in enumerate(nodes):
        said = object_of(node)
        mesh = said.get("mesh")
        if isinstance(mesh, int) and not said.get("children") and said.get("skin") is None:
            holders.setdefault(mesh, []).append(index)
    return holders


PLAIN = Placement()


def own_nodes(
    gltf: Mapping[str, Json], mechanism: Mechanism
) -> tuple[Mechanism, tuple[Issue, ...]]:
    """Return a mechanism whose joints have nodes without a mesh, a camera or a light.

    OMI_physics_joint wants that, and KHR_physics_rigid_bodies does not mind.
    """
    nodes = list(mechanism.nodes)
    issues: list[Issue] = []
    for index, source in enumerate(items_of(gltf, "nodes")):
        node, others = nodes[index], beside_a_joint(object_of(source))
        if node.joint is None or not others:
            continue
        nodes[index] = replace(node, joint=None)
        nodes.append(Node(f"{node.name} joint".strip(), index, node.world, joint=node.joint))
        place = Place(f"/nodes/{index}", node.name, index)
        message = (
            f"The node of the joint also has a {' and a '.join(others)}, which "
            "OMI_physics_joint does not allow: the joint is given a node below it."
        )
        issues.append(place.warning("joint-given-node", message))
    return replace(mechanism, nodes=tuple(nodes)), tuple(issues)


def with_nodes(gltf: Mapping[str, Json], mechanism: Mechanism) -> tuple[JsonObject, dict[int, int]]:
    """Return a document with all nodes of a mechanism, and where they are in it.

    Nodes under flat ones, below which nothing can be placed, are left out.
    """
    document: JsonObject = deepcopy(dict(gltf))
    nodes = document.setdefault("nodes", [])
    if not isinstance(nodes, list):
        return document, {}
    numbers_of = {index: index for index in range(min(len(nodes), len(mechanism.nodes)))}
    for index in _from_the_top(mechanism, len(nodes)):
        node = mechanism.nodes[index]
        above = IDENTITY if node.parent is None else mechanism.nodes[node.parent].world
        try:
            places = placements(above, node.world)
        except (ZeroDivisionError, OverflowError):
            continue
        parent = None if node.parent is None else numbers_of.get(node.parent)
        for place in places:
            nodes.append(_node(node.name, place))
            _put_below(document, parent, len(nodes) - 1)
            parent = len(nodes) - 1
        numbers_of[index] = len(nodes) - 1
    if not nodes:
        del document["nodes"]
    return document, numbers_of


def _from_the_top(mechanism: Mechanism, first: int) -> Iterator[int]:
    """Yield the nodes from the first one on, each after those above it."""
    seen = set(range(first))
    for index in range(first, len(mechanism.nodes)):
        for one in reversed([one for one in mechanism.ancestry(index) if one not in seen]):
            seen.add(one)
            yield one


def _node(name: str, place: Placement) -> JsonObject:
    node: JsonObject = {"name": name} if name else {}
    for key in ("translation", "rotation", "scale"):
        if getattr(place, key) != getattr(PLAIN, key):
            node[key] = numbers(getattr(place, key))
    return node


def _put_below(document: JsonObject, parent: int | None, index: int) -> None:
    """Put a node below another one, or into the scene."""
    owners, key = items_of(document, "nodes"), "children"
    at: Json = parent
    if parent is None:
        owners, key, at = items_of(document, "scenes"), "nodes", document.get("scene", 0)
    owner = owners[at] if isinstance(at, int) and 0 <= at < len(owners) else None
    children = owner.setdefault(key, []) if isinstance(owner, dict) else None
    if isinstance(children, list):
        children.append(index)
