# SPDX-License-Identifier: GPL-3.0-or-later
"""What bodies of ours weigh, as the solver has it: inertias that nobody has said are of shapes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import inf

import numpy as np

from ...model.geometry.frames import rigid_frame
from ...model.geometry.transform import linear_part, multiply, transpose
from ...model.mechanism import Mechanism
from ...model.wording.findings import Findings
from ...weighing.inertia import body_inertia, sphere_inertia
from ..masses import UPRIGHT, mass_of, through
from ..robot import Mass
from ..turning import moved


def weighed(mechanism: Mechanism, index: int, parts: Iterable[int], findings: Findings) -> Mass:
    """Return what a body of a mechanism, Y up as shapes stand, weighs in axes that are Z up.

    A mass that is none is noted.
    """
    node = mechanism.nodes[index]
    motion, world = node.motion, rigid_frame(node.world)
    assert motion is not None
    kilograms = motion.mass
    if not 0.0 < kilograms < inf:
        findings.note("mass", mechanism.name_of(index))
        kilograms = 1.0
    if 0.0 not in motion.inertia_diagonal and inf not in motion.inertia_diagonal:
        return through(replace(mass_of(motion), mass=kilograms), UPRIGHT)
    centre = np.array(moved(world, motion.center))
    found = body_inertia(mechanism, parts, kilograms, centre)
    if found is None:
        found = np.diag(sphere_inertia(kilograms))
    turn = linear_part(world)
    local = multiply(multiply(transpose(turn), tuple(map(tuple, found.tolist()))), turn)
    return through(Mass(kilograms, motion.center, local), UPRIGHT)
