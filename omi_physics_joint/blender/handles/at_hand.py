# SPDX-License-Identifier: GPL-3.0-or-later
"""The joint whose handles are shown, and whether they may be dragged now."""

from __future__ import annotations

import bpy

from ..bridge.poses.away import is_anything_away
from ..bridge.poses.frame_users import joints_from


def handles_allowed(context: bpy.types.Context) -> bool:
    """Return whether numbers may be dragged: not while something plays."""
    return context.mode == "OBJECT" and not is_anything_away(from_settings=True)


def frames_allowed() -> bool:
    """Return whether frames may be dragged: not while anything is away from where it belongs."""
    return not is_anything_away()


def joint_at_hand(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the joint whose frame or partner is the active object; none that is hidden or off."""
    obj = context.object
    if obj is None or not is_seen(obj, context):
        return None
    at_hand = (joint for joint in joints_from([obj]) if is_seen(joint, context))
    return next((joint for joint in at_hand if not joint.omi_physics_joint.mute), None)


def is_seen(obj: bpy.types.Object, context: bpy.types.Context) -> bool:
    """Return whether an object is shown: in the 3D view of the context, if it is one."""
    space = context.space_data
    in_view = space is not None and space.type == "VIEW_3D"
    return obj.visible_get(viewport=space) if in_view else obj.visible_get()
