# SPDX-License-Identifier: GPL-3.0-or-later
"""What every dialect reads from: the document, its nodes without physics, and its meshes.

Of meshes that are their bounds out of JSON alone, their triangles out of buffers too. They are not
judged: what is not sound has no bounds and no triangles. Source: glTF 2.0, "Meshes".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from math import inf, isfinite
from typing import cast

from ..model.body import Vector3
from ..model.issue import Issue, Severity
from ..model.mechanism import Node
from ..model.solid import Bounds, Triangle, Triangles
from .document.accessors import LARGEST, AccessorError, Accessors, FormError
from .document.files import Document
from .document.json_text import Json, items_of, object_of
from .document.members import Members, Table, quiet
from .document.node_graph import read_node_graph, vector3

TRIANGLES, STRIP, FAN = 4, 5, 6
"""Modes of primitives that have a surface."""
NOWHERE = (inf, inf, inf)
MANY = 100_000
"""Elements of accessors: a tenth of a second."""


def read_mesh_bounds(root: Members) -> tuple[Bounds | None, ...]:
    """Return the bounds of every mesh of a document; None where it does not say them.

    glTF has every accessor of positions say its own. Source: glTF 2.0, "Accessors Bounds".
    """
    accessors = dict(quiet(root.json).children("accessors"))
    meshes = items_of(root.json, "meshes")
    return tuple(_union(quiet(object_of(mesh)), accessors) for mesh in meshes)


def _union(mesh: Members, accessors: dict[int, Members]) -> Bounds | None:
    """Return the box around all primitives of a mesh."""
    corners: list[tuple[float, ...]] = []
    for _, primitive in mesh.children("primitives"):
        attributes = primitive.child("attributes")
        index = None if attributes is None else attributes.integer("POSITION")
        if index in accessors:
            corners += _corners(accessors[index])
    if not corners:
        return None
    columns = list(zip(*corners, strict=True))
    return Bounds(vector3(tuple(map(min, columns))), vector3(tuple(map(max, columns))))


def _corners(accessor: Members) -> list[tuple[float, ...]]:
    """Return the lowest and the highest corner of one accessor; none where they are not sound."""
    component = accessor.integer("componentType")
    scale = 1.0
    if component in LARGEST and accessor.flag("normalized"):
        scale = LARGEST[component]
    corners = [accessor.vector(key, NOWHERE) for key in ("min", "max")]
    return [] if NOWHERE in corners else [tuple(x / scale for x in one) for one in corners]


class MeshReader:
    """Reads meshes of one document, each buffer once."""

    def __init__(self, document: Document) -> None:
        self._accessors = Accessors(document)
        self._root = quiet(document.json)
        self._meshes = dict(self._root.children("meshes"))

    def read(self, index: int) -> Triangles | None:
        """Return the triangles of a mesh; None where it cannot be read whole."""
        try:
            return self._whole(index)
        except AccessorError:
            return None

    def unread(self, wanted: Iterable[int]) -> Iterator[Issue]:
        """Yield a warning for each of these that has no triangles for anybody.

        Of a document with more numbers than are looked through in no time, none.
        """
        if sum(one.integer("count") or 0 for _, one in self._root.children("accessors")) > MANY:
            return
        for index in sorted(set(wanted).intersection(self._meshes)):
            try:
                why = "" if self._whole(index).triangles else "It has points or lines alone."
            except AccessorError as error:
                why = "" if isinstance(error, FormError) else str(error)
            if why:
                message = f"The triangles of this collision mesh cannot be read: {why}"
                yield Issue(Severity.WARNING, "mesh-not-read", f"/meshes/{index}", message, "")

    def _whole(self, index: int) -> Triangles:
        """Return the triangles of a mesh, or raise an AccessorError."""
        points: list[Vector3] = []
        triangles: list[Triangle] = []
        if index not in self._meshes:
            raise AccessorError("There is no such mesh.")
        for _, primitive in self._meshes[index].children("primitives"):
            corners, surface = self._primitive(primitive)
            first = len(points)
            points += corners
            triangles += [(first + a, first + b, first + c) for a, b, c in surface]
        return Triangles(tuple(points), tuple(triangles))

    def _primitive(self, primitive: Members) -> tuple[list[Vector3], list[Triangle]]:
        """Return the points of one primitive and its triangles; lines and points have none.

        Raises:
            AccessorError: something is missing, or in a form that is not read.
        """
        mode = primitive.integer("mode") if primitive.has("mode") else TRIANGLES
        attributes = primitive.child("attributes")
        position = None if attributes is None else attributes.integer("POSITION")
        if position is None or primitive.has("extensions"):
            raise FormError("The primitive has no positions, or packed ones.")
        points = cast("list[Vector3]", self._accessors.rows(position, 3))
        if not all(map(isfinite, chain.from_iterable(points))):
            raise AccessorError("A point of the primitive is not a number.")
        order = list(range(len(points)))
        indices = primitive.integer("indices") if primitive.has("indices") else None
        if indices is not None:
            order = [int(row[0]) for row in self._accessors.rows(indices, 1)]
        if any(corner >= len(points) for corner in order):
            raise AccessorError("The primitive has an index beyond its points.")
        return points, _surface(mode, order)


def _surface(mode: int | None, order: list[int]) -> list[Triangle]:
    """Return triangles from the order in which a primitive names its points."""
    if mode == TRIANGLES:
        return list(zip(order[::3], order[1::3], order[2::3], strict=False))
    if mode == STRIP:
        strip = zip(order, order[1:], order[2:], strict=False)
        return [(a, c, b) if i % 2 else (a, b, c) for i, (a, b, c) in enumerate(strip)]
    if mode == FAN and order:
        return [(order[0], b, c) for b, c in pairwise(order[1:])]
    return []


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
