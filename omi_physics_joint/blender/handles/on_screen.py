# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles as a 3D view shows them: the view itself, pixels, and where they are taken hold of."""

from __future__ import annotations

from functools import lru_cache
from math import dist

import bpy
from mathutils import Matrix as BlenderMatrix

from ...drawing.mouse.drag import is_edge_on
from ...drawing.mouse.handles import Part
from ...drawing.mouse.picking import Pixel, View, along
from ..bridge.placed import plain
from ..bridge.poses.moving import BLENDER_FROM_GLTF
from .places import PlacedHandle, in_model

_BLENDER_FROM_MODEL = BlenderMatrix(BLENDER_FROM_GLTF.tolist())


def view_of(region: bpy.types.Region, region_data: bpy.types.RegionView3D) -> View:
    """Return the view of a region, of a world in the model's axes."""
    matrix = region_data.perspective_matrix @ _BLENDER_FROM_MODEL
    return _view(plain(matrix), float(region.width), float(region.height))


_view = lru_cache(maxsize=8)(View)  # all handles of a redraw ask for the same one


def seen(view: View, place: PlacedHandle) -> list[Pixel]:
    """Return the pixels that a handle is at: one, or the corners of a line.

    Arcs that are seen edge-on are left out: they would be lines among lines.
    """
    points = [in_model(point) for point in place.arc or (place.point,)]
    if place.arc and is_edge_on(view, points[0], in_model(place.point), points[-1]):
        return []
    return [pixel for pixel in map(view.pixel, points) if pixel is not None]


@lru_cache(maxsize=8)  # each handle asks where all of them are
def grips(view: View, places: tuple[PlacedHandle, ...], radius: float) -> list[list[Pixel]]:
    """Return where handles, whose shapes have a radius in pixels, are taken hold of.

    Bounds are by their back, which lies outside, so that two at one place can be told apart.
    """
    found = []
    for place in places:
        pixels = seen(view, place)
        if place.handle.part in (Part.MIN, Part.MAX) and pixels:
            (x, y), (right, up) = pixels[0], screen_direction(view, place)
            pixels = [(x - 0.5 * radius * right, y - 0.5 * radius * up)]
        found.append(pixels)
    return found


def screen_direction(view: View, place: PlacedHandle) -> Pixel:
    """Return where a handle faces on the screen, at length one.

    A bound that faces the viewer or looks away has no direction there, so it keeps to the right.
    """
    here = in_model(place.point)
    ahead = along(here, in_model(place.inward), 20.0 * view.pixel_size(here))
    start, end = view.pixel(here), view.pixel(ahead)
    if start is None or end is None or dist(start, end) <= 1.0:
        return (1.0, 0.0)
    length = dist(start, end)
    return ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
