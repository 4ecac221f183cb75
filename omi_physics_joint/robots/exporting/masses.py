# SPDX-License-Identifier: GPL-3.0-or-later
"""What bodies of ours weigh, as the solver has it: inertias that nobody has said are of shapes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import inf

import numpy as np

from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.geometry.frames import is_sound, rigid_frame
from ...model.geometry.transform import linear_part, multiply, transpose
from ...model.joint import JointSettings
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


def upright(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism of glTF Z up, all nodes in the solver's frames but those without a pose.

    Which axis of a mirrored node is turned round is a matter of glTF's axes: so frames become rigid
    before axes get other names.
    """
    settings: dict[int, JointSettings] = {}
    for index, _, joint in mechanism.joints():
        own = mechanism.settings_of(joint)
        settings |= {index: own}
        settings.setdefault(joint.connected_node, own)
    nodes = (
        replace(node, world=rigid_frame(node.world, settings.get(index)))
        if is_sound(node.world)
        else node
        for index, node in enumerate(mechanism.nodes)
    )
    return Z_UP_FROM_Y_UP.mechanism(replace(mechanism, nodes=tuple(nodes)))
