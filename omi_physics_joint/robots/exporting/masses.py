# SPDX-License-Identifier: GPL-3.0-or-later
"""What bodies of ours weigh, as the solver has it: inertias that nobody has said are of shapes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import inf

import numpy as np

from ...model.contents import Contents
from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.geometry.frames import rigid_frame
from ...model.geometry.transform import linear_part, multiply, transpose
from ...model.mechanism import Mechanism
from ...model.solid import MeshSolids
from ...model.wording.findings import Findings
from ...weighing.inertia import body_inertia, sphere_inertia
from ...weighing.measuring import guessed_bodies, meshes_of, with_solids
from ...weighing.solids import measured_triangles
from ..masses import mass_of
from ..robot import Mass
from ..turning import moved


def weighed(mechanism: Mechanism, index: int, parts: Iterable[int], findings: Findings) -> Mass:
    """Return what a body, Z up, weighs by what is in it; a mass that is none is noted."""
    node = mechanism.nodes[index]
    motion, world = node.motion, rigid_frame(node.world)
    assert motion is not None
    kilograms = motion.mass
    if not 0.0 < kilograms < inf:
        findings.note("mass", node.name or f"node {index}")
        kilograms = 1.0
    if 0.0 not in motion.inertia_diagonal and inf not in motion.inertia_diagonal:
        return replace(mass_of(motion), mass=kilograms)
    centre = np.array(moved(world, motion.center))
    found = body_inertia(mechanism, parts, kilograms, centre)
    if found is None:
        found = np.diag(sphere_inertia(kilograms))
    turn = linear_part(world)
    local = multiply(multiply(transpose(turn), tuple(map(tuple, found.tolist()))), turn)
    return Mass(kilograms, motion.center, local)


def measured_meshes(mechanism: Mechanism, contents: Contents) -> Mechanism:
    """Return a mechanism, Z up, that knows what meshes hold that inertias depend on."""

    def measure(index: int) -> MeshSolids | None:
        mesh = contents.meshes[index] if index < len(contents.meshes) else None
        if mesh is not None:
            mesh = replace(mesh, points=tuple(map(Z_UP_FROM_Y_UP.vector, mesh.points)))
        return measured_triangles(mesh)

    return with_solids(mechanism, meshes_of(mechanism, guessed_bodies(mechanism)), measure)
