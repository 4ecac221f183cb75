# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases for stages beside those of Babylon: loops, angles that spin, springs with a speed."""

from __future__ import annotations

from math import atan2

from benchmarks.babylon.cases import HEAVY_ENDS, cases
from benchmarks.godot.building import (
    LEVEL,
    STATIC,
    Case,
    at,
    bar,
    body,
    chained,
    driven_hinge,
    held,
    turn,
)
from omi_physics_joint.model.joint import JointNode, JointSettings
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin

ROUND = body(angular_velocity=(0.0, 2.0, 0.0), linear_velocity=(0.0, 0.0, -1.0))
"""Spins as a joint at the end of a bar allows."""


def stage_cases() -> dict[str, Case]:
    """Return all cases by name."""
    spring = {"position_target": 0.4, "velocity_target": 1.0, "stiffness": 30.0, "damping": 2.0}
    return {
        **cases(),
        "ball, spinning as it may": bar(pin(), motion=ROUND),
        "two angles, spinning as they may": bar(held(range(3), (0,)), motion=ROUND),
        "spring with a speed": bar(driven_hinge(2, **spring), LEVEL[2]),
        "four-bar linkage": _linkage(hinge(2)),
        "four-bar linkage, closed by a ball": _linkage(pin()),
        "four-bar linkage, closed by a slot": _linkage(held((1, 2), (0, 1))),
    }


def _linkage(closing: JointSettings) -> Case:
    """Return three bars that hang between two points, the last one joined by other settings."""
    places = (chained(at(0.3, -0.4), turn(2, -atan2(0.8, 0.6))), at(1.1, -0.8), at(1.75, -0.4))
    bars = [Node(name, None, p, motion=HEAVY_ENDS) for name, p in zip("ABC", places, strict=True)]
    nodes = [Node("Wall", motion=STATIC), *bars]
    ends = ((1, 0, at(), 0), (2, 1, at(0.6, -0.8), 0), (3, 2, at(1.6, -0.8), 0), (3, 0, at(1.9), 1))
    for number, (one, other, place, settings) in enumerate(ends):
        nodes.append(Node(f"J{number}", one, place, joint=JointNode(settings, len(nodes) + 1)))
        nodes.append(Node(f"N{number}", other, place))
    return Case(Mechanism(tuple(nodes), (hinge(2), closing)))
