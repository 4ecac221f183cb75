# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds of meshes, out of JSON alone: glTF has every accessor of positions say its own.

Source: glTF 2.0, "Accessors Bounds". Meshes are not judged: what is not sound has no bounds.
"""

from __future__ import annotations

from math import inf, isfinite

from ...model.bounds import Bounds
from ..document.accessors import LARGEST
from ..document.members import Members, Place
from ..document.node_graph import vector3

NOWHERE = (inf, inf, inf)


def read_mesh_bounds(root: Members) -> tuple[Bounds | None, ...]:
    """Return the bounds of every mesh of a document; None where it does not say them."""
    quiet = Members(root.json, Place(), [])
    count = len(quiet.items("meshes"))
    meshes = dict(quiet.children("meshes"))
    accessors = dict(quiet.children("accessors"))
    return tuple(
        _union(meshes[index], accessors) if index in meshes else None for index in range(count)
    )


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
    if component in LARGEST and accessor.flag("normalized", False):
        scale = LARGEST[component]
    low, high = (accessor.vector(key, NOWHERE) for key in ("min", "max"))
    if not all(isfinite(x) for x in (*low, *high)):
        return []
    return [tuple(x / scale for x in corner) for corner in (low, high)]
