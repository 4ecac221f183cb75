# SPDX-License-Identifier: GPL-3.0-or-later
"""The root of a floating tree that was read from a robot's file: the link that it had there.

Trees have no root of their own in a mechanism. What reading has made leads away from the root, from
each joint to its connected node, and names those nodes so; then that body is put above the others.
"""

from __future__ import annotations

from dataclasses import replace

from ..model.mechanics.islands import islands_of
from ..model.mechanism import Mechanism

CONNECTED = "connected"
"""Last word of the names of connected nodes that reading makes."""


def rooted(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism whose floating trees have their root above their other bodies."""
    nodes = list(mechanism.nodes)
    movable = [i for i, node in enumerate(nodes) if node.motion and node.motion.is_movable]
    joints = list(mechanism.joints())
    ends = [
        (mechanism.body_of(index), mechanism.body_of(joint.connected_node))
        for index, _, joint in joints
    ]
    for island in islands_of(movable, ends):
        bodies = set(island.bodies)
        own = [joints[joint] for joint in island.joints]
        if not all(
            nodes[joint.connected_node].name == f"{node.name} {CONNECTED}" for _, node, joint in own
        ):
            continue
        led = {ends[joint][1] for joint in island.joints}
        tops = bodies - led
        if len(tops) == 1 and bodies.issuperset(end for i in island.joints for end in ends[i]):
            (top,) = tops
            for body in bodies - tops:
                nodes[body] = replace(nodes[body], parent=top)
            nodes[top] = replace(nodes[top], parent=None)
    return replace(mechanism, nodes=tuple(nodes))
