# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint settings as a data-block of their own, and the joint part of an object.

The settings are a node tree that no editor shows: the only data-block that an add-on can define.
It is shared, counted, renamed, animated, appended, linked and undone like a material.
"""

from __future__ import annotations

from dataclasses import dataclass

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from .limits import LIST, OVERRIDABLE, OmiDrive, OmiLimit, unknown_property

SCHEMA_VERSION = 1
"""Version of the data that this release writes; see ``migration``."""


class OmiJointSettings(bpy.types.NodeTree):
    """What a joint allows and drives, shared by any number of joints."""

    bl_idname = "OmiJointSettings"
    bl_label = "Joint Settings"
    bl_icon = "CONSTRAINT"

    limits: CollectionProperty(
        type=OmiLimit,
        name="Limits",
        description="Limits of the joint's motion",
        override=LIST,
    )
    active_limit: IntProperty(name="Active Limit", options={"HIDDEN"}, override=OVERRIDABLE)
    drives: CollectionProperty(
        type=OmiDrive,
        name="Drives",
        description="Motors and springs of the joint",
        override=LIST,
    )
    active_drive: IntProperty(name="Active Drive", options={"HIDDEN"}, override=OVERRIDABLE)
    foreign_drives: StringProperty(
        name="Foreign Drives",
        description="Drives of other extensions, as a JSON array: kept as they are",
        options={"HIDDEN"},
        override=OVERRIDABLE,
    )
    schema_version: IntProperty(name="Schema Version", options={"HIDDEN"}, override=OVERRIDABLE)
    unknown: unknown_property()

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Keep the settings out of the node editors."""
        return False


def has_settings() -> bool:
    """Return whether this file has any joint settings; without them no object is a whole joint.

    There are few node trees and perhaps very many objects: who looks for joints asks this first.
    """
    return any(tree.bl_idname == OmiJointSettings.bl_idname for tree in bpy.data.node_groups)


def _is_ours(_owner: bpy.types.PropertyGroup, tree: bpy.types.NodeTree) -> bool:
    """Keep the node trees of others out of the selector."""
    return tree.bl_idname == "OmiJointSettings"


@dataclass(slots=True)
class Switched:
    """Counts how often a joint was switched on or off, for who draws joints."""

    count: int = 0


switched = Switched()


def _note_switch(_joint: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    """Note that a joint was switched: for Blender its object has only moved."""
    switched.count += 1


class OmiJoint(bpy.types.PropertyGroup):
    """Makes an empty the joint frame of a joint."""

    is_joint: BoolProperty(
        name="Physics Joint",
        description="This object is the frame of a joint on the body above it",
        options={"HIDDEN"},
        override=OVERRIDABLE,
    )
    is_partner: BoolProperty(
        name="Partner",
        description="This object was made as the other frame of a joint",
        options={"HIDDEN"},
        override=OVERRIDABLE,
    )
    settings: PointerProperty(
        type=OmiJointSettings,
        name="Joint Settings",
        description="Limits and drives, shared by all joints that use this block",
        poll=_is_ours,
        override=OVERRIDABLE,
    )
    connected_node: PointerProperty(
        type=bpy.types.Object,
        name="Partner",
        description="The frame on the other body that this frame is connected to",
        override=OVERRIDABLE,
    )
    enable_collision: BoolProperty(
        name="Connected Bodies Collide",
        description="Let the two bodies of the joint collide with each other",
        override=OVERRIDABLE,
    )
    mute: BoolProperty(
        name="Mute",
        description="Switch this joint off: it is not played, not simulated and not exported",
        override=OVERRIDABLE,
        update=_note_switch,
    )
    schema_version: IntProperty(name="Schema Version", options={"HIDDEN"}, override=OVERRIDABLE)
    unknown: unknown_property()


classes = (OmiJointSettings, OmiJoint)
register, unregister = bpy.utils.register_classes_factory(classes)
