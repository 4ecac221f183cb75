# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose handles are shown, which these are, and where they are in Blender's world."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import bpy
from mathutils import Vector

from ...drawing.mouse.handles import (
    Handle,
    Part,
    arc_of,
    frame_handles,
    handles_of,
    inward_of,
    place_of,
)
from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ...model.geometry.transform import Matrix
from ...model.joint import JointSettings
from ..bridge.placed import body_of, plain
from ..bridge.poses.away import is_anything_away
from ..bridge.poses.frame_users import joints_from
from ..bridge.poses.second_frames import below
from ..bridge.read_settings import settings_of
from .joint_frames import in_blender, rigid_in_model, size_of, value_world


def handles_allowed(context: bpy.types.Context) -> bool:
    """Return whether numbers may be dragged: not while something plays."""
    return context.mode == "OBJECT" and not is_anything_away(from_settings=True)


def joint_at_hand(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the joint whose frame or partner is the active object; none that is hidden or off."""
    obj, space = context.object, context.space_data
    view = {"viewport": space} if space is not None and space.type == "VIEW_3D" else {}
    if obj is None or not obj.visible_get(**view):
        return None
    at_hand = (joint for joint in joints_from([obj]) if joint.visible_get(**view))
    return next((joint for joint in at_hand if not joint.omi_physics_joint.mute), None)


@dataclass(frozen=True, slots=True)
class PlacedHandle:
    """A handle where it is seen."""

    handle: Handle
    point: Vector
    inward: Vector
    """Where a bound leaves room; of a target, where its number grows."""
    arc: tuple[Vector, ...] = ()
    """Corners of the arc by which the frame is turned."""


def placed_handles(
    joint: bpy.types.Object,
    *,
    values: bool = True,
    frame: bool = True,
    held: tuple[Part, int] | None = None,
) -> tuple[PlacedHandle, ...]:
    """Return the handles of a joint: those that move it, then bounds and targets.

    What joins no two bodies has no bounds, since nothing says from which of them they would be
    seen. ``held`` is the part and index of what is being dragged.
    """
    settings, size = settings_of(joint), size_of(joint)
    found: tuple[PlacedHandle, ...] = ()
    if frame:
        found = _places(settings, plain(joint.matrix_world), size, None, held)
    ends = (body_of(joint), below(joint))
    if values and all(end is not None and end.users_collection for end in ends):
        seen_in, sign = value_world(joint, settings)
        found += _places(settings, seen_in, size, sign, held)
    return found


@lru_cache(maxsize=16)  # every redraw asks again, and mostly nothing has changed
def _places(
    settings: JointSettings,
    world: Matrix,
    size: float,
    sign: int | None,
    held: tuple[Part, int] | None,
) -> tuple[PlacedHandle, ...]:
    """Return the handles of settings in Blender's axes, of a frame at a matrix of Blender.

    These are those of the frame itself, or with the sign of numbers in it those of the numbers;
    what several axes have together has no sign.
    """
    rigid = rigid_in_model(world, settings)
    if rigid is None:
        return ()
    if sign is None:
        handles = frame_handles(Y_UP_FROM_Z_UP)
    else:
        handles = tuple(
            one if one.together else replace(one, sign=sign * one.sign)
            for one in handles_of(settings, Y_UP_FROM_Z_UP, held)
        )
    return tuple(
        PlacedHandle(
            handle,
            in_blender(place_of(handle, rigid, size)),
            in_blender(inward_of(handle, rigid)),
            tuple(map(in_blender, arc_of(handle, rigid, size))) if handle.part is Part.TURN else (),
        )
        for handle in handles
    )
