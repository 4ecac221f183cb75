# SPDX-License-Identifier: GPL-3.0-or-later
"""What is seen of a stage: the triangles of prims that are drawn, without their looks."""

from __future__ import annotations

from ..triangles import triangles_of
from .nodes import SHOWN_TYPES, is_drawn
from .reading import StageReading


def read_shown(reading: StageReading) -> None:
    """Give nodes the meshes that they show."""
    prims = reading.values.prims
    for path, index in reading.node_of.items():
        prim = prims[path]
        if prim.type not in SHOWN_TYPES or not is_drawn(prims, prim):
            continue
        mesh = triangles_of(reading.values, prim)
        if mesh is None:
            reading.findings.note("usd-mesh", path)
        else:
            reading.shown[index] = reading.mesh(prim.label or prim.name, mesh)
