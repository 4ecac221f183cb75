# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism into properties of Blender's objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from math import inf, isfinite

import bpy
from bpy.types import Mesh, Object, PropertyGroup

from ...model.body import Collider, CollisionFilter, Motion, Trigger
from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.joint import Drive, Freedom, JointNode, JointSettings, Limit, on_axes
from ...model.mechanism import Mechanism, Node
from ...model.settings.fields import DRIVE_FIELDS, LIMIT_FIELDS, Field
from ...model.settings.keyed import is_keyed
from ...model.shape import SIZES, MeshShape, Plane, Shape, type_of
from ...model.wording.describe import special_name
from ..data.body import (
    OMI_JOINT_PG_body,
    OMI_JOINT_PG_collider,
    OMI_JOINT_PG_collision_filter,
    OMI_JOINT_PG_shape,
    OMI_JOINT_PG_trigger,
)
from ..data.joint import OmiJointSettings
from ..data.limits import Item, OMI_JOINT_PG_drive
from .keyed import insert_keys
from .read_settings import limit_from_item

MeshOf = Callable[[int, Object], Mesh | None]
"""Returns Blender's mesh for a mesh index of the mechanism, in a shape of an object."""

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
        item = block.limits.add()
        item.freedom, item.together = freedom, limit.together
        item.axes = [axis in limit.axes(freedom) for axis in range(3)]
        _fill_numbers(item, limit, LIMIT_FIELDS)
    for drive in settings.drives:
        fill_drive(block.drives.add(), drive)
    locks = [limit_from_item(item).is_lock for item in block.limits]
    block.active_limit = locks.index(False) if False in locks else 0
    foreign = ",".join(settings.foreign_drives)
    block.foreign_drives = f"[{foreign}]" if foreign else ""
    block.unknown = settings.unknown


def fill_drive(item: OMI_JOINT_PG_drive, drive: Drive) -> None:
    """Replace what one drive in a list says."""
    item.freedom, item.mode, item.axis = drive.type, drive.mode, str(drive.axis)
    _fill_numbers(item, drive, DRIVE_FIELDS)


def _by_freedom(settings: JointSettings) -> Iterator[tuple[Limit, Freedom]]:
    """Yield the limits of settings as a block has them: each on one kind of axes."""
    for limit in settings.limits:
        for freedom in Freedom:
            if limit.axes(freedom) or (freedom is Freedom.LINEAR and not limit.angular_axes):
                yield limit, freedom


def _fill_numbers(item: Item, part: Limit | Drive, fields: Sequence[Field]) -> None:
    """Fill in all numbers of a limit or drive; what may be absent has a switch beside it."""
    for one in fields:
        value, switch = getattr(part, one.name), f"use_{one.name}"
        has_keys = any(keys.field == one.name for keys in part.keys)
        is_there = value is not None and isfinite(value) and (value != one.default or has_keys)
        if hasattr(item, switch):
            setattr(item, switch, is_there)
        if is_there or not hasattr(item, switch):
            setattr(item, one.property_on(item.freedom), value)
    item.unknown = part.unknown


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
    spared: Set[int] = frozenset(),
) -> None:
    """Write physics of a mechanism (in glTF axes) onto objects, node i onto object i.

    Nodes without an object are passed over, as are joints whose partner has none, unless it was
    spared: then it is where the joint is, and below a body. What fails costs
    itself where somebody takes note of it: one node, or one settings block. What is animated gets
    keys, in frames of so many a second.
    """
    writer = _Writer(mechanism, objects, mesh_of, spared)
    for settings in mechanism.settings:
        try:
            writer.blocks.append(_new_keyed(Z_UP_FROM_Y_UP.settings(settings), fps))
        except Exception as error:  # noqa: BLE001 - whatever it is, all else has to arrive
            writer.blocks.append(None)
            on_fault(settings.name or "Joint", None, error)
    for index, (node, obj) in enumerate(zip(mechanism.nodes, objects, strict=False)):
        if obj is None or not (node.is_physical or node.unknown):
            continue
        try:
            writer.fill(obj, node)
        except Exception as error:  # noqa: BLE001
            on_fault(obj.name, index, error)


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the nodes of a mechanism (in glTF axes) onto objects."""

    mechanism: Mechanism
    objects: Sequence[Object | None]
    mesh_of: MeshOf
    spared: Set[int]
    blocks: list[OmiJointSettings | None] = field(default_factory=list)
    """Of each settings of the mechanism; None where they could not be made."""

    def fill(self, obj: Object, node: Node) -> None:
        """Write what a node says."""
        body = obj.omi_physics_body
        body.unknown = node.unknown
        if node.motion is not None:
            _fill_motion(body, Z_UP_FROM_Y_UP.motion(node.motion))
        if node.collider is not None:
            body.use_collider = True
            self._fill_collider(body.collider, node.collider, obj)
        if node.trigger is not None:
            body.use_trigger = True
            self._fill_contact(body.trigger, node.trigger, obj)
            for part in node.trigger.nodes:
                if self.objects[part] is not None:
                    body.trigger.nodes.add().object = self.objects[part]
        if node.gravity_shape is not None:
            body.use_gravity_shape = True
            self._fill_shape(body.gravity_shape, node.gravity_shape, obj)
        if node.joint is not None:
            self._fill_joint(obj, node.joint)

    def _fill_joint(self, obj: Object, told: JointNode) -> None:
        connected, frame = self.objects[told.connected_node], None
        if told.connected_node in self.spared:
            frame = self.mechanism.nodes[told.connected_node]
            connected = None if frame.parent is None else self.objects[frame.parent]
        if connected is None:
            return
        joint = obj.omi_physics_joint
        joint.is_joint = True
        joint.settings = self.blocks[told.settings]
        if frame is None:
            joint.connected_node = connected
        else:
            joint.connected_body, joint.connected_name = connected, frame.name
        joint.mute = not told.enabled
        _copy(joint, told, "enable_collision", "unknown")
        if told.breaking is not None:
            breaking = obj.omi_physics_breaking
            breaking.use_breaking = True
            for name in ("force", "torque"):
                load = getattr(told.breaking, name)
                setattr(breaking, f"use_{name}", load != inf)
                if load != inf:
                    setattr(breaking, name, load)

    def _fill_collider(self, group: OMI_JOINT_PG_collider, collider: Collider, obj: Object) -> None:
        self._fill_contact(group, collider, obj)
        if collider.physics_material is not None:
            group.use_physics_material = True
            material = self.mechanism.physics_materials[collider.physics_material]
            surface = group.physics_material
            surface.label = material.name
            _copy(surface, material, "static_friction", "dynamic_friction", "restitution")
            _copy(surface, material, "friction_combine", "restitution_combine", "unknown")

    def _fill_contact(
        self,
        group: OMI_JOINT_PG_collider | OMI_JOINT_PG_trigger,
        contact: Collider | Trigger,
        obj: Object,
    ) -> None:
        """Write what a collider and a trigger have alike."""
        self._fill_shape(group.shape, contact.shape, obj)
        if contact.collision_filter is not None:
            group.use_collision_filter = True
            told = self.mechanism.collision_filters[contact.collision_filter]
            _fill_filter(group.collision_filter, told)
        group.unknown = contact.unknown

    def _fill_shape(self, group: OMI_JOINT_PG_shape, index: int | None, obj: Object) -> None:
        """Write a shape; None is a compound."""
        if index is None:
            group.type = "none"
            return
        shape = Z_UP_FROM_Y_UP.shape(self.mechanism.shapes[index])
        group.type = type_of(shape)
        group.label, group.unknown = shape.name, shape.unknown
        if isinstance(shape, MeshShape):
            mesh = self.mesh_of(shape.mesh, obj)
            group.mesh = None if obj.data == mesh else mesh
        else:
            fill_primitive(group, shape)


def fill_primitive(group: OMI_JOINT_PG_shape, shape: Shape) -> None:
    """Write the sizes of a box, sphere, plane, capsule or cylinder in Blender's axes."""
    if isinstance(shape, Plane):
        sizes = (shape.size_x, shape.size_z)
        group.use_size = [isfinite(size) for size in sizes]
        group.size = [*(size if isfinite(size) else 1.0 for size in sizes), 1.0]
        group.double_sided = shape.double_sided
    else:
        _copy(group, shape, *SIZES[type(shape)])


def _copy(group: PropertyGroup, told: object, *names: str) -> None:
    """Take over members that have one name in Blender and in the model."""
    for name in names:
        setattr(group, name, getattr(told, name))


def _fill_motion(body: OMI_JOINT_PG_body, motion: Motion) -> None:
    body.is_body = True
    body.infinite_mass = motion.mass == inf
    if not body.infinite_mass:
        body.mass = motion.mass
    body.infinite_inertia = [part == inf for part in motion.inertia_diagonal]
    body.inertia_diagonal = [part if part < inf else 0.0 for part in motion.inertia_diagonal]
    x, y, z, w = motion.inertia_orientation
    body.inertia_orientation = (w, x, y, z)
    body.motion_unknown = motion.unknown
    body.computed_center = motion.center_of_mass is None
    body.center_of_mass = motion.center
    _copy(body, motion, "type", "linear_velocity", "angular_velocity")
    _copy(body, motion, "gravity_factor", "starts_asleep")


def _fill_filter(group: OMI_JOINT_PG_collision_filter, collision_filter: CollisionFilter) -> None:
    group.label = collision_filter.name
    group.collision_systems = text_from(collision_filter.collision_systems)
    only, but = collision_filter.collide_with_systems, collision_filter.not_collide_with_systems
    group.mode = "only" if only is not None else "not" if but is not None else "all"
    group.others = text_from(only or but or ())
    group.unknown = collision_filter.unknown


def text_from(names: Sequence[str]) -> str:
    """Return names in one text that separates them by commas; ``names_from`` reads it again."""
    return ", ".join(re.sub(r"[\\,]|\A\s|\s\Z", r"\\\g<0>", name) for name in names)
