# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism into properties of Blender's objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf, isfinite
from typing import TypeVar

import bpy
from bpy.types import Collection, Mesh, Object, PropertyGroup
from mathutils import Matrix as BlenderMatrix

from ...model.body import Collider, CollisionFilter, Motion, PhysicsMaterial, Trigger
from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.joint import Breaking, Drive, Freedom, JointSettings, Limit, on_axes
from ...model.keys import is_keyed
from ...model.mechanism import Mechanism, Node
from ...model.settings.fields import DRIVE_FIELDS, LIMIT_FIELDS, Field
from ...model.shape import Box, Capsule, Convex, Cylinder, Plane, Shape, Sphere, Trimesh, type_of
from ...model.wording.describe import special_name
from ..data.body import (
    OMI_JOINT_PG_body,
    OMI_JOINT_PG_collision_filter,
    OMI_JOINT_PG_physics_material,
    OMI_JOINT_PG_shape,
)
from ..data.joint import OMI_JOINT_PG_breaking, OmiJointSettings
from .keyed import insert_keys

_T = TypeVar("_T")

MeshOf = Callable[[int], Mesh | None]
"""Returns Blender's mesh for a mesh index of the mechanism."""

OnFault = Callable[[str, int | None, Exception], None]
"""Called with the name of what failed, its node, and why."""


def _raise(_name: str, _node: int | None, error: Exception) -> None:
    raise error


def new_settings(settings: JointSettings) -> OmiJointSettings:
    """Return a new settings block. The settings are in Blender's axes."""
    block: OmiJointSettings = bpy.data.node_groups.new(
        settings.name or special_name(settings) or "Joint", "OmiJointSettings"
    )
    fill_settings(block, settings)
    return block


def fill_settings(block: OmiJointSettings, settings: JointSettings) -> None:
    """Replace what a settings block says. The settings are in Blender's axes."""
    block.limits.clear()
    block.drives.clear()
    for limit, freedom in _by_freedom(settings):
        _fill_limit(block.limits.add(), limit, freedom)
    for drive in settings.drives:
        _fill_drive(block.drives.add(), drive)
    locks = [item.use_min and item.use_max and _range(item) == 0.0 for item in block.limits]
    block.active_limit = locks.index(False) if False in locks else 0
    foreign = ",".join(settings.foreign_drives)
    block.foreign_drives = f"[{foreign}]" if foreign else ""
    block.unknown = settings.unknown


def _by_freedom(settings: JointSettings) -> Iterator[tuple[Limit, Freedom]]:
    """Yield the limits of settings as a block has them: each on one kind of axes."""
    for limit in settings.limits:
        for freedom in Freedom:
            if limit.axes(freedom) or (freedom is Freedom.LINEAR and not limit.angular_axes):
                yield limit, freedom


def _new_keyed(settings: JointSettings, fps: float) -> OmiJointSettings:
    """Return a new settings block with keys where its settings have some."""
    block = new_settings(settings)
    if is_keyed(settings):
        apart = tuple(
            on_axes(limit, freedom, limit.axes(freedom)) for limit, freedom in _by_freedom(settings)
        )
        insert_keys(block, replace(settings, limits=apart), fps)
    return block


def apply_mechanism(
    mechanism: Mechanism,
    objects: Sequence[Object | None],
    mesh_of: MeshOf,
    on_fault: OnFault = _raise,
    fps: float = 24.0,
) -> None:
    """Write physics of a mechanism (in glTF axes) onto objects, node i onto object i.

    Nodes without an object are passed over, as are joints whose partner has none. What fails costs
    itself where somebody takes note of it: one node, or one settings block. What is animated gets
    keys, in frames of so many a second.
    """
    in_blender = Z_UP_FROM_Y_UP.mechanism(mechanism)
    blocks: list[OmiJointSettings | None] = []
    for settings in in_blender.settings:
        try:
            blocks.append(_new_keyed(settings, fps))
        except Exception as error:  # noqa: BLE001 - whatever it is, all else has to arrive
            blocks.append(None)
            on_fault(settings.name or "Joint", None, error)
    for index, (node, obj) in enumerate(zip(in_blender.nodes, objects, strict=False)):
        if obj is None or not (node.is_physical or node.unknown):
            continue
        try:
            _fill_object(in_blender, node, obj, objects, blocks, mesh_of)
        except Exception as error:  # noqa: BLE001
            on_fault(obj.name, index, error)


def build(mechanism: Mechanism, collection: Collection) -> list[Object]:
    """Make an empty for every node of a mechanism (in glTF axes), parented and placed."""
    objects = [bpy.data.objects.new(node.name, None) for node in mechanism.nodes]
    for node, obj in zip(mechanism.nodes, objects, strict=True):
        collection.objects.link(obj)
        world = BlenderMatrix(Z_UP_FROM_Y_UP.matrix(node.world))
        if node.parent is not None:
            parent = Z_UP_FROM_Y_UP.matrix(mechanism.nodes[node.parent].world)
            obj.parent = objects[node.parent]
            obj.matrix_parent_inverse = BlenderMatrix(parent).inverted_safe()
        obj.matrix_basis = world
    apply_mechanism(mechanism, objects, lambda _index: None)
    return objects


def _fill_object(
    mechanism: Mechanism,
    node: Node,
    obj: Object,
    objects: Sequence[Object | None],
    blocks: Sequence[OmiJointSettings | None],
    mesh_of: MeshOf,
) -> None:
    body = obj.omi_physics_body
    body.unknown = node.unknown
    if node.motion is not None:
        _fill_motion(body, node.motion)
    if node.collider is not None:
        _fill_collider(body, node.collider, mechanism, obj, mesh_of)
    if node.trigger is not None:
        _fill_trigger(body, node.trigger, mechanism, obj, objects, mesh_of)
    if node.gravity_shape is not None:
        body.use_gravity_shape = True
        fill_shape(body.gravity_shape, mechanism.shapes[node.gravity_shape], obj, mesh_of)
    if node.joint is not None:
        connected = objects[node.joint.connected_node]
        if connected is None:
            return
        joint = obj.omi_physics_joint
        joint.is_joint = True
        joint.settings = blocks[node.joint.settings]
        joint.connected_node = connected
        joint.enable_collision = node.joint.enable_collision
        joint.unknown = node.joint.unknown
        joint.mute = not node.joint.enabled
        if node.joint.breaking is not None:
            _fill_breaking(obj.omi_physics_breaking, node.joint.breaking)


def _fill_breaking(group: OMI_JOINT_PG_breaking, breaking: Breaking) -> None:
    group.use_breaking = True
    group.use_force, group.use_torque = breaking.force != inf, breaking.torque != inf
    if group.use_force:
        group.force = breaking.force
    if group.use_torque:
        group.torque = breaking.torque


def _range(item: PropertyGroup) -> float:
    """Return how far a limit's two bounds are apart."""
    if item.freedom == Freedom.LINEAR:
        return float(item.linear_max - item.linear_min)
    return float(item.angular_max - item.angular_min)


def _fill_limit(item: PropertyGroup, limit: Limit, freedom: Freedom) -> None:
    item.freedom = freedom
    item.axes = [axis in limit.axes(freedom) for axis in range(3)]
    item.together = limit.together
    _fill_numbers(item, limit, LIMIT_FIELDS)
    item.unknown = limit.unknown


def _fill_drive(item: PropertyGroup, drive: Drive) -> None:
    item.freedom, item.mode, item.axis = drive.type, drive.mode, str(drive.axis)
    _fill_numbers(item, drive, DRIVE_FIELDS)
    item.unknown = drive.unknown


def _fill_numbers(item: PropertyGroup, part: Limit | Drive, fields: Sequence[Field]) -> None:
    """Fill in all numbers of a limit or drive; what may be absent has a switch beside it."""
    for field in fields:
        value, switch = getattr(part, field.name), f"use_{field.name}"
        is_keyed = any(keys.field == field.name for keys in part.keys)
        is_there = value is not None and isfinite(value) and (value != field.default or is_keyed)
        if hasattr(item, switch):
            setattr(item, switch, is_there)
        if is_there or not hasattr(item, switch):
            setattr(item, field.property_on(item.freedom), value)


def _fill_motion(body: OMI_JOINT_PG_body, motion: Motion) -> None:
    body.is_body = True
    body.type = motion.type
    body.infinite_mass = motion.mass == inf
    if not body.infinite_mass:
        body.mass = motion.mass
    body.center_of_mass = motion.center_of_mass
    body.infinite_inertia = [part == inf for part in motion.inertia_diagonal]
    body.inertia_diagonal = [part if part < inf else 0.0 for part in motion.inertia_diagonal]
    x, y, z, w = motion.inertia_orientation
    body.inertia_orientation = (w, x, y, z)
    body.linear_velocity = motion.linear_velocity
    body.angular_velocity = motion.angular_velocity
    body.gravity_factor = motion.gravity_factor
    body.starts_asleep = motion.starts_asleep
    body.motion_unknown = motion.unknown


def _fill_collider(
    body: OMI_JOINT_PG_body, collider: Collider, mechanism: Mechanism, obj: Object, mesh_of: MeshOf
) -> None:
    body.use_collider = True
    group = body.collider
    fill_shape(group.shape, _at(mechanism.shapes, collider.shape), obj, mesh_of)
    material = _at(mechanism.physics_materials, collider.physics_material)
    if material is not None:
        group.use_physics_material = True
        _fill_material(group.physics_material, material)
    collision_filter = _at(mechanism.collision_filters, collider.collision_filter)
    if collision_filter is not None:
        group.use_collision_filter = True
        _fill_filter(group.collision_filter, collision_filter)
    group.unknown = collider.unknown


def _fill_trigger(
    body: OMI_JOINT_PG_body,
    trigger: Trigger,
    mechanism: Mechanism,
    obj: Object,
    objects: Sequence[Object | None],
    mesh_of: MeshOf,
) -> None:
    body.use_trigger = True
    group = body.trigger
    fill_shape(group.shape, _at(mechanism.shapes, trigger.shape), obj, mesh_of)
    for part in trigger.nodes:
        if objects[part] is not None:
            group.nodes.add().object = objects[part]
    collision_filter = _at(mechanism.collision_filters, trigger.collision_filter)
    if collision_filter is not None:
        group.use_collision_filter = True
        _fill_filter(group.collision_filter, collision_filter)
    group.unknown = trigger.unknown


def fill_shape(
    group: OMI_JOINT_PG_shape, shape: Shape | None, obj: Object, mesh_of: MeshOf
) -> None:
    """Write a shape (in Blender's axes); None is a compound."""
    if shape is None:
        group.type = "none"
        return
    group.type = type_of(shape)
    group.label, group.unknown = shape.name, shape.unknown
    if isinstance(shape, Box):
        group.size = shape.size
    elif isinstance(shape, Sphere):
        group.radius = shape.radius
    elif isinstance(shape, Capsule | Cylinder):
        group.height = shape.height
        group.radius_bottom, group.radius_top = shape.radius_bottom, shape.radius_top
    elif isinstance(shape, Plane):
        sizes = (shape.size_x, shape.size_z)
        group.use_size = [isfinite(size) for size in sizes]
        group.size = [*(size if isfinite(size) else 1.0 for size in sizes), 1.0]
        group.double_sided = shape.double_sided
    elif isinstance(shape, Convex | Trimesh):
        mesh = mesh_of(shape.mesh)
        group.mesh = None if obj.data == mesh else mesh


def text_from(names: Sequence[str]) -> str:
    """Return names in one text that separates them by commas; ``names_from`` reads it again."""
    return ", ".join(re.sub(r"[\\,]|\A\s|\s\Z", r"\\\g<0>", name) for name in names)


def _fill_material(group: OMI_JOINT_PG_physics_material, material: PhysicsMaterial) -> None:
    group.label = material.name
    group.static_friction = material.static_friction
    group.dynamic_friction = material.dynamic_friction
    group.restitution = material.restitution
    group.friction_combine = material.friction_combine
    group.restitution_combine = material.restitution_combine
    group.unknown = material.unknown


def _fill_filter(group: OMI_JOINT_PG_collision_filter, collision_filter: CollisionFilter) -> None:
    group.label = collision_filter.name
    group.collision_systems = text_from(collision_filter.collision_systems)
    only, but = collision_filter.collide_with_systems, collision_filter.not_collide_with_systems
    group.mode = "only" if only is not None else "not" if but is not None else "all"
    group.others = text_from(only or but or ())
    group.unknown = collision_filter.unknown


def _at(items: Sequence[_T], index: int | None) -> _T | None:
    return None if index is None else items[index]
