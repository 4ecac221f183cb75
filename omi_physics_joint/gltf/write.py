# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism as the extension objects of a glTF document and of its nodes.

Shared resources are written once per value, in the order in which nodes first use them; what no
node uses is not written. Nothing here judges: whoever calls has reported what cannot be written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, Protocol, TypeVar

from ..model.body import Collider, CollisionFilter, PhysicsMaterial, Trigger, Vector3
from ..model.joint import JointNode, JointSettings
from ..model.mechanism import Mechanism, Node
from ..model.shape import Shape
from ..model.target import Target
from .for_whom import said
from .gravity import spell_gravity
from .json_text import Json, JsonObject, merged, text_of
from .names import BODY, EXTENSIONS, GRAVITY, JOINT, SHAPE
from .write_bodies import (
    spell_collision_filter,
    spell_motion,
    spell_physics_material,
    spell_shape,
)
from .write_joints import spell_settings


class Named(Protocol):
    """A shared resource."""

    @property
    def name(self) -> str:
        """What the user calls it."""


Resource = TypeVar("Resource", bound=Named)


@dataclass(frozen=True, slots=True)
class Spelling:
    """What goes into a glTF document."""

    document: dict[str, JsonObject]
    """Extension objects of the document, by name of the extension."""
    nodes: dict[int, dict[str, JsonObject]]
    """Extension objects of nodes, by index of the node in the file, then by name."""
    extensions_used: tuple[str, ...]
    extras: JsonObject = field(default_factory=dict)
    """What is said beside extensions, at the root of the document."""


class _Pool(Generic[Resource]):
    """Resources of one kind, written when first used, once per value whatever their names."""

    def __init__(
        self, resources: Sequence[Resource], spell: Callable[[Resource], JsonObject | None]
    ) -> None:
        self.entries: list[JsonObject] = []
        self._resources = resources
        self._spell = spell
        self._by_index: dict[int, int | None] = {}
        self._by_text: dict[str, int] = {}

    def index_of(self, index: int) -> int | None:
        """Return the index in the file, or None where the resource cannot be written."""
        if index not in self._by_index:
            self._by_index[index] = self._add(index)
        return self._by_index[index]

    def _add(self, index: int) -> int | None:
        if not 0 <= index < len(self._resources):
            return None
        resource = self._resources[index]
        spelled = self._spell(resource)
        if spelled is None:
            return None
        text = text_of(spelled)
        if text not in self._by_text:
            self._by_text[text] = len(self.entries)
            self.entries.append(spelled)
        at = self._by_text[text]
        if resource.name and "name" not in self.entries[at]:
            self.entries[at] = {"name": resource.name, **self.entries[at]}
        return at


@dataclass(slots=True)
class _Writer:
    """The pools of one document, and how nodes are numbered in it."""

    node_index: Mapping[int, int]
    settings: _Pool[JointSettings]
    shapes: _Pool[Shape]
    physics_materials: _Pool[PhysicsMaterial]
    collision_filters: _Pool[CollisionFilter]
    nodes: dict[int, dict[str, JsonObject]] = field(default_factory=dict)

    def add(self, index: int, node: Node) -> None:
        """Write what physics says of one node."""
        extensions: dict[str, JsonObject] = {}
        body = self._body(node)
        if body:
            extensions[BODY] = body
        joint = None if node.joint is None else self._joint(node.joint)
        if joint is not None:
            extensions[JOINT] = joint
        if extensions:
            self.nodes[index] = extensions

    def document(
        self, unknown: Mapping[str, str], gravity: Vector3 | None
    ) -> dict[str, JsonObject]:
        """Return the extension objects of the document."""
        arrays: dict[str, tuple[tuple[str, list[JsonObject]], ...]] = {
            BODY: (
                ("physicsMaterials", self.physics_materials.entries),
                ("collisionFilters", self.collision_filters.entries),
            ),
            JOINT: (("physicsJoints", self.settings.entries),),
            SHAPE: (("shapes", self.shapes.entries),),
        }
        document: dict[str, JsonObject] = {}
        for name in EXTENSIONS:
            known: JsonObject = {key: list(entries) for key, entries in arrays[name] if entries}
            members = merged(known, unknown.get(name, ""))
            if members:
                document[name] = members
        pull = spell_gravity(gravity, unknown.get(GRAVITY, ""))
        if pull and self.nodes:
            document[GRAVITY] = pull
        return document

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
        return merged(members, node.unknown)

    def _collider(self, collider: Collider) -> JsonObject | None:
        """Return a collider; None where its shape cannot be written, rather than a compound."""
        members: JsonObject = {}
        if collider.shape is not None and not _put(members, "shape", self.shapes, collider.shape):
            return None
        _put(members, "physicsMaterial", self.physics_materials, collider.physics_material)
        _put(members, "collisionFilter", self.collision_filters, collider.collision_filter)
        return _kept(merged(members, collider.unknown))

    def _trigger(self, trigger: Trigger) -> JsonObject | None:
        """Return a trigger; None where its shape cannot be written, rather than a compound."""
        members: JsonObject = {}
        collision_filter = trigger.collision_filter
        if trigger.shape is not None:
            if not _put(members, "shape", self.shapes, trigger.shape):
                return None
        else:
            nodes: list[Json] = [
                self.node_index[node]
                for node in dict.fromkeys(trigger.nodes)
                if node in self.node_index
            ]
            if nodes:
                members["nodes"] = nodes
                collision_filter = None  # the triggers that make it up have filters of their own
        _put(members, "collisionFilter", self.collision_filters, collision_filter)
        return _kept(merged(members, trigger.unknown))

    def _joint(self, joint: JointNode) -> JsonObject | None:
        """Return a joint; None where what it names is not in the file."""
        if joint.connected_node not in self.node_index:
            return None
        settings = self.settings.index_of(joint.settings)
        if settings is None:
            return None
        members: JsonObject = {
            "joint": settings,
            "connectedNode": self.node_index[joint.connected_node],
        }
        if joint.enable_collision:
            members["enableCollision"] = True
        return merged(members, joint.unknown)


def spell(
    mechanism: Mechanism,
    *,
    node_index: Mapping[int, int],
    mesh_index: Mapping[int, int],
    target: Target = Target.SPECIFIED,
) -> Spelling:
    """Return the extension objects that say a mechanism.

    Args:
        mechanism: in glTF axes (Y up), SI units.
        node_index: index in the file of every node of the mechanism that is in the file.
        mesh_index: index in the file of every mesh of the mechanism that is in the file.
        target: who reads it; for Godot the mechanism is what ``model.godot.written`` returns.
    """
    writer = _Writer(
        node_index,
        _Pool(mechanism.settings, spell_settings),
        _Pool(mechanism.shapes, partial(spell_shape, mesh_index=mesh_index, target=target)),
        _Pool(mechanism.physics_materials, spell_physics_material),
        _Pool(mechanism.collision_filters, spell_collision_filter),
    )
    for index, node in enumerate(mechanism.nodes):
        if index in node_index:
            writer.add(node_index[index], node)
    document = writer.document(mechanism.unknown, mechanism.gravity)
    used = set(document).union(*writer.nodes.values())
    names = tuple(name for name in (*EXTENSIONS, GRAVITY) if name in used)
    return Spelling(document, writer.nodes, names, said(target) if names else {})


def _put(members: JsonObject, key: str, pool: _Pool[Resource], index: int | None) -> bool:
    """Write an index where there is one to write; return whether there was."""
    at = None if index is None else pool.index_of(index)
    if at is not None:
        members[key] = at
    return at is not None


def _kept(members: JsonObject) -> JsonObject:
    """Return an object that survives Blender's exporter even when it says nothing.

    The exporter drops every empty object below the root, and with it the fact that the node is a
    compound collider or trigger. It keeps ``extras``, and an empty one means nothing to a reader.
    """
    return members or {"extras": {}}
