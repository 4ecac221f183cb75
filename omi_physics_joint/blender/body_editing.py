# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes bodies that exist: removes and copies them, collects parts of triggers."""

from __future__ import annotations

from collections.abc import Sequence

import bpy


def remove_body(obj: bpy.types.Object) -> None:
    """Make an object plain again. Joints on it stay, and Check names them."""
    body = obj.omi_physics_body
    for name in body.bl_rna.properties.keys():  # noqa: SIM118 - not a dict
        if name not in {"rna_type", "name"}:
            body.property_unset(name)


def copy_body(source: bpy.types.Object, target: bpy.types.Object) -> None:
    """Copy everything that physics says of one object to another."""
    _copy_group(source.omi_physics_body, target.omi_physics_body)


def add_trigger_parts(owner: bpy.types.Object, selected: Sequence[bpy.types.Object]) -> int:
    """Make selected triggers below an object the parts of its trigger; return how many."""
    below = set(owner.children_recursive)
    parts = [obj for obj in selected if obj in below and obj.omi_physics_body.use_trigger]
    if not parts:
        return 0
    body = owner.omi_physics_body
    body.use_trigger = True
    body.trigger.nodes.clear()
    for part in parts:
        body.trigger.nodes.add().object = part
    return len(parts)


def _copy_group(source: bpy.types.PropertyGroup, target: bpy.types.PropertyGroup) -> None:
    """Copy all properties of a group, groups and lists in it included."""
    for prop in source.bl_rna.properties:
        name = prop.identifier
        if name in {"rna_type", "name"}:
            continue
        if prop.type == "COLLECTION":
            items = getattr(target, name)
            items.clear()
            for item in getattr(source, name):
                _copy_group(item, items.add())
        elif prop.type == "POINTER" and prop.is_readonly:
            _copy_group(getattr(source, name), getattr(target, name))
        elif not prop.is_readonly:
            setattr(target, name, getattr(source, name))
