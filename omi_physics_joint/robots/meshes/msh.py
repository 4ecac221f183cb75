# SPDX-License-Identifier: GPL-3.0-or-later
"""MSH, MuJoCo's own binary meshes: four counts, then points, normals, texture places and faces."""

from __future__ import annotations

import struct

from ..robot import Surface


def read_msh(content: bytes, name: str) -> Surface:
    """Return the triangles of a file.

    Raises:
        ValueError: it is damaged; with a sentence that says how.
    """
    if len(content) < 16:
        message = "it is too short"
        raise ValueError(message)
    points, normals, places, faces = struct.unpack_from("<4i", content)
    floats = 3 * points + 3 * normals + 2 * places
    if min(points, normals, places, faces) < 0 or len(content) != 16 + 4 * (floats + 3 * faces):
        message = "its counts do not fit its length"
        raise ValueError(message)
    corners = struct.iter_unpack("<3f", content[16 : 16 + 12 * points])
    triangles = struct.iter_unpack("<3i", content[16 + 4 * floats :])
    found = tuple((a, b, c) for a, b, c in triangles)
    if any(not 0 <= corner < points for triangle in found for corner in triangle):
        message = "a face names a point that is not there"
        raise ValueError(message)
    return Surface(name, tuple((x, y, z) for x, y, z in corners), found)
