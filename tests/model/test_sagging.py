# SPDX-License-Identifier: GPL-3.0-or-later
"""Which soft limits cannot hold the weight that they carry, and so are moved as rigid."""

from __future__ import annotations

from dataclasses import replace
from math import inf, sqrt

import pytest

from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.geometry.extent import boxes, extents
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanics.sagging import all_soft, carried_rigidly, held_issues
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box, Capsule, Sphere
from omi_physics_joint.model.solid import Bounds

LINK = Capsule(0.4, 0.05, 0.05)
"""0.5 m long."""
ALL = (0, 1, 2)
PIN = Limit(ALL, (), 0.0, 0.0, stiffness=0.3, damping=1.0)


def hanging(*limits: Limit, mass: float = 1.0, drives: tuple[Drive, ...] = ()) -> Mechanism:
    """Return a link on a post, joined by these limits; joint node 3, link node 1.

    The joint has the scale of what it is below.
    """
    scaled = compose(scale=(2.0, 3.0, 0.5))
    dynamic = Motion(MotionType.DYNAMIC, mass=mass)
    return Mechanism(
        (
            Node("Post", motion=Motion(MotionType.STATIC)),
            Node("Link", motion=dynamic, collider=Collider(shape=0)),
            Node("Partner", 0),
            Node("Pin", 1, scaled, joint=JointNode(0, 2)),
        ),
        (JointSettings("Soft", limits, drives),),
        (LINK,),
    )


def held(mechanism: Mechanism) -> set[Limit]:
    """Return the limits of the joint that are moved as rigid."""
    return set(carried_rigidly(mechanism).get(3, ()))


def test_godots_softness_is_held() -> None:
    """1 kg on 0.3 N/m would sag by 33 m, 65 times as far as the link is long."""
    assert held(hanging(PIN)) == {PIN}


def test_a_spring_that_holds_is_left_alone() -> None:
    """It may sag by as much as the body is long: 9.81 N / 0.5 m = 19.62 N/m."""
    assert held(hanging(replace(PIN, stiffness=19.7))) == set()
    assert held(hanging(replace(PIN, stiffness=19.5))) != set()
    assert held(hanging(replace(PIN, stiffness=19.7), mass=1.1)) != set()


def test_what_rises_is_held_as_what_falls() -> None:
    """A balloon pulls its string as far as a stone does."""
    mechanism = hanging(PIN)
    rising = replace(mechanism.nodes[1].motion or Motion(), gravity_factor=-1.0)
    nodes = list(mechanism.nodes)
    nodes[1] = replace(nodes[1], motion=rising)
    assert held(replace(mechanism, nodes=tuple(nodes))) == {PIN}


def test_rigid_limits_and_dampers_are_no_case() -> None:
    """Infinite stiffness holds as it is; a damper alone was never meant to hold."""
    assert held(hanging(replace(PIN, stiffness=inf))) == set()
    assert held(hanging(replace(PIN, stiffness=0.0))) == set()
    stop = Limit((1,), (), -0.1, 0.1)
    assert held(hanging(PIN, stop)) == set()


def test_a_range_that_cannot_hold_is_held() -> None:
    """A soft range falls apart as a soft lock does, and is rigid at its bounds."""
    rail = Limit((1,), (), -0.25, 1.75, stiffness=0.7)
    sides = Limit((0, 2), (), 0.0, 0.0, stiffness=0.7)
    turns = Limit((), (0, 1), 0.0, 0.0, stiffness=0.5)
    assert held(hanging(rail, sides, turns)) == {rail, sides, turns}


@pytest.mark.parametrize(("stiffness", "is_held"), [(1.9, True), (2.1, False), (50.0, False)])
def test_stiff_turns_of_a_soft_joint_stay_springs(stiffness: float, is_held: bool) -> None:
    """Only what is as soft as what fails, or as Godot's numbers, is held with it."""
    turns = Limit((), (0, 1), 0.0, 0.0, stiffness=stiffness)
    assert held(hanging(PIN, turns)) == ({PIN, turns} if is_held else {PIN})


def test_turns_alone_are_springs() -> None:
    """A rope that bends softly between rigid pins does not become a rod."""
    rigid = replace(PIN, stiffness=inf)
    bends = Limit((), ALL, 0.0, 0.0, stiffness=0.05)
    assert held(hanging(rigid, bends)) == set()


def test_level_springs_carry_no_weight() -> None:
    """A weight that swings to and fro on a level spring is what its author meant."""
    rigid = Limit((1, 2), (), 0.0, 0.0)
    level = Limit((0,), (), 0.0, 0.0, stiffness=0.5)
    assert held(hanging(rigid, level)) == set()


def test_a_drive_carries() -> None:
    """Where a spring drive bears the weight, soft bounds are bumpers; one that turns bears none."""
    rail = Limit((1,), (), -0.1, 0.1, stiffness=5.0)
    spring = Drive(Freedom.LINEAR, DriveMode.FORCE, 1, position_target=0.0, stiffness=500.0)
    turning = replace(spring, type=Freedom.ANGULAR)
    assert held(hanging(rail)) == {rail}
    assert held(hanging(rail, drives=(turning,))) == {rail}
    assert held(hanging(rail, drives=(turning, spring))) == set()


def test_the_lighter_of_two_links_counts() -> None:
    """What hangs between two dynamic bodies bears at least the lighter one."""
    mechanism = hanging(replace(PIN, stiffness=19.7), mass=50.0)
    light = Motion(MotionType.DYNAMIC, mass=1.0)
    nodes = (
        replace(mechanism.nodes[0], motion=light, collider=Collider(shape=0)),
        *mechanism.nodes[1:],
    )
    assert held(replace(mechanism, nodes=nodes)) == set()
    assert held(mechanism) != set()


@pytest.mark.parametrize("mass", [0.0, inf, -1.0])
def test_masses_that_are_none_decide_nothing(mass: float) -> None:
    """A body without a usable weight sags nowhere."""
    assert held(hanging(PIN, mass=mass)) == set()


def test_a_body_without_a_size_counts_as_a_hand_long() -> None:
    """0.2 m, so that it may sag by 0.1 m and not by 0.3."""
    for sag, is_held in ((0.1, False), (0.3, True)):
        mechanism = hanging(replace(PIN, stiffness=9.81 / sag))
        nodes = list(mechanism.nodes)
        nodes[1] = replace(nodes[1], collider=None)
        assert bool(held(replace(mechanism, nodes=tuple(nodes)))) is is_held


def test_who_is_told_how_many() -> None:
    """The hint names the first joint and says how to have springs instead."""
    mechanism = hanging(PIN)
    (issue,) = held_issues(mechanism, carried_rigidly(mechanism), "Do this.")
    assert (issue.where, issue.fix, issue.severity) == ("Pin", "Do this.", "hint")
    assert held_issues(mechanism, {}, "") == []
    assert all_soft(mechanism) == {3: frozenset({PIN})}


def test_bodies_are_as_long_as_their_colliders_and_meshes() -> None:
    """Boxes, spheres, capsules and meshes by their sizes with scale, children too."""
    nodes = (
        Node(
            "A",
            motion=Motion(MotionType.DYNAMIC),
            world=compose((5.0, 0.0, 0.0), scale=(3.0, 3.0, 3.0)),
        ),
        Node("Box", 0, compose((5.0, 0.0, 0.0), scale=(0.5, 0.5, 0.5)), collider=Collider(0)),
        Node("Ball", 0, compose((5.0, 2.0, 0.0)), collider=Collider(1)),
        Node(
            "B",
            motion=Motion(MotionType.DYNAMIC),
            world=compose(scale=(2.0, 1.0, 1.0)),
            bounds=Bounds((0.0,) * 3, (1.0, 1.5, 0.0)),
        ),
        Node("C", motion=Motion(MotionType.DYNAMIC)),
    )
    mechanism = Mechanism(nodes, (), (Box((2.0, 2.0, 2.0)), Sphere(0.25)))
    assert boxes(mechanism)[0] == ((4.5, -0.5, -0.5), (5.5, 2.25, 0.5))
    assert extents(mechanism) == pytest.approx({0: 2.75, 3: 2.0})


@pytest.mark.parametrize("turned", [False, True])
def test_a_collider_is_as_large_as_its_scale_makes_it(turned: bool) -> None:
    """A quarter turn about Z gives its length to Y."""
    half = sqrt(0.5)
    turn = (0.0, 0.0, half, half) if turned else (0.0, 0.0, 0.0, 1.0)
    world = compose((20.0, 0.0, 0.0), turn, (2.0, -0.5, 0.25))
    node = Node("Beam", None, world, Motion(MotionType.DYNAMIC), Collider(0))
    low, high = boxes(Mechanism((node,), (), (Box((2.0, 4.0, 4.0)),)))[0]
    size = (2.0, 4.0, 1.0) if turned else (4.0, 2.0, 1.0)
    assert [b - a for a, b in zip(low, high, strict=True)] == pytest.approx(size)
