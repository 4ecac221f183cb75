# SPDX-License-Identifier: GPL-3.0-or-later
"""The data that every part of the add-on uses: joints, bodies, and the options of a scene."""

from bpy.types import Object, Scene, WindowManager

from ..registration import NOT_OVERRIDABLE, OVERRIDABLE
from . import body, joint, scene

PARTS = ("limits", "joint", "body", "scene")

POINTERS = (
    (Object, "omi_physics_joint", joint.OMI_JOINT_PG_joint, OVERRIDABLE),
    (Object, "omi_physics_body", body.OMI_JOINT_PG_body, OVERRIDABLE),
    (Object, "omi_physics_breaking", joint.OMI_JOINT_PG_breaking, OVERRIDABLE),
    (Scene, "omi_physics_joint", scene.OMI_JOINT_PG_scene, OVERRIDABLE),
    (WindowManager, "omi_physics_joint", scene.OMI_JOINT_PG_report, NOT_OVERRIDABLE),
)
