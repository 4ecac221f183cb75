# SPDX-License-Identifier: GPL-3.0-or-later
"""What bodies of ours weigh, as the solver has it: inertias that nobody has said are of shapes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ...model.body import Motion
from ...model.contents import Contents
from ...model.geometry.frames import rigid_frame
from ...model.geometry.transform import linear_part, multiply, transpose
from ...model.mechanism import Mechanism
from ...model.solid import MeshSolids
from ...model.wording.findings import Findings
from ...weighing.inertia import body_inertia, parts_of_bodies, sphere_inertia
from ...weighing.solids import guessed_bodies, measured, meshes_of, with_solids
from ..masses import mass_of
from ..robot import Mass
from ..turning import moved


@dataclass(slots=True)
class Masses:
    """Weighs the bodies of a mechanism.

    Attributes:
        mechanism: Z up, with what its meshes hold.
        findings: where masses that are none are noted.
    """

    mechanism: Mechanism
    findings: Findings
    _parts: dict[int, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self._parts = parts_of_bodies(self.mechanism)

    def of(self, index: int, motion: Motion) -> Mass:
        """Return what a body weighs, as the solver has it."""
        world = rigid_frame(self.mechanism.nodes[index].world)
        kilograms = motion.mass
        if not 0.0 < kilograms < float("inf"):
            name = self.mechanism.nodes[index].name or f"node {index}"
            self.findings.note("mass", name)
            kilograms = 1.0
        if 0.0 not in motion.inertia_diagonal and float("inf") not in motion.inertia_diagonal:
            return replace(mass_of(motion), mass=kilograms)
        centre = moved(world, motion.center_of_mass)
        parts = self._parts.get(index, [])
        found = body_inertia(self.mechanism, parts, kilograms, np.array(centre))
        if found is None:
            found = np.diag(sphere_inertia(kilograms))
        turn = linear_part(world)
        rows = tuple(tuple(float(x) for x in row) for row in found)
        local = multiply(multiply(transpose(turn), rows), turn)
        return Mass(kilograms, motion.center_of_mass, local)


def measured_meshes(mechanism: Mechanism, contents: Contents) -> Mechanism:
    """Return a mechanism, Z up, that knows what meshes hold that inertias depend on."""

    def measure(index: int) -> MeshSolids | None:
        mesh = contents.meshes[index] if index < len(contents.meshes) else None
        if mesh is None:
            return None
        points = np.array(mesh.points)[:, (0, 2, 1)] * (1.0, -1.0, 1.0)
        return measured(points, np.array(mesh.triangles, dtype=np.intp))

    return with_solids(mechanism, meshes_of(mechanism, guessed_bodies(mechanism)), measure)
