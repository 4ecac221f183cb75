# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles as gizmos: how one looks and whether the mouse is on it; and all of the active joint.

Each starts the drag; they name its operator by its id and know none.
"""

from __future__ import annotations

import bpy

from ....drawing.mouse.handles import Handle, Part
from ....drawing.mouse.picking import Pixel, View, nearest
from ....drawing.palette import FIXED
from ....drawing.strokes import Role
from ...bridge.poses.away import is_anything_away
from ...overlay.batches import user_theme
from ..held import held
from ..places import (
    PlacedHandle,
    grips,
    handles_allowed,
    joint_at_hand,
    label_with_value,
    placed_handles,
    screen_direction,
    seen,
    view_of,
)
from .shapes import RADIUS, draw_arc, draw_label, draw_shape, right_edge

REACH = 15.0
"""Pixels at scale 1 within which a handle is taken hold of."""
MOVE_COLOR = (0.95, 0.95, 0.95)


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
        lit = self.is_highlight if dragged is None else place.handle.name == dragged.handle.name
        scale = context.preferences.system.ui_scale
        color = tuple(self.color)
        if place.arc:
            draw_arc(context.region, pixels, color, scale, lit=lit)
        else:
            way = screen_direction(view, place)
            draw_shape(context.region, place.handle, pixels[0], way, color, scale, lit=lit)
        if lit:
            text = dragged.label if dragged else label_with_value(place.handle, context.scene)
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


class OMI_JOINT_GGT_handles(bpy.types.GizmoGroup):
    """Handles of the active joint"""

    bl_idname = "OMI_JOINT_GGT_handles"
    bl_label = "Joint Handles"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"3D", "PERSISTENT", "SHOW_MODAL_ALL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Ask for a joint."""
        return handles_allowed(context) and joint_at_hand(context) is not None

    def setup(self, context: bpy.types.Context) -> None:
        """Make the gizmos."""
        self.draw_prepare(context)

    def draw_prepare(self, context: bpy.types.Context) -> None:
        """Put a gizmo on each handle; joints have more or fewer, so surplus ones are hidden."""
        joint = joint_at_hand(context)
        places = _places(context, joint) if joint is not None else ()
        while len(self.gizmos) < len(places):
            gizmo = self.gizmos.new("OMI_JOINT_GT_handle")
            gizmo.use_draw_modal = True
        for number, gizmo in enumerate(self.gizmos):
            gizmo.hide = number >= len(places)
            if gizmo.hide:
                continue
            handle = places[number].handle
            before = gizmo.places[gizmo.number].handle.name if gizmo.places else None
            gizmo.places, gizmo.number = places, number
            if before != handle.name:
                gizmo.color = _color(handle, context)
                properties = gizmo.target_set_operator("omi_joint.drag")
                properties.part, properties.index = handle.part, handle.index
                properties.axis = str(handle.listed_axis)


def _places(context: bpy.types.Context, joint: bpy.types.Object) -> tuple[PlacedHandle, ...]:
    switches = context.scene.omi_physics_handles
    dragged = held()
    return placed_handles(
        joint,
        values=switches.show_values,
        frame=switches.show_frame and not is_anything_away(),
        held=(dragged.handle.part, dragged.handle.index) if dragged else None,
    )


def _color(handle: Handle, context: bpy.types.Context) -> tuple[float, float, float]:
    if handle.part is Part.TARGET:
        return FIXED[Role.DRIVE]
    if handle.part is Part.MOVE:
        return MOVE_COLOR
    if handle.is_sole:
        return FIXED[Role.SOLE]
    theme = user_theme(context)
    return theme.active if handle.hue is None else theme.axes[handle.hue]
