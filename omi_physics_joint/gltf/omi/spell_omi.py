# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism as the extension objects of OMI."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ...model.body import Collider, Trigger
from ...model.joint import JointSettings
from ...model.mechanism import Mechanism, Node
from ...model.settings.canonical import canonical
from ...model.settings.together import all_apart
from ..dialect_writer import DialectWriter
from ..document.json_text import JsonObject, merged
from ..document.numbering import Numbering
from ..document.pool import Pool, put
from ..shared.kept import kept_for
from ..shared.spell_settings import spell_settings
from ..shared.surfaces import spell_collision_filter, spell_physics_material
from .names import BODY, JOINT, SHAPE
from .spell_bodies import spell_motion, spell_shape

ARRAYS = {
    BODY: ("physicsMaterials", "collisionFilters"),
    JOINT: ("physicsJoints",),
    SHAPE: ("shapes",),
}


def spell_omi(
    mechanism: Mechanism, numbering: Numbering
) -> tuple[dict[str, JsonObject], dict[int, dict[str, JsonObject]]]:
    """Return the extension objects of the document by name, and of nodes by index and name."""
    writer = _OmiWriter(
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


class _OmiWriter(DialectWriter):
    """Writes nodes in OMI's extensions."""

    def extensions(self, node: Node) -> dict[str, JsonObject]:
        """Return what physics says of one node."""
        extensions: dict[str, JsonObject] = {}
        body = self._body(node)
        if body:
            extensions[BODY] = body
        if node.joint is not None:
            joint = self.joint(node.joint, kept_for(JOINT, node.joint.unknown))
            if joint is not None:
                extensions[JOINT] = joint
        return extensions

    def _body(self, node: Node) -> JsonObject:
        members: JsonObject = {}
        if node.motion is not None:
            members["motion"] = spell_motion(node.motion)
        if node.collider is not None:
            collider = self._collider(node.collider)
            if collider is not None:
                members["collider"] = collider
        if node.trigger is not None:
            trigger = self._trigger(node.trigger)
            if trigger is not None:
                members["trigger"] = trigger
        return merged(members, kept_for(BODY, node.unknown))

    def _collider(self, collider: Collider) -> JsonObject | None:
        """Return a collider; None where its shape cannot be written, rather than a compound."""
        members: JsonObject = {}
        if collider.shape is not None and not put(members, "shape", self.shapes, collider.shape):
            return None
        put(members, "physicsMaterial", self.physics_materials, collider.physics_material)
        put(members, "collisionFilter", self.collision_filters, collider.collision_filter)
        return merged(members, kept_for(BODY, collider.unknown))

    def _trigger(self, trigger: Trigger) -> JsonObject | None:
        """Return a trigger; None where its shape cannot be written, rather than a compound."""
        members: JsonObject = {}
        collision_filter = trigger.collision_filter
        if trigger.shape is not None:
            if not put(members, "shape", self.shapes, trigger.shape):
                return None
        else:
            nodes = self.parts_of(trigger)
            if nodes:
                members["nodes"] = nodes
                collision_filter = None  # the triggers that make it up have filters of their own
        put(members, "collisionFilter", self.collision_filters, collision_filter)
        return merged(members, kept_for(BODY, trigger.unknown))
