# SPDX-License-Identifier: GPL-3.0-or-later
"""What a dragged frame snaps to: corners, edges and faces under the mouse."""

from __future__ import annotations

from collections.abc import Iterable
from math import dist

import bpy
from mathutils import Vector
from mathutils.geometry import intersect_point_line

from ...drawing.mouse.picking import Pixel, View
from ...model.geometry.axes import Z_UP_FROM_Y_UP
from .joint_frames import in_model

REACH = 14.0
"""Pixels within which a corner wins over an edge, and an edge over a face."""


def surface_point(context: bpy.types.Context, view: View, mouse: Pixel) -> Vector | None:
    """Return the point of the visible surface to snap to, in the world; None beside all objects."""
    ray = view.ray(mouse)
    depsgraph = context.evaluated_depsgraph_get()
    hit, place, _, face, obj, matrix = context.scene.ray_cast(
        depsgraph,
        Vector(Z_UP_FROM_Y_UP.vector(ray.origin)),
        Vector(Z_UP_FROM_Y_UP.vector(ray.direction)),
    )
    if not hit:
        return None
    shape = obj.evaluated_get(depsgraph).data
    if not isinstance(shape, bpy.types.Mesh) or not 0 <= face < len(shape.polygons):
        return place
    corners = [matrix @ shape.vertices[index].co for index in shape.polygons[face].vertices]
    nearest = _nearest(corners, view, mouse)
    if nearest is not None:
        return nearest
    edges = zip(corners, corners[1:] + corners[:1], strict=True)
    feet = [intersect_point_line(place, a, b) for a, b in edges]
    return _nearest([foot for foot, share in feet if 0.0 < share < 1.0], view, mouse) or place


def _nearest(points: Iterable[Vector], view: View, mouse: Pixel) -> Vector | None:
    """Return the point that is seen within reach of the mouse and next to it."""
    pixels = [(view.pixel(in_model(point)), point) for point in points]
    gaps = [(dist(pixel, mouse), point) for pixel, point in pixels if pixel is not None]
    gap, found = min(gaps, key=lambda one: one[0], default=(REACH, None))
    return found if gap < REACH else None
