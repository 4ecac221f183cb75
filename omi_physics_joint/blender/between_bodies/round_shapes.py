# SPDX-License-Identifier: GPL-3.0-or-later
"""The axis of what is round: wheels, discs, shafts, barrels."""

from __future__ import annotations

from math import pi

import numpy as np
from bpy.types import Depsgraph, Object
from mathutils import Vector

from .contact import surface_of
from .facing import Floats

ROUND = 0.9
"""Smallest share of its largest radius that an outline has where it is round: an octagon has
0.92, a hexagon 0.87."""
DIRECTIONS = 32
"""In which half of an outline is measured."""
PARALLEL = 0.999
"""Cosine of the angle between axes that are one."""


def round_axis(obj: Object, depsgraph: Depsgraph) -> Vector | None:
    """Return the axis about which a body is round, of both ways the mostly positive one.

    None where it is not round, or is so about several axes, as a ball is.
    """
    surface = surface_of(obj, depsgraph)
    if surface is None:
        return None
    points = np.array(surface.points)
    world = np.array(obj.matrix_world)[:3, :3]
    _, principal = np.linalg.eigh(np.cov(points.T))
    found: list[Floats] = []
    for column in (*world.T, *principal.T):
        length = np.linalg.norm(column)
        axis = column / length if length > 0.0 else column
        is_known = any(abs(axis @ other) > PARALLEL for other in found)
        if length > 0.0 and not is_known and _is_round_about(points, axis):
            found.append(axis)
    if len(found) != 1:
        return None
    (axis,) = found
    return Vector(-axis if axis[np.argmax(np.abs(axis))] < 0.0 else axis)


def _is_round_about(points: Floats, axis: Floats) -> bool:
    """Return whether the outline of points (n, 3), seen along an axis, is nearly a circle."""
    across = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    across /= np.linalg.norm(across)
    angles = np.arange(DIRECTIONS) * pi / DIRECTIONS
    ways = np.outer(np.cos(angles), across) + np.outer(np.sin(angles), np.cross(axis, across))
    along = points @ ways.T
    low, high = along.min(axis=0), along.max(axis=0)
    middle = 0.5 * (low + high)[[0, DIRECTIONS // 2]]
    off = np.stack((np.cos(angles), np.sin(angles)), axis=1) @ middle
    radii = np.concatenate((high - off, off - low))
    return bool(radii.min() >= ROUND * radii.max() > 0.0)
