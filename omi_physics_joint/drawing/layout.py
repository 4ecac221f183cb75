# SPDX-License-Identifier: GPL-3.0-or-later
"""Where on screen a value of a joint is: the one place that lines and handles agree on.

All in the axes of the frames that are handed in, which are glTF's for a ``Mechanism`` from the
bridge; ``BLENDER_FROM_GLTF`` takes the points to Blender's world.

- The size of a joint is a radius in metres: what is angular is drawn at it, true in its angles.
- What is linear is drawn at true length, along the frame's axis from the frame's origin.
- A joint of which only the own body moves is drawn in its connected frame with all values
  reversed, where that is exact; see ``bounds``. All others are drawn in the joint frame.
- Angles start at the zero direction, the next axis of the frame, and are right-handed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..model.geometry.axes import Z_UP_FROM_Y_UP

Floats = NDArray[np.floating[Any]]

BLENDER_FROM_GLTF: Floats = np.array(
    [Z_UP_FROM_Y_UP.vector(column) for column in ((1, 0, 0), (0, 1, 0), (0, 0, 1))], np.float64
).T
"""3 x 3: points and directions of glTF in Blender's axes."""


def display_size(empty_display_size: float, size_factor: float) -> float:
    """Return the display radius of a joint in m."""
    return max(empty_display_size * size_factor, 1e-6)


def directions(axis: int) -> Floats:
    """Return an axis of a frame and the two that follow it, as rows."""
    return np.roll(np.eye(3), -axis, axis=0)


def arc_offsets(axis: int, angles: ArrayLike, size: ArrayLike) -> Floats:
    """Return points (..., 3) on the arc about an axis, in the frame: at angles (...) in rad.

    The radius in m is one for all, or of the same shape.
    """
    turned = np.asarray(angles, np.float64)
    points = np.zeros((*turned.shape, 3))
    points[..., (axis + 1) % 3] = size * np.cos(turned)
    points[..., (axis + 2) % 3] = size * np.sin(turned)
    return points


def rail_offsets(axis: int, values: ArrayLike) -> Floats:
    """Return points on the rail along an axis, in the frame: values in m, shape (..., 3)."""
    along = np.asarray(values, np.float64)
    points = np.zeros((*along.shape, 3))
    points[..., axis] = along
    return points


def placed(frame: ArrayLike, points: ArrayLike) -> Floats:
    """Return points of a frame (4 x 4, rigid) in the world, shape (..., 3)."""
    matrix = np.asarray(frame, np.float64)
    return np.asarray(points, np.float64) @ matrix[:3, :3].T + matrix[:3, 3]


def arc_point(frame: ArrayLike, axis: int, angle: ArrayLike, size: ArrayLike) -> Floats:
    """Return where an angle about an axis is drawn, in the world: in rad, one or many.

    The frame is rigid, world from frame, 4 x 4; the size is the display radius in m.
    """
    return placed(frame, arc_offsets(axis, angle, size))


def rail_point(frame: ArrayLike, axis: int, value: ArrayLike) -> Floats:
    """Return where a distance along an axis is drawn, in the world: value in m, one or many."""
    return placed(frame, rail_offsets(axis, value))
