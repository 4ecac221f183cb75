# SPDX-License-Identifier: GPL-3.0-or-later
"""STL, binary and as text, in; binary out."""

from __future__ import annotations

import struct

from ...files.inputs import spend
from ...model.body import Vector3
from ...model.geometry.transform import cross, normalized
from ..robot import Surface

HEADER, FACET = 84, 50
"""Bytes before the first triangle, and of each."""
FACET_FORM = struct.Struct("<12fH")


def read_stl(content: bytes, name: str) -> Surface:
    """Return the triangles of a file; equal corners are one point.

    Raises:
        ValueError: it is damaged; with a sentence that says how.
    """
    count = struct.unpack_from("<I", content, 80)[0] if len(content) >= HEADER else -1
    if count >= 0 and len(content) >= HEADER + FACET * count and not _is_text(content, count):
        spend("triangles", count)
        facets = FACET_FORM.iter_unpack(content[HEADER : HEADER + FACET * count])
        corners = [c for f in facets for c in ((f[3:6]), (f[6:9]), (f[9:12]))]
    elif content.lstrip()[:5].lower() == b"solid":
        corners = _text_corners(content)
    else:
        raise ValueError("it is shorter than it says")
    return _surface(name, corners)


def write_stl(surface: Surface) -> bytes:
    """Return triangles as a binary file."""
    parts = [b"omi_physics_joint".ljust(80, b" "), struct.pack("<I", len(surface.triangles))]
    for a, b, c in surface.triangles:
        p, q, r = surface.points[a], surface.points[b], surface.points[c]
        u = [y - x for x, y in zip(p, q, strict=True)]
        v = [y - x for x, y in zip(p, r, strict=True)]
        parts.append(FACET_FORM.pack(*normalized(cross(u, v)), *p, *q, *r, 0))
    return b"".join(parts)


def _is_text(content: bytes, count: int) -> bool:
    """Return whether a file is text although its length would fit: binary ones may say solid."""
    return (
        content[:5].lower() == b"solid"
        and len(content) != HEADER + FACET * count
        and b"facet" in content[:1000]
    )


def _text_corners(content: bytes) -> list[tuple[float, ...]]:
    words = content.split()
    corners: list[tuple[float, ...]] = []
    for i, word in enumerate(words):
        if word.lower() == b"facet":
            spend("triangles")
        if word.lower() == b"vertex" and i + 3 < len(words):
            corners.append(tuple(float(number) for number in words[i + 1 : i + 4]))
    return corners


def _surface(name: str, corners: list[tuple[float, ...]]) -> Surface:
    numbers: dict[tuple[float, ...], int] = {}
    indices = [numbers.setdefault(corner, len(numbers)) for corner in corners]
    triangles = zip(indices[::3], indices[1::3], indices[2::3], strict=False)
    points: list[Vector3] = [(x, y, z) for x, y, z in numbers]
    return Surface(name, tuple(points), tuple(t for t in triangles if len(set(t)) == 3))
