# SPDX-License-Identifier: GPL-3.0-or-later
"""Which meshes of two files are the same: those of equal triangles, whatever they are called.

Files may have one mesh of what is several in others, or call it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..contents import Contents, Triangle, Triangles
from ..mechanism import Mechanism

NEAR = 1e-5
"""Part of the size of a mesh that its points may be apart: files hold single precision."""


class MeshNames:
    """One name for all meshes of equal triangles: that of the first of them."""

    def __init__(self) -> None:
        self._known: dict[tuple[Triangle, ...], list[tuple[str, Triangles]]] = {}

    def given_to(self, contents: Contents) -> Mechanism:
        """Return a mechanism with the names that its meshes have here."""
        return replace(contents.mechanism, meshes=tuple(self._names(contents)))

    def _names(self, contents: Contents) -> Iterator[str]:
        for index, name in enumerate(contents.mechanism.meshes):
            mesh = contents.meshes[index] if index < len(contents.meshes) else None
            if mesh is None or not mesh.triangles:
                yield name
                continue
            alike = self._known.setdefault(mesh.triangles, [])
            known = next((its for its, other in alike if _is_near(mesh, other)), None)
            if known is None:
                known = name or f"mesh {index}"
                alike.append((known, mesh))
            yield known


def _is_near(one: Triangles, other: Triangles) -> bool:
    if len(one.points) != len(other.points):
        return False
    numbers = [number for point in one.points for number in point]
    others = [number for point in other.points for number in point]
    most = NEAR * max(map(abs, numbers), default=0.0)
    return all(abs(a - b) <= most for a, b in zip(numbers, others, strict=True))
