# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism as the extension objects of Khronos.

Readers fill in what is missing each in their own way, so mass, centre of mass and how materials
combine are always said. Bodies that are static have no motion here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import inf, isinf

from ...model.body import (
    IDENTITY_QUATERNION,
    ZERO,
    Collider,
    Motion,
    MotionType,
    PhysicsMaterial,
    Trigger,
)
from ...model.joint import JointSettings
from ...model.mechanism import Mechanism, Node
from ...model.settings.canonical import acting
from ...model.shape import Box, Capsule, Convex, MeshShape, Plane, Shape, Sphere, type_of
from ..dialect_writer import DialectWriter
from ..document.json_text import Json, JsonObject, members_of, merged
from ..document.numbering import Numbering
from ..document.numbers import number, numbers
from ..document.pool import Pool, put
from ..shared.kept import kept_for
from ..shared.spell_settings import spell_settings
from ..shared.surfaces import spell_collision_filter, spell_physics_material
from .names import BODY, SHAPE

ARRAYS = {BODY: ("physicsJoints", "physicsMaterials", "collisionFilters"), SHAPE: ("shapes",)}


def spell_khr(
    mechanism: Mechanism, numbering: Numbering
) -> tuple[dict[str, JsonObject], dict[int, dict[str, JsonObject]]]:
    """Return the extension objects of the document by name, and of nodes by index and name."""
    writer = _KhrWriter(
        numbering,
        Pool(mechanism.settings, _spell_settings, by_name=True),
        Pool(mechanism.shapes, _spell_shape),
        Pool(mechanism.physics_materials, _spell_material),
        Pool(mechanism.collision_filters, partial(spell_collision_filter, dialect=BODY)),
    )
    nodes = {i: writer.members(i, node, mechanism.shapes) for i, node in writer.written(mechanism)}
    document = writer.document(ARRAYS, mechanism.unknown)
    return document, {index: {BODY: said} for index, said in nodes.items() if said}


def _spell_settings(settings: JointSettings) -> JsonObject:
    drives = tuple(acting(drive) for drive in settings.drives)
    spelled = spell_settings(replace(settings, drives=drives), BODY)
    # A reader of the authors of this extension falls over joints without limits.
    limits = spelled.get("limits", [])
    assert isinstance(limits, list)
    return {**spelled, "limits": [_with_lower_bound(limit) for limit in limits]}


def _with_lower_bound(limit: Json) -> Json:
    """Return a spelled limit that says where it begins: a distance or an angle is never negative.

    Readers that take several axes one by one, or make a range of them, need both ends: Havok loses
    bodies to a distance without a lower one, and makes a cone of two angles from -max to max only.
    """
    assert isinstance(limit, dict)
    axes = limit.get("linearAxes") or limit.get("angularAxes")
    high = limit.get("max")
    if (
        not isinstance(axes, list)
        or len(axes) == 1
        or "min" in limit
        or not isinstance(high, float)
    ):
        return limit
    is_distance = "linearAxes" in limit and len(axes) == 3
    return {**limit, "min": 0.0 if is_distance else -high}


def _spell_material(material: PhysicsMaterial) -> JsonObject:
    return {
        "frictionCombine": material.friction_combine.value,
        "restitutionCombine": material.restitution_combine.value,
        **spell_physics_material(material, BODY),
    }


def _spell_shape(shape: Shape) -> JsonObject | None:
    """Return an implicit shape, without its name; None of meshes."""
    block: JsonObject
    if isinstance(shape, MeshShape):
        return None
    if isinstance(shape, Capsule) and not shape.height and shape.radius_top == shape.radius_bottom:
        shape = Sphere(shape.radius_top, shape.name, shape.unknown)  # capsules have a height here
    if isinstance(shape, Box):
        block = {"size": numbers(shape.size)}
    elif isinstance(shape, Sphere):
        block = {"radius": number(shape.radius)}
    elif isinstance(shape, Plane):
        sizes = (("sizeX", shape.size_x), ("sizeZ", shape.size_z))
        block = {key: number(size) for key, size in sizes if not isinf(size)}
        block["doubleSided"] = shape.double_sided
    else:
        block = {
            "height": number(shape.height),
            "radiusBottom": number(shape.radius_bottom),
            "radiusTop": number(shape.radius_top),
        }
    kind, unknown = type_of(shape), kept_for(BODY, shape.unknown)
    inner = members_of(unknown).get(kind)
    if isinstance(inner, dict):
        block = {**inner, **block}
    return merged({"type": kind, kind: block}, unknown)


def _spell_motion(motion: Motion) -> JsonObject:
    members: JsonObject = {}
    if motion.type is MotionType.KINEMATIC:
        members["isKinematic"] = True
    members["mass"] = 0.0 if isinf(motion.mass) else number(motion.mass)
    if motion.center_of_mass is not None:
        members["centerOfMass"] = numbers(motion.center_of_mass)
    if motion.inertia_diagonal != ZERO:
        # Zero says infinite here, so what is really zero is as little as the solver takes it for.
        least = THINNEST * max(part for part in (*motion.inertia_diagonal, 0.0) if part < inf)
        members["inertiaDiagonal"] = numbers(
            0.0 if part == inf else max(part, least) for part in motion.inertia_diagonal
        )
        members["inertiaOrientation"] = numbers(motion.inertia_orientation)
    elif motion.inertia_orientation != IDENTITY_QUATERNION:
        members["inertiaOrientation"] = numbers(motion.inertia_orientation)
    velocities = (
        ("linearVelocity", motion.linear_velocity),
        ("angularVelocity", motion.angular_velocity),
    )
    for key, value in velocities:
        if value != ZERO:
            members[key] = numbers(value)
    if motion.gravity_factor != 1.0:
        members["gravityFactor"] = number(motion.gravity_factor)
    return merged(members, kept_for(BODY, motion.unknown))


THINNEST = 1e-9
"""Smallest moment of inertia that is written, as a part of the largest."""


class _KhrWriter(DialectWriter):
    """Writes nodes in these extensions."""

    def members(self, index: int, node: Node, shapes: Sequence[Shape]) -> JsonObject:
        """Return what physics says of one node."""
        members: JsonObject = {}
        if node.motion is not None and node.moves:
            members["motion"] = _spell_motion(node.motion)
        if node.collider is not None:
            collider = self._collider(node.collider, index, shapes)
            if collider is not None:
                members["collider"] = collider
        if node.trigger is not None:
            trigger = self._trigger(node.trigger, index, shapes)
            if trigger is not None:
                members["trigger"] = trigger
        if node.joint is not None:
            joint = self.joint(node.joint, kept_for(BODY, node.joint.unknown))
            if joint is not None:
                members["joint"] = joint
        return merged(members, kept_for(BODY, node.unknown))

    def _geometry(
        self, shape: int, own: int, shapes: Sequence[Shape], unknown: str
    ) -> JsonObject | None:
        """Return a geometry; None where its shape cannot be written."""
        kept: Json = members_of(unknown).get("geometry")
        members: JsonObject = dict(kept) if isinstance(kept, dict) else {}
        solid = shapes[shape] if 0 <= shape < len(shapes) else None
        if isinstance(solid, MeshShape):
            mesh = self.numbering.meshes.get(solid.mesh)
            if mesh is None:
                return None
            # Drafts up to 2025 ask for a node, readers of its authors since then for the mesh.
            holder = self.numbering.holder_of(mesh, own)
            if holder is not None:
                members["node"] = holder
            members["mesh"] = mesh
            members["convexHull"] = isinstance(solid, Convex)
            return members
        return members if put(members, "shape", self.shapes, shape) else None

    def _collider(self, collider: Collider, own: int, shapes: Sequence[Shape]) -> JsonObject | None:
        """Return a collider; None of a compound, which is made of those below it."""
        unknown = kept_for(BODY, collider.unknown)
        if collider.shape is None:
            return None
        geometry = self._geometry(collider.shape, own, shapes, unknown)
        if geometry is None:
            return None
        members: JsonObject = {"geometry": geometry}
        put(members, "physicsMaterial", self.physics_materials, collider.physics_material)
        put(members, "collisionFilter", self.collision_filters, collider.collision_filter)
        return merged(members, unknown)

    def _trigger(self, trigger: Trigger, own: int, shapes: Sequence[Shape]) -> JsonObject | None:
        """Return a trigger; None where it has neither a shape nor nodes that are written."""
        members: JsonObject = {}
        unknown, collision_filter = kept_for(BODY, trigger.unknown), trigger.collision_filter
        if trigger.shape is not None:
            geometry = self._geometry(trigger.shape, own, shapes, unknown)
            if geometry is None:
                return None
            members["geometry"] = geometry
        else:
            nodes = self.parts_of(trigger)
            if not nodes:
                return None
            members["nodes"] = nodes
            collision_filter = None  # the triggers that make it up have filters of their own
        put(members, "collisionFilter", self.collision_filters, collision_filter)
        return merged(members, unknown)
