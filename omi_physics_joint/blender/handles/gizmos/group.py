# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows the handles of the active joint, each as a gizmo that starts the drag."""

from __future__ import annotations

import bpy

from ....drawing.mouse.handles import Handle, Part
from ....drawing.palette import FIXED
from ....drawing.strokes import Role
from ...overlay.theme import user_theme
from ..at_hand import frames_allowed, handles_allowed, joint_at_hand
from ..held import held
from ..places import PlacedHandle, placed_handles

MOVE_COLOR = (0.95, 0.95, 0.95)


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
            if not gizmo.hide:
                _assign(gizmo, places, number, context)


def _places(context: bpy.types.Context, joint: bpy.types.Object) -> tuple[PlacedHandle, ...]:
    switches = context.scene.omi_physics_handles
    dragged = held()
    return placed_handles(
        joint,
        values=switches.show_values,
        frame=switches.show_frame and frames_allowed(),
        held=(dragged.part, dragged.index) if dragged else None,
    )


def _assign(
    gizmo: bpy.types.Gizmo,
    places: tuple[PlacedHandle, ...],
    number: int,
    context: bpy.types.Context,
) -> None:
    """Let a gizmo stand for one handle."""
    handle = places[number].handle
    before = gizmo.places[gizmo.number].handle.name if gizmo.places else None
    gizmo.places, gizmo.number = places, number
    if before == handle.name:
        return
    gizmo.color = _color(handle, context)
    properties = gizmo.target_set_operator("omi_joint.drag")
    properties.part, properties.index = handle.part, handle.index
    properties.axis = str(handle.listed_axis)


def _color(handle: Handle, context: bpy.types.Context) -> tuple[float, float, float]:
    if handle.part is Part.TARGET:
        return FIXED[Role.DRIVE]
    if handle.part is Part.MOVE:
        return MOVE_COLOR
    if handle.is_sole:
        return FIXED[Role.SOLE]
    theme = user_theme(context)
    return theme.active if handle.hue is None else theme.axes[handle.hue]
