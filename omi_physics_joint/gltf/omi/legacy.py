# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints as OMI_physics_joint spelled them before September 2024, as joints of today.

Then the document had ``constraints``, and a joint node listed some of them beside ``nodeA`` and
``nodeB``, the two bodies; the pose of the joint node was the frame on both. Today each body has a
node of its own for the frame, so nodes are appended where they are missing.
Source: OMI_physics_joint in omigroup/gltf-extensions before commit f94d9e2.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...model.body import Motion, MotionType
from ...model.joint import AXES, JointNode, JointSettings, Limit
from ...model.mechanism import Node
from ..document.json_text import Json
from ..document.members import Members, Table
from ..parts.read_settings import sound_limit

DAMPING = 1.0
"""Default of the older form, in N s/m or N m s/rad."""


@dataclass(slots=True)
class Assembly:
    """Nodes and settings of a mechanism while it is put together."""

    nodes: list[Node]
    settings: list[JointSettings]
    known: dict[tuple[Limit, ...], int] = field(default_factory=dict)
    """Index of the settings that were made of some limits."""

    def append(self, node: Node) -> int:
        """Append a node that the file does not have; return its index."""
        self.nodes.append(node)
        return len(self.nodes) - 1

    def settings_of(self, limits: tuple[Limit, ...]) -> int:
        """Return the index of the settings with these limits, which joints share."""
        if limits not in self.known:
            self.known[limits] = len(self.settings)
            self.settings.append(JointSettings(limits=limits))
        return self.known[limits]


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


def read_legacy_joint(
    joint: Members, constraints: dict[int, Limit], nodes: Table, assembly: Assembly
) -> None:
    """Read one joint of the older form into the assembly.

    The joint stays on its own node where that is below the first body; otherwise a new node below
    that body carries it. A new node below the second body is what it connects to.
    """
    joint.warn(
        "legacy-joint",
        "The joint is in the older form, with constraints, nodeA and nodeB.",
        "Export the file again.",
    )
    limits = _limits(joint, constraints)
    enable_collision = joint.flag("enableCollision", default=False)
    bodies = [joint.index(key, nodes) for key in ("nodeA", "nodeB")]
    dangling = any(
        body is None and joint.json.get(key, -1) != -1
        for key, body in zip(("nodeA", "nodeB"), bodies, strict=True)
    )
    unknown = joint.unknown()
    own = joint.place.node
    if not limits or dangling or own is None:
        return
    if bodies[0] == bodies[1]:
        joint.error(
            "connected-to-itself",
            "The joint joins no bodies."
            if bodies[0] is None
            else "The joint joins a body to itself.",
            "Set nodeA and nodeB to two bodies.",
        )
        return
    body_a, body_b = (
        _world_body(joint, own, assembly) if body is None else body for body in bodies
    )
    name, world = assembly.nodes[own].name, assembly.nodes[own].world
    connected = assembly.append(Node(f"{name} attachment".strip(), body_b, world))
    carrier = own
    if not _is_below(assembly.nodes, own, body_a):
        carrier = assembly.append(Node(f"{name} joint".strip(), body_a, world))
    assembly.nodes[carrier] = replace(
        assembly.nodes[carrier],
        joint=JointNode(assembly.settings_of(limits), connected, enable_collision, unknown),
    )


def _limits(joint: Members, constraints: dict[int, Limit]) -> tuple[Limit, ...]:
    """Return the limits that a joint lists: by index, or as objects inside it."""
    limits: list[Limit] = []
    for position, item in enumerate(joint.items("constraints")):
        limit = _limit(joint, position, item, constraints)
        if limit is not None:
            limits.append(limit)
    if not limits:
        joint.error("missing-member", "The joint has no sound constraint.", "It is left out.")
    return tuple(limits)


def _limit(
    joint: Members, position: int, item: Json, constraints: dict[int, Limit]
) -> Limit | None:
    if isinstance(item, dict):
        return read_constraint(joint.item("constraints", position, item))
    if isinstance(item, bool) or not isinstance(item, int | float):
        joint.error("wrong-type", "A constraint must be an index or an object.", key="constraints")
        return None
    limit = constraints.get(int(item)) if isinstance(item, int) or item.is_integer() else None
    if limit is None:
        message = "The joint lists a constraint that does not exist or could not be read."
        joint.error("index-out-of-range", message, key="constraints")
    return limit


def _world_body(joint: Members, own: int, assembly: Assembly) -> int:
    """Append a body that never moves, since today a joint always joins two bodies."""
    joint.warn(
        "joint-to-world", "The joint holds a body to the world.", "A static body is made for it."
    )
    node = assembly.nodes[own]
    name = f"{node.name} world".strip()
    return assembly.append(Node(name, None, node.world, Motion(MotionType.STATIC)))


def _is_below(nodes: list[Node], index: int, body: int) -> bool:
    above: int | None = index
    while above is not None and above != body:
        above = nodes[above].parent
    return above == body
