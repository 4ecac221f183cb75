# SPDX-License-Identifier: GPL-3.0-or-later
"""Rapier with its defaults, one step a frame and four."""

from __future__ import annotations

from math import inf

import numpy as np
import rapier3d as rapier

from omi_physics_joint.model.shape import Box, Capsule, Sphere

from ..solver.rotations import about, conjugate, product, turned
from ..solver.scene import WORLD, Array
from .scene import FPS, Form, Hull, Kind, Link, Scene, filled

AXES = rapier.JointAxesMask
HELD = {
    Kind.BALL: AXES.LIN_AXES,
    Kind.HINGE: AXES.LIN_AXES | AXES.ANG_X | AXES.ANG_Y,
    Kind.SLIDER: AXES.LIN_X | AXES.LIN_Y | AXES.ANG_AXES,
    Kind.WHEEL: AXES.LIN_X | AXES.LIN_Z | AXES.ANG_X | AXES.ANG_Y,
}


class Rapier:
    """One scene; all is swept."""

    name, steps = "rapier", 1

    def __init__(self, scene: Scene) -> None:
        """Build it at rest."""
        self.world = rapier.PhysicsWorld(gravity=rapier.Vec3(*scene.gravity))
        self.world.integration_parameters.dt = 1.0 / (FPS * self.steps)
        self.scene = scene
        self._collide(rapier.Collider.halfspace((0.0, 1.0, 0.0)), None)
        self.bodies = [self._add(number) for number in range(len(scene.bodies))]
        for link in scene.links:
            self._join(link)

    def frame(self) -> None:
        """Advance by one output frame."""
        for _ in range(self.steps):
            self.world.step()

    def snapshot(self) -> tuple[Array, Array, Array, Array]:
        """Return where everything is, and how fast."""
        found = [self.world.rigid_bodies[handle] for handle in self.bodies]
        return (
            np.array([[one.translation.x, one.translation.y, one.translation.z] for one in found]),
            np.array(
                [[one.rotation.i, one.rotation.j, one.rotation.k, one.rotation.w] for one in found]
            ),
            np.array([[one.linvel.x, one.linvel.y, one.linvel.z] for one in found]),
            np.array([[one.angvel.x, one.angvel.y, one.angvel.z] for one in found]),
        )

    def _collide(self, made: rapier.ColliderBuilder, parent: object, density: float = 1.0) -> None:
        rule = rapier.CoefficientCombineRule.AVERAGE
        made = made.friction(self.scene.friction).restitution(self.scene.restitution)
        made = made.friction_combine_rule(rule).restitution_combine_rule(rule).density(density)
        self.world.add_collider(made, parent)

    def _add(self, number: int) -> object:
        body = self.scene.bodies[number]
        made = rapier.RigidBody.dynamic() if body.mass else rapier.RigidBody.fixed()
        made = made.position(_pose(body.place, body.turned)).linvel(body.velocity)
        made = made.angvel(body.spin).can_sleep(False).gyroscopic_forces(True).ccd_enabled(True)
        handle = self.world.add_body(made)
        volume = sum(filled(part.form).mass for part in body.parts)
        for part in body.parts:
            own = _shape(part.form).position(_pose(part.place, part.turned))
            self._collide(own, handle, body.mass / volume or 1.0)
        return handle

    def _join(self, link: Link) -> None:
        ends = [self.bodies[i] if i != WORLD else self._world() for i in (link.first, link.second)]
        made = rapier.GenericJointBuilder(HELD[link.kind]).contacts_enabled(False)
        axis = np.array(link.axis)
        angle = np.array(np.arccos(np.clip(axis[2], -1.0, 1.0)))
        across = np.cross([0.0, 0.0, 1.0], axis)
        length = np.linalg.norm(across)
        turn = about(across / length if length > 1e-9 else np.array([1.0, 0.0, 0.0]), angle)
        frames = []
        for i in (link.first, link.second):
            at, own = np.array(link.anchor), turn
            if i != WORLD:
                body = self.scene.bodies[i]
                back = conjugate(np.array(body.turned))
                at, own = turned(back, at - body.place), product(back, turn)
            frames.append(_pose(at, own))
        made = made.local_frame1(frames[0]).local_frame2(frames[1])
        free = rapier.JointAxis.LIN_Z if link.kind is Kind.SLIDER else rapier.JointAxis.ANG_Z
        if (link.low, link.high) != (-inf, inf):
            made = made.limits(free, link.low, link.high)
        if link.stiffness or link.damping:
            along = rapier.JointAxis.LIN_Y if link.kind is Kind.WHEEL else free
            made = made.motor(along, 0.0, 0.0, link.stiffness, link.damping)
            made = made.motor_model(along, rapier.MotorModel.FORCE_BASED)
        if link.torque:
            made = made.motor_velocity(free, link.speed, link.gain).motor_max_force(
                free, link.torque
            )
            made = made.motor_model(free, rapier.MotorModel.FORCE_BASED)
        self.world.impulse_joints.insert(*ends, made.build())

    def _world(self) -> object:
        return self.world.add_body(rapier.RigidBody.fixed())


class Fine(Rapier):
    """The same at four steps a frame."""

    name, steps = "rapier x4", 4


def _pose(place: object, turn: object) -> rapier.Isometry3:
    x, y, z, w = map(float, turn)
    return rapier.Isometry3(tuple(map(float, place)), rapier.Rotation3(w, x, y, z))


def _shape(form: Form) -> rapier.ColliderBuilder:
    if isinstance(form, Hull):
        return rapier.Collider.convex_hull(np.array(form.points))
    if isinstance(form, Box):
        return rapier.Collider.cuboid(*(0.5 * x for x in form.size))
    if isinstance(form, Sphere):
        return rapier.Collider.ball(form.radius)
    made = rapier.Collider.capsule if isinstance(form, Capsule) else rapier.Collider.cylinder
    return made(0.5 * form.height, form.radius_bottom)


ENGINES = [Rapier, Fine]
