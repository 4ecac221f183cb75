# SPDX-License-Identifier: GPL-3.0-or-later
"""For every finding about where bodies stand a mechanism that has it, and its sound neighbour."""

from __future__ import annotations

from dataclasses import replace

from omi_physics_joint.model.body import Collider, CollisionFilter, Motion, MotionType
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.model.shape import Convex
from omi_physics_joint.model.solid import Bounds
from tests.model.building import ANCHOR, DOOR, DYNAMIC, JOINT, STATIC, WALL, added, changed, shift

from .cases import SOUND, driven, with_motion

AROUND = changed(
    changed(SOUND, DOOR, bounds=Bounds((-2.0, -2.0, -2.0), (2.0, 2.0, 2.0))),
    WALL,
    bounds=Bounds((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)),
)
"""What moves is around what stands, and hinges on a corner of it; a wheel does so in its middle."""
SPUN = replace(DYNAMIC, angular_velocity=(3.0, 0.0, 0.0))
LOOSE = Node("Loose", None, shift(0, 4.0), SPUN, Collider(0))
SERVO = {"position_target": 0.0, "stiffness": 1.0, "max_force": 1.0}


def asset(place: float) -> Mechanism:
    """Return a pair with the door below an empty, and a handle there that is no body."""
    made = changed(changed(SOUND, WALL, world=shift(1, 9.0)), DOOR, parent=4)
    bounds = Bounds((-0.1, -0.1, -0.1), (0.1, 0.1, 0.1))
    return added(made, Node("Root"), Node("Handle", 4, shift(1, place), bounds=bounds))


def sized(length: float) -> Mechanism:
    """Return a pair with a door of a length."""
    half = 0.5 * length
    return changed(SOUND, DOOR, bounds=Bounds((-0.1, -half, -0.1), (0.1, half, 0.1)))


def hulled(thick: float) -> Mechanism:
    """Return a pair with a door that is the hull of a mesh, so thick."""
    made = replace(SOUND, shapes=(*SOUND.shapes, Convex(0)), meshes=("Door",))
    bounds = Bounds((-0.5, -1.0, 0.0), (0.5, 1.0, thick))
    return changed(made, DOOR, bounds=bounds, collider=Collider(len(SOUND.shapes)))


STANDING_CASES: dict[str, tuple[Mechanism, Mechanism]] = {
    "bodies-apart": (
        changed(SOUND, WALL, world=shift(0, 50.0)),
        changed(changed(SOUND, WALL, world=shift(0, 50.0)), ANCHOR, world=shift(0, 50.0)),
    ),
    "mass-extreme": (
        changed(SOUND, DOOR, motion=replace(DYNAMIC, mass=1e30)),
        changed(SOUND, DOOR, motion=replace(DYNAMIC, mass=1e9)),
    ),
    "inertia-size": (
        with_motion(inertia_diagonal=(1e4,) * 3),
        with_motion(inertia_diagonal=(9.0,) * 3),
    ),
    "body-huge": (sized(400.0), sized(200.0)),
    "shape-off-mesh": (
        changed(SOUND, DOOR, bounds=Bounds((-0.5, 0.0, -0.5), (0.5, 1.0, 0.5))),
        changed(SOUND, DOOR, bounds=Bounds((-0.5, -0.3, -0.5), (0.5, 0.7, 0.5))),
    ),
    "mesh-flat": (hulled(0.0), hulled(0.01)),
    "drive-too-weak": (driven(**SERVO), driven(hinge(1), axis=1, **SERVO)),
    "static-velocity": (
        changed(SOUND, WALL, motion=replace(STATIC, linear_velocity=(1.0, 0.0, 0.0))),
        changed(SOUND, WALL, motion=Motion(MotionType.KINEMATIC, linear_velocity=(1.0, 0.0, 0.0))),
    ),
    "spins-off": (
        added(SOUND, replace(LOOSE, motion=replace(SPUN, center_of_mass=(0.0, 0.2, 0.0)))),
        added(SOUND, replace(LOOSE, motion=replace(SPUN, center_of_mass=(0.2, 0.0, 0.0)))),
    ),
    "filter-misspelt": (
        replace(SOUND, collision_filters=(CollisionFilter("F", ("Ball",), ("ball",)),)),
        replace(SOUND, collision_filters=(CollisionFilter("F", ("Ball",), ("Balls",)),)),
    ),
    "part-of-no-body": (asset(0.0), asset(5.0)),
    "wrong-one-moves": (
        AROUND,
        changed(changed(AROUND, JOINT, world=shift(0, 0.1)), ANCHOR, world=shift(0, 0.1)),
    ),
}
