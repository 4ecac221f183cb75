# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own rigid bodies (Bullet's sequential impulses), as an artist plays them.

A frame is a ``frame_set``: Blender's own evaluation of the scene is part of what it costs. The
bodies are in the axes of the scene as they are, with gravity along -Y.
"""

from __future__ import annotations

import importlib
import os
import tempfile
from types import ModuleType

import numpy as np

from ..rotations import about, product
from ..scene import DOWN, WORLD, Joint, Kind, Scene
from .engine import Snapshot

W_FIRST, W_LAST = [3, 0, 1, 2], [1, 2, 3, 0]


class BlenderEngine:
    """Blender's rigid body world with its ten iterations a step."""

    def __init__(self, iterations: int = 10) -> None:
        os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="bench_profile_"))
        self.bpy = importlib.import_module("bpy")
        self.name = "Blender rigid bodies"
        self.version = self.bpy.app.version_string
        self.iterations = iterations

    def build(self, scene: Scene, substeps: int) -> BlenderRun:
        """Build a scene at rest; afresh each time, since Blender plays its cache otherwise."""
        return BlenderRun(self.bpy, scene, substeps, self.iterations)


class BlenderRun:
    """One scene in Blender."""

    def __init__(self, bpy: ModuleType, scene: Scene, substeps: int, iterations: int) -> None:
        self.bpy, self.count = bpy, scene.count
        bpy.ops.wm.read_homefile(use_empty=True)
        here = bpy.context.scene
        here.render.fps, here.render.fps_base = scene.fps, 1.0
        here.gravity = DOWN
        here.frame_end = scene.frames + 2
        bpy.ops.rigidbody.world_add()
        world = here.rigidbody_world
        world.substeps_per_frame, world.solver_iterations = substeps, iterations
        world.point_cache.frame_end = scene.frames + 2
        world.collection = bpy.data.collections.new("bodies")
        world.constraints = bpy.data.collections.new("joints")
        here.collection.children.link(world.collection)
        here.collection.children.link(world.constraints)
        self.ground = self._add_body("world", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (0.1,) * 3)
        self.ground.rigid_body.type = "PASSIVE"
        self.bodies = [
            self._add_body(f"b{i}", scene.positions[i], scene.rotations[i], scene.sizes[i])
            for i in range(scene.count)
        ]
        for body, mass in zip(self.bodies, scene.masses, strict=True):
            body.rigid_body.mass = mass
        for joint in scene.joints:
            self._add_joint(joint)
        self.number = 1
        here.frame_set(1)

    def frame(self) -> None:
        """Advance by one output frame."""
        self.number += 1
        self.bpy.context.scene.frame_set(self.number)

    def snapshot(self) -> Snapshot:
        """Return where everything is; Blender does not tell velocities."""
        positions, rotations = np.empty((self.count, 3)), np.empty((self.count, 4))
        for i, body in enumerate(self.bodies):
            matrix = body.matrix_world
            positions[i] = matrix.translation
            rotations[i] = matrix.to_quaternion()
        return Snapshot(positions, rotations[:, W_LAST])

    def close(self) -> None:
        """Nothing is held beyond the next build."""

    def _add_body(self, name: str, position: object, rotation: object, size: object) -> object:
        bpy = self.bpy
        half = np.asarray(size) / 2.0
        corners = [tuple(half * (x, y, z)) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(corners, [], [])
        body = bpy.data.objects.new(name, mesh)
        body.location = tuple(np.asarray(position))
        body.rotation_mode = "QUATERNION"
        body.rotation_quaternion = tuple(np.asarray(rotation)[W_FIRST])
        bpy.context.scene.rigidbody_world.collection.objects.link(body)
        solid = body.rigid_body
        solid.collision_shape = "BOX"
        solid.linear_damping = solid.angular_damping = 0.0
        solid.use_deactivation = False
        solid.collision_collections = [False] * 20
        return body

    def _add_joint(self, joint: Joint) -> None:
        bpy = self.bpy
        frame = bpy.data.objects.new("joint", None)
        frame.location = joint.anchor
        frame.rotation_mode = "QUATERNION"
        frame.rotation_quaternion = tuple(_z_to(np.array(joint.axis))[W_FIRST])
        bpy.context.scene.rigidbody_world.constraints.objects.link(frame)
        constraint = frame.rigid_body_constraint
        constraint.object1 = self.ground if joint.parent == WORLD else self.bodies[joint.parent]
        constraint.object2 = self.bodies[joint.child]
        constraint.disable_collisions = True
        if joint.kind is Kind.SLIDER:
            _make_spring(constraint, joint)
            return
        constraint.type = "POINT" if joint.kind is Kind.BALL else "HINGE"
        if joint.kind is Kind.HINGE and joint.is_limited:
            constraint.use_limit_ang_z = True
            # Blender counts angles of a hinge the other way round.
            constraint.limit_ang_z_lower, constraint.limit_ang_z_upper = -joint.high, -joint.low


def _make_spring(constraint: object, joint: Joint) -> None:
    """Make a slider along Z with a spring whose rest is the rest pose."""
    settings: dict[str, object] = {
        "type": "GENERIC_SPRING",
        "spring_type": "SPRING2",
        "use_spring_z": True,
        "spring_stiffness_z": joint.stiffness,
        "spring_damping_z": joint.damping,
    }
    for axis in ("lin_x", "lin_y", "ang_x", "ang_y", "ang_z"):
        settings[f"use_limit_{axis}"] = True
        settings[f"limit_{axis}_lower"] = settings[f"limit_{axis}_upper"] = 0.0
    for name, value in settings.items():
        setattr(constraint, name, value)


def _z_to(axis: np.ndarray) -> np.ndarray:
    """Return the shortest rotation that takes Z to a unit direction."""
    across = np.cross([0.0, 0.0, 1.0], axis)
    length = np.linalg.norm(across)
    if length < 1e-12:
        across, length = np.array([1.0, 0.0, 0.0]), 1.0 if axis[2] > 0.0 else 0.0
    angle = np.arctan2(np.linalg.norm(np.cross([0.0, 0.0, 1.0], axis)), axis[2])
    return product(about(across / max(length, 1e-12), np.array(angle)), np.array([0, 0, 0, 1.0]))
