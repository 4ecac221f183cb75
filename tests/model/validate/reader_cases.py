# SPDX-License-Identifier: GPL-3.0-or-later
"""For every finding about other readers a mechanism that has it, and its sound neighbour."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from omi_physics_joint.model.body import Collider, CollisionFilter, PhysicsMaterial
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin, slider
from omi_physics_joint.model.shape import Box, Capsule, Cylinder, Sphere
from tests.model.building import DOOR, DYNAMIC, JOINT, WALL, added, changed, pair, shift, turn

from .babylon_cases import CONE, ROPE
from .cases import (
    LINEAR,
    RIGID_PIN,
    SOUND,
    SPRING,
    driven,
    limited,
    with_motion,
    with_shape,
    with_surface,
)

LOOSE = changed(SOUND, JOINT, joint=None)
PLAIN = Mechanism((Node("Picture"),))
SPRINGS = [
    Drive(Freedom.ANGULAR, DriveMode.FORCE, axis, position_target=0.1, stiffness=3.0)
    for axis in range(3)
]

ENDLESS = replace(DYNAMIC, mass=inf, inertia_diagonal=(0.2, 0.2, 0.2))
TOGETHER = (
    limited(ROPE),
    limited(RIGID_PIN, *(Limit((), (axis,), -1.0, 1.0) for axis in (0, 1))),
)


def links(third: float, bound: float = inf) -> Mechanism:
    """Return three links of 1 m on hinges, the first two 1.1 m apart."""
    nodes = [
        Node(f"Link {i}", None, shift(0, x), DYNAMIC, Collider(0))
        for i, x in enumerate((0.0, 1.1, third))
    ]
    for i in (1, 2):
        nodes.append(Node(f"Hinge {i}", i, shift(0, i - 0.5), joint=JointNode(0, len(nodes) + 1)))
        nodes.append(Node(f"End {i}", i - 1, shift(0, i - 0.5)))
    return Mechanism(tuple(nodes), (hinge(2, -bound, bound),), (Box((1.0, 1.0, 1.0)),))


READER_CASES: dict[str, tuple[Mechanism, Mechanism]] = {
    "reader-misled": (SOUND, PLAIN),
    "reader-deaf": (SOUND, PLAIN),
    "godot-no-joints": (SOUND, LOOSE),
    "unity-no-joints": (SOUND, LOOSE),
    "unity-even-bounds": (pair(slider(0, -0.2, 1.0)), pair(hinge(0, -0.2, 1.0))),
    "unity-one-reach": (
        limited(Limit((0,), (), -1.0, 1.0), Limit((1,), (), -2.0, 2.0)),
        limited(Limit((0,), (), -1.0, 1.0), Limit((1,), (), -1.0, 1.0), Limit((2,), (), 0.0, 0.0)),
    ),
    "unity-one-drive": (
        pair(replace(pin(), drives=(SPRINGS[1], SPRINGS[2]))),
        pair(replace(pin(), drives=(SPRINGS[0], SPRINGS[2]))),
    ),
    "unity-acceleration": (driven(mode=DriveMode.ACCELERATION, **SPRING), driven(**SPRING)),
    "unity-gravity-factor": (with_motion(gravity_factor=0.0), with_motion(gravity_factor=1.0)),
    "unity-filter": (with_surface(collision_filter=CollisionFilter("F", ("A",))), with_surface()),
    "unity-round": (with_shape(Cylinder(1.0, 0.5, 0.5)), with_shape(Capsule(1.0, 0.5, 0.5))),
    "viewers-no-joints": (SOUND, LOOSE),
    "viewers-one-bound": (pair(slider(0, low=-1.0)), pair(slider(0, -1.0, 9.0))),
    "viewers-together": TOGETHER,
    "godot-together": TOGETHER,
    "godot-combine": (
        with_surface(PhysicsMaterial("Ice", 0.1, 0.1)),
        with_surface(PhysicsMaterial("Ball", restitution=0.8)),
    ),
    "godot-contacts": (links(1.9), links(3.5)),
    "godot-endless": (
        changed(changed(SOUND, DOOR, motion=ENDLESS), WALL, motion=ENDLESS),
        changed(changed(SOUND, DOOR, motion=ENDLESS), WALL, motion=DYNAMIC),
    ),
    "godot-far-spring": (
        driven(position_target=2.0, stiffness=900.0),
        driven(position_target=0.5, stiffness=900.0),
    ),
    "godot-damper": (
        driven(hinge(2), velocity_target=0.0, damping=1.0),
        driven(slider(0), LINEAR, 0, velocity_target=1.0, damping=1e6),
    ),
    "godot-soft-lock": (
        limited(RIGID_PIN, Limit((), (0,), 0.0, 0.0, stiffness=9.0)),
        limited(RIGID_PIN, Limit((), (0,), 0.0, 0.0)),
    ),
    "godot-round": (with_shape(Capsule(1.0, 0.5, 0.5)), with_shape(Sphere(0.5))),
    "godot-velocity": (
        changed(with_motion(linear_velocity=(1.0, 0.0, 0.0)), DOOR, world=turn(2, 0.5)),
        with_motion(linear_velocity=(1.0, 0.0, 0.0)),
    ),
    "godot-nested": (
        added(SOUND, Node("Handle", DOOR, motion=DYNAMIC)),
        added(SOUND, Node("Sign", WALL, motion=DYNAMIC)),
    ),
    "godot-part": (
        added(SOUND, Node("Group", DOOR), Node("Knob", 4, collider=Collider(0))),
        added(SOUND, Node("Knob", DOOR, collider=Collider(0))),
    ),
    "viewers-drive": (driven(**SPRING), limited(RIGID_PIN, CONE)),
}
