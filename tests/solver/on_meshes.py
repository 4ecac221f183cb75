# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies over meshes: these are of single precision, turned anyhow and 20 m off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from omi_physics_joint.model.body import (
    Collider,
    Motion,
    MotionType,
    PhysicsMaterial,
    Quaternion,
    Vector3,
)
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Shape, Trimesh
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.kinematics.rotation import Array, matrix_of

Height = Callable[[Array, Array], Array]
"""Of a ground, m, by X and Z."""
FPS = 60
OFF = np.array([20.0, 0.0, -20.0])
TURN = np.array([[0.3, -0.5, 0.2, 0.8]]) / np.linalg.norm([0.3, -0.5, 0.2, 0.8])
TURNED = matrix_of(TURN)[0]
UPRIGHT: Quaternion = (0.0, 0.0, 0.0, 1.0)
STILL: Vector3 = (0.0, 0.0, 0.0)


def grip(friction: float, restitution: float = 0.0) -> PhysicsMaterial:
    """Return a material that rubs as much when it slides as when it stands."""
    return PhysicsMaterial("", friction, friction, restitution)


def triangles(points: Array, corners: Sequence[Sequence[int]]) -> Triangles:
    """Return a mesh as a file holds it."""
    single = points.astype(np.float32).astype(np.float64)
    return Triangles(tuple(map(tuple, single.tolist())), tuple(map(tuple, corners)))


def ground(count: int, half: float, height: Height, *, alike: bool = False) -> Triangles:
    """Return a floor of so many squares along each side, turned anyhow about the origin.

    Each is cut along a diagonal: one this way, the next that, or all alike.
    """
    line = np.linspace(-half, half, count + 1)
    x, z = (one.ravel() for one in np.meshgrid(line, line, indexing="ij"))
    corners = []
    for i, j in product(range(count), repeat=2):
        a = i * (count + 1) + j
        b, c, d = a + 1, a + count + 1, a + count + 2
        corners += [(a, b, d), (a, d, c)] if alike or (i + j) % 2 else [(a, b, c), (b, d, c)]
    return triangles(np.stack([x, height(x, z), z], 1) @ TURNED.T, corners)


def even(x: Array, _: Array) -> Array:
    """Return no height."""
    return np.zeros_like(x)


def node(
    shape: int,
    place: Vector3,
    turned: Quaternion = UPRIGHT,
    *,
    velocity: Vector3 = STILL,
    spin: Vector3 = STILL,
    **collider: int,
) -> Node:
    """Return a dynamic body; place and velocities in the axes of the ground."""
    about = matrix_of(np.array([turned]))[0]
    own = [tuple((about.T @ np.array(one)).tolist()) for one in (velocity, spin)]
    motion = Motion(MotionType.DYNAMIC, linear_velocity=own[0], angular_velocity=own[1])
    world = np.eye(4)
    world[:3, :3], world[:3, 3] = TURNED @ about, OFF + TURNED @ np.array(place)
    matrix = tuple(map(tuple, world.tolist()))
    collider.setdefault("physics_material", 0)
    return Node("body", world=matrix, motion=motion, collider=Collider(shape, **collider))


def on_mesh(
    mesh: Triangles,
    shape: Shape,
    body: Node,
    friction: float,
    more: Sequence[Triangles] = (),
    scale: Vector3 = (1.0, 1.0, 1.0),
) -> Simulation:
    """Return a body of the second shape over a mesh under a scale, with gravity down on it."""
    world = compose(tuple(OFF.tolist()), UPRIGHT, scale)
    still = Node("ground", world=world, collider=Collider(0, 0))
    meshes = (mesh, *more)
    mechanism = Mechanism(
        (still, body),
        shapes=(Trimesh(0), shape),
        physics_materials=(grip(friction),),
        meshes=("",) * len(meshes),
        surfaces=meshes,
    )
    x, y, z = (TURNED @ [0.0, -9.81, 0.0]).tolist()
    return Simulation(mechanism, Options((x, y, z), contacts=True))


def gone(simulation: Simulation, seconds: float) -> Array:
    """Return where the last body goes, in the axes of the ground, (frames, 3)."""
    start, frames = simulation.positions[-1].copy(), []
    for _ in range(round(seconds * FPS)):
        simulation.step(1.0 / FPS)
        frames.append(TURNED.T @ (simulation.positions[-1] - start))
    return np.array(frames)
