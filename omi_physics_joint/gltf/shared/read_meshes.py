# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes: their bounds out of JSON alone, their triangles out of buffers too.

Meshes are not judged: what is not sound has no bounds and no triangles. Source: glTF 2.0, "Meshes".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from math import inf, isfinite
from typing import cast

from ...model.body import Vector3
from ...model.issue import Issue, Severity
from ...model.solid import Bounds, Triangle, Triangles
from ..document.accessors import LARGEST, AccessorError, Accessors, FormError
from ..document.files import Document
from ..document.json_text import items_of, object_of
from ..document.members import Members, quiet
from ..document.node_graph import vector3

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
