# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism whose joints say literally what Jolt makes of them when Godot moves it.

Every limit is rigid; a motor is rigid up to its largest force; a spring and a damper know no
largest force and no speed; what is to accelerate is a force. Which axis is a motor, a spring or a
limit is decided where files for Godot are written (``settings``), so both say the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf

from ..joint import DriveMode, JointSettings, Limit
from ..mechanism import Mechanism, Node
from .settings import NONE, spelled


def moved(
    mechanism: Mechanism,
    all_settings: Sequence[JointSettings],
    held: Mapping[int, frozenset[Limit]],
    own: int,
) -> Mechanism:
    """Return a mechanism with the joints that Godot moves; nodes keep their indices."""
    nodes: list[Node] = list(mechanism.nodes)
    settings = list(all_settings)
    at: dict[tuple[int, frozenset[Limit]], int] = {}
    for index, node, joint in mechanism.joints():
        if index >= own or not 0 <= joint.settings < len(all_settings):
            continue
        key = (joint.settings, held.get(index, NONE))
        if key not in at:
            at[key] = len(settings)
            settings.append(as_moved(all_settings[joint.settings], key[1]))
        nodes[index] = replace(node, joint=replace(joint, settings=at[key]))
    return replace(mechanism, nodes=tuple(nodes), settings=tuple(settings))


def as_moved(settings: JointSettings, held: frozenset[Limit] = NONE) -> JointSettings:
    """Return settings that say what Jolt does with them; ``held`` as in ``spelled``."""
    told = spelled(settings, held)
    return replace(
        told,
        limits=tuple(replace(limit, stiffness=inf, damping=0.0) for limit in told.limits),
        drives=tuple(
            replace(drive, mode=DriveMode.FORCE, velocity_target=None, max_force=inf)
            if drive.pulls_to_place
            else replace(drive, mode=DriveMode.FORCE, damping=inf)
            for drive in told.drives
        ),
    )
