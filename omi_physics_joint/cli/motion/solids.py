# SPDX-License-Identifier: GPL-3.0-or-later
"""What the meshes of a file hold, for the inertia of bodies that do not say theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ...gltf.document.files import Document
from ...gltf.parts.read_meshes import MeshReader
from ...model.issue import Issue, Severity
from ...model.mechanism import Mechanism
from ...model.solid import MeshSolids
from ...weighing.solids import guessed_bodies, measured, meshes_of, with_solids


def measured_mechanism(
    document: Document, mechanism: Mechanism
) -> tuple[Mechanism, tuple[Issue, ...]]:
    """Return the mechanism with what those of its meshes hold that matter, and what is not read."""
    reader = MeshReader(document)

    def measure(index: int) -> MeshSolids | None:
        mesh = reader.read(index)
        if mesh is None:
            return None
        return measured(np.array(mesh.points), np.array(mesh.triangles, dtype=np.intp))

    meshes = meshes_of(mechanism, guessed_bodies(mechanism))
    found = with_solids(mechanism, meshes, measure)
    return found, tuple(_unread(found, meshes))


def _unread(mechanism: Mechanism, meshes: Iterable[int]) -> Iterator[Issue]:
    """Yield a warning for each mesh whose points could not be read."""
    for mesh in sorted(meshes):
        if mechanism.solids_of(mesh) is None:
            yield Issue(
                Severity.WARNING,
                "mesh-not-read",
                f"/meshes/{mesh}",
                "The triangles of this collision mesh cannot be read.",
                "The inertia of its body is taken from the bounds of the mesh.",
            )
