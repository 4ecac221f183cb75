# SPDX-License-Identifier: GPL-3.0-or-later
"""A file for Godot as Godot sees it: the mechanism as specified that moves as Godot moves it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ..joint import JointNode, JointSettings
from ..keys import around
from ..mechanism import Mechanism
from ..settings.reversal import reversed_settings
from ..settings.spans import spans_within
from .bodies import is_held_by_moving, seen_motion
from .layout import Layout
from .settings import sliding_axes, turning_axes


def seen(mechanism: Mechanism) -> Mechanism:
    """Return what Godot makes of a mechanism that was written for it; nodes keep their indices."""
    nodes = [replace(node, motion=seen_motion(node)) for node in mechanism.nodes]
    uses = Counter(joint.connected_node for _, _, joint in mechanism.joints())
    all_settings: list[JointSettings] = list(mechanism.settings)
    at: dict[tuple[int, bool], int] = {}
    for index, _, joint in mechanism.joints():
        settings = mechanism.settings_of(joint)
        other = joint.connected_node
        alone = uses[other] == 1 and not mechanism.nodes[other].is_physical and not uses[index]
        alone = alone and other != index
        exchanged = alone and _is_exchanged(mechanism, index, joint, settings)
        key = (joint.settings, exchanged)
        if key not in at:
            at[key] = len(all_settings)
            all_settings.append(reversed_settings(settings, (Layout(exchanged=exchanged).negated,)))
        spoken = replace(joint, settings=at[key])
        if exchanged:
            name, other_name = nodes[index].name, nodes[other].name
            nodes[index] = replace(nodes[index], joint=None, name=other_name)
            spoken = replace(spoken, connected_node=index)
            nodes[other] = replace(nodes[other], joint=spoken, name=name)
            continue
        nodes[index] = replace(nodes[index], joint=spoken)
    return replace(mechanism, nodes=tuple(nodes), settings=tuple(all_settings))


def _is_exchanged(
    mechanism: Mechanism, index: int, joint: JointNode, settings: JointSettings
) -> bool:
    """Return whether the sides of a joint were exchanged, or may as well have been."""
    spans = spans_within(around(settings).limits)
    turns, slides = turning_axes(spans), sliding_axes(spans)
    along_its_axis = len(turns) == 1 and turns == slides
    several = len(turns) > 1 and not slides
    moves = is_held_by_moving(mechanism, joint.connected_node, index)
    return moves and (along_its_axis or several)
