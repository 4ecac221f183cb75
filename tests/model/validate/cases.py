# SPDX-License-Identifier: GPL-3.0-or-later
"""For every code a mechanism that earns it, and the nearest one that does not."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan
from typing import Any

from omi_physics_joint.model.body import (
    Collider,
    CollisionFilter,
    Motion,
    MotionType,
    PhysicsMaterial,
    Trigger,
)
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Plane, Shape, Trimesh
from omi_physics_joint.model.solid import Bounds
from tests.model.building import (
    ANCHOR,
    DOOR,
    DYNAMIC,
    JOINT,
    STATIC,
    UPRIGHT,
    WALL,
    added,
    changed,
    knobbed,
    pair,
    product,
    shift,
    turn,
)

DOOR_HINGE = hinge(2, -1.0, 1.0)
SOUND = pair(DOOR_HINGE)
RIGID_PIN = pin().limits[0]
SHEARED = product(UPRIGHT, compose(scale=(2.0, 1.0, 1.0)), turn(2, 0.5))
MIRRORED, SCALED = compose(scale=(-1.0, 1.0, 1.0)), compose(scale=(2.0, 3.0, 1.0))
FLAT = compose(scale=(1.0, 0.0, 1.0))
BROKEN = compose((nan, 0.0, 0.0))
LINEAR, ANGULAR = Freedom


def limited(*limits: Limit) -> Mechanism:
    """Return a sound pair whose joint has these limits."""
    return pair(JointSettings("Settings", limits))


def driven(
    base: JointSettings = DOOR_HINGE,
    type: Freedom = ANGULAR,
    axis: int = 2,
    **numbers: Any,
) -> Mechanism:
    """Return a sound pair with one drive in force mode."""
    drive = replace(Drive(type, DriveMode.FORCE, axis), **numbers)
    return pair(replace(base, drives=(drive,)))


def with_motion(**values: Any) -> Mechanism:
    """Return a sound pair whose dynamic body has other values."""
    return changed(SOUND, DOOR, motion=replace(DYNAMIC, **values))


def with_shape(shape: Shape) -> Mechanism:
    """Return a sound pair whose bodies have another shape."""
    return replace(SOUND, shapes=(shape,), meshes=("Mesh",))


def with_trigger(trigger: Trigger, part: Trigger | None, below: int | None) -> Mechanism:
    """Return a trigger (node 4) and a possible part of it (node 5)."""
    return added(
        replace(SOUND, collision_filters=(CollisionFilter(),)),
        Node("Zone", trigger=trigger),
        Node("Part", below, trigger=part),
    )


def with_surface(
    physics_material: PhysicsMaterial | None = None,
    collision_filter: CollisionFilter | None = None,
) -> Mechanism:
    """Return a sound pair whose dynamic body has a material or a filter."""
    collider = Collider(
        0,
        None if physics_material is None else 0,
        None if collision_filter is None else 0,
    )
    return replace(
        changed(SOUND, DOOR, collider=collider),
        physics_materials=() if physics_material is None else (physics_material,),
        collision_filters=() if collision_filter is None else (collision_filter,),
    )


SHAPED, PARTS = Trigger(shape=0), Trigger(nodes=(5,))
TURNING = Keys("position_target", (0.0, 1.0), (0.3, 0.6))
SPRING: dict[str, Any] = {"position_target": 0.5, "stiffness": 3.0, "damping": 1.0}
MOTOR: dict[str, Any] = {"velocity_target": 0.5, "damping": 1.0}
SOFT = replace(RIGID_PIN, stiffness=0.3, damping=1.0)
HELD_X = Limit((0,), (), 0.0, 0.0)
HEAVY = replace(DYNAMIC, mass=2000.0)
TWO_DYNAMIC = changed(SOUND, WALL, motion=DYNAMIC)
SECOND_JOINT = Node("Again", DOOR, UPRIGHT, joint=JointNode(0, ANCHOR))
LID = changed(SOUND, DOOR, world=UPRIGHT, bounds=Bounds((0.0, -0.5, 0.0), (1.0, 0.5, 0.1)))
"""A lid that lies on its hinge, about glTF's Z, with its origin there."""
CASES: dict[str, tuple[Mechanism, Mechanism]] = {
    "joint-without-body": (changed(SOUND, JOINT, parent=None), SOUND),
    "connected-without-body": (changed(SOUND, ANCHOR, parent=None), SOUND),
    "connected-to-itself": (changed(SOUND, JOINT, joint=JointNode(0, JOINT)), SOUND),
    "same-body": (changed(SOUND, ANCHOR, parent=DOOR), SOUND),
    "nothing-dynamic": (changed(SOUND, DOOR, motion=STATIC), SOUND),
    "joint-not-alone": (changed(SOUND, JOINT, collider=Collider(shape=0)), SOUND),
    "joint-under-static": (
        changed(changed(SOUND, JOINT, parent=WALL), ANCHOR, parent=DOOR),
        changed(TWO_DYNAMIC, JOINT, parent=DOOR),
    ),
    "joint-twice": (
        added(SOUND, SECOND_JOINT),
        added(SOUND, replace(SECOND_JOINT, world=shift(1, 2.0))),
    ),
    "settings-idle": (
        limited(),
        pair(JointSettings(foreign_drives=('{"type":"muscle"}',))),
    ),
    "limit-without-axes": (limited(Limit(min=0.0)), limited(Limit((0,), min=0.0))),
    "limit-axis": (limited(Limit((3,), min=0.0)), limited(Limit((2,), min=0.0))),
    "limit-without-bound": (limited(Limit((0,))), limited(Limit((0,), max=0.0))),
    "limit-reversed": (limited(Limit((0,), (), 2.0, 1.0)), limited(Limit((0,), (), 1.0, 2.0))),
    "limit-number": (limited(Limit((0,), (), nan, 1.0)), limited(Limit((0,), (), -inf, 1.0))),
    "limit-negative": (limited(replace(SOFT, damping=-1.0)), limited(SOFT)),
    "limit-powerless": (
        limited(replace(SOFT, stiffness=0.0, damping=0.0)),
        limited(replace(SOFT, stiffness=0.0)),
    ),
    "limit-shared-range": (
        limited(Limit((), (0, 1), -1.0, 1.0)),
        limited(Limit((0,), (1,), -1.0, 1.0), RIGID_PIN),
    ),
    "limit-twice": (limited(HELD_X, RIGID_PIN), limited(HELD_X, Limit((1, 2), (), 0.0, 0.0))),
    "limit-narrow": (
        limited(RIGID_PIN, Limit((), (2,), 0.0, 1e-3)),
        limited(RIGID_PIN, Limit((), (2,), 0.0, 2e-3)),
    ),
    "limits-contradict": (
        limited(HELD_X, Limit((0,), (), 1.0, 2.0)),
        limited(HELD_X, Limit((0,), (), 1.0, 2.0, stiffness=5.0)),
    ),
    "several-drives": (
        pair(replace(DOOR_HINGE, drives=(Drive(ANGULAR, DriveMode.FORCE, 2),) * 2)),
        pair(
            replace(DOOR_HINGE, drives=tuple(Drive(f, DriveMode.FORCE, 2) for f in Freedom)),
        ),
    ),
    "drive-axis": (driven(axis=3), driven(axis=0)),
    "drive-number": (driven(stiffness=nan), driven(max_force=inf)),
    "drive-negative": (driven(max_force=-1.0), driven(max_force=0.0)),
    "drive-on-lock": (
        driven(weld(), LINEAR, 0, **SPRING),
        driven(JointSettings(limits=(SOFT,)), LINEAR, 0, **SPRING),
    ),
    "motor-meets-bound": (driven(**MOTOR), driven(hinge(2, -1.0), **MOTOR)),
    "drive-beyond-bound": (driven(position_target=1.5), driven(position_target=-1.0)),
    "drive-without-target": (driven(stiffness=1.0), driven(**SPRING)),
    "velocity-without-damping": (driven(velocity_target=1.0), driven(**MOTOR)),
    "position-without-stiffness": (driven(position_target=0.5), driven(**SPRING)),
    "mass-not-positive": (
        with_motion(mass=0.0),
        changed(SOUND, WALL, motion=replace(STATIC, mass=0.0)),
    ),
    "infinite-mass": (with_motion(mass=inf), with_motion(mass=1e9)),
    "infinite-inertia": (with_motion(inertia_diagonal=(inf, 1.0, 1.0)), SOUND),
    "inertia-part-missing": (with_motion(inertia_diagonal=(inf, 1.0, 0.0)), SOUND),
    "body-number": (with_motion(linear_velocity=(0.0, nan, 0.0)), with_motion(gravity_factor=-1)),
    "kinematic-below-dynamic": (
        added(SOUND, Node("Fan", DOOR, motion=Motion(MotionType.KINEMATIC))),
        added(SOUND, Node("Fan", WALL, motion=Motion(MotionType.KINEMATIC))),
    ),
    "static-below-dynamic": (
        added(SOUND, Node("Post", JOINT, motion=STATIC)),
        added(
            SOUND,
            Node("Fan", WALL, motion=Motion(MotionType.KINEMATIC)),
            Node("Post", 4, motion=STATIC),
        ),
    ),
    "inertia-negative": (with_motion(inertia_diagonal=(1.0, -1.0, 1.0)), SOUND),
    "inertia-orientation-zero": (
        with_motion(inertia_orientation=(0.0, 0.0, 0.0, 0.0)),
        with_motion(inertia_orientation=(0.0, 0.0, 0.0, 2.0)),
    ),
    "mass-ratio": (
        changed(TWO_DYNAMIC, DOOR, motion=replace(DYNAMIC, mass=10.0)),
        changed(TWO_DYNAMIC, DOOR, motion=replace(DYNAMIC, mass=9.9)),
    ),
    "mass-ratio-large": (
        changed(TWO_DYNAMIC, DOOR, motion=replace(DYNAMIC, mass=100.0)),
        changed(TWO_DYNAMIC, DOOR, motion=replace(DYNAMIC, mass=99.0)),
    ),
    "inertia-impossible": (
        with_motion(inertia_diagonal=(1.0, 1.0, 2.1)),
        with_motion(inertia_diagonal=(1.0, 1.0, 2.001)),
    ),
    "center-on-hinge": (
        LID,
        changed(LID, DOOR, motion=replace(DYNAMIC, center_of_mass=(0.5, 0, 0))),
    ),
    "center-outside": (
        with_motion(center_of_mass=(0.0, 0.6, 0.0)),
        with_motion(center_of_mass=(0.0, 0.55, 0.0)),
    ),
    "body-without-collider": (
        changed(SOUND, DOOR, collider=None),
        added(changed(SOUND, DOOR, collider=None), Node("Hull", DOOR, collider=Collider(0))),
    ),
    "part-without-collider": (knobbed(SOUND, 0.66), knobbed(SOUND, 0.64)),
    "body-without-joint": (
        added(SOUND, Node("Door.001", motion=DYNAMIC)),
        added(SOUND, *(Node(f"Crate {i}", motion=DYNAMIC) for i in range(2))),
    ),
    "material-negative": (
        replace(SOUND, physics_materials=(PhysicsMaterial(restitution=-0.1),)),
        replace(SOUND, physics_materials=(PhysicsMaterial("Ice", 0.0, 0.0, 1.0),)),
    ),
    "filter-both-lists": (
        replace(SOUND, collision_filters=(CollisionFilter("F", (), ("A",), ("B",)),)),
        replace(SOUND, collision_filters=(CollisionFilter("F", ("A",), ("A",)),)),
    ),
    "shape-size": (with_shape(Cylinder(0.0, 0.5, 0.5)), with_shape(Capsule(0.0, 0.5, 0.5))),
    "plane-as-box": (with_shape(Plane()), with_shape(Box())),
    "trimesh-moves": (with_shape(Trimesh(0)), with_shape(Convex(0))),
    "trigger-both": (
        with_trigger(replace(PARTS, shape=0), SHAPED, 4),
        with_trigger(PARTS, SHAPED, 4),
    ),
    "trigger-empty": (with_trigger(Trigger(), None, 4), with_trigger(SHAPED, None, 4)),
    "trigger-parts-unnamed": (
        with_trigger(Trigger(), SHAPED, 4),
        with_trigger(PARTS, SHAPED, 4),
    ),
    "trigger-filter": (
        with_trigger(replace(PARTS, collision_filter=0), SHAPED, 4),
        with_trigger(PARTS, replace(SHAPED, collision_filter=0), 4),
    ),
    "trigger-node-elsewhere": (
        with_trigger(PARTS, SHAPED, None),
        with_trigger(PARTS, SHAPED, 4),
    ),
    "trigger-node-without-trigger": (
        with_trigger(PARTS, None, 4),
        with_trigger(PARTS, SHAPED, 4),
    ),
    "parent-cycle": (
        added(SOUND, Node("Egg", 5), Node("Hen", 4)),
        added(SOUND, Node("Egg", 5), Node("Hen")),
    ),
    "pose-number": (changed(SOUND, JOINT, world=BROKEN), added(SOUND, Node("Else", world=BROKEN))),
    "frame-flat": (changed(SOUND, JOINT, world=FLAT), added(SOUND, Node("Else", world=FLAT))),
    "frame-sheared": (
        changed(SOUND, ANCHOR, world=SHEARED),
        changed(SOUND, ANCHOR, world=product(UPRIGHT, SCALED)),
    ),
    "frame-mirrored": (
        changed(SOUND, JOINT, world=compose(scale=(-1.0, 1.0, 1.0))),
        changed(SOUND, JOINT, world=compose(scale=(-1.0, -1.0, 1.0))),
    ),
    "body-flat": (changed(SOUND, DOOR, world=FLAT), changed(SOUND, DOOR, world=SCALED)),
    "body-sheared": (changed(SOUND, DOOR, world=SHEARED), changed(SOUND, DOOR, world=SCALED)),
    "collider-flat": (
        added(SOUND, Node("Hull", DOOR, FLAT, collider=Collider(0))),
        added(SOUND, Node("Hull", DOOR, SCALED, collider=Collider(0))),
    ),
    "collider-sheared": (
        added(SOUND, Node("Zone", DOOR, SHEARED, trigger=SHAPED)),
        added(SOUND, Node("Zone", DOOR, SCALED, trigger=SHAPED)),
    ),
    "collider-scaled": (
        changed(SOUND, DOOR, world=SCALED),
        changed(changed(SOUND, DOOR, world=SCALED, collider=None), WALL, world=turn(0, 1.0)),
    ),
    "collider-uneven": (
        replace(changed(SOUND, DOOR, world=SCALED), shapes=(Capsule(),)),
        replace(changed(SOUND, DOOR, world=compose(scale=(2.0, 3.0, 2.0))), shapes=(Capsule(),)),
    ),
    "frames-apart": (
        pair(DOOR_HINGE, UPRIGHT, product(UPRIGHT, shift(1, 0.01))),
        pair(DOOR_HINGE, UPRIGHT, product(UPRIGHT, shift(1, 5e-5), turn(0, 5e-4))),
    ),
    "rest-outside-limits": (
        pair(DOOR_HINGE, UPRIGHT, product(UPRIGHT, turn(2, 1.1))),
        pair(DOOR_HINGE, UPRIGHT, product(UPRIGHT, turn(2, 0.9))),
    ),
    "godot-turn-about-x": (pair(hinge(0)), pair(hinge(1))),
    "godot-one-bound": (pair(slider(0, low=-1.0)), pair(slider(1, low=-1.0))),
    "godot-hinge-drive": (driven(**SPRING), driven(hinge(1, -1.0, 1.0), ANGULAR, 1, **SPRING)),
    "godot-acceleration": (driven(mode=DriveMode.ACCELERATION, **MOTOR), driven(**MOTOR)),
    "godot-position-and-velocity": (driven(**SPRING, velocity_target=0.5), driven(**SPRING)),
    "godot-last-limit-wins": (
        limited(RIGID_PIN, Limit((0,), (), -1.0, 1.0, stiffness=30.0)),
        limited(RIGID_PIN, Limit((), (0,), -1.0, 1.0)),
    ),
    "godot-angular-sign": (pair(hinge(2, 0.0, 1.0)), pair(slider(0, 0.0, 1.0))),
    "godot-hard-limits": (
        replace(
            added(pair(pin()), Node("Slide", DOOR, UPRIGHT, joint=JointNode(1, ANCHOR))),
            settings=(pin(), slider(0)),
        ),
        pair(weld()),
    ),
    "soft-lock-sags": (limited(SOFT), limited(replace(SOFT, stiffness=1e4))),
    "godot-several-turns": (
        limited(RIGID_PIN, *(Limit((), (axis,), -0.5, 0.5) for axis in range(3))),
        limited(RIGID_PIN, *(Limit((), (axis,), -0.03, 0.03) for axis in range(3))),
    ),
    "godot-pose": (
        pair(
            replace(pin(), limits=(RIGID_PIN, Limit((), (0,), -1.0, 1.0))),
            UPRIGHT,
            product(UPRIGHT, turn(0, 0.2), turn(1, 0.2)),
        ),
        pair(
            replace(pin(), limits=(RIGID_PIN, Limit((), (0,), -1.0, 1.0))),
            UPRIGHT,
            product(UPRIGHT, turn(0, 0.2)),
        ),
    ),
    "godot-motor-damping": (
        driven(hinge(2), **MOTOR),
        driven(hinge(2), velocity_target=0.5, damping=1e6),
    ),
    "godot-spring-force": (driven(max_force=3.0, **SPRING), driven(**SPRING)),
    "godot-soft-limit": (
        limited(*hinge(2).limits, Limit((), (2,), -1.0, 1.0, stiffness=30.0)),
        limited(*hinge(2).limits, Limit((), (2,), 0.0, 0.0, stiffness=30.0)),
    ),
    "godot-full-turn": (pair(hinge(2, -4.0, 4.0)), pair(hinge(2, -3.0, 3.0))),
    "godot-mirrored": (
        changed(SOUND, DOOR, world=MIRRORED, motion=Motion(MotionType.KINEMATIC)),
        changed(SOUND, DOOR, world=SCALED, motion=Motion(MotionType.KINEMATIC)),
    ),
    "godot-kinematic-velocity": (
        changed(SOUND, WALL, motion=Motion(MotionType.KINEMATIC, angular_velocity=(0.0, 1.0, 0.0))),
        changed(SOUND, WALL, motion=Motion(MotionType.KINEMATIC)),
    ),
    "godot-gravity-factor": (with_motion(gravity_factor=0.5), with_motion(gravity_factor=1.0)),
    "godot-gravity": (replace(SOUND, gravity=(0.0, -1.62, 0.0)), SOUND),
    "godot-material": (
        with_surface(physics_material=PhysicsMaterial("Ice", 0.0)),
        with_surface(physics_material=PhysicsMaterial("Plain")),
    ),
    "godot-filter": (
        with_surface(collision_filter=CollisionFilter("F", ("A",))),
        with_surface(collision_filter=CollisionFilter("F")),
    ),
    "godot-inertia-turned": (
        with_motion(inertia_diagonal=(1.0, 2.0, 2.5), inertia_orientation=(0.0, 0.0, 0.6, 0.8)),
        with_motion(inertia_diagonal=(2.0, 2.0, 1.0), inertia_orientation=(0.0, 0.0, 0.6, 0.8)),
    ),
    "godot-inertia-unknown": (
        changed(SOUND, DOOR, collider=None),
        changed(
            SOUND, DOOR, collider=None, motion=replace(DYNAMIC, inertia_diagonal=(1.0, 1.0, 1.0))
        ),
    ),
    "godot-tapered": (with_shape(Cylinder(1.0, 0.5, 0.2)), with_shape(Cylinder(1.0, 0.5, 0.5))),
    "godot-fast": (
        driven(hinge(2), velocity_target=60.0, damping=1e6),
        driven(hinge(2), velocity_target=40.0, damping=1e6),
    ),
    "godot-tiny": (
        with_shape(Box((0.01, 0.01, 0.01))),
        with_shape(Box((0.1, 0.1, 0.1))),
    ),
    "godot-keyed": (
        driven(hinge(2), position_target=0.3, stiffness=5.0, keys=(TURNING,)),
        driven(hinge(2), position_target=0.3, stiffness=5.0),
    ),
    "godot-springs": (driven(**SPRING), driven(hinge(2), velocity_target=1.0, damping=1e6)),
    "godot-stops": (pair(hinge(2, -0.5, 0.5)), pair(hinge(2, -1.0, 1.0))),
    "godot-overlap": (
        added(SOUND, Node("Box", motion=DYNAMIC, collider=Collider(0))),
        added(SOUND, Node("Box", None, shift(0, 0.97), motion=DYNAMIC, collider=Collider(0))),
    ),
    "godot-tumbling": (
        changed(
            replace(pair(pin()), shapes=(Box((1.0, 0.1, 0.2)),)),
            DOOR,
            motion=replace(DYNAMIC, angular_velocity=(1.0, 0.0, 0.0)),
        ),
        changed(pair(pin()), DOOR, motion=replace(DYNAMIC, angular_velocity=(1.0, 0.0, 0.0))),
    ),
}
