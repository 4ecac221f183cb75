# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands whose joints contradict each other where they stand, or leave nothing to move.

To first order: what their locks ask of the bodies is a linear system, and its rank tells both.
Coordinates of a scene are single precision, so what is nearly the same counts as the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ...model.body import MotionType
from ...model.issue import Issue, Severity
from ...model.joint import Freedom, JointSettings
from ...model.mechanics.islands import islands_of
from ...model.mechanism import Mechanism
from ...model.settings.ranges import locked_axes
from ...model.wording.contradiction import cannot_hold
from ...model.wording.words import Say, some
from ..island_group import IslandGroup
from ..kinematics.readings import jacobian_of
from ..simulation import Options, Simulation
from ..system import RowKind
from .diagnose import island_locks

ROUNDED, OFF = 1e-6, 1e-4
"""Coordinates are rounded by this part of themselves; locks that are nearer to each other
than this part of 1 m, or of their island where that is smaller, or than so many rad, agree."""
ALIKE = 1e-5
"""Rows that differ by less than this part, and what is rounded, are the same."""
MOST_ROWS = 1000
"""Islands that have more locks are not looked at: it would take seconds."""
LEAST_ROWS = 3
"""As many locks any joint counts for: to order joints of one pair of bodies is cubic in them."""
MOST_NAMES = 6
ALL, ANGLES = 6, 3


def lock_issues(mechanism: Mechanism, say: Say) -> list[Issue]:
    """Return a warning for each island whose joints contradict or lock each other at rest."""
    closed = _closed(mechanism)
    if closed is None:
        return []
    with np.errstate(all="ignore"):
        groups = Simulation(closed, Options(gravity=(0.0, 0.0, 0.0))).groups
        return [one for group in groups for one in _group_issues(closed, group, say)]


def _closed(mechanism: Mechanism) -> Mechanism | None:
    """Return the mechanism with the joints that close loops alone; None where there are none.

    Islands of too many locks are left out here: to order their joints takes longer than to look.
    """
    dynamic = [index for index in range(len(mechanism.nodes)) if mechanism.is_dynamic(index)]
    joints = [(index, joint.connected_node) for index, _, joint in mechanism.joints()]
    ends = [(mechanism.body_of(one), mechanism.body_of(other)) for one, other in joints]
    locks = [len(_locks(mechanism.settings[joint.settings])) for _, _, joint in mechanism.joints()]
    kept = {
        joints[j][0]
        for island in islands_of(dynamic, ends)
        if len(island.joints) > 1 and island.closes(ends)
        if sum(max(locks[j], LEAST_ROWS) for j in island.joints) <= MOST_ROWS
        for j in island.joints
    }
    if not kept:
        return None
    nodes = (
        node if node.joint is None or i in kept else replace(node, joint=None)
        for i, node in enumerate(mechanism.nodes)
    )
    return replace(mechanism, nodes=tuple(nodes))


def _locks(settings: JointSettings) -> list[int]:
    """Return the axes that settings lock, linear ones and angular ones."""
    return [axis for freedom in Freedom for axis in locked_axes(settings, freedom)]


def _group_issues(mechanism: Mechanism, group: IslandGroup, say: Say) -> Iterator[Issue]:
    system = group.system
    locks = np.flatnonzero(system.kind == RowKind.LOCK)
    if not system.closed or not 0 < len(locks) <= MOST_ROWS:
        return
    far_out = np.abs(group.state.position).max(axis=(1, 2), initial=0.0)
    rounded = ROUNDED * far_out
    least_off = OFF * np.minimum(system.size, 1.0) + rounded
    every = island_locks(group, ALIKE + rounded / system.size, least_off)
    for island, ((bodies, joints), found) in enumerate(zip(group.members, every, strict=True)):
        off, least = group.state.excess[island, locks], float(least_off[island])
        if not np.isfinite(far_out[island]) or not np.isfinite(off).all():
            continue
        name = [mechanism.nodes[node].name or f"node {node}" for node in joints]
        left = np.zeros_like(off)
        if found.conflicting:
            matrix = jacobian_of(system, group.state)[island, locks]
            # What no small motion of the bodies can mend.
            left = np.abs(off - matrix @ np.linalg.lstsq(matrix, off, rcond=ALIKE)[0])
        joint, straight = system.joint_of_row[locks], system.straight[locks]
        if (left > least).any():
            code, which = "joints-contradict", np.unique(joint[left > least]).tolist()
            far = (left[straight].max(initial=0.0), left[~straight].max(initial=0.0))
            message, fix = cannot_hold(
                [name[j] for j in which],
                (float(far[0]), float(far[1])),
                say,
                when="in this pose",
                most=MOST_NAMES,
            )
            message, fix = f"{message}.", f"{fix}."
        else:
            locked = np.bincount(joint, minlength=len(joints))
            code, which = "joints-lock", [j for j in range(len(joints)) if locked[j] < ALL]
            if not which or found.rank < 6 * len(bodies) or _led(mechanism, joints):
                continue
            who = some([name[j] for j in which], MOST_NAMES)
            message = f"Nothing can move: the joints lock each other ({who})."
            fix = "Line up their axes, free an axis of one, or remove what is too many."
        first = which[0]
        yield Issue(Severity.WARNING, code, name[first], message, fix, joints[first])


def _led(mechanism: Mechanism, joints: tuple[int, ...]) -> bool:
    """Return whether a joint leads to a body that moves by itself, and may move the others."""
    for node in joints:
        joint = mechanism.nodes[node].joint
        assert joint is not None  # that is what makes it a joint node
        for end in (mechanism.body_of(node), mechanism.body_of(joint.connected_node)):
            motion = None if end is None else mechanism.nodes[end].motion
            if motion is not None and motion.type is MotionType.KINEMATIC:
                return True
    return False
