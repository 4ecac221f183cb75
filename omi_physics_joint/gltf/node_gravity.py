# SPDX-License-Identifier: GPL-3.0-or-later
"""Gravity volumes of nodes: kept as they are, not played. Source: OMI_physics_gravity, "glTF Node".

What a node says stands in its ``unknown`` text, under the name of the extension. The one index in
it, of a shape, is kept as the shape itself, since a document that is written has others. A shape
that is a mesh is one of this document: it goes where its meshes go, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ..model.mechanism import Mechanism, Node
from .json_text import Json, JsonObject, members_of, text_of
from .kept import GRAVITY, both, kept_for, kept_under
from .members import Members
from .omi.names import SHAPE
from .source import Source

SHAPED = "shaped"
BY_MESH = ("convex", "trimesh")
"""Types of shapes that are nothing without a mesh of their document."""
Put = Callable[[Json], Json]


def with_node_gravity(mechanism: Mechanism, source: Source) -> Mechanism:
    """Return a mechanism that keeps the gravity of nodes of its document."""
    shapes = _shapes(source.root.json)
    nodes = list(mechanism.nodes)
    for index, members in enumerate(source.members):
        text = _text(members, shapes)
        if text:
            kept = both(nodes[index].unknown, kept_under(GRAVITY, text))
            nodes[index] = replace(nodes[index], unknown=kept)
    return replace(mechanism, nodes=tuple(nodes))


def without_mesh_volumes(mechanism: Mechanism) -> tuple[Mechanism, tuple[int, ...]]:
    """Return a mechanism for where its document's meshes are not, and which nodes lost a volume."""
    nodes, lost = list(mechanism.nodes), []
    for index, node in enumerate(nodes):
        shape = _volume(members_of(kept_for(GRAVITY, node.unknown))) if node.unknown else None
        if isinstance(shape, dict) and shape.get("type") in BY_MESH:
            others = {key: x for key, x in members_of(node.unknown).items() if key != GRAVITY}
            nodes[index] = replace(node, unknown=text_of(others) if others else "")
            lost.append(index)
    return replace(mechanism, nodes=tuple(nodes)) if lost else mechanism, tuple(lost)


def spell_node_gravity(
    node: Node, document: dict[str, JsonObject], meshes: Mapping[int, int]
) -> JsonObject:
    """Return the gravity that a node keeps; a shape that it needs is put into the document.

    Args:
        node: that keeps it.
        document: extension objects of the document.
        meshes: where meshes of the mechanism are in the file; a volume of another one is left out.
    """
    members = members_of(kept_for(GRAVITY, node.unknown))
    if not members:
        return {}

    def put(shape: Json) -> Json:
        shape = _with_mesh(shape, meshes)
        extension = document.setdefault(SHAPE, {})
        shapes = extension.setdefault("shapes", [])
        assert isinstance(shapes, list)
        if shape not in shapes:
            shapes.append(shape)
        return shapes.index(shape)

    try:
        return _with_shape(members, dict, put)
    except KeyError:
        return {}


def _with_mesh(shape: Json, meshes: Mapping[int, int]) -> Json:
    """Return a shape with its mesh as the file numbers it.

    Raises:
        KeyError: the file does not have it.
    """
    kind = shape.get("type") if isinstance(shape, dict) else None
    if not isinstance(shape, dict) or kind not in BY_MESH:
        return shape
    block = shape.get(str(kind))
    mesh = block.get("mesh") if isinstance(block, dict) else None
    if not isinstance(block, dict) or not isinstance(mesh, int):
        raise KeyError(kind)
    return {**shape, str(kind): {**block, "mesh": meshes[mesh]}}


def _text(node: Members, shapes: list[Json]) -> str:
    """Return the text of the gravity of a node; "" where there is none that can be kept."""
    try:
        whole = _with_shape(_gravity(node), int, lambda at: shapes[at])  # type: ignore[index]
        return text_of(whole) if whole else ""
    except (IndexError, ValueError):
        return ""


def _gravity(node: Members) -> JsonObject:
    extensions = node.json.get("extensions")
    gravity = extensions.get(GRAVITY) if isinstance(extensions, dict) else None
    return gravity if isinstance(gravity, dict) else {}


def _volume(members: JsonObject) -> Json:
    """Return what the members have for a shape."""
    block = members.get(SHAPED)
    return block.get("shape") if isinstance(block, dict) else None


def _with_shape(members: JsonObject, kind: type, other: Put) -> JsonObject:
    """Return the members with another value for a shape of a kind.

    Raises:
        IndexError: there is no such shape.
    """
    block, shape = members.get(SHAPED), _volume(members)
    if not isinstance(block, dict) or not isinstance(shape, kind):
        return members
    return {**members, SHAPED: {**block, "shape": other(shape)}}


def _shapes(document: Mapping[str, Json]) -> list[Json]:
    extensions = document.get("extensions")
    extension = extensions.get(SHAPE) if isinstance(extensions, dict) else None
    shapes = extension.get("shapes") if isinstance(extension, dict) else None
    return shapes if isinstance(shapes, list) else []
