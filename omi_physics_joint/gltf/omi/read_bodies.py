# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies, colliders and triggers, out of JSON. Source: OMI_physics_body."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...model.body import ZERO, Collider, Motion, MotionType, Trigger
from ..document.members import Members, Table
from ..document.node_graph import quaternion, vector3
from ..document.numbers import endless

MOTION = Motion(MotionType.STATIC)
"""Holds the defaults of the specification."""


@dataclass(frozen=True, slots=True)
class BodyTables:
    """What the extension of a node may point at."""

    nodes: Table = field(default_factory=lambda: Table("nodes"))
    shapes: Table = field(default_factory=lambda: Table("shapes"))
    physics_materials: Table = field(default_factory=lambda: Table("physics materials"))
    collision_filters: Table = field(default_factory=lambda: Table("collision filters"))


def read_motion(motion: Members) -> Motion | None:
    """Read what makes a node a body; None, with an issue, where the type is missing or wrong."""
    if "type" not in motion.json:
        motion.error("missing-member", "The motion has no type.", "It is left out.")
        return None
    if motion.json["type"] not in list(MotionType):
        motion.choice("type", MotionType, MotionType.STATIC)
        return None
    return Motion(
        motion.choice("type", MotionType, MotionType.STATIC),
        endless(motion.number("mass", MOTION.mass, infinite=True)),
        vector3(motion.vector("centerOfMass", ZERO)),
        vector3(tuple(map(endless, motion.vector("inertiaDiagonal", ZERO)))),
        quaternion(motion, "inertiaOrientation"),
        vector3(motion.vector("linearVelocity", ZERO)),
        vector3(motion.vector("angularVelocity", ZERO)),
        motion.number("gravityFactor", MOTION.gravity_factor),
        motion.unknown(),
    )


def read_collider(collider: Members, tables: BodyTables) -> Collider:
    """Read what makes a node solid; without a shape it is a compound of its descendants."""
    return Collider(
        collider.index("shape", tables.shapes),
        collider.index("physicsMaterial", tables.physics_materials),
        collider.index("collisionFilter", tables.collision_filters),
        collider.unknown(),
    )


def read_trigger(trigger: Members, tables: BodyTables) -> Trigger:
    """Read what makes a node notice things; of a shape and nodes, only the shape counts."""
    shape = trigger.index("shape", tables.shapes)
    nodes = trigger.integers("nodes", tables.nodes.count, "node")
    if shape is not None and trigger.json.get("nodes"):
        trigger.error(
            "trigger-both", "The trigger has a shape and also nodes.", "Only the shape counts."
        )
        nodes = ()
    collision_filter = trigger.index("collisionFilter", tables.collision_filters)
    return Trigger(shape, nodes, collision_filter, trigger.unknown())
