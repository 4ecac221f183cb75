# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes bodies that exist: removes and copies them, collects parts of triggers."""

from __future__ import annotations

from collections.abc import Sequence

from bpy.types import Object, PropertyGroup, Scene

from ..data.body import fit_shape, is_fitted
from ..joints.authoring import frames_among
from .mass import fillings, weigh_anew

NOT_COPIED = frozenset(
    {
        *("rna_type", "name", "nodes", "unknown", "motion_unknown"),
        *("use_gravity_shape", "gravity_shape"),
    }
)
"""Parts of a trigger lie below their own object; what is kept of a file belongs to one node."""


def remove_body(obj: Object) -> None:
    """Make an object plain again. Joints on it stay, and Check names them."""
    body = obj.omi_physics_body
    for name in body.bl_rna.properties.keys():  # noqa: SIM118 - not a dict
        if name not in {"rna_type", "name"}:
            body.property_unset(name)


def without_frames(objects: Sequence[Object]) -> list[Object]:
    """Return the objects that are no frames of joints. A body that is a partner itself stays."""
    frames = set(frames_among(objects))
    return [obj for obj in objects if obj not in frames]


def add_trigger_parts(owner: Object, selected: Sequence[Object]) -> int:
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


def copy_body(source: Object, targets: Sequence[Object], scene: Scene) -> list[str]:
    """Copy a body; what fits its mesh and weighs what that holds does so of theirs.

    Return what was said of masses.
    """
    theirs = source.omi_physics_body
    for obj in targets:
        copy_group(theirs, obj.omi_physics_body)
        for shape, own in zip(theirs.shapes, obj.omi_physics_body.shapes, strict=False):
            if is_fitted(shape, source) and obj.type == "MESH":
                fit_shape(own, obj)
    return [weigh_anew(*one) for one in fillings(scene, targets).items()]


def copy_group(source: PropertyGroup, target: PropertyGroup) -> None:
    """Copy the properties of a group, groups in it included: motion, collider and trigger.

    What belongs to one object alone stays the target's own: parts of a trigger, unknown members.
    """
    for prop in source.bl_rna.properties:
        name = prop.identifier
        if name in NOT_COPIED:
            continue
        if prop.type == "POINTER" and prop.is_readonly:
            copy_group(getattr(source, name), getattr(target, name))
        elif not prop.is_readonly:
            setattr(target, name, getattr(source, name))
