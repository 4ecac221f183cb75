# SPDX-License-Identifier: GPL-3.0-or-later
"""Random cameras and frames for tests of what the mouse points at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from omi_physics_joint.drawing.mouse.picking import View
from omi_physics_joint.model.body import Vector3
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.geometry.transform import Matrix

WIDTH, HEIGHT = 1200.0, 800.0


def rotation(generator: np.random.Generator) -> NDArray[np.float64]:
    """Return a random rotation, 3 x 3."""
    q, r = np.linalg.qr(generator.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    if np.linalg.det(q) < 0.0:
        q[:, 0] = -q[:, 0]
    return q


def plain(matrix: NDArray[np.float64]) -> Matrix:
    """Return an array as the model has matrices."""
    return tuple(tuple(map(float, row)) for row in matrix)


def random_frame(generator: np.random.Generator, *, mirrored: bool = False) -> Matrix:
    """Return the rigid frame of a node somewhere, under a mirrored and scaled body if so wanted."""
    world = np.eye(4)
    world[:3, :3] = rotation(generator)
    world[:3, 3] = generator.uniform(-3.0, 3.0, 3)
    if mirrored:
        world = np.diag((-1.5, 1.5, 1.5, 1.0)) @ world
    return rigid_frame(plain(world))


def looking(
    eye: NDArray[np.float64] | Vector3,
    at: NDArray[np.float64] | Vector3,
    *,
    perspective: bool = True,
    up: Vector3 = (0.0, 1.0, 0.0),
) -> View:
    """Return the view from a point at another one."""
    back = np.subtract(eye, at)
    distance = np.linalg.norm(back)
    back = back / distance
    right = np.cross(up, back)
    right /= np.linalg.norm(right)
    camera = np.eye(4)
    camera[:3, :3] = np.array([right, np.cross(back, right), back])
    camera[:3, 3] = -camera[:3, :3] @ np.asarray(eye)
    near, far, aspect = 0.01, 1000.0, WIDTH / HEIGHT
    projection = np.zeros((4, 4))
    if perspective:
        projection[0, 0], projection[1, 1] = 2.0 / aspect, 2.0
        projection[2, 2:] = (near + far) / (near - far), 2.0 * near * far / (near - far)
        projection[3, 2] = -1.0
    else:
        projection[0, 0], projection[1, 1] = 2.0 / (distance * aspect), 2.0 / distance
        projection[2, 2:] = 2.0 / (near - far), (near + far) / (near - far)
        projection[3, 3] = 1.0
    return View(plain(projection @ camera), WIDTH, HEIGHT)


def random_view(generator: np.random.Generator, at: Vector3, *, perspective: bool) -> View:
    """Return a view of a point from a random side, some metres away."""
    side = generator.normal(size=3)
    eye = np.asarray(at) + side / np.linalg.norm(side) * generator.uniform(4.0, 12.0)
    return looking(eye, at, perspective=perspective)
