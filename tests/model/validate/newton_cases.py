# SPDX-License-Identifier: GPL-3.0-or-later
"""For every finding about Newton a mechanism that has it, and its nearest sound neighbour."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from omi_physics_joint.model.body import Motion, MotionType
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import Breaking, Drive, DriveMode, Freedom, JointNode, Limit
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin
from omi_physics_joint.model.shape import Cylinder
from tests.model.building import (
    ANCHOR,
    DOOR,
    DYNAMIC,
    JOINT,
    WALL,
    added,
    changed,
    pair,
    product,
    turn,
)

from .babylon_cases import CONE, LOCKED_TWIST, ROPE
from .cases import RIGID_PIN, SOUND, SPRING, driven, limited, with_shape

SOFT = Limit((), (0,), -0.5, 0.5, stiffness=9.0)
RANGE = Limit((), (1,), -0.5, 0.5)
UNTWISTED = Limit((), (2,), 0.0, 0.0)
SWING = Limit((), (0, 1), 0.0, 0.0)
FREE_HINGE = limited(RIGID_PIN, SWING)
TURNING = (0.0, 0.0, 1.0)
TAPERED = (with_shape(Cylinder(1.0, 0.5, 0.2)), with_shape(Cylinder(1.0, 0.5, 0.5)))
LEADS = Motion(MotionType.KINEMATIC)
LED = (
    changed(FREE_HINGE, WALL, motion=replace(LEADS, linear_velocity=(1.0, 0.0, 0.0))),
    changed(FREE_HINGE, WALL, motion=LEADS),
)


def _spun(joint: Mechanism, **velocities: tuple[float, float, float]) -> Mechanism:
    return changed(joint, DOOR, motion=replace(DYNAMIC, **velocities))


def _keyed(*keys: Keys) -> Mechanism:
    drive = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, **SPRING)
    return pair(replace(hinge(2), drives=(replace(drive, keys=keys),)))


def keyed_drive() -> tuple[Mechanism, Mechanism]:
    """Return a drive with keys, and the same without."""
    return _keyed(Keys("stiffness", (0.0, 1.0), (3.0, 5.0))), _keyed()


def _looped(other: int) -> Mechanism:
    """Return a pair and one body more, joined to the first ones so that there is a loop or none."""
    more = added(FREE_HINGE, Node("Rod", motion=DYNAMIC, world=compose((0.0, 1.0, 0.0))))
    rod = len(more.nodes) - 1
    ends = ((rod, DOOR), (rod, other))
    for number, (one, two) in enumerate(ends):
        more = added(more, Node(f"Other {number}", two))
        more = added(more, Node(f"Pin {number}", one, joint=JointNode(0, len(more.nodes) - 1)))
    return more


NEWTON_CASES: dict[str, tuple[Mechanism, Mechanism]] = {
    "newton-stops": (limited(RIGID_PIN, SOFT, RANGE), limited(RIGID_PIN, RANGE)),
    "newton-soft-limit": (
        limited(RIGID_PIN, SOFT),
        limited(RIGID_PIN, replace(SOFT, stiffness=inf)),
    ),
    "newton-cone": (limited(RIGID_PIN, CONE), limited(RIGID_PIN, CONE, LOCKED_TWIST)),
    "newton-rope": (limited(ROPE), limited(ROPE, SWING)),
    "newton-several-turns": (limited(RIGID_PIN, UNTWISTED), pair(pin())),
    "newton-beyond-bounds": (driven(position_target=2.0, stiffness=9.0), driven(**SPRING)),
    "newton-position-and-velocity": (
        driven(**SPRING, velocity_target=1.0),
        driven(**SPRING, velocity_target=0.0),
    ),
    "newton-acceleration": (driven(mode=DriveMode.ACCELERATION, **SPRING), driven(**SPRING)),
    "newton-no-force": (driven(max_force=0.0, **SPRING), driven(max_force=1.0, **SPRING)),
    "newton-start": (
        _spun(FREE_HINGE, angular_velocity=TURNING),
        _spun(FREE_HINGE, angular_velocity=TURNING, linear_velocity=(2.0, -1.0, 0.0)),
    ),
    "newton-loop": (_looped(WALL), FREE_HINGE),
    "newton-rest": (
        changed(SOUND, ANCHOR, world=product(SOUND.nodes[ANCHOR].world, turn(2, 0.3))),
        changed(FREE_HINGE, ANCHOR, world=product(FREE_HINGE.nodes[ANCHOR].world, turn(2, 0.3))),
    ),
    "newton-mirrored": (
        changed(FREE_HINGE, DOOR, world=compose(scale=(-1.0, 1.0, 1.0))),
        changed(FREE_HINGE, DOOR, world=compose(scale=(-1.0, -1.0, 1.0))),
    ),
    "newton-tapered": TAPERED,
    "newton-kinematic-velocity": LED,
    "newton-stiff-motor": (
        driven(velocity_target=1.0, damping=1e5, max_force=1.0),
        driven(velocity_target=9.0, damping=1e5),
    ),
    "newton-breaking": (
        changed(SOUND, JOINT, joint=JointNode(0, ANCHOR, breaking=Breaking(9.0))),
        SOUND,
    ),
    "newton-keyed": keyed_drive(),
}
