# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the add-on's articulations are from what Newton says of them."""

from __future__ import annotations

from typing import Any

from omi_physics_joint.model.articulation.kinematics import (
    BodyMotion,
    coordinates_of,
    first_motions,
    velocities_of,
)
from omi_physics_joint.model.geometry.transform import (
    apply,
    compose,
    difference,
    inverse,
    linear_part,
    multiply,
)

from .posed import poses_of
from .samples import Question, farthest

TYPES = ("PRISMATIC", "REVOLUTE", "BALL", "FIXED", "FREE", "DISTANCE", "D6")
"""By their number in Newton."""


def judged(asking: Question, answer: dict[str, Any]) -> dict[str, float]:
    """Return the largest differences: m, rad and their like per second; layout 0 or infinite."""
    articulations = asking.articulations
    bodies = [body for one in articulations for body in one.bodies]
    poses = poses_of(articulations, asking.joint_q)
    theirs = dict(zip(bodies, answer["poses"], strict=True))
    trees, anywhere = asking.trees, asking.anywhere
    return {
        "layout": 0.0 if _has_layout(asking, answer) else float("inf"),
        "eval_fk": max(
            difference(poses[body], compose(tuple(pose[:3]), tuple(pose[3:])))
            for body, pose in theirs.items()
        ),
        "eval_ik": farthest(trees, coordinates_of(articulations, poses), answer["read"]),
        "anywhere": farthest(trees, coordinates_of(articulations, anywhere), answer["projected"]),
        "velocities": _velocities_apart(asking, dict(zip(bodies, answer["motions"], strict=True))),
    }


def _has_layout(asking: Question, answer: dict[str, Any]) -> bool:
    """Return whether types, numbers and beginnings are the same, of trees and of loops."""
    joints = asking.joints
    q = sum(joint.counts.q for joint in joints)
    qd = sum(joint.counts.qd for joint in joints)
    return (
        [joint.type.value for joint in joints] == [TYPES[number] for number in answer["type"]]
        and [*(joint.q_start for joint in joints), q] == answer["q_start"]
        and [*(joint.qd_start for joint in joints), qd] == answer["qd_start"]
        and [[len(joint.linear), len(joint.angular)] for joint in joints] == answer["dof_dim"]
        and [qd] == answer["axes"]
    )


def _velocities_apart(asking: Question, motions: dict[int, list[float]]) -> float:
    """Return how far velocities that are read of bodies are from those that moved them."""
    articulations = asking.articulations
    poses = poses_of(articulations, asking.joint_q)
    rest = first_motions(asking.mechanism, articulations)
    moving = {}
    for body, (x, y, z, a, b, c) in motions.items():
        node = asking.mechanism.nodes[body]
        assert node.motion is not None
        moved = multiply(poses[body], inverse(node.world))
        arm = apply(linear_part(moved), rest[body].centre)
        centre = tuple(p + row[3] for p, row in zip(arm, moved[:3], strict=True))
        moving[body] = BodyMotion((x, y, z), (a, b, c), centre)
    read = velocities_of(articulations, poses, moving)
    return max(
        (abs(one - other) for one, other in zip(read, asking.joint_qd, strict=True)), default=0.0
    )
