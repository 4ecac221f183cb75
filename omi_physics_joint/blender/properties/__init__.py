# SPDX-License-Identifier: GPL-3.0-or-later
"""The data of the add-on in Blender: one pointer for each type of data-block."""

from __future__ import annotations

import bpy
from bpy.props import PointerProperty

from . import (
    body,
    handles,
    joint,
    limits,
    overlay,
    pose,
    preview,
    scene,
    timeline,
)

PARTS = (
    limits,
    joint,
    body,
    scene,
    overlay,
    handles,
    preview,
    pose,
    timeline,
)


def register() -> None:
    """Register the property groups and hang them on Blender's types."""
    for part in PARTS:
        part.register()
    overridable = {"LIBRARY_OVERRIDABLE"}
    bpy.types.Object.omi_physics_joint = PointerProperty(type=joint.OmiJoint, override=overridable)
    bpy.types.Object.omi_physics_body = PointerProperty(type=body.OmiBody, override=overridable)
    bpy.types.Scene.omi_physics_joint = PointerProperty(type=scene.OmiScene, override=overridable)
    bpy.types.Scene.omi_physics_timeline = PointerProperty(type=timeline.OmiTimeline)
    bpy.types.Scene.omi_physics_handles = PointerProperty(
        type=handles.OmiHandles, override=overridable
    )
    bpy.types.WindowManager.omi_physics_joint = PointerProperty(type=scene.OmiReport)


def unregister() -> None:
    """Take the property groups away; the data stays in the file."""
    del bpy.types.WindowManager.omi_physics_joint
    del bpy.types.Scene.omi_physics_timeline
    del bpy.types.Scene.omi_physics_handles
    del bpy.types.Scene.omi_physics_joint
    del bpy.types.Object.omi_physics_body
    del bpy.types.Object.omi_physics_joint
    for part in reversed(PARTS):
        part.unregister()
