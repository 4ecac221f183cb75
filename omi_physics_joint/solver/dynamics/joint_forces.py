# SPDX-License-Identifier: GPL-3.0-or-later
"""What joints bear and how well they hold, at the joint's frame.

Forces and torques are those of the joint without its drives, on the connected body, and the mean
over an output step; of redundant joints they are the smallest that do it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from ..island_group import IslandGroup
from ..report import JointReport
from .misses import misses


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
            np.maximum.at(worst.T, at, misses(group.system, group.state).reshape(3, -1).T)
            if span > 0.0:
                np.add.at(wrench, at, group.wrench.reshape(-1, 6) / span)
    gone = np.array([node in broken for node in joint_nodes], dtype=bool)
    separation, misalignment, overshoot = worst
    return JointReport(separation, misalignment, overshoot, wrench[:, :3], wrench[:, 3:], gone)
