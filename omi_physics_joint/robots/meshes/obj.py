# SPDX-License-Identifier: GPL-3.0-or-later
"""Wavefront OBJ: points and faces; how it looks is not read."""

from __future__ import annotations

from itertools import pairwise

from ...model.body import Vector3
from ..robot import Surface


def read_obj(content: bytes, name: str) -> Surface:
    """Return the triangles of a file; a face of more corners is a fan.

    Raises:
        ValueError: it is damaged; with a sentence that says how.
    """
    points: list[Vector3] = []
    triangles: list[tuple[int, int, int]] = []
    for line in content.splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == b"v" and len(words) >= 4:
            points.append((float(words[1]), float(words[2]), float(words[3])))
        elif words[0] == b"f" and len(words) >= 4:
            corners = [_corner(word, len(points)) for word in words[1:]]
            triangles += [(corners[0], b, c) for b, c in pairwise(corners[1:])]
    return Surface(name, tuple(points), tuple(triangles))


def _corner(word: bytes, count: int) -> int:
    number = int(word.split(b"/")[0])
    index = number - 1 if number > 0 else count + number
    if not 0 <= index < count:
        message = "a face names a point that is not there"
        raise ValueError(message)
    return index
