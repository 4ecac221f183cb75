# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints and bodies as OMI spelled them in older drafts, as joints and bodies of today.

OMI_physics_joint before September 2024: the document had ``constraints``, and a joint node listed
some of them beside ``nodeA`` and ``nodeB``, the two bodies; the pose of the joint node was the
frame on both. Today each body has a node of its own for the frame, so nodes are appended where they
are missing.
Source: OMI_physics_joint in omigroup/gltf-extensions before commit f94d9e2.

OMI_physics_body before August 2023: the extension of a node was one flat object with a type, and
shapes stood on nodes of their own in OMI_physics_shape: solid, or what makes up a trigger, by the
type of the nearest body above.
Source: OMI_physics_body in omigroup/gltf-extensions and in KhronosGroup/glTF (2023).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...model.body import ZERO, Collider, Motion, MotionType, Trigger
from ...model.joint import AXES, JointNode, JointSettings, Limit
from ...model.mechanics.masses import principal
from ...model.mechanism import Mechanism, Node
from ..document.json_text import Json
from ..document.members import Members, Table
from ..shared.read_settings import read_motion_of, sound_limit
from ..shared.resources import Tables
from ..source import Source
from .names import BODY, SHAPE

DAMPING = 1.0
"""Default of the older form, in N s/m or N m s/rad."""


def read_constraint(constraint: Members) -> Limit | None:
    """Read one constraint of the older form; None, with an issue, where it is not sound."""
    return sound_limit(
        constraint,
        Limit(
            constraint.integers("linearAxes", len(AXES), "axis"),
            constraint.integers("angularAxes", len(AXES), "axis"),
            constraint.number("lowerLimit", 0.0, infinite=True),
            constraint.number("upperLimit", 0.0, infinite=True),
            constraint.infinite_if_negative("stiffness"),
            constraint.magnitude("damping", DAMPING, "limit-negative"),
            unknown=constraint.unknown(),
        ),
    )


def is_legacy(joint: Members) -> bool:
    """Return whether the extension of a node has the older form."""
    return "constraints" in joint.json and "joint" not in joint.json


@dataclass(slots=True)
class Assembly:
    """Nodes and settings of a mechanism, to which older joints add theirs."""

    nodes: list[Node]
    settings: list[JointSettings]
    constraints: dict[int, Limit]
    """Limits that could be read, by their index in the file."""
    table: Table
    """Nodes, as indices point at them."""
    known: dict[tuple[Limit, ...], int] = field(default_factory=dict)
    """Index of the settings that were made of some limits, which joints share."""

    def read(self, joint: Members) -> None:
        """Read one joint of the older form.

        The joint stays on its own node where that is below the first body; otherwise a new node
        below that body carries it. A new node below the second body is what it connects to.
        """
        message = "The joint is in the older form, with constraints, nodeA and nodeB."
        joint.warn("legacy-joint", message, "Export the file again.")
        limits = self._limits(joint)
        enable_collision = joint.flag("enableCollision")
        first, second = bodies = [joint.index(key, self.table) for key in ("nodeA", "nodeB")]
        dangling = any(
            body is None and joint.json.get(key, -1) != -1
            for key, body in zip(("nodeA", "nodeB"), bodies, strict=True)
        )
        unknown, own = joint.unknown(), joint.place.node
        if not limits or dangling or own is None:
            return
        if first == second:
            what = "no bodies" if first is None else "a body to itself"
            fix = "Set nodeA and nodeB to two bodies."
            joint.error("connected-to-itself", f"The joint joins {what}.", fix)
            return
        first, second = (self._world_body(joint) if body is None else body for body in bodies)
        name, world = self.nodes[own].name, self.nodes[own].world
        connected = self._append(Node(f"{name} attachment".strip(), second, world))
        carrier = own
        if first not in Mechanism(tuple(self.nodes)).ancestry(own):
            carrier = self._append(Node(f"{name} joint".strip(), first, world))
        if limits not in self.known:
            self.known[limits] = len(self.settings)
            self.settings.append(JointSettings(limits=limits))
        node = JointNode(self.known[limits], connected, enable_collision, unknown)
        self.nodes[carrier] = replace(self.nodes[carrier], joint=node)

    def _append(self, node: Node) -> int:
        """Append a node that the file does not have; return its index."""
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _limits(self, joint: Members) -> tuple[Limit, ...]:
        """Return the limits that a joint lists: by index, or as objects inside it."""
        listed = enumerate(joint.items("constraints"))
        found = [self._limit(joint, position, item) for position, item in listed]
        limits = tuple(limit for limit in found if limit is not None)
        if not limits:
            joint.error("missing-member", "The joint has no sound constraint.", "It is left out.")
        return limits

    def _limit(self, joint: Members, position: int, item: Json) -> Limit | None:
        if isinstance(item, dict):
            return read_constraint(joint.item("constraints", position, item))
        if isinstance(item, bool) or not isinstance(item, int | float):
            message = "A constraint must be an index or an object."
            joint.error("wrong-type", message, key="constraints")
            return None
        limit = (
            self.constraints.get(int(item)) if isinstance(item, int) or item.is_integer() else None
        )
        if limit is None:
            message = "The joint lists a constraint that does not exist or could not be read."
            joint.error("index-out-of-range", message, key="constraints")
        return limit

    def _world_body(self, joint: Members) -> int:
        """Append a body that never moves, since today a joint always joins two bodies."""
        fix = "A static body is made for it."
        joint.warn("joint-to-world", "The joint holds a body to the world.", fix)
        node = self.nodes[joint.place.node or 0]
        name = f"{node.name} world".strip()
        return self._append(Node(name, None, node.world, Motion(MotionType.STATIC)))


TYPES = {
    "static": MotionType.STATIC,
    "kinematic": MotionType.KINEMATIC,
    "character": MotionType.KINEMATIC,
    "rigid": MotionType.DYNAMIC,
    "dynamic": MotionType.DYNAMIC,
    "vehicle": MotionType.DYNAMIC,
}
TRIGGER = "trigger"
NO_TENSOR = (0.0,) * 9


def is_legacy_body(body: Members) -> bool:
    """Return whether the extension of a node has the older form."""
    return "type" in body.json and body.json.keys().isdisjoint({"motion", "collider", "trigger"})


def with_legacy_bodies(source: Source, nodes: list[Node], tables: Tables) -> list[Node]:
    """Return nodes with the bodies and shapes that are in the older form; one warning says so."""
    kinds: dict[int, str] = {}
    shapes: dict[int, int | None] = {}
    nodes = list(nodes)
    for index, members in enumerate(source.members):
        body, shape = members.extension(BODY), members.extension(SHAPE)
        if body is not None and is_legacy_body(body):
            kinds[index] = body.text("type")
            nodes[index] = replace(nodes[index], motion=_motion(body, kinds[index]))
        if shape is not None:
            shapes[index] = shape.index("shape", tables.shapes)
    tree = Mechanism(source.nodes)
    for index, at in shapes.items():
        owner = next((above for above in tree.ancestry(index) if above in kinds), None)
        if owner is None or kinds[owner] != TRIGGER:
            nodes[index] = replace(nodes[index], collider=None if at is None else Collider(at))
            continue
        nodes[index] = replace(nodes[index], trigger=None if at is None else Trigger(at))
        if owner != index and at is not None:
            parts = nodes[owner].trigger or Trigger()
            together = replace(parts, nodes=(*parts.nodes, index)) if parts.shape is None else parts
            nodes[owner] = replace(nodes[owner], trigger=together)
    if kinds or shapes:
        message = "The file has bodies or shapes in the older form, before August 2023."
        source.root.warn("legacy-body", message, "Export the file again.")
    return nodes


def _motion(body: Members, kind: str) -> Motion | None:
    """Return what a body is; None of a trigger, and, with an issue, of a type that is none."""
    if kind == TRIGGER:
        return None
    if kind not in TYPES:
        body.error("wrong-type", f'There is no body of type "{kind}".', "It is left out.", "type")
        return None
    tensor = body.vector("inertiaTensor", NO_TENSOR)
    moments, axes = principal((tensor[:3], tensor[3:6], tensor[6:]))
    motion = read_motion_of(body, TYPES[kind], body.number("mass", 1.0), ZERO, ZERO)
    return replace(motion, inertia_diagonal=moments, inertia_orientation=axes, unknown="")
