# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint settings as a data-block of their own, and the joint part of an object.

The settings are a node tree that no editor shows: the only data-block that an add-on can define.
It is shared, counted, renamed, animated, appended, linked and undone like a material.
"""

from __future__ import annotations

import bpy
from bpy.types import Context, NodeTree, Object, PropertyGroup

from ..interface.signals import signals
from .fields import collection, flag, integer, load, numbers, pointer, string, unknown_members
from .limits import OMI_JOINT_PG_drive, OMI_JOINT_PG_limit

SCHEMA_VERSION = 2
"""Version of the data that this release writes; see ``migration``."""


class OmiJointSettings(NodeTree):
    """What a joint allows and drives, shared by any number of joints."""

    bl_idname = "OmiJointSettings"
    bl_label = "Joint Settings"
    bl_icon = "CONSTRAINT"

    limits = collection("Limits", "Limits of the joint's motion", type=OMI_JOINT_PG_limit)
    active_limit = integer("Active Limit", options={"HIDDEN"})
    drives = collection("Drives", "Motors and springs of the joint", type=OMI_JOINT_PG_drive)
    active_drive = integer("Active Drive", options={"HIDDEN"})
    foreign_drives = string(
        "Foreign Drives",
        "Drives of other extensions, as a JSON array: kept as they are",
        options={"HIDDEN"},
    )
    usual_range = numbers(
        "Usual Range",
        "The range that a new joint got unasked; it goes where it turns out not to suit",
        size=2,
        options={"HIDDEN"},
    )
    schema_version = integer("Schema Version", options={"HIDDEN"})
    unknown = unknown_members()

    @classmethod
    def poll(cls, _context: Context) -> bool:
        """Keep the settings out of the node editors."""
        return False


def has_settings() -> bool:
    """Return whether this file has any joint settings; without them no object is a whole joint.

    There are few node trees and perhaps very many objects: who looks for joints asks this first.
    """
    return any(block.bl_idname == OmiJointSettings.bl_idname for block in bpy.data.node_groups)


def _note_change(_owner: PropertyGroup, _context: Context) -> None:
    signals.joints += 1


def _come_together(owner: PropertyGroup, context: Context) -> None:
    """Put a joint to its rest: it joins another body from where it stands."""
    for name in ("connected_position", "connected_rotation", "joined"):
        owner.property_unset(name)
    _note_change(owner, context)


def is_pickable(owner: PropertyGroup, obj: Object) -> bool:
    """Return whether a panel offers an object as the body of a joint."""
    return bool(obj.omi_physics_body.is_body and obj != owner.id_data)


def is_frame(owner: PropertyGroup, obj: Object) -> bool:
    """Return whether a panel offers an object as the second frame of a joint."""
    return bool(obj.type == "EMPTY" and obj != owner.id_data)


class OMI_JOINT_PG_joint(PropertyGroup):
    """Makes an empty the frame of a joint: a joint is this one object and two bodies.

    The first body is the one that the object is below. The second frame stands where the first
    does, moved by the joint's value, so nothing that is moved by hand takes them apart. Only where
    ``connected_node`` is set, the second frame is an object of its own.
    """

    is_joint = flag(
        "Physics Joint",
        "This object is a joint on the body that it is parented to",
        options={"HIDDEN"},
    )
    is_partner = flag(
        "Second Frame", "This object was made as the second frame of a joint", options={"HIDDEN"}
    )
    settings = pointer(
        "Joint Settings",
        "Limits and drives, shared by all joints that use this data-block",
        type=OmiJointSettings,
        poll=lambda _, block: block.bl_idname == "OmiJointSettings",  # no trees of others
    )
    connected_body = pointer(
        "Second Body",
        "The body that the joint connects its own body to. Only physics bodies can be picked: "
        "what is none yet is made one in Physics properties",
        type=Object,
        poll=is_pickable,
        update=_come_together,
    )
    connected_position = numbers(
        "Joint Position",
        "Where the second frame stands in the frame of the joint",
        subtype="TRANSLATION",
        precision=4,
        update=_note_change,
        options={"HIDDEN", "ANIMATABLE"},
    )
    connected_rotation = numbers(
        "Joint Rotation",
        "How the second frame is turned in the frame of the joint: "
        "about this direction, by its length in radians",
        precision=4,
        update=_note_change,
        options={"HIDDEN", "ANIMATABLE"},
    )
    joined = numbers(
        "Joined",
        "Of each of both bodies when they were joined: how many vertices it had, which three lie "
        "far apart, and where these were in the frame of the joint",
        size=26,
        options={"HIDDEN"},
    )
    read_scale = numbers(
        "Scale as Read", "Its scale in an imported file", default=(1.0,) * 3, options={"HIDDEN"}
    )
    connected_name = string(
        "Name of the Second Frame",
        "What the node of the second frame is called in a file, where that is known",
        options={"HIDDEN"},
    )
    connected_node = pointer(
        "Other End",
        "An object of its own for the frame on the second body: an empty",
        type=Object,
        poll=is_frame,
        update=_note_change,
    )
    enable_collision = flag(
        "Connected Bodies Collide", "Let the two bodies of the joint collide with each other"
    )
    mute = flag(
        "Mute",
        "Switch this joint off: it is not played, simulated or exported",
        update=_note_change,
    )
    schema_version = integer("Schema Version", options={"HIDDEN"})
    unknown = unknown_members()


class OMI_JOINT_PG_breaking(PropertyGroup):
    """What a joint bears before it breaks: played, and exported to USD."""

    use_breaking = flag(
        "Breaks",
        "Let this joint break under too much load: played, and exported to USD. glTF cannot say it",
    )
    use_force = flag("Break Force", "Let overloads of force break the joint", default=True)
    force = load("Force", "Force in newtons above which the joint breaks")
    use_torque = flag("Break Torque", "Let overloads of torque break the joint")
    torque = load("Torque", "Torque in newton meters above which the joint breaks")
