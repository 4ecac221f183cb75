# SPDX-License-Identifier: GPL-3.0-or-later
"""For every finding about PhysX a mechanism that has it, and its nearest sound neighbour."""

from __future__ import annotations

from dataclasses import replace
from math import pi

from omi_physics_joint.model.body import CollisionFilter, Combine, PhysicsMaterial
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import DriveMode, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.recipes import hinge, pin
from tests.model.building import DOOR, DYNAMIC, changed, pair

from .babylon_cases import ROPE
from .cases import CASES, RIGID_PIN, SOUND, SPRING, driven, limited, with_surface
from .newton_cases import FREE_HINGE, LED, SWING, TAPERED, UNTWISTED, keyed_drive
from .reader_cases import READER_CASES

UNTILTED = Limit((), (0,), 0.0, 0.0)
MOVING = {"linear_velocity": (1.0, 0.0, 0.0)}


def _thrown(turn: tuple[float, float, float, float], **velocity: object) -> Mechanism:
    thrown = replace(DYNAMIC, **velocity)
    return changed(FREE_HINGE, DOOR, motion=thrown, world=compose(rotation=turn))


PHYSX_CASES: dict[str, tuple[Mechanism, Mechanism]] = {
    "physx-several-turns": (limited(RIGID_PIN, UNTWISTED), limited(RIGID_PIN, UNTILTED)),
    "physx-one-bound": (pair(hinge(2, low=-0.5)), pair(hinge(2, -0.5, 0.5))),
    "physx-full-turn": (pair(hinge(2, -4.0, 4.0)), pair(hinge(2, -pi, pi))),
    "physx-rope": (limited(ROPE), limited(ROPE, SWING)),
    "physx-acceleration": (driven(mode=DriveMode.ACCELERATION, **SPRING), driven(**SPRING)),
    "physx-velocity": (
        _thrown((0.0, 0.6, 0.0, 0.8), **MOVING),
        _thrown((0.0, 0.0, 0.0, 1.0), **MOVING),
    ),
    "physx-kinematic-velocity": LED,
    "physx-tapered": TAPERED,
    "physx-combine": (
        with_surface(PhysicsMaterial("Ice", 0.1, 0.1, friction_combine=Combine.MINIMUM)),
        with_surface(PhysicsMaterial("Ice", 0.1, 0.1)),
    ),
    "physx-filter": (
        with_surface(collision_filter=CollisionFilter("F", ("A",), ("A",))),
        with_surface(collision_filter=CollisionFilter("F", ("A",), None, ("B",))),
    ),
    "physx-fast": (
        driven(velocity_target=-110.0, damping=1e3),
        driven(velocity_target=-90.0, damping=1e3),
    ),
    "physx-stops": (SOUND, pair(pin())),
    "physx-far-spring": READER_CASES["godot-far-spring"],
    "physx-tumbling": CASES["godot-tumbling"],
    "physx-keyed": keyed_drive(),
}
