# SPDX-License-Identifier: GPL-3.0-or-later
"""Articulations as a model of Newton, made with its ``ModelBuilder``, and what it says of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import warp as wp

import newton
from omi_physics_joint.model.articulation.joints import Articulation, ArticulationJoint
from omi_physics_joint.model.geometry.transform import (
    Matrix,
    linear_part,
    quaternion_from_rotation,
    translation_of,
)
from omi_physics_joint.model.joint import Freedom
from omi_physics_joint.model.mechanism import Mechanism

Body = int
Pose = list[float]
"""Place and quaternion, x y z first and w last."""


def pose_of(matrix: Matrix) -> Pose:
    """Return a rigid matrix as Newton has poses."""
    return [*translation_of(matrix), *quaternion_from_rotation(linear_part(matrix))]


class AsNewton:
    """The articulations of a mechanism, in Newton."""

    def __init__(self, mechanism: Mechanism, articulations: Sequence[Articulation]) -> None:
        self.articulations = articulations
        builder = newton.ModelBuilder()
        self.bodies: dict[Body, int] = {}
        for node in (body for one in articulations for body in one.bodies):
            motion = mechanism.nodes[node].motion
            assert motion is not None
            self.bodies[node] = builder.add_link(
                mass=motion.mass,
                com=wp.vec3(*motion.center_of_mass),
                inertia=wp.mat33(0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1),
                is_kinematic=not motion.is_movable,
                label=mechanism.nodes[node].name,
            )
        for one in articulations:
            builder.add_articulation([self.joint(builder, joint) for joint in one.joints])
        for loop in (loop for one in articulations for loop in one.loops):
            self.joint(builder, loop)
        self.model = builder.finalize(device="cpu")
        self.state = self.model.state()

    def joint(self, builder: newton.ModelBuilder, joint: ArticulationJoint) -> int:
        """Add a joint, and return its number."""
        linear, angular = (
            [
                newton.ModelBuilder.JointDofConfig.create_unlimited(axis.direction)
                for axis in joint.axes
                if axis.freedom is freedom
            ]
            for freedom in Freedom
        )
        return int(
            builder.add_joint(
                newton.JointType[joint.type.value],
                -1 if joint.parent is None else self.bodies[joint.parent],
                self.bodies[joint.child],
                linear_axes=linear,
                angular_axes=angular,
                parent_xform=wp.transform(*pose_of(joint.parent_frame)),
                child_xform=wp.transform(*pose_of(joint.child_frame)),
            )
        )

    def layout(self) -> dict[str, list[int]]:
        """Return where coordinates begin, and how many there are."""
        model = self.model
        return {
            "type": model.joint_type.numpy().tolist(),
            "q_start": model.joint_q_start.numpy().tolist(),
            "qd_start": model.joint_qd_start.numpy().tolist(),
            "dof_dim": model.joint_dof_dim.numpy().tolist(),
            "axes": [len(model.joint_axis)],
        }

    def poses(
        self, q: Sequence[float], qd: Sequence[float]
    ) -> tuple[dict[Body, Pose], dict[Body, Pose]]:
        """Return where ``eval_fk`` puts the bodies, and how they move."""
        model, state = self.model, self.state
        state.joint_q.assign(np.array(q, dtype=np.float32))
        state.joint_qd.assign(np.array(qd, dtype=np.float32))
        newton.eval_fk(model, state.joint_q, state.joint_qd, state)
        poses, twists = state.body_q.numpy(), state.body_qd.numpy()
        return (
            {node: poses[number].tolist() for node, number in self.bodies.items()},
            {node: twists[number].tolist() for node, number in self.bodies.items()},
        )

    def coordinates(self, poses: dict[Body, Pose]) -> list[float]:
        """Return the positions that ``eval_ik`` reads of bodies, those of loops among them."""
        model, state = self.model, self.state
        order = sorted(self.bodies, key=lambda node: self.bodies[node])
        state.body_q.assign(np.array([poses[node] for node in order], dtype=np.float32))
        newton.eval_ik(model, state, state.joint_q, state.joint_qd)
        found: list[float] = state.joint_q.numpy().tolist()
        return found
