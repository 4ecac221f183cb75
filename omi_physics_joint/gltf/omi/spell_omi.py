# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism as the extension objects of OMI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from ...model.body import ZERO, Collider, Motion, MotionType, Trigger
from ...model.joint import JointSettings
from ...model.mechanism import Mechanism, Node
from ...model.settings.canonical import canonical
from ...model.settings.together import all_apart
from ...model.shape import MeshShape, Plane, Shape, slab
from ..dialect_writer import DialectWriter, Pool, Said, put
from ..document.json_text import JsonObject
from ..document.new_nodes import Numbering
from ..document.numbers import number, numbers
from ..shared.resources import spell_collision_filter, spell_physics_material
from ..shared.spell_settings import sizes_of, spell_motion_of, spell_settings, spell_shape_of
from .names import BODY, JOINT, SHAPE

MOTION = Motion(MotionType.STATIC)
"""Holds the defaults of the specification, which are not written."""
ARRAYS = {
    BODY: ("physicsMaterials", "collisionFilters"),
    JOINT: ("physicsJoints",),
    SHAPE: ("shapes",),
}


def spell_omi(mechanism: Mechanism, numbering: Numbering) -> Said:
    """Return the extension objects of the document by name, and of nodes by index and name."""
    writer = _OmiWriter(
        BODY,
        numbering,
        Pool(mechanism.settings, _spell_settings, by_name=True),
        Pool(mechanism.shapes, partial(spell_shape, mesh_index=numbering.meshes)),
        Pool(mechanism.physics_materials, partial(spell_physics_material, dialect=BODY)),
        Pool(mechanism.collision_filters, partial(spell_collision_filter, dialect=BODY)),
    )
    nodes = {index: writer.extensions(node) for index, node in writer.written(mechanism)}
    document = writer.document(ARRAYS, mechanism.unknown)
    return document, {index: said for index, said in nodes.items() if said}


def _spell_settings(settings: JointSettings) -> JsonObject:
    """Return joint settings, with bounds over several axes together as what OMI can say."""
    if any(limit.together for limit in settings.limits):
        settings = canonical(settings)
    return spell_settings(replace(settings, limits=all_apart(settings.limits)), JOINT)


def _spell_motion(motion: Motion) -> JsonObject:
    """Return the motion of a body, without what are defaults of the specification."""
    members: JsonObject = {"type": motion.type.value}
    if motion.mass != MOTION.mass:
        members["mass"] = number(motion.mass)
    vectors = (("centerOfMass", motion.center), ("inertiaDiagonal", motion.inertia_diagonal))
    members |= {key: numbers(value) for key, value in vectors if value != ZERO}
    return spell_motion_of(motion, members, BODY)


def spell_shape(shape: Shape, mesh_index: Mapping[int, int]) -> JsonObject | None:
    """Return a shape, without its name; None where its mesh is not in the file."""
    if isinstance(shape, Plane):
        shape = slab(shape)
    if not isinstance(shape, MeshShape):
        return spell_shape_of(shape, sizes_of(shape), SHAPE)
    mesh = mesh_index.get(shape.mesh)
    return None if mesh is None else spell_shape_of(shape, {"mesh": mesh}, SHAPE)


class _OmiWriter(DialectWriter):
    """Writes nodes in OMI's extensions."""

    def extensions(self, node: Node) -> dict[str, JsonObject]:
        """Return what physics says of one node."""
        motion = None if node.motion is None else _spell_motion(node.motion)
        said = {BODY: self.body(node, motion, self._shape), JOINT: self.joint(node.joint)}
        return {name: members for name, members in said.items() if members}

    def _shape(self, part: Collider | Trigger) -> JsonObject | None:
        """Return what says a shape, if there is one; None where it cannot be written."""
        members: JsonObject = {}
        said = part.shape is None or put(members, "shape", self.shapes, part.shape)
        return members if said else None
