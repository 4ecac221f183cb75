# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex parts of a mesh, by ``coacd`` where it is installed."""

from __future__ import annotations

from importlib.util import find_spec

from ..model.solid import Triangles


def is_available() -> bool:
    """Return whether meshes can be taken apart here."""
    return find_spec("coacd") is not None


def convex_parts(mesh: Triangles) -> tuple[Triangles, ...]:
    """Return convex parts that together are about as large as a mesh; none where it fails."""
    import coacd
    import numpy as np

    coacd.set_log_level("error")
    try:
        parts = coacd.run_coacd(
            coacd.Mesh(np.array(mesh.points), np.array(mesh.triangles, dtype=np.int32))
        )
    except (RuntimeError, ValueError):
        return ()
    return tuple(
        Triangles(
            tuple((float(x), float(y), float(z)) for x, y, z in points),
            tuple((int(a), int(b), int(c)) for a, b, c in triangles),
        )
        for points, triangles in parts
    )
