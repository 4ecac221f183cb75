# SPDX-License-Identifier: GPL-3.0-or-later
"""What is seen of a stage: the triangles of prims that are drawn, without their looks."""

from __future__ import annotations

from .prim import Prim, above
from .reading import Reading
from .table import PURPOSE
from .triangles import triangles_of

DRAWN = ("default", "render")
"""Purposes of what a picture shows; "guide" and "proxy" are for those who work on it."""
ROUND = ("Sphere", "Capsule", "Capsule_1", "Cylinder", "Cylinder_1", "Cone")
TYPES = ("Mesh", "Cube", "Plane", *ROUND)


def read_shown(reading: Reading) -> None:
    """Give nodes the meshes that they show."""
    for path, index in reading.node_of.items():
        prim = reading.values.prims[path]
        if prim.type not in TYPES or not _is_drawn(reading, prim):
            continue
        mesh = triangles_of(reading.values, prim)
        if mesh is None:
            reading.findings.note("usd-mesh", path)
        else:
            reading.shown[index] = reading.mesh(prim.name, mesh)


def _is_drawn(reading: Reading, prim: Prim) -> bool:
    """Return whether a prim and all above it are visible, and the purpose that is said nearest."""
    chain = [
        reading.values.prims[path] for path in above(prim.path) if path in reading.values.prims
    ]
    if any(one.attributes.get("visibility") == "invisible" for one in chain):
        return False
    purposes = (one.attributes.get(PURPOSE.name) for one in chain)
    return next((word for word in purposes if word is not None), PURPOSE.default) in DRAWN
