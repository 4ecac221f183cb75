# SPDX-License-Identifier: GPL-3.0-or-later
"""Which meshes of two files are the same: those of equal triangles, whatever they are called.

Files may have one mesh of what is several in others, or call it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from ..contents import Contents
from ..mechanism import Mechanism
from ..solid import Triangle, Triangles

NEAR = 1e-5
"""Part of the size of a mesh that its points may be apart: files hold single precision."""


def with_same_names(several: Iterable[Contents]) -> list[Mechanism]:
    """Return mechanisms that call all meshes of equal triangles as the first of them is called."""
    known: dict[tuple[Triangle, ...], list[tuple[str, Triangles]]] = {}
    return [replace(one.mechanism, meshes=tuple(_names(one, known))) for one in several]


def _names(
    contents: Contents, known: dict[tuple[Triangle, ...], list[tuple[str, Triangles]]]
) -> Iterator[str]:
    for index, name in enumerate(contents.mechanism.meshes):
        mesh = contents.meshes[index] if index < len(contents.meshes) else None
        if mesh is None or not mesh.triangles:
            yield name
            continue
        alike = known.setdefault(mesh.triangles, [])
        most = NEAR * max(map(abs, chain(*mesh.points)), default=0.0)
        told = next((its for its, other in alike if _is_near(mesh, other, most)), None)
        if told is None:
            told = name or f"mesh {index}"
            alike.append((told, mesh))
        yield told


def _is_near(one: Triangles, other: Triangles, most: float) -> bool:
    """Return whether all points are within so many m; unlike meshes end at their first."""
    if len(one.points) != len(other.points):
        return False
    pairs = zip(one.points, other.points, strict=True)
    return all(abs(a - b) <= most for p, q in pairs for a, b in zip(p, q, strict=True))
