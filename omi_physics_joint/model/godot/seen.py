# SPDX-License-Identifier: GPL-3.0-or-later
"""A file for Godot as Godot sees it: the mechanism as specified that moves as Godot moves it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ..joint import Freedom, JointSettings
from ..mechanism import Mechanism
from ..spans import spans_of
from .axes import negated, relabelled, relabelled_frame
from .bodies import seen_motion
from .nodes import X, Z
from .settings import sliding_axes, turning_axes


def seen(mechanism: Mechanism) -> Mechanism:
    """Return what Godot makes of a mechanism that was written for it; nodes keep their indices."""
    nodes = [replace(node, motion=seen_motion(node)) for node in mechanism.nodes]
    uses = Counter(joint.connected_node for _, _, joint in mechanism.joints())
    all_settings: list[JointSettings] = list(mechanism.settings)
    at: dict[tuple[int, bool], int] = {}
    for index, _, joint in mechanism.joints():
        settings = mechanism.settings_of(joint)
        spans = spans_of(settings.limits)
        turns, slides = turning_axes(spans), sliding_axes(spans)
        other = joint.connected_node
        alone = uses[other] == 1 and not mechanism.nodes[other].is_physical and not uses[index]
        exchanged = len(turns) >= 2 and not slides and alone and other != index
        if (joint.settings, exchanged) not in at:
            at[joint.settings, exchanged] = len(all_settings)
            if not exchanged:
                settings = negated(settings, Freedom.ANGULAR)
                if len(turns) >= 2:
                    settings = relabelled(settings, Z - X)
            all_settings.append(settings)
        spoken = replace(joint, settings=at[joint.settings, exchanged])
        if exchanged:
            name, other_name = nodes[index].name, nodes[other].name
            nodes[index] = replace(nodes[index], joint=None, name=other_name)
            spoken = replace(spoken, connected_node=index)
            nodes[other] = replace(nodes[other], joint=spoken, name=name)
        else:
            nodes[index] = replace(nodes[index], joint=spoken)
            if len(turns) >= 2 and alone:
                for end in (index, other):
                    world = relabelled_frame(nodes[end].world, Z - X)
                    nodes[end] = replace(nodes[end], world=world)
    return replace(mechanism, nodes=tuple(nodes), settings=tuple(all_settings))
