# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings data of older releases up to date when a file is opened or appended from.

Data in memory that can be changed is always of this release: it is brought up to date on loading
and stamped on saving. Linked data stays as its own file has it, until that file is saved anew.
Entry n of ``MIGRATIONS`` turns data of version n into version n + 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import bpy

from .joint import SCHEMA_VERSION, OmiJoint

Owner = bpy.types.PropertyGroup | bpy.types.NodeTree


def _from_scripts(_owner: Owner) -> None:
    """Version 0 is data that was never saved by a release: made by a script, complete already."""


MIGRATIONS: tuple[Callable[[Owner], None], ...] = (_from_scripts,)


def owners() -> Iterator[Owner]:
    """Yield everything of ours that carries a version and can be changed."""
    for tree in bpy.data.node_groups:
        if tree.bl_idname == "OmiJointSettings" and tree.library is None:
            yield tree
    for obj in bpy.data.objects:
        if obj.library is not None:
            continue
        body = obj.omi_physics_body
        if body.is_body or body.use_collider or body.use_trigger:
            yield body
        if obj.omi_physics_joint.is_joint:
            yield obj.omi_physics_joint


def migrate() -> list[str]:
    """Bring all data up to date.

    Returns:
        Names of data-blocks that a newer release has saved: they are left as they are.
    """
    newer: list[str] = []
    for owner in owners():
        if owner.schema_version > SCHEMA_VERSION:
            newer.append(owner.id_data.name)
            continue
        for step in MIGRATIONS[owner.schema_version :]:
            step(owner)
        stamp_one(owner)
    return newer


def stamp() -> None:
    """Mark all data as saved by this release, and store what others may override."""
    for owner in owners():
        stamp_one(owner)
        if isinstance(owner, OmiJoint):
            _store_groups(owner.id_data)


def _store_groups(obj: bpy.types.Object) -> None:
    """Have the file hold the groups that a joint may not have used yet.

    Blender 5 takes overrides of single values only where the library's own file has their group.
    """
    for name, value in (("omi_physics_pose", "has_rest"), ("omi_physics_breaking", "use_breaking")):
        if not obj.is_property_set(name):
            setattr(getattr(obj, name), value, False)


def stamp_one(owner: Owner) -> None:
    """Mark one piece of data as up to date, never lowering the mark of a newer release."""
    owner.schema_version = max(owner.schema_version, SCHEMA_VERSION)
