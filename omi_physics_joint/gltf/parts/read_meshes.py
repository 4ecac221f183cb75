# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of meshes, out of a document and its buffers. Source: glTF 2.0, "Meshes"."""

from __future__ import annotations

from itertools import pairwise
from typing import cast

from ...model.body import Vector3
from ...model.contents import Triangle, Triangles
from ..document.accessors import AccessorError, Accessors
from ..document.files import Document
from ..document.members import Members, Place

TRIANGLES, STRIP, FAN = 4, 5, 6
"""Modes of primitives that have a surface."""


class MeshReader:
    """Reads meshes of one document, each buffer once."""

    def __init__(self, document: Document) -> None:
        self._accessors = Accessors(document)
        self._meshes = dict(Members(document.json, Place(), []).children("meshes"))

    def read(self, index: int) -> Triangles | None:
        """Return the triangles of a mesh; None where it cannot be read whole."""
        mesh = self._meshes.get(index)
        if mesh is None:
            return None
        points: list[Vector3] = []
        triangles: list[Triangle] = []
        for _, primitive in mesh.children("primitives"):
            try:
                corners, surface = self._primitive(primitive)
            except AccessorError:
                return None
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
            raise AccessorError("The primitive has no positions, or packed ones.")
        points = cast("list[Vector3]", self._accessors.rows(position, 3))
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
