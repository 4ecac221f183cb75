# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of bodies from the coordinates of their joints, and coordinates from poses.

A pose is the world from body matrix, rigid, as ``frames.rigid_frame`` makes it of a node. Joints
are read where bodies stand, whether or not their locks hold; what a type cannot say is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..geometry.transform import IDENTITY, Matrix, inverse, multiply
from ..mechanism import Mechanism
from .joints import Articulation, ArticulationJoint
from .motion import coordinates_in, motion_of
from .reading import body_world

Poses = Mapping[int, Matrix]
"""World from body, by node."""


def rest_poses(mechanism: Mechanism, articulations: Iterable[Articulation]) -> dict[int, Matrix]:
    """Return where the bodies of articulations rest."""
    return {body: body_world(mechanism, body) for one in articulations for body in one.bodies}


def poses_of(articulations: Iterable[Articulation], joint_q: Sequence[float]) -> dict[int, Matrix]:
    """Return where bodies stand, as ``eval_fk`` puts them.

    Args:
        articulations: of one mechanism, some or all.
        joint_q: positions of all trees of the mechanism; those of loops may follow.
    """
    poses: dict[int, Matrix] = {}
    for articulation in articulations:
        for joint in articulation.joints:
            q = joint_q[joint.q_start : joint.q_start + joint.counts.q]
            parent = IDENTITY if joint.parent is None else poses[joint.parent]
            at_joint = multiply(multiply(parent, joint.parent_frame), motion_of(joint, q))
            poses[joint.child] = multiply(at_joint, inverse(joint.child_frame))
    return poses


def coordinates_of(articulations: Iterable[Articulation], poses: Poses) -> tuple[float, ...]:
    """Return the positions of the joints of trees, as ``eval_ik`` reads them."""
    return tuple(
        value
        for articulation in articulations
        for joint in articulation.joints
        for value in joint_coordinates(joint, poses)
    )


def joint_coordinates(joint: ArticulationJoint, poses: Poses) -> tuple[float, ...]:
    """Return the positions of one joint, also of one that closes a loop."""
    parent = IDENTITY if joint.parent is None else poses[joint.parent]
    before = multiply(parent, joint.parent_frame)
    return coordinates_in(
        joint, multiply(inverse(before), multiply(poses[joint.child], joint.child_frame))
    )
