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

from ...model.body import ZERO, Collider, Motion, MotionType, PhysicsMaterial, Trigger
from ...model.joint import JointSettings
from ...model.mechanism import Mechanism, Node
from ...model.settings.canonical import acting
from ...model.shape import Capsule, Convex, MeshShape, Plane, Shape, Sphere
from ..dialect_writer import DialectWriter, Pool, Said, put
from ..document.json_text import Json, JsonObject, members_of
from ..document.new_nodes import Numbering
from ..document.numbers import number, numbers
from ..shared.kept import kept_for
from ..shared.resources import spell_collision_filter, spell_physics_material
from ..shared.spell_settings import sizes_of, spell_motion_of, spell_settings, spell_shape_of
from .names import BODY, SHAPE

THINNEST = 1e-9
"""Smallest moment of inertia that is written, as a part of the largest."""
ARRAYS = {BODY: ("physicsJoints", "physicsMaterials", "collisionFilters"), SHAPE: ("shapes",)}


def spell_khr(mechanism: Mechanism, numbering: Numbering) -> Said:
    """Return the extension objects of the document by name, and of nodes by index and name."""
    writer = _KhrWriter(
        BODY,
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
    if isinstance(shape, MeshShape):
        return None
    if isinstance(shape, Capsule) and not shape.height and shape.radius_top == shape.radius_bottom:
        shape = Sphere(shape.radius_top, shape.name, shape.unknown)  # capsules have a height here
    if not isinstance(shape, Plane):
        return spell_shape_of(shape, sizes_of(shape), BODY)
    sizes = (("sizeX", shape.size_x), ("sizeZ", shape.size_z))
    block: JsonObject = {key: number(size) for key, size in sizes if not isinf(size)}
    return spell_shape_of(shape, {**block, "doubleSided": shape.double_sided}, BODY)


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
    return spell_motion_of(motion, members, BODY)


class _KhrWriter(DialectWriter):
    """Writes nodes in these extensions."""

    def members(self, index: int, node: Node, shapes: Sequence[Shape]) -> JsonObject:
        """Return what physics says of one node."""
        motion = _spell_motion(node.motion) if node.motion is not None and node.moves else None
        shape_of = partial(self._shape, own=index, shapes=shapes)
        return self.body(node, motion, shape_of, self.joint(node.joint))

    def _shape(
        self, part: Collider | Trigger, own: int, shapes: Sequence[Shape]
    ) -> JsonObject | None:
        """Return what says a shape; None where it cannot be written.

        Nothing says a compound: a trigger is one by its nodes, a collider by those below it.
        """
        if part.shape is None:
            return {} if isinstance(part, Trigger) and self.parts_of(part) else None
        kept = members_of(kept_for(BODY, part.unknown)).get("geometry")
        members: JsonObject = dict(kept) if isinstance(kept, dict) else {}
        solid = shapes[part.shape] if 0 <= part.shape < len(shapes) else None
        if not isinstance(solid, MeshShape):
            return {"geometry": members} if put(members, "shape", self.shapes, part.shape) else None
        mesh = self.numbering.meshes.get(solid.mesh)
        if mesh is None:
            return None
        # Drafts up to 2025 ask for a node, readers of its authors since then for the mesh.
        holder = self.numbering.holder_of(mesh, own)
        if holder is not None:
            members["node"] = holder
        return {"geometry": {**members, "mesh": mesh, "convexHull": isinstance(solid, Convex)}}
