# SPDX-License-Identifier: GPL-3.0-or-later
"""What the meshes of a file hold, for the inertia of bodies that do not say theirs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..gltf.document import Document
from ..gltf.read_meshes import MeshReader
from ..model.issue import Issue, Severity
from ..model.mechanism import Mechanism
from ..model.solid import MeshSolids
from ..solver.solids import measured, wanted_meshes, with_solids


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

    measured_one = with_solids(mechanism, measure)
    return measured_one, tuple(_unread(measured_one))


def _unread(mechanism: Mechanism) -> Iterator[Issue]:
    """Yield a warning for each mesh whose points could not be read."""
    for mesh in sorted(wanted_meshes(mechanism)):
        if mechanism.solids_of(mesh) is None:
            yield Issue(
                Severity.WARNING,
                "mesh-not-read",
                f"/meshes/{mesh}",
                "The triangles of this collision mesh cannot be read.",
                "The inertia of its body is taken from the bounds of the mesh.",
            )
