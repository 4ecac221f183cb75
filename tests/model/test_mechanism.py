# SPDX-License-Identifier: GPL-3.0-or-later
"""Who belongs to whom, and a mechanism in another unit of length."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import pytest

from omi_physics_joint.model.body import Collider, Motion, MotionType, Trigger
from omi_physics_joint.model.geometry.scale import in_unit
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.keyed import mechanism_at
from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.model.shape import (
    SHAPE_TYPES,
    Box,
    Capsule,
    Convex,
    Cylinder,
    Shape,
    Sphere,
    type_of,
)
from tests.drawn_cases import drawn
from tests.model.building import ANCHOR, DOOR, DYNAMIC, JOINT, WALL, pair

NESTED = Mechanism(
    nodes=(
        Node("Outer", motion=DYNAMIC),
        Node("Empty", 0),
        Node("Inner", 1, motion=DYNAMIC),
        Node("Below", 2),
        Node("Loose"),
        Node("Egg", 6),
        Node("Hen", 5),
    )
)


@pytest.mark.parametrize(
    ("node", "body"), [(0, 0), (1, 0), (2, 2), (3, 2), (4, None), (5, None), (6, None)]
)
def test_a_node_belongs_to_its_nearest_body(node: int, body: int | None) -> None:
    """The nearest motion at or above a node is its body; a circle of parents has none."""
    assert NESTED.body_of(node) == body


def test_ancestry_climbs_and_ends_in_a_circle() -> None:
    """A node comes first, then all above it, each once."""
    assert list(NESTED.ancestry(3)) == [3, 2, 1, 0]
    assert list(NESTED.ancestry(5)) == [5, 6]
    assert list(NESTED.ancestry(None)) == []


def test_joints_are_found_with_their_settings() -> None:
    """Each joint node is given with its index, and finds its settings."""
    mechanism = pair(hinge(2))
    ((index, node, joint),) = mechanism.joints()
    assert (index, node.name, joint) == (JOINT, "Joint", JointNode(0, ANCHOR))
    assert mechanism.settings_of(joint) == hinge(2)
    assert mechanism.body_of(JOINT) == DOOR
    assert mechanism.body_of(ANCHOR) == WALL


def test_only_nodes_that_physics_speaks_of_are_physical() -> None:
    """A body, a collider, a trigger and a joint are; an anchor without any of these is not."""
    mechanism = pair(hinge(2))
    assert [node.is_physical for node in mechanism.nodes] == [True, True, True, False]
    assert Node("Floor", collider=Collider()).is_physical
    assert Node("Zone", trigger=Trigger()).is_physical


@pytest.mark.parametrize("spelled", SHAPE_TYPES)
def test_shape_types_are_spelled_as_in_the_file(spelled: str) -> None:
    """The name of a type leads to its class and back."""
    kind: Callable[..., Shape] = SHAPE_TYPES[spelled]
    shape = kind(mesh=0) if spelled in ("convex", "trimesh") else kind()
    assert type_of(shape) == spelled


def test_lengths_change_unit_and_angles_do_not() -> None:
    """In centimetres every length is a hundred times its number, and an angle is what it was."""
    motion = Motion(
        MotionType.DYNAMIC,
        mass=2.0,
        center_of_mass=(1.0, 0.0, 0.0),
        inertia_diagonal=(1.0, 2.0, 3.0),
        linear_velocity=(0.0, 1.0, 0.0),
        angular_velocity=(0.0, 1.0, 0.0),
    )
    settings = JointSettings(
        limits=(Limit((0,), (1,), -0.5, inf),),
        drives=(
            Drive(Freedom.LINEAR, DriveMode.FORCE, 0, position_target=0.5),
            Drive(Freedom.ANGULAR, DriveMode.FORCE, 0, position_target=0.5),
        ),
    )
    shapes = (Box((1.0, 2.0, 3.0)), Sphere(0.5), Capsule(1.0, 0.1, 0.2), Cylinder(), Convex(0))
    scaled = in_unit(Mechanism((Node("Body", motion=motion),), (settings,), shapes), 100.0)
    assert scaled.nodes[0].motion == Motion(
        MotionType.DYNAMIC,
        mass=2.0,
        center_of_mass=(100.0, 0.0, 0.0),
        inertia_diagonal=(1e4, 2e4, 3e4),
        linear_velocity=(0.0, 100.0, 0.0),
        angular_velocity=(0.0, 1.0, 0.0),
    )
    assert scaled.settings[0].limits == (
        Limit((0,), (), -50.0, inf),
        Limit((), (1,), -0.5, inf),
    )
    assert [drive.position_target for drive in scaled.settings[0].drives] == [50.0, 0.5]
    assert scaled.shapes == (
        Box((100.0, 200.0, 300.0)),
        Sphere(50.0),
        Capsule(100.0, 10.0, 20.0),
        Cylinder(200.0, 50.0, 50.0),
        Convex(0),
    )


@pytest.mark.parametrize("linear", [(), (0,), (0, 2)])
@pytest.mark.parametrize("angular", [(), (1,), (0, 1, 2)])
def test_a_limit_bounds_in_another_unit_what_it_bounded(
    linear: tuple[int, ...], angular: tuple[int, ...]
) -> None:
    """Lengths and angles apart, and none is lost: one on no axis at all is still there."""
    settings = JointSettings(limits=(Limit(linear, angular, -0.5, 0.5),))
    (found,) = in_unit(Mechanism(settings=(settings,)), 100.0).settings
    wanted = [Limit(linear, (), -50.0, 50.0)] if linear else []
    if angular or not linear:
        wanted.append(Limit((), angular, -0.5, 0.5))
    assert found.limits == (*wanted,)


@pytest.mark.parametrize("number", range(12))
def test_numbers_with_keys_are_in_the_unit_of_those_without(number: int) -> None:
    """A moment of what changes with time is as large as that moment by itself."""
    mechanism = drawn(number).mechanism
    for time in (-1.0, 0.4, 1.1):
        there = mechanism_at(in_unit(mechanism, 64.0), time)
        assert there == in_unit(mechanism_at(mechanism, time), 64.0)


def test_metres_stay_as_they_are() -> None:
    """In metres nothing is touched, not even how limits are spelled."""
    mechanism = pair(hinge(2))
    assert in_unit(mechanism, 1.0) is mechanism
