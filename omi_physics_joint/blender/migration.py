# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings data of older releases up to date when a file is opened or appended from.

Data in memory that can be changed is always of this release: it is brought up to date on loading
and stamped on saving. Linked data stays as its own file has it, until that file is saved anew.
The first of ``MIGRATIONS`` turns all data of version 1 into version 2, and so on; version 0 is data
that was never saved, and is complete already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import bpy
from bpy.types import PropertyGroup

from .bridge.absorbed_frames import absorb
from .data.body import OMI_JOINT_PG_body
from .data.joint import SCHEMA_VERSION, OMI_JOINT_PG_joint, OmiJointSettings

OVERRIDDEN = ("omi_physics_body", "omi_physics_joint", "omi_physics_breaking", "omi_physics_pose")
"""Groups of objects that overrides may change."""
Owner = OMI_JOINT_PG_joint | OMI_JOINT_PG_body | OmiJointSettings


def _one_object(owners: Sequence[Owner]) -> None:
    """Version 1 had two empties for each joint; version 2 has one where one says it all."""
    joints = (owner.id_data for owner in owners if isinstance(owner, OMI_JOINT_PG_joint))
    bpy.data.batch_remove(absorb(joints))


MIGRATIONS: tuple[Callable[[Sequence[Owner]], None], ...] = (_one_object,)


def owners() -> Iterator[Owner]:
    """Yield everything of ours that carries a version and can be changed."""
    for block in bpy.data.node_groups:
        if block.bl_idname == "OmiJointSettings" and block.library is None:
            yield block
    for obj in bpy.data.objects:
        if obj.library is not None:
            continue
        body = obj.omi_physics_body
        if body.is_physical:
            yield body
        if obj.omi_physics_joint.is_joint:
            yield obj.omi_physics_joint


def of_newer_release() -> list[str]:
    """Return the names of data-blocks that a newer release has saved; they stay as they are."""
    return [one.id_data.name for one in owners() if one.schema_version > SCHEMA_VERSION]


def migrate() -> None:
    """Bring all data up to date but for that of a newer release."""
    everything = list(owners())
    for version, step in enumerate(MIGRATIONS, 1):
        old = [one for one in everything if one.schema_version == version]
        if old:
            step(old)
        for one in old:
            one.schema_version = version + 1
    for owner in everything:
        stamp_one(owner)  # what was never saved is of this release


def stamp() -> None:
    """Mark all data as saved by this release, and have overrides of it saved value by value."""
    for owner in owners():
        stamp_one(owner)
    for obj in bpy.data.objects:
        linked = obj.override_library and obj.override_library.reference
        for name in OVERRIDDEN if linked else ():
            _hold_groups(getattr(obj, name), getattr(linked, name))


def _hold_groups(own: PropertyGroup, linked: PropertyGroup) -> None:
    """Have a linked object hold all groups that an override has: to look at one makes it.

    Blender 5 saves a group as a whole where the linked object has none, and then reads nothing.
    """
    for prop in own.bl_rna.properties:
        if prop.type == "POINTER" and prop.is_readonly and prop.identifier != "rna_type":
            _hold_groups(getattr(own, prop.identifier), getattr(linked, prop.identifier))


def stamp_one(owner: Owner) -> None:
    """Mark one piece of data as up to date, never lowering the mark of a newer release."""
    owner.schema_version = max(owner.schema_version, SCHEMA_VERSION)
