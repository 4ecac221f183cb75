# SPDX-License-Identifier: GPL-3.0-or-later
"""What nodes share in every dialect: arrays of a document, and how indices lead into them.

Physics materials and collision filters every dialect spells alike.
Source: OMI_physics_body, KHR_physics_rigid_bodies "Physics Materials", "Collision Filtering".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ...model.body import GRIP, CollisionFilter, Combine, PhysicsMaterial
from ...model.joint import JointSettings
from ...model.mechanism import Mechanism
from ...model.shape import Shape
from ..document.json_text import JsonObject, items_of, merged
from ..document.members import Members, Table
from ..document.numbers import magnitude
from ..source import Source
from .kept import kept_for

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Tables:
    """What the extensions of nodes may point at."""

    nodes: Table
    settings: Table
    shapes: Table
    physics_materials: Table
    collision_filters: Table


def read_resources(
    source: Source,
    extensions: tuple[Members, Members, Members],
    read_settings: Callable[[Members], JointSettings],
    read_shape: Callable[[Members], Shape | None],
) -> tuple[Mechanism, Tables]:
    """Return a mechanism of what nodes share, without nodes, and where the file has it.

    The extensions are those that hold joint settings, surfaces and shapes.
    """
    joint, body, shape = extensions
    settings, of_settings = read_items(joint, "physicsJoints", "joint settings", read_settings)
    shapes: list[Shape]
    shapes, of_shapes = read_items(shape, "shapes", "shapes", read_shape)
    materials, of_materials = read_items(
        body, "physicsMaterials", "physics materials", read_physics_material
    )
    filters, of_filters = read_items(
        body, "collisionFilters", "collision filters", read_collision_filter
    )
    mechanism = Mechanism((), tuple(settings), tuple(shapes), tuple(materials), tuple(filters))
    return mechanism, Tables(source.node_table, of_settings, of_shapes, of_materials, of_filters)


def read_items(
    extension: Members, key: str, what: str, read_item: Callable[[Members], Item | None]
) -> tuple[list[Item], Table]:
    """Read the sound items of an array, and where each of them came from."""
    items: list[Item] = []
    index_from_file: dict[int, int] = {}
    for position, members in extension.children(key):
        item = read_item(members)
        if item is not None:
            index_from_file[position] = len(items)
            items.append(item)
    return items, Table(what, len(items_of(extension.json, key)), index_from_file)


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
