# SPDX-License-Identifier: GPL-3.0-or-later
"""MuJoCo in generalised coordinates; loops are closed by its own soft connections."""

from __future__ import annotations

import mujoco
import numpy as np

from ..rotations import conjugate, product, turned
from ..scene import DOWN, WORLD, Joint, Kind, Scene
from .engine import NotHereError, Snapshot

W_FIRST, W_LAST = [3, 0, 1, 2], [1, 2, 3, 0]
DEEPEST = 150
"""Joints in a row: factoring a chain takes the cube of them, minutes a second at a thousand."""
TYPES = {
    Kind.BALL: mujoco.mjtJoint.mjJNT_BALL,
    Kind.HINGE: mujoco.mjtJoint.mjJNT_HINGE,
    Kind.SLIDER: mujoco.mjtJoint.mjJNT_SLIDE,
}


class MujocoEngine:
    """MuJoCo with its Runge-Kutta method of fourth order."""

    name, version = "MuJoCo RK4", mujoco.__version__

    def __init__(self) -> None:
        mujoco.set_mju_user_warning(_ignore)  # blowing up is one of the results

    def build(self, scene: Scene, substeps: int) -> MujocoRun:
        """Build a scene at rest."""
        if _depth(scene) > DEEPEST:
            message = f"more than {DEEPEST} joints in a row take minutes"
            raise NotHereError(message)
        spec = mujoco.MjSpec()
        spec.compiler.degree = False
        spec.option.gravity = DOWN
        spec.option.timestep = 1.0 / (scene.fps * substeps)
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
        spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
        bodies = [spec.worldbody]
        for index in range(scene.count):
            bodies.append(_add_body(scene, index, bodies))
        for joint in scene.joints:
            if joint.closes_loop:
                _close_loop(spec, scene, joint)
        return MujocoRun(scene, spec.compile(), substeps)


class MujocoRun:
    """One scene in MuJoCo."""

    def __init__(self, scene: Scene, model: mujoco.MjModel, substeps: int) -> None:
        self.model, self.substeps = model, substeps
        self.data = mujoco.MjData(model)
        # MuJoCo puts bodies into an order of its own.
        self.order = [model.body(f"b{i}").id for i in range(scene.count)]

    def frame(self) -> None:
        """Advance by one output frame."""
        mujoco.mj_step(self.model, self.data, self.substeps)

    def snapshot(self) -> Snapshot:
        """Return where everything is."""
        mujoco.mj_forward(self.model, self.data)
        both = np.empty(6)
        velocities = np.empty((len(self.order), 6))
        for i, body in enumerate(self.order):
            mujoco.mj_objectVelocity(self.model, self.data, mujoco.mjtObj.mjOBJ_BODY, body, both, 0)
            velocities[i] = both
        return Snapshot(
            self.data.xpos[self.order],
            self.data.xquat[self.order][:, W_LAST],
            velocities[:, 3:],
            velocities[:, :3],
        )

    def close(self) -> None:
        """Nothing is held."""


def _add_body(scene: Scene, index: int, bodies: list[mujoco.MjsBody]) -> mujoco.MjsBody:
    """Add a body in the frame of its parent, with the joint that holds it."""
    joint = _holding(scene, index)
    position, rotation = scene.positions[index], scene.rotations[index]
    local_position, local_rotation = position, rotation
    if joint.parent != WORLD:
        back = conjugate(scene.rotations[joint.parent])
        local_position = turned(back, position - scene.positions[joint.parent])
        local_rotation = product(back, rotation)
    body = bodies[joint.parent + 1].add_body(
        name=f"b{index}", pos=local_position, quat=local_rotation[W_FIRST]
    )
    body.explicitinertial = True
    body.mass = scene.masses[index]
    body.inertia = scene.inertias()[index]
    body.ipos, body.iquat = [0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]
    own = conjugate(rotation)
    made = body.add_joint(
        type=TYPES[joint.kind],
        pos=turned(own, np.array(joint.anchor) - position),
        axis=turned(own, np.array(joint.axis)),
    )
    if joint.stiffness:
        made.stiffness, made.damping = _scalar_or_three(made, joint)
    if joint.is_limited:
        made.limited = mujoco.mjtLimited.mjLIMITED_TRUE
        made.range = [max(joint.low, -1e9), min(joint.high, 1e9)]
    return body


def _scalar_or_three(made: mujoco.MjsJoint, joint: Joint) -> tuple[object, object]:
    """Return stiffness and damping as this version of MuJoCo has them: numbers or polynomials."""
    if np.ndim(made.stiffness) == 0:
        return joint.stiffness, joint.damping
    empty = [0.0] * (len(made.stiffness) - 1)
    return [joint.stiffness, *empty], [joint.damping, *empty]


def _close_loop(spec: mujoco.MjSpec, scene: Scene, joint: Joint) -> None:
    """Connect two bodies at a point; for a hinge at two points of its axis."""
    points = [np.array(joint.anchor)]
    if joint.kind is Kind.HINGE:
        points.append(points[0] + 0.1 * np.array(joint.axis))
    for point in points:
        local = turned(
            conjugate(scene.rotations[joint.child]), point - scene.positions[joint.child]
        )
        equality = spec.add_equality(
            type=mujoco.mjtEq.mjEQ_CONNECT,
            name1=f"b{joint.child}",
            name2=f"b{joint.parent}",
            objtype=mujoco.mjtObj.mjOBJ_BODY,
        )
        equality.data[:3] = local


def _holding(scene: Scene, body: int) -> Joint:
    """Return the joint of the tree that holds a body."""
    return next(j for j in scene.joints if j.child == body and not j.closes_loop)


def _depth(scene: Scene) -> int:
    depths = {WORLD: 0}
    for joint in scene.joints:
        if not joint.closes_loop:
            depths[joint.child] = depths[joint.parent] + 1
    return max(depths.values(), default=0)


def _ignore(_: str) -> None:
    """Keep a warning out of the log file that MuJoCo makes otherwise."""
