# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism Z up, in the frames that the solver has for its nodes.

Which axis of a mirrored node is turned round is a matter of glTF's axes: so frames become rigid
before axes get other names.
"""

from __future__ import annotations

from dataclasses import replace

from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.geometry.frames import is_sound, rigid_frame
from ...model.joint import JointSettings
from ...model.mechanism import Mechanism


def upright(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism of glTF Z up, all nodes in rigid frames but those that have no pose."""
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
