# SPDX-License-Identifier: GPL-3.0-or-later
"""One handle: how it looks, and whether the mouse is on it."""

from __future__ import annotations

import bpy

from ....drawing.mouse.picking import Pixel, View, nearest
from ..held import held, said
from ..on_screen import grips, screen_direction, seen, view_of
from ..places import PlacedHandle
from ..wording import label_with_value
from .shapes import RADIUS, draw_arc, draw_label, draw_shape, right_edge

REACH = 15.0
"""Pixels at scale 1 within which a handle is taken hold of."""


class OMI_JOINT_GT_handle(bpy.types.Gizmo):
    """A bound, a target, or a way to move the frame of a joint"""

    bl_idname = "OMI_JOINT_GT_handle"
    __slots__ = ("number", "places")

    def setup(self) -> None:
        """Stand for nothing yet."""
        self.places: tuple[PlacedHandle, ...] = ()
        self.number = 0

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the handle, and what it stands at where the mouse is on it."""
        place = self.places[self.number]
        view = view_of(context.region, context.region_data)
        pixels = seen(view, place)
        if not pixels:
            return
        dragged = held()
        lit = self.is_highlight if dragged is None else place.handle.name == dragged.name
        scale = context.preferences.system.ui_scale
        color = tuple(self.color)
        if place.arc:
            draw_arc(context.region, pixels, color, scale, lit=lit)
        else:
            way = screen_direction(view, place)
            draw_shape(context.region, place.handle, pixels[0], way, color, scale, lit=lit)
        if lit:
            text = said() or label_with_value(place.handle, context.scene)
            right = right_edge(context.area, context.region)
            draw_label(context.region, right, pixels[len(pixels) // 2], text, scale)

    def test_select(self, context: bpy.types.Context, location: tuple[int, int]) -> int:
        """Say whether of all handles this one is nearest to the mouse, and within reach."""
        view = view_of(context.region, context.region_data)
        mouse = (float(location[0]), float(location[1]))
        scale = context.preferences.system.ui_scale
        return 0 if is_hit(view, self.places, self.number, mouse, scale) else -1


def is_hit(
    view: View, places: tuple[PlacedHandle, ...], number: int, mouse: Pixel, scale: float
) -> bool:
    """Return whether the mouse is on one of some handles: it is the nearest, and within reach."""
    return nearest(grips(view, places, RADIUS * scale), mouse, REACH * scale) == number
