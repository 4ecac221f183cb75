# SPDX-License-Identifier: GPL-3.0-or-later
"""Loops that joints close: only there can they contradict or lock each other."""

from __future__ import annotations

from dataclasses import replace

from ..joint import Freedom, JointSettings
from ..mechanism import Mechanism
from ..settings.ranges import locked_axes
from .islands import islands_of

MOST_ROWS = 1000
"""Islands that have more locks are not looked at: 900 take a second, ten times as many minutes."""
LEAST_ROWS = 3
"""As many locks any joint counts for: to order joints of one pair of bodies is cubic in them."""


def with_loops_alone(mechanism: Mechanism) -> Mechanism | None:
    """Return the mechanism with the joints that close loops alone; None where there are none.

    Islands of too many locks are left out here: to order their joints takes longer than to look.
    """
    dynamic = [index for index in range(len(mechanism.nodes)) if mechanism.is_dynamic(index)]
    joints = [(index, joint.connected_node) for index, _, joint in mechanism.joints()]
    ends = [(mechanism.body_of(one), mechanism.body_of(other)) for one, other in joints]
    held = [len(_locks(settings)) for settings in mechanism.settings]
    locks = [held[joint.settings] for _, _, joint in mechanism.joints()]
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
