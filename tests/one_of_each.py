# SPDX-License-Identifier: GPL-3.0-or-later
"""A plain mechanism, and every member of the model with another value than it has there.

What goes over ``MEMBERS`` meets each thing that the model can say, alone; ``everything`` has as
many of them at once as agree with each other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from math import inf
from typing import Any

from omi_physics_joint.model.body import (
    Collider,
    CollisionFilter,
    Combine,
    Motion,
    MotionType,
    PhysicsMaterial,
    Trigger,
)
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import (
    Breaking,
    Drive,
    DriveMode,
    Freedom,
    JointNode,
    JointSettings,
    Limit,
)
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Plane,
    Shape,
    Sphere,
    Trimesh,
)
from omi_physics_joint.model.solid import Triangles

Change = Callable[[Mechanism], Mechanism]
BASE, SEAT, ARM, ELBOW, HAND, WRIST, REST, SENSOR, PAD = range(9)
"""Nodes of ``PLAIN``: a static base with the seat of the arm, a dynamic arm with its joint, a
dynamic hand with its joint to a rest below the arm, a trigger, and a pad beside the shape of the
hand."""
LIMIT, TURNING = 2, 0
"""The limit of the first settings that bounds, and their drive."""
TETRAHEDRON = Triangles(
    ((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.0, 0.75, 0.0), (0.0, 0.0, 1.0)),
    ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)),
)
TURN = Drive(
    Freedom.ANGULAR,
    DriveMode.FORCE,
    2,
    position_target=0.25,
    velocity_target=0.125,
    stiffness=8.0,
    damping=2.0,
)
SLIDE = JointSettings(
    "Slide",
    (Limit((1, 2), (), 0.0, 0.0), Limit((), (0, 1, 2), 0.0, 0.0), Limit((0,), (), -0.25, 0.5)),
)
AT_SEAT, AT_REST = compose((0.0, 1.0, 0.0)), compose((2.0, 1.0, 0.0))
PLAIN = Contents(
    Mechanism(
        nodes=(
            Node("Base", motion=Motion(MotionType.STATIC), collider=Collider(0)),
            Node("Seat", BASE, AT_SEAT),
            Node("Arm", None, AT_SEAT, Motion(MotionType.DYNAMIC, 2.0), Collider(1)),
            Node("Elbow", ARM, AT_SEAT, joint=JointNode(0, SEAT)),
            Node("Hand", None, AT_REST, Motion(MotionType.DYNAMIC), Collider(2, 0, 0)),
            Node("Wrist", HAND, AT_REST, joint=JointNode(1, REST)),
            Node("Rest", ARM, AT_REST),
            Node("Sensor", BASE, compose((0.0, 3.0, 0.0)), trigger=Trigger(3)),
            Node("Pad", HAND, compose((2.0, 1.5, 0.0)), collider=Collider(4)),
        ),
        settings=(replace(hinge(2, -0.5, 1.0), name="Turn", drives=(TURN,)), SLIDE),
        shapes=(
            Box((4.0, 0.5, 4.0)),
            Box((0.5, 0.25, 0.75)),
            Sphere(0.125),
            Sphere(0.75),
            Convex(0),
        ),
        physics_materials=(PhysicsMaterial(),),
        collision_filters=(CollisionFilter("", ("Hands",), ("Walls",)),),
        meshes=("Pad",),
    ),
    (TETRAHEDRON,),
)


def at(items: tuple[Any, ...], index: int, /, **values: Any) -> tuple[Any, ...]:
    """Return items of which one has other values."""
    return (*items[:index], replace(items[index], **values), *items[index + 1 :])


def node(index: int, /, **values: Any) -> Change:
    """Return the change of a node."""
    return lambda one: replace(one, nodes=at(one.nodes, index, **values))


def part(index: int, name: str, /, **values: Any) -> Change:
    """Return the change of a motion, collider, trigger or joint of a node."""
    return lambda one: node(index, **{name: replace(getattr(one.nodes[index], name), **values)})(
        one
    )


def shared(name: str, index: int, /, **values: Any) -> Change:
    """Return the change of a resource of the mechanism."""
    return lambda one: replace(one, **{name: at(getattr(one, name), index, **values)})


def limit(index: int = 0, position: int = LIMIT, /, **values: Any) -> Change:
    """Return the change of a limit of joint settings."""
    return lambda one: shared(
        "settings", index, limits=at(one.settings[index].limits, position, **values)
    )(one)


def drive(**values: Any) -> Change:
    """Return the change of the drive."""
    return lambda one: shared("settings", 0, drives=at(one.settings[0].drives, TURNING, **values))(
        one
    )


def shape(index: int, other: Shape) -> Change:
    """Return the change of a shape to another."""
    return lambda one: replace(one, shapes=(*one.shapes[:index], other, *one.shapes[index + 1 :]))


def keyed(field: str, *values: float, is_stepped: bool = False) -> tuple[Keys, ...]:
    """Return keys of a field, half a second apart."""
    return (Keys(field, tuple(0.5 * at for at in range(len(values))), values, is_stepped),)


UNKNOWN = '{"X_vendor":{"note":1}}'
HALF_TURN = (0.0, 0.6, 0.0, 0.8)
WITH_RADII = {"radius_bottom": 0.25, "radius_top": 0.125}
MEMBERS: dict[str, Change] = {
    "Mechanism.gravity": lambda one: replace(one, gravity=(0.5, -3.7, 0.0)),
    "Mechanism.unknown": lambda one: replace(one, unknown={"OMI_physics_body": UNKNOWN}),
    "Mechanism.meshes": lambda one: replace(one, meshes=("Cushion",)),
    "Node.name": node(ARM, name="Boom"),
    "Node.parent": node(REST, parent=BASE),
    "Node.world, of a frame": node(REST, world=compose((2.0, 1.25, 0.0), HALF_TURN)),
    "Node.world, of a body": node(HAND, world=compose((2.0, 1.0, 0.5), HALF_TURN)),
    "Node.world, scaled": node(PAD, world=compose((2.0, 1.5, 0.0), scale=(2.0, 0.5, 1.5))),
    "Node.motion, none": node(BASE, motion=None),
    "Node.motion, of a shape": node(PAD, motion=Motion(MotionType.DYNAMIC)),
    "Node.collider, none": node(PAD, collider=None),
    "Node.trigger, none": node(SENSOR, trigger=None),
    "Node.joint, none": node(WRIST, joint=None),
    "Node.unknown": node(ARM, unknown=UNKNOWN),
    "Node.gravity_shape": node(SENSOR, gravity_shape=3),
    "Motion.type, kinematic": part(ARM, "motion", type=MotionType.KINEMATIC),
    "Motion.type, static": part(ARM, "motion", type=MotionType.STATIC),
    "Motion.type, dynamic": part(BASE, "motion", type=MotionType.DYNAMIC),
    "Motion.mass": part(ARM, "motion", mass=3.25),
    "Motion.mass, infinite": part(ARM, "motion", mass=inf),
    "Motion.center_of_mass": part(ARM, "motion", center_of_mass=(0.5, 0.25, -0.125)),
    "Motion.center_of_mass, computed": part(HAND, "motion", center_of_mass=None),
    "Motion.inertia_diagonal": part(ARM, "motion", inertia_diagonal=(0.25, 0.375, 0.5)),
    "Motion.inertia_diagonal, infinite": part(ARM, "motion", inertia_diagonal=(0.25, inf, inf)),
    "Motion.inertia_orientation": part(
        ARM, "motion", inertia_diagonal=(0.25, 0.375, 0.5), inertia_orientation=HALF_TURN
    ),
    "Motion.linear_velocity": part(HAND, "motion", linear_velocity=(0.5, 1.0, -2.0)),
    "Motion.angular_velocity": part(HAND, "motion", angular_velocity=(0.25, -1.0, 2.0)),
    "Motion.gravity_factor": part(HAND, "motion", gravity_factor=0.5),
    "Motion.gravity_factor, none": part(HAND, "motion", gravity_factor=0.0),
    "Motion.unknown": part(HAND, "motion", unknown=UNKNOWN),
    "Motion.starts_asleep": part(HAND, "motion", starts_asleep=True),
    "Collider.shape": part(HAND, "collider", shape=1),
    "Collider.shape, none": part(HAND, "collider", shape=None),
    "Collider.physics_material": part(HAND, "collider", physics_material=None),
    "Collider.collision_filter": part(HAND, "collider", collision_filter=None),
    "Collider.unknown": part(HAND, "collider", unknown=UNKNOWN),
    "Trigger.shape": part(SENSOR, "trigger", shape=2),
    "Trigger.nodes": node(BASE, trigger=Trigger(nodes=(SENSOR,)), collider=None),
    "Trigger.collision_filter": part(SENSOR, "trigger", collision_filter=0),
    "Trigger.unknown": part(SENSOR, "trigger", unknown=UNKNOWN),
    "JointNode.settings": part(WRIST, "joint", settings=0),
    "JointNode.connected_node": part(WRIST, "joint", connected_node=SEAT),
    "JointNode.enable_collision": part(WRIST, "joint", enable_collision=True),
    "JointNode.unknown": part(WRIST, "joint", unknown=UNKNOWN),
    "JointNode.keys": part(WRIST, "joint", keys=keyed("enable_collision", 0.0, 1.0)),
    "JointNode.breaking": part(WRIST, "joint", breaking=Breaking(100.0, 25.0)),
    "JointNode.enabled": part(WRIST, "joint", enabled=False),
    "JointSettings.name": shared("settings", 0, name="Swing"),
    "JointSettings.limits, none": shared("settings", 1, limits=()),
    "JointSettings.drives, none": shared("settings", 0, drives=()),
    "JointSettings.foreign_drives": shared(
        "settings", 1, foreign_drives=('{"type":"X_muscle","mode":"force","axis":0}',)
    ),
    "JointSettings.unknown": shared("settings", 0, unknown=UNKNOWN),
    "Limit.linear_axes": limit(1, linear_axes=(0, 1)),
    "Limit.angular_axes": limit(0, 1, angular_axes=(0,)),
    "Limit.min": limit(min=-0.75),
    "Limit.min, none": limit(min=-inf),
    "Limit.max": limit(max=1.25),
    "Limit.max, none": limit(max=inf),
    "Limit.min and max, held": limit(min=0.25, max=0.25),
    "Limit.stiffness": limit(stiffness=50.0),
    "Limit.damping": limit(stiffness=50.0, damping=1.5),
    "Limit.together, linear": limit(1, 0, min=0.0, max=0.5, together=True),
    "Limit.together, a cone": limit(0, 1, min=-inf, max=0.5, together=True),
    "Limit.unknown": limit(unknown=UNKNOWN),
    "Limit.keys": limit(keys=keyed("max", 1.0, 0.5, 0.75)),
    "Drive.type": drive(type=Freedom.LINEAR),
    "Drive.mode": drive(mode=DriveMode.ACCELERATION),
    "Drive.axis": drive(axis=1),
    "Drive.max_force": drive(max_force=12.0),
    "Drive.position_target": drive(position_target=0.5),
    "Drive.position_target, none": drive(position_target=None, stiffness=0.0),
    "Drive.velocity_target": drive(velocity_target=-0.5),
    "Drive.velocity_target, none": drive(velocity_target=None),
    "Drive.stiffness": drive(stiffness=9.0),
    "Drive.damping": drive(damping=2.5),
    "Drive.unknown": drive(unknown=UNKNOWN),
    "Drive.keys": drive(keys=keyed("position_target", 0.25, 0.75, is_stepped=True)),
    "Box.size": shared("shapes", 1, size=(0.5, 0.375, 0.75)),
    "Sphere.radius": shared("shapes", 2, radius=0.25),
    "Shape.name": shared("shapes", 2, name="Ball"),
    "Shape.unknown": shared("shapes", 2, unknown=UNKNOWN),
    "Shape, a capsule": shape(2, Capsule(1.0, 0.25, 0.25)),
    "Capsule.radius_top": shape(2, Capsule(1.0, **WITH_RADII)),
    "Shape, a cylinder": shape(2, Cylinder(1.0, 0.25, 0.25)),
    "Cylinder.radius_top": shape(2, Cylinder(1.0, **WITH_RADII)),
    "Cylinder.radius_top, a cone": shape(2, Cylinder(1.0, 0.25, 0.0)),
    "Shape, a plane": shape(0, Plane()),
    "Plane.size_x": shape(0, Plane(3.0, 2.0)),
    "Plane.double_sided": shape(0, Plane(double_sided=True)),
    "Shape, a trimesh": shape(0, Trimesh(0)),
    "PhysicsMaterial.name": shared("physics_materials", 0, name="Rubber"),
    "PhysicsMaterial.static_friction": shared("physics_materials", 0, static_friction=0.75),
    "PhysicsMaterial.dynamic_friction": shared("physics_materials", 0, dynamic_friction=0.25),
    "PhysicsMaterial.restitution": shared("physics_materials", 0, restitution=0.5),
    "PhysicsMaterial.friction_combine": shared(
        "physics_materials", 0, friction_combine=Combine.MULTIPLY
    ),
    "PhysicsMaterial.restitution_combine": shared(
        "physics_materials", 0, restitution_combine=Combine.MAXIMUM
    ),
    "PhysicsMaterial.unknown": shared("physics_materials", 0, unknown=UNKNOWN),
    "CollisionFilter.name": shared("collision_filters", 0, name="Grip"),
    "CollisionFilter.collision_systems": shared(
        "collision_filters", 0, collision_systems=("Hands", "Tools")
    ),
    "CollisionFilter.collide_with_systems": shared(
        "collision_filters", 0, collide_with_systems=("Walls", "Tools")
    ),
    "CollisionFilter.not_collide_with_systems": shared(
        "collision_filters", 0, collide_with_systems=None, not_collide_with_systems=("Walls",)
    ),
    "CollisionFilter.unknown": shared("collision_filters", 0, unknown=UNKNOWN),
}
"""By what is another in each."""

TOGETHER = (
    "Mechanism.gravity",
    "Node.world, of a frame",
    "Node.world, scaled",
    "Motion.mass",
    "Motion.center_of_mass",
    "Motion.inertia_orientation",
    "Motion.linear_velocity",
    "Motion.angular_velocity",
    "Motion.gravity_factor",
    "Motion.starts_asleep",
    "Trigger.collision_filter",
    "JointNode.enable_collision",
    "JointNode.breaking",
    "JointSettings.name",
    "Limit.damping",
    "Limit.together, linear",
    "Drive.mode",
    "Drive.max_force",
    "Capsule.radius_top",
    "Plane.size_x",
    "PhysicsMaterial.name",
    "PhysicsMaterial.static_friction",
    "PhysicsMaterial.restitution",
    "PhysicsMaterial.friction_combine",
    "CollisionFilter.name",
    "CollisionFilter.not_collide_with_systems",
)
"""Changes that agree with each other."""


def changed(name: str) -> Contents:
    """Return the plain contents with one member changed."""
    return replace(PLAIN, mechanism=MEMBERS[name](PLAIN.mechanism))


def everything() -> Contents:
    """Return contents that say as much as agrees."""
    mechanism = PLAIN.mechanism
    for name in TOGETHER:
        mechanism = MEMBERS[name](mechanism)
    return replace(PLAIN, mechanism=mechanism)


MODEL = (
    *(Mechanism, Node, Motion, Collider, Trigger, JointNode, Breaking, JointSettings, Limit),
    *(Drive, Box, Sphere, Capsule, Cylinder, Plane, PhysicsMaterial, CollisionFilter),
)
"""Classes whose fields are members of the model."""


def members_of_the_model() -> set[str]:
    """Return the names of all fields that a file can hold, by class."""
    return {f"{kind.__name__}.{one.name}" for kind in MODEL for one in fields(kind) if one.compare}
