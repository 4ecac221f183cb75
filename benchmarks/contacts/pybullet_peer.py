# SPDX-License-Identifier: GPL-3.0-or-later
"""PyBullet at 240 Hz, of scenes without joints."""

from __future__ import annotations

import numpy as np
import pybullet

from omi_physics_joint.model.shape import Box, Capsule, Cylinder, Sphere

from ..solver.rotations import about
from ..solver.scene import Array
from .scene import FPS, Body, Form, Hull, Scene, filled

RATE = 4
TO_Y = about(np.array([1.0, 0.0, 0.0]), np.array(-0.5 * np.pi))
"""Its capsules and cylinders are along Z."""


class Bullet:
    """One scene; friction of a pair is the product of both."""

    name = "PyBullet"

    def __init__(self, scene: Scene) -> None:
        """Build it at rest."""
        if scene.links or any(len(body.parts) > 1 for body in scene.bodies):
            message = "no joints here"
            raise NotImplementedError(message)
        self.world, self.scene = pybullet.connect(pybullet.DIRECT), scene
        self._do("setGravity", *scene.gravity)
        self._do("setTimeStep", 1.0 / (FPS * RATE))
        plane = self._do("createCollisionShape", pybullet.GEOM_PLANE, planeNormal=(0.0, 1.0, 0.0))
        self._finish(self._do("createMultiBody", 0.0, plane))
        self.bodies = [self._add(body) for body in scene.bodies]

    def frame(self) -> None:
        """Advance by one output frame."""
        for _ in range(RATE):
            self._do("stepSimulation")

    def snapshot(self) -> tuple[Array, Array, Array, Array]:
        """Return where everything is, and how fast."""
        poses = [self._do("getBasePositionAndOrientation", one) for one in self.bodies]
        rates = [self._do("getBaseVelocity", one) for one in self.bodies]
        return tuple(np.array(x) for pair in (poses, rates) for x in zip(*pair, strict=True))

    def _do(self, name: str, *args: object, **more: object) -> object:
        return getattr(pybullet, name)(*args, physicsClientId=self.world, **more)

    def _add(self, body: Body) -> object:
        part = body.parts[0]
        made = self._do(
            "createMultiBody", body.mass, self._do("createCollisionShape", **_shape(part.form)),
            basePosition=body.place, baseOrientation=body.turned,
        )  # fmt: skip
        self._finish(made)
        if body.mass and not isinstance(part.form, Hull):  # it would go by the bounds of the shape
            solid = filled(part.form)
            inertia = (np.diag(np.array(solid.inertia)) * body.mass / solid.mass).tolist()
            self._do("changeDynamics", made, -1, localInertiaDiagonal=inertia)
        self._do("resetBaseVelocity", made, body.velocity, body.spin)
        return made

    def _finish(self, body: object) -> None:
        friction, e = self.scene.friction**0.5, self.scene.restitution**0.5
        own = {"lateralFriction": friction, "restitution": e, "linearDamping": 0.0}
        self._do("changeDynamics", body, -1, angularDamping=0.0, **own)


def _shape(form: Form) -> dict[str, object]:
    if isinstance(form, Hull):
        return {"shapeType": pybullet.GEOM_MESH, "vertices": form.points}
    if isinstance(form, Box):
        return {"shapeType": pybullet.GEOM_BOX, "halfExtents": [0.5 * x for x in form.size]}
    if isinstance(form, Sphere):
        return {"shapeType": pybullet.GEOM_SPHERE, "radius": form.radius}
    assert isinstance(form, (Capsule, Cylinder))
    kind = pybullet.GEOM_CAPSULE if isinstance(form, Capsule) else pybullet.GEOM_CYLINDER
    return {
        "shapeType": kind, "radius": form.radius_bottom, "height": form.height,
        "collisionFrameOrientation": TO_Y.tolist(),
    }  # fmt: skip


ENGINES = [Bullet]
