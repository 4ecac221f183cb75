# SPDX-License-Identifier: GPL-3.0-or-later
"""The data of the add-on in Blender: one pointer for each type of data-block."""

from __future__ import annotations

import bpy
from bpy.props import PointerProperty

from ..registration import in_order
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
from .limits import OVERRIDABLE

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

NOT_OVERRIDABLE: set[str] = set()
POINTERS = (
    (bpy.types.Object, "omi_physics_joint", joint.OmiJoint, OVERRIDABLE),
    (bpy.types.Object, "omi_physics_body", body.OmiBody, OVERRIDABLE),
    (bpy.types.Object, "omi_physics_breaking", preview.OmiBreaking, OVERRIDABLE),
    (bpy.types.Object, "omi_physics_pose", pose.OmiPose, OVERRIDABLE),
    (bpy.types.Scene, "omi_physics_joint", scene.OmiScene, OVERRIDABLE),
    (bpy.types.Scene, "omi_physics_overlay", overlay.OmiOverlay, OVERRIDABLE),
    (bpy.types.Scene, "omi_physics_handles", handles.OmiHandles, OVERRIDABLE),
    (bpy.types.Scene, "omi_physics_preview", preview.OmiPreview, OVERRIDABLE),
    (bpy.types.Scene, "omi_physics_timeline", timeline.OmiTimeline, OVERRIDABLE),
    (bpy.types.WindowManager, "omi_physics_joint", scene.OmiReport, NOT_OVERRIDABLE),
    (bpy.types.WindowManager, "omi_physics_preview", preview.OmiPreview, NOT_OVERRIDABLE),
)
"""Owner, name, group and library overrides of everything that the add-on hangs on Blender's types.

Nothing overrides the window manager, which no file shares.
"""

_register, _unregister = in_order(PARTS)


def register() -> None:
    """Register the property groups and hang them on Blender's types."""
    _register()
    for owner, name, group, override in POINTERS:
        setattr(owner, name, PointerProperty(type=group, override=override))


def unregister() -> None:
    """Take the property groups away; the data stays in the file."""
    for owner, name, _, _ in reversed(POINTERS):
        delattr(owner, name)
    _unregister()
