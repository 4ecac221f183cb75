# SPDX-License-Identifier: GPL-3.0-or-later
"""For every finding about Babylon a mechanism that has it, and its nearest sound neighbour."""

from __future__ import annotations

from dataclasses import replace

from omi_physics_joint.model.body import Collider
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import DriveMode, JointNode, Limit
from omi_physics_joint.model.mechanism import Mechanism
from tests.model.building import ANCHOR, DOOR, DYNAMIC, JOINT, WALL, changed

from .cases import MOTOR, RIGID_PIN, SCALED, SOUND, SPRING, driven, limited, with_motion

CONE = Limit((), (0, 1), max=0.6, together=True)
ROPE = Limit((0, 1, 2), (), max=2.0, together=True)
LOCKED_TWIST = Limit((), (2,), 0.0, 0.0)
SPIN = (0.0, 0.0, 1.0)
SWAPPED = changed(changed(SOUND, JOINT, joint=None), ANCHOR, joint=JointNode(0, JOINT))
NESTED = changed(changed(SOUND, WALL, motion=DYNAMIC), DOOR, parent=WALL)

BABYLON_CASES: dict[str, tuple[Mechanism, Mechanism]] = {
    "babylon-motor-speed": (driven(**MOTOR), driven(**SPRING)),
    "babylon-acceleration": (driven(mode=DriveMode.ACCELERATION, **SPRING), driven(**SPRING)),
    "babylon-no-force": (driven(max_force=0.0, **SPRING), driven(max_force=1.0, **SPRING)),
    "babylon-two-angles": (
        limited(RIGID_PIN, Limit((), (0,), -1.0, 1.0), Limit((), (1,), -1.0, 1.0)),
        limited(RIGID_PIN, CONE),
    ),
    "babylon-cone-twists": (limited(RIGID_PIN, CONE), limited(RIGID_PIN, CONE, LOCKED_TWIST)),
    "babylon-rigid-distance": (limited(replace(ROPE, stiffness=9.0)), limited(ROPE)),
    "babylon-stops": (SOUND, limited(RIGID_PIN)),
    "babylon-inertia": (
        with_motion(mass=2.0, inertia_diagonal=(1.0, 1.0, 1.0)),
        with_motion(mass=1.0, inertia_diagonal=(1.0, 1.0, 1.0)),
    ),
    "babylon-scaled-velocity": (
        changed(with_motion(linear_velocity=SPIN), DOOR, world=SCALED),
        changed(with_motion(linear_velocity=SPIN), DOOR, world=compose((1.0, 0.0, 0.0))),
    ),
    "babylon-centre-velocity": (
        with_motion(angular_velocity=SPIN, center_of_mass=(0.1, 0.0, 0.0)),
        with_motion(angular_velocity=SPIN),
    ),
    "babylon-no-body": (
        changed(SWAPPED, WALL, collider=None),
        changed(SWAPPED, WALL, collider=Collider(0)),
    ),
    "babylon-nested": (NESTED, changed(NESTED, DOOR, parent=None)),
}
