# SPDX-License-Identifier: GPL-3.0-or-later
"""What joints bear and how well they hold, at the joint's frame.

Forces and torques are those of the joint without its drives, on the connected body, and the mean
over an output step; of redundant joints they are the smallest that do it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from .island_group import IslandGroup
from .report import JointReport
from .rotation import Array
from .state import State
from .system import RowKind, System

BRINGING_IN = 0.5
"""s: how long a rest pose that violates its bounds takes to meet them."""


def report_joints(
    groups: Sequence[IslandGroup],
    span: float,
    joint_nodes: Sequence[int],
    broken: Collection[int],
) -> JointReport:
    """Return the report of all joints.

    Args:
        groups: after a step.
        span: length of that step in s.
        joint_nodes: joints to report on, in order; those that are gone report zero.
        broken: those that gave way.
    """
    place = {node: i for i, node in enumerate(joint_nodes)}
    count = len(place)
    worst, wrench = np.zeros((3, count)), np.zeros((count, 6))
    for group in groups:
        at = [place[node] for _, joints in group.members for node in joints]
        if at:
            worst[:, at] = misses(group.system, group.state).reshape(3, -1)
            if span > 0.0:
                wrench[at] = group.wrench.reshape(-1, 6) / span
    gone = np.array([node in broken for node in joint_nodes], dtype=bool)
    separation, misalignment, overshoot = worst
    return JointReport(separation, misalignment, overshoot, wrench[:, :3], wrench[:, 3:], gone)


def misses(system: System, state: State) -> Array:
    """Return separation, misalignment and overshoot of the joints: (3, N, m).

    What was violated at rest is not missed as far as it is still on the way.
    """
    u = np.minimum(state.span[:, 2:3] / BRINGING_IN, 1.0)
    rest = 1.0 - u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)
    value, allowed = state.value, rest * state.excess
    locked = system.kind == RowKind.LOCK
    below = np.where(locked, 0.0, system.low) + np.minimum(allowed, 0.0) - value
    above = value - np.where(locked, 0.0, system.high) - np.maximum(allowed, 0.0)
    off = np.where(locked, np.abs(value - allowed), np.maximum(np.maximum(below, above), 0.0))
    joint, straight = system.joint_of_row, system.coordinate < 3
    worst = np.zeros((3, system.joints, system.islands))
    for number, which in enumerate((locked & straight, locked & ~straight)):
        np.add.at(worst[number], joint[which], off[:, which].T ** 2)
    worst[:2] = np.sqrt(worst[:2])
    np.maximum.at(worst[2], joint, off.T)
    return worst.swapaxes(1, 2)
