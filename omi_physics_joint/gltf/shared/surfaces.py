# SPDX-License-Identifier: GPL-3.0-or-later
"""Physics materials and collision filters, in and out of JSON: every dialect spells them alike.

Source: OMI_physics_body, KHR_physics_rigid_bodies "Physics Materials", "Collision Filtering".
"""

from __future__ import annotations

from ...model.body import GRIP, CollisionFilter, Combine, PhysicsMaterial
from ..document.json_text import JsonObject, merged
from ..document.members import Members
from ..document.numbers import magnitude
from .kept import kept_for


def read_physics_material(material: Members) -> PhysicsMaterial:
    """Read how a surface grips and bounces."""
    return PhysicsMaterial(
        material.name(),
        material.magnitude("staticFriction", GRIP.static_friction, "material-negative"),
        material.magnitude("dynamicFriction", GRIP.dynamic_friction, "material-negative"),
        material.magnitude("restitution", GRIP.restitution, "material-negative"),
        material.choice("frictionCombine", Combine, Combine.AVERAGE),
        material.choice("restitutionCombine", Combine, Combine.AVERAGE),
        material.unknown(),
    )


def read_collision_filter(collision_filter: Members) -> CollisionFilter:
    """Read which systems meet; of the two lists that exclude each other, the first counts."""
    name, systems = collision_filter.name(), collision_filter.strings("collisionSystems")
    meets = collision_filter.strings("collideWithSystems") or None  # an empty list says nothing
    avoids = collision_filter.strings("notCollideWithSystems") or None
    if meets is not None and avoids is not None:
        message = "The filter names both systems to meet and systems not to meet."
        collision_filter.error("filter-both-lists", message, "Only collideWithSystems counts.")
        avoids = None
    return CollisionFilter(name, systems, meets, avoids, collision_filter.unknown())


def spell_physics_material(material: PhysicsMaterial, dialect: str) -> JsonObject:
    """Return a physics material, without its name."""
    values = (
        ("staticFriction", material.static_friction, GRIP.static_friction),
        ("dynamicFriction", material.dynamic_friction, GRIP.dynamic_friction),
        ("restitution", material.restitution, GRIP.restitution),
    )
    members: JsonObject = {k: magnitude(value) for k, value, usual in values if value != usual}
    if material.friction_combine != GRIP.friction_combine:
        members["frictionCombine"] = material.friction_combine.value
    if material.restitution_combine != GRIP.restitution_combine:
        members["restitutionCombine"] = material.restitution_combine.value
    return merged(members, kept_for(dialect, material.unknown))


def spell_collision_filter(collision_filter: CollisionFilter, dialect: str) -> JsonObject:
    """Return a collision filter, without its name; of two lists that exclude each other, one."""
    met, avoided = collision_filter.collide_with_systems, collision_filter.not_collide_with_systems
    lists = {
        "collisionSystems": collision_filter.collision_systems,
        "collideWithSystems": met,
        "notCollideWithSystems": () if met else avoided,
    }
    members: JsonObject = {key: list(names) for key, names in lists.items() if names}
    return merged(members, kept_for(dialect, collision_filter.unknown))
