# SPDX-License-Identifier: GPL-3.0-or-later
"""What writers of all dialects have in common: pools, numbers, and what is spelled alike.

Shared resources go into a document once per value, in the order of their use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..model.body import Collider, CollisionFilter, PhysicsMaterial, Trigger
from ..model.joint import JointNode, JointSettings
from ..model.mechanism import Mechanism, Node
from ..model.shape import Shape
from .animated.keyed import JOINT_FIELDS, spell_keys
from .document.json_text import Json, JsonObject, merged, text_of
from .document.new_nodes import Numbering
from .shared.kept import kept_for

NUMBER = re.compile(r"\.\d{3,}$")
"""What Blender adds to a name that is there already."""


Resource = TypeVar("Resource", bound=JointSettings | Shape | PhysicsMaterial | CollisionFilter)


class Pool(Generic[Resource]):
    """Resources of one kind, written when first used, once per value."""

    def __init__(
        self,
        resources: Sequence[Resource],
        spell: Callable[[Resource], JsonObject | None],
        *,
        by_name: bool = False,
    ) -> None:
        """Take over resources.

        ``spell`` returns how one is written, without its name; None where it cannot be. By name,
        those that say the same stay apart where the user calls them otherwise.
        """
        self.entries: list[JsonObject] = []
        self._resources = resources
        self._spell = spell
        self._by_index: dict[int, int | None] = {}
        self._by_text: dict[str, dict[str, int]] = {}
        self._by_name = by_name

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
        called = NUMBER.sub("", resource.name) if self._by_name else ""
        equals = self._by_text.setdefault(text_of(spelled), {})
        if called not in equals:
            if "" in equals:  # one without a name takes that of the next
                equals[called] = equals.pop("")
            elif called or not equals:
                equals[called] = len(self.entries)
                self.entries.append(spelled)
        at = equals[called] if called else next(iter(equals.values()))
        if resource.name and "name" not in self.entries[at]:
            self.entries[at] = {"name": resource.name, **self.entries[at]}
        return at


def put(members: JsonObject, key: str, pool: Pool[Resource], index: int | None) -> bool:
    """Write an index where there is one to write; return whether there was."""
    at = None if index is None else pool.index_of(index)
    if at is not None:
        members[key] = at
    return at is not None


Arrays = Mapping[str, tuple[str, ...]]
"""The arrays of resources that each extension of a document has, in the order of writing."""
Said = tuple[dict[str, JsonObject], dict[int, dict[str, JsonObject]]]
"""Extension objects of a document by name, and of its nodes by index and name."""
Speller = Callable[[Mechanism, Numbering], Said]
"""Says a mechanism in a dialect."""


@dataclass(frozen=True, slots=True)
class DialectWriter:
    """The pools of one document in one dialect, and how nodes are numbered in it."""

    dialect: str
    """The extension that keeps the unknown members of nodes and their parts."""
    numbering: Numbering
    settings: Pool[JointSettings]
    shapes: Pool[Shape]
    physics_materials: Pool[PhysicsMaterial]
    collision_filters: Pool[CollisionFilter]

    def written(self, mechanism: Mechanism) -> Iterator[tuple[int, Node]]:
        """Yield the nodes that are in the file, each with its index there."""
        for index, node in enumerate(mechanism.nodes):
            if index in self.numbering.nodes:
                yield self.numbering.nodes[index], node

    def document(self, arrays: Arrays, unknown: Mapping[str, str]) -> dict[str, JsonObject]:
        """Return the extension objects of the document, when all nodes are written."""
        entries = {
            "physicsJoints": self.settings.entries,
            "shapes": self.shapes.entries,
            "physicsMaterials": self.physics_materials.entries,
            "collisionFilters": self.collision_filters.entries,
        }
        document: dict[str, JsonObject] = {}
        for name, keys in arrays.items():
            known: JsonObject = {key: list(entries[key]) for key in keys if entries[key]}
            members = merged(known, unknown.get(name, ""))
            if members:
                document[name] = members
        return document

    def body(
        self,
        node: Node,
        motion: JsonObject | None,
        shape_of: Callable[[Collider | Trigger], JsonObject | None],
        joint: JsonObject | None = None,
    ) -> JsonObject:
        """Return what the extension of bodies says of a node.

        Its motion, and where joints are said there its joint, are spelled by the dialect, as is
        what says the shape of a collider or a trigger; what is None cannot be said and is left out.
        """
        said: dict[str, JsonObject | None] = {"motion": motion}
        for key, part in (("collider", node.collider), ("trigger", node.trigger)):
            shape = None if part is None else shape_of(part)
            if part is not None and shape is not None:
                said[key] = self._solid(part, shape)
        said["joint"] = joint
        members: JsonObject = {key: part for key, part in said.items() if part is not None}
        return merged(members, kept_for(self.dialect, node.unknown))

    def joint(self, joint: JointNode | None) -> JsonObject | None:
        """Return a joint of a node; None of none, and where it names what is not there."""
        if joint is None:
            return None
        connected = self.numbering.nodes.get(joint.connected_node)
        settings = None if connected is None else self.settings.index_of(joint.settings)
        if settings is None:
            return None
        members: JsonObject = {"joint": settings, "connectedNode": connected}
        if joint.enable_collision or joint.keys:
            members["enableCollision"] = joint.enable_collision
        members |= spell_keys(joint.keys, JOINT_FIELDS)
        return merged(members, kept_for(self.dialect, joint.unknown))

    def parts_of(self, trigger: Trigger) -> list[Json]:
        """Return the nodes in the file that make up a compound trigger."""
        numbered = self.numbering.nodes
        return [numbered[node] for node in dict.fromkeys(trigger.nodes) if node in numbered]

    def _solid(self, part: Collider | Trigger, shape: JsonObject) -> JsonObject:
        members, collision_filter = dict(shape), part.collision_filter
        if isinstance(part, Collider):
            put(members, "physicsMaterial", self.physics_materials, part.physics_material)
        elif part.shape is None and (nodes := self.parts_of(part)):
            members["nodes"] = nodes
            collision_filter = None  # the triggers that make it up have filters of their own
        put(members, "collisionFilter", self.collision_filters, collision_filter)
        return merged(members, kept_for(self.dialect, part.unknown))
