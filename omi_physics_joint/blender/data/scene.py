# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a scene: how new joints are made, how files are written; and what Check found."""

from __future__ import annotations

from collections.abc import Callable

import bpy
from bpy.types import Context, Object, PropertyGroup, bpy_struct

from ...model.readers import PROFILES, Reader
from ..interface.signals import signals
from ..registration import NOT_OVERRIDABLE
from .fields import choice, choices, collection, flag, integer, pointer, string, unknown_members

BITS = {
    Reader.GODOT: 1,
    Reader.BABYLON: 2,
    Reader.GODOT_OMI: 4,
    Reader.GODOT_PLAIN: 8,
    Reader.UNITY: 16,
    Reader.VIEWERS: 32,
    Reader.NEWTON: 64,
    Reader.PHYSX: 128,
}
"""What files hold of each reader; nobody in particular is no choice, but none of them."""
READERS = tuple(
    (
        one.name,
        profile.name,
        f"{profile.description}. Known from: {profile.known.replace('`', '')}",
        BITS[one],
    )
    for one, profile in PROFILES.items()
    if one in BITS
)
DIRECTIONS = (
    ("GLOBAL_X", "Global X", "Along the world's X axis", 0),
    ("GLOBAL_Y", "Global Y", "Along the world's Y axis", 1),
    ("GLOBAL_Z", "Global Z", "Along the world's Z axis: upright, as for a door", 2),
    ("LOCAL_X", "Local X", "Along the moving body's X axis", 3),
    ("LOCAL_Y", "Local Y", "Along the moving body's Y axis", 4),
    ("LOCAL_Z", "Local Z", "Along the moving body's Z axis", 5),
    ("VIEW", "View", "Out of the screen, towards you", 6),
    ("EDGE", "Selected Edge", "Along the selected edge of the moving body's mesh", 7),
    (
        "TOWARDS",
        "Towards Other Body",
        "From the joint into the body that moves against the other one: along a limb, for the "
        "cone of a ball joint",
        8,
    ),
)
"""The number of each is what files hold."""
DIRECTIONS_OF_NEW = (
    (
        "AUTO",
        "Automatic",
        "A hinge: as the others of its loop, the axis of a wheel or a post, along the edge where "
        "two bodies touch, a side of a door in its frame or of a lid, or across two plates. "
        "A slider: the one way out, or along a rail. Upright where nothing tells",
        9,
    ),
    *DIRECTIONS,
)
PLACES = (
    (
        "AUTO",
        "Automatic",
        "At the 3D cursor if that was put onto one of two bodies, otherwise where they touch or "
        "come nearest; a hinge of a door in its frame or of a lid at one of its sides",
        5,
    ),
    ("NEAREST", "Nearest Points", "Where the two bodies touch, cross or come nearest", 6),
    ("MIDDLE", "Midpoint", "Half-way between the origins of the two bodies", 3),
    ("ACTIVE", "Moving Body's Origin", "At the origin of the body that moves", 1),
    ("OTHER", "Fixed Body's Origin", "At the origin of the body that it is joined to", 2),
    ("BOX", "Bounding Box", "On a face, an edge or a corner of the moving body's bounding box", 7),
    ("CURSOR", "3D Cursor", "At the 3D cursor", 0),
    ("VERTEX", "Selected Vertex", "At the middle of the moving body's selected vertices", 4),
)
"""The number of each is what files hold."""

BY_READERS = "READERS"
TARGETS = (
    (BY_READERS, "By Its Readers", "glTF as specified, unless omi-godot is the only reader", 2),
    ("SPECIFIED", "glTF as Specified", "Every program that reads these extensions", 0),
    (
        "GODOT",
        "Godot with omi-godot",
        "Godot 4 with the add-on omi-godot and the Jolt engine. It measures angles, poses and "
        "velocities otherwise, so the file moves wrongly everywhere else but with our own add-on",
        1,
    ),
)
"""The number of each is what files hold."""
DIALECTS = (
    (
        "BOTH",
        "OMI and Khronos",
        "Both in one file: OMI_physics_joint with OMI_physics_body and OMI_physics_shape, and "
        "KHR_physics_rigid_bodies with KHR_implicit_shapes",
        0,
    ),
    ("OMI", "OMI", "OMI_physics_joint, OMI_physics_body and OMI_physics_shape: Godot, Unity", 1),
    (
        "KHR",
        "Khronos",
        "KHR_physics_rigid_bodies and KHR_implicit_shapes: Babylon.js, three.js, PlayCanvas",
        2,
    ),
)
"""The number of each is what files hold."""
BY_PREFERENCES = "PREFERENCES"
DIALECTS_OF_SCENES = (
    (
        BY_PREFERENCES,
        "As in Preferences",
        "What Edit > Preferences > Add-ons says; both, unless you have chosen there",
        3,
    ),
    *DIALECTS,
)


def outdate(_owner: bpy_struct, _context: Context) -> None:
    """Have results count as old: they were for other readers or other extensions."""
    signals.edits += 1


def take_older_option(options: OMI_JOINT_PG_scene, _context: Context | None) -> None:
    """Take over the option of release 0.1.0, which a script or an older file may have set."""
    options.target = "GODOT" if options.godot_angular_sign else "SPECIFIED"


def take_over_older_options() -> None:
    """Take over what files of release 0.1.0 say, once."""
    for scene in bpy.data.scenes:
        options = scene.omi_physics_joint
        if options.godot_angular_sign and scene.library is None:
            options.godot_angular_sign = False
            options.target = "GODOT"


retargets: list[Callable[[Context, OMI_JOINT_PG_scene], None]] = []
"""Who puts the active joint below the body that was chosen: said by ``bodies.first_body``."""


def _retarget(owner: OMI_JOINT_PG_scene, context: Context) -> None:
    for retarget in retargets:
        retarget(context, owner)


def _is_body(_owner: PropertyGroup, obj: Object) -> bool:
    return bool(obj.omi_physics_body.is_body)


class OMI_JOINT_PG_scene(PropertyGroup):
    """Settings that are saved with a scene."""

    first_body = pointer(
        "Body",
        "The body that the active joint is fixed to. Only physics bodies can be picked: "
        "what is none yet is made one in Physics properties",
        type=Object,
        poll=_is_body,
        update=_retarget,
        options={"SKIP_SAVE"},
    )
    direction = choice(
        "Axis",
        "What a new hinge turns about and a new slider slides along",
        items=DIRECTIONS_OF_NEW,
        default="AUTO",
    )
    place = choice("Position", "Where a new joint is", items=PLACES, default="AUTO")
    use_export = flag(
        "Export Physics Joints", "Write bodies, shapes and joints into glTF files", default=True
    )
    strict = flag("Strict", "Cancel the export if anything would be lost or changed")
    use_belonging = flag(
        "Joints and Colliders of Bodies",
        "Write what belongs to the bodies in the file, be it selected, shown and in the collection "
        "or not: joints between them, their second frames, colliders and triggers",
        default=True,
    )
    target = choice(
        "Written for", "Who will read the file", items=TARGETS, default=BY_READERS, update=outdate
    )
    readers = choices(
        "Readers",
        "For whom the scene is: Check and exports say what these do otherwise. Several with Shift",
        items=READERS,
        default={Reader.GODOT.name},
        update=outdate,
    )
    dialect = choice(
        "Extensions",
        "Which extensions of glTF say the physics. A file for omi-godot has OMI's",
        items=DIALECTS_OF_SCENES,
        default=BY_PREFERENCES,
        update=outdate,
    )
    godot_angular_sign = flag(
        "Written for Godot",
        "The option of release 0.1.0 that Written for has replaced",
        options={"HIDDEN"},
        update=take_older_option,
    )
    unknown = unknown_members()


SESSION = {"options": {"SKIP_SAVE"}, "override": NOT_OVERRIDABLE}


class OMI_JOINT_PG_issue(PropertyGroup):
    """One line of what Check found."""

    severity = code = where = message = fix = string(**SESSION)
    object_name = library = told = string(**SESSION)
    loss = can_fix = flag(**SESSION)
    alike = integer(**SESSION)
    """Lines that this one is shown for, itself the first; 0: it is shown by another."""


class OMI_JOINT_PG_report(PropertyGroup):
    """What the last check, export or import found."""

    title = made_of = string(**SESSION)
    issues = collection(type=OMI_JOINT_PG_issue, **SESSION)
    active = integer("Active Issue", **SESSION)
