# SPDX-License-Identifier: GPL-3.0-or-later
"""Quaternions (x, y, z, w) in arrays of any shape; independent of the solver on purpose."""

from __future__ import annotations

import numpy as np

from .scene import Array


def turned(q: Array, v: Array) -> Array:
    """Return vectors turned by unit quaternions."""
    u = q[..., :3]
    t = 2.0 * np.cross(u, v)
    return v + q[..., 3:] * t + np.cross(u, t)


def conjugate(q: Array) -> Array:
    """Return the inverse rotations."""
    return q * np.array([-1.0, -1.0, -1.0, 1.0])


def product(a: Array, b: Array) -> Array:
    """Return the rotations that do b first and then a."""
    va, vb, wa, wb = a[..., :3], b[..., :3], a[..., 3:], b[..., 3:]
    vector = wa * vb + wb * va + np.cross(va, vb)
    return np.concatenate([vector, wa * wb - (va * vb).sum(-1, keepdims=True)], -1)


def about(axis: Array, angle: Array) -> Array:
    """Return rotations about unit axes by angles in rad."""
    half = np.asarray(angle)[..., None] / 2.0
    return np.concatenate([np.sin(half) * axis, np.cos(half)], -1)


def from_x_to(direction: Array) -> Array:
    """Return the shortest rotations that take X to unit directions."""
    x = np.broadcast_to([1.0, 0.0, 0.0], direction.shape)
    q = np.concatenate([np.cross(x, direction), 1.0 + direction[..., :1]], -1)
    flat = np.linalg.norm(q, axis=-1, keepdims=True)
    flipped = np.broadcast_to([0.0, 1.0, 0.0, 0.0], q.shape)
    return np.where(flat < 1e-9, flipped, q / np.maximum(flat, 1e-9))


def twist_angle(q: Array, axis: Array) -> Array:
    """Return the angle of rotations about unit axes, in (-pi, pi]."""
    angle = 2.0 * np.arctan2((q[..., :3] * axis).sum(-1), q[..., 3])
    return (angle + np.pi) % (2.0 * np.pi) - np.pi
