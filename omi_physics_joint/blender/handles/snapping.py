# SPDX-License-Identifier: GPL-3.0-or-later
"""What a dragged frame snaps to: corners, edges and faces under the mouse."""

from __future__ import annotations

from collections.abc import Iterable

import bpy
from mathutils import Vector
from mathutils.geometry import intersect_point_line

from ...drawing.mouse.picking import Pixel, View, distance_to
from ...model.geometry.axes import Z_UP_FROM_Y_UP
from .joint_frames import in_model

REACH = 14.0
"""Pixels within which a corner wins over an edge, and an edge over a face."""


def surface_point(context: bpy.types.Context, view: View, mouse: Pixel) -> Vector | None:
    """Return the point of the visible surface to snap to, in the world; None beside all objects.

    Args:
        context: tells the scene.
        view: in the model's axes.
        mouse: in pixels.
    """
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
    feet = [foot for a, b in edges if 0.0 < (foot := _foot(place, a, b))[1] < 1.0]
    return _nearest([point for point, _ in feet], view, mouse) or place


def _foot(point: Vector, a: Vector, b: Vector) -> tuple[Vector, float]:
    """Return the point of a line next to a point, and how far along the edge it is."""
    return intersect_point_line(point, a, b)


def _nearest(points: Iterable[Vector], view: View, mouse: Pixel) -> Vector | None:
    """Return the point that is seen within reach of the mouse and next to it."""
    found, reach = None, REACH
    for point in points:
        pixel = view.pixel(in_model(point))
        gap = distance_to([pixel] if pixel else [], mouse)
        if gap < reach:
            found, reach = point, gap
    return found
