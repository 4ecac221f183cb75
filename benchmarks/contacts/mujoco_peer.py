# SPDX-License-Identifier: GPL-3.0-or-later
"""MuJoCo at 480 Hz: as it comes, and with contacts as stiff as they may be."""

from __future__ import annotations

from math import inf

import mujoco
import numpy as np

from omi_physics_joint.model.shape import Box, Capsule, Cylinder, Sphere

from ..solver.rotations import conjugate, product, turned
from ..solver.scene import WORLD, Array
from .scene import FPS, Body, Form, Hull, Kind, Link, Scene, filled

RATE = 8
"""Steps a frame."""
W_FIRST, W_LAST = [3, 0, 1, 2], [1, 2, 3, 0]
GEOMS = mujoco.mjtGeom
ALONG = np.array([-(0.5**0.5), 0.0, 0.0, 0.5**0.5])
"""Its capsules and cylinders are along Z."""


class Mujoco:
    """One scene; restitution is that of a damped spring, tuned as its manual says."""

    name, stiff = "MuJoCo", False

    def __init__(self, scene: Scene) -> None:
        """Build it at rest."""
        mujoco.set_mju_user_warning(lambda _: None)
        self.spec, self.scene = mujoco.MjSpec(), scene
        self.spec.compiler.degree = False
        option = self.spec.option
        option.gravity, option.timestep = scene.gravity, 1.0 / (FPS * RATE)
        option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        if self.stiff:
            option.cone, option.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, 10.0
        floor = [0.5**0.5, -(0.5**0.5), 0.0, 0.0]
        self._geom(self.spec.worldbody, GEOMS.mjGEOM_PLANE, [0.0, 0.0, 1.0], quat=floor)
        held = {link.second: link for link in scene.links}
        self.made: dict[int, mujoco.MjsBody] = {WORLD: self.spec.worldbody}
        for number in range(len(scene.bodies)):
            self._add(number, held.get(number))
        for link in scene.links:
            if link.first != WORLD:
                self.spec.add_exclude(bodyname1=f"b{link.first}", bodyname2=f"b{link.second}")
        self.model = self.spec.compile()
        self.data = mujoco.MjData(self.model)
        self.order = [self.model.body(f"b{i}").id for i in range(len(scene.bodies))]
        self._start()

    def frame(self) -> None:
        """Advance by one output frame."""
        mujoco.mj_step(self.model, self.data, RATE)

    def snapshot(self) -> tuple[Array, Array, Array, Array]:
        """Return where everything is, and how fast."""
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_comVel(self.model, self.data)
        both, rates = np.empty(6), np.empty((len(self.order), 6))
        for i, body in enumerate(self.order):
            mujoco.mj_objectVelocity(self.model, self.data, mujoco.mjtObj.mjOBJ_BODY, body, both, 0)
            rates[i] = both
        rotations = self.data.xquat[self.order][:, W_LAST]
        return self.data.xpos[self.order].copy(), rotations, rates[:, 3:], rates[:, :3]

    def _geom(self, body: mujoco.MjsBody, kind: int, size: list[float], **more: object) -> None:
        geom = body.add_geom(type=kind, size=size, **more)
        geom.friction = [self.scene.friction, 0.0, 0.0]
        geom.condim = 3
        if self.stiff:
            geom.solref, geom.solimp[:2] = [2.0 / (FPS * RATE), 1.0], [0.99, 0.999]
        e = self.scene.restitution
        if e:
            part = -np.log(e) / np.hypot(np.pi, np.log(e))
            stiffness = (2.0 * np.pi * 40.0) ** 2
            geom.solref = [-stiffness, -2.0 * part * stiffness**0.5]

    def _add(self, number: int, link: Link | None) -> None:
        body = self.scene.bodies[number]
        parent = link.first if link else WORLD
        place, rotation = np.array(body.place), np.array(body.turned)
        if parent != WORLD:
            above = self.scene.bodies[parent]
            back = conjugate(np.array(above.turned))
            place, rotation = turned(back, place - above.place), product(back, rotation)
        made = self.made[parent].add_body(name=f"b{number}", pos=place, quat=rotation[W_FIRST])
        self.made[number] = made
        volume = sum(filled(part.form).mass for part in body.parts)
        for i, part in enumerate(body.parts):
            self._shape(made, part, f"m{number} {i}", body.mass / volume)
        if not body.mass:
            return
        if link is None:
            made.add_freejoint(name=f"free{number}")
        else:
            _joint(made, self.spec, link, body)

    def _shape(self, made: mujoco.MjsBody, part: object, name: str, density: float) -> None:
        form, quat = part.form, np.array(part.turned)
        own = {"pos": part.place, "density": density or 1.0}
        if isinstance(form, Hull):
            mesh = self.spec.add_mesh(name=name, uservert=np.ravel(form.points))
            mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX
            self._geom(made, GEOMS.mjGEOM_MESH, [0.0] * 3, meshname=name, quat=quat[W_FIRST], **own)
            return
        if isinstance(form, (Capsule, Cylinder)):
            quat = product(quat, ALONG)
        kind, size = _plain(form)
        self._geom(made, kind, size, quat=quat[W_FIRST], **own)

    def _start(self) -> None:
        """Set velocities: of free bodies, else of joints by what their bodies turn and go at."""
        for i, body in enumerate(self.scene.bodies):
            found = [
                joint
                for joint in range(self.model.njnt)
                if self.model.jnt_bodyid[joint] == self.order[i]
            ]
            for joint in found:
                at = self.model.jnt_dofadr[joint]
                if self.model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE:
                    self.data.qvel[at : at + 3] = body.velocity
                    self.data.qvel[at + 3 : at + 6] = turned(
                        conjugate(np.array(body.turned)), np.array(body.spin)
                    )
                elif self.model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE:
                    link = next(one for one in self.scene.links if one.second == i)
                    before = (
                        (0.0, 0.0, 0.0)
                        if link.first == WORLD
                        else self.scene.bodies[link.first].spin
                    )
                    self.data.qvel[at] = np.dot(np.subtract(body.spin, before), link.axis)
        self.data.ctrl[:] = [link.speed for link in self.scene.links if link.torque]
        mujoco.mj_forward(self.model, self.data)


class Stiff(Mujoco):
    """The same, as stiff as its steps allow, with cones that are round."""

    name, stiff = "MuJoCo stiff", True


def _plain(form: Form) -> tuple[int, list[float]]:
    """Return the type and sizes of a shape."""
    if isinstance(form, Box):
        return GEOMS.mjGEOM_BOX, [0.5 * x for x in form.size]
    if isinstance(form, Sphere):
        return GEOMS.mjGEOM_SPHERE, [form.radius, 0.0, 0.0]
    kind = GEOMS.mjGEOM_CAPSULE if isinstance(form, Capsule) else GEOMS.mjGEOM_CYLINDER
    return kind, [form.radius_bottom, 0.5 * form.height, 0.0]


def _joint(made: mujoco.MjsBody, spec: mujoco.MjSpec, link: Link, body: Body) -> None:
    """Give a body the joint that holds it; of a wheel first the slide of its spring."""
    back = conjugate(np.array(body.turned))
    axis = turned(back, np.array(link.axis))
    pos = turned(back, np.subtract(link.anchor, body.place))
    if link.kind is Kind.WHEEL:
        up = turned(back, np.array([0.0, 1.0, 0.0]))
        _spring(made.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=up, pos=pos), link)
    kind = {Kind.BALL: mujoco.mjtJoint.mjJNT_BALL, Kind.SLIDER: mujoco.mjtJoint.mjJNT_SLIDE}
    joint = made.add_joint(
        type=kind.get(link.kind, mujoco.mjtJoint.mjJNT_HINGE), axis=axis, pos=pos
    )
    joint.name = f"j{link.second}"
    if link.kind is not Kind.WHEEL:
        _spring(joint, link)
    if (link.low, link.high) != (-inf, inf):
        joint.limited, joint.range = mujoco.mjtLimited.mjLIMITED_TRUE, [link.low, link.high]
    if link.torque:
        motor = spec.add_actuator(
            trntype=mujoco.mjtTrn.mjTRN_JOINT,
            target=joint.name,
            biastype=mujoco.mjtBias.mjBIAS_AFFINE,
        )
        motor.gainprm[0], motor.biasprm[2] = link.gain, -link.gain
        motor.forcelimited, motor.forcerange = True, [-link.torque, link.torque]


def _spring(joint: mujoco.MjsJoint, link: Link) -> None:
    joint.stiffness[0], joint.damping[0] = link.stiffness, link.damping


ENGINES = [Mujoco, Stiff]
