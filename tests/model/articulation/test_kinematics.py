# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses from coordinates and coordinates from poses, by our own sense of values."""

from __future__ import annotations

from math import asin, pi, radians, sin
from random import Random

import pytest

from benchmarks.newton.posed import poses_of
from benchmarks.newton.scenes import SCENES, Making, joint_that, some_coordinates
from omi_physics_joint.model.articulation.joints import ArticulationJoint, JointType
from omi_physics_joint.model.articulation.kinematics import (
    STANDSTILL,
    BodyMotion,
    coordinates_of,
    is_at_odds,
    joint_coordinates,
    rest_poses,
)
from omi_physics_joint.model.articulation.trees import articulations_of
from omi_physics_joint.model.body import ZERO
from omi_physics_joint.model.geometry.transform import Matrix, difference, inverse, multiply
from omi_physics_joint.model.joint import AXES, Freedom, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.coordinates import coordinates
from omi_physics_joint.model.settings.recipes import hinge, slider
from omi_physics_joint.model.settings.spans import spans_of


def drawn(mechanism: Mechanism, seed: int) -> list[float]:
    """Return coordinates of all trees of a mechanism."""
    joints = [joint for one in articulations_of(mechanism) for joint in one.joints]
    return some_coordinates([(joint.type.value, joint.counts.q) for joint in joints], Random(seed))


def values_at(
    mechanism: Mechanism, joint: ArticulationJoint, poses: dict[int, Matrix]
) -> tuple[float, ...]:
    """Return the six values of a joint as drawing, solver and panels have them."""
    assert joint.node is not None
    own = mechanism.nodes[joint.node].joint
    assert own is not None

    def moved(node: int) -> Matrix:
        body, world = mechanism.body_of(node), mechanism.nodes[node].world
        if body not in poses:
            return world
        rest = mechanism.nodes[body].world
        return multiply(poses[body], multiply(inverse(rest), world))

    spans = spans_of(mechanism.settings_of(own).limits)
    return coordinates(spans, moved(joint.node), moved(own.connected_node))


@pytest.mark.parametrize("name", SCENES)
def test_coordinates_are_read_as_they_were_set(name: str) -> None:
    """All types, both ways round, trees and several of them, beyond what is rounding."""
    mechanism = SCENES[name]
    articulations = articulations_of(mechanism)
    for seed in range(3):
        q = drawn(mechanism, seed)
        read = coordinates_of(articulations, poses_of(articulations, q))
        assert len(read) == len(q) == sum(one.q_count for one in articulations)
        for joint in (joint for one in articulations for joint in one.joints):
            part = slice(joint.q_start, joint.q_start + joint.counts.q)
            assert same(joint, q[part], read[part])


def same(joint: ArticulationJoint, one: list[float], other: tuple[float, ...]) -> bool:
    """Return whether coordinates are the same; a quaternion and its negative are."""
    gap = max((abs(a - b) for a, b in zip(one, other, strict=True)), default=0.0)
    if joint.type in {JointType.BALL, JointType.FREE, JointType.DISTANCE}:
        turned = [*one[:-4], *(-part for part in one[-4:])]
        gap = min(gap, max(abs(a - b) for a, b in zip(turned, other, strict=True)))
    return gap < 1e-12


@pytest.mark.parametrize("name", SCENES)
def test_poses_are_found_again_from_their_coordinates(name: str) -> None:
    """A pose that joints allow is the pose of the coordinates that are read in it."""
    mechanism = SCENES[name]
    articulations = articulations_of(mechanism)
    poses = poses_of(articulations, drawn(mechanism, 5))
    again = poses_of(articulations, coordinates_of(articulations, poses))
    assert max(difference(poses[body], again[body]) for body in poses) < 1e-12


@pytest.mark.parametrize("name", SCENES)
def test_single_values_are_those_that_the_artist_sees(name: str) -> None:
    """Distances, the angle of what turns about one axis, and what is held, in either direction."""
    mechanism = SCENES[name]
    articulations = articulations_of(mechanism)
    q = drawn(mechanism, 1)
    poses = poses_of(articulations, q)
    seen = 0
    for joint in (joint for one in articulations for joint in one.joints):
        if joint.node is None or not joint.is_exact or len(joint.angular) > 1:
            continue
        values = values_at(mechanism, joint, poses)
        place = joint.is_reversed and bool(joint.linear) and bool(joint.angular)
        for axis, value in zip(joint.axes, q[joint.q_start :], strict=False):
            linear = axis.freedom is Freedom.LINEAR
            if not (linear and place and len(joint.linear) > 1):
                at = axis.axis + (0 if linear else 3)
                if not linear and any(tilt(mechanism, joint)):
                    continue
                assert abs(values[at] - value) % (2.0 * pi) == pytest.approx(0.0, abs=1e-9)
        held = held_values(mechanism, joint)
        assert all(values[at] == pytest.approx(value, abs=1e-9) for at, value in held.items())
        seen += 1
    assert seen or name in {"Pin", "free", "rope", "universal", "steering", "gimbal", "everything"}


def held_values(mechanism: Mechanism, joint: ArticulationJoint) -> dict[int, float]:
    """Return where the axes of a joint are held, by coordinate."""
    assert joint.node is not None
    own = mechanism.nodes[joint.node].joint
    assert own is not None
    spans = spans_of(mechanism.settings_of(own).limits)
    return {at: span.held_at for at, span in enumerate(spans) if span.held_at is not None}


def tilt(mechanism: Mechanism, joint: ArticulationJoint) -> list[float]:
    """Return the angles that are held elsewhere than at zero."""
    return [v for at, v in held_values(mechanism, joint).items() if at >= 3 and v]


def test_a_reversed_hinge_keeps_its_sense() -> None:
    """Whoever of the two bodies is the parent: 30 degrees is 30 degrees, and so is a distance."""
    for settings, value in ((hinge(1, -1.0, 1.0), radians(30.0)), (slider(0), 0.4)):
        found = []
        for is_reversed in (False, True):
            making = Making(9)
            heavy, light = making.body("heavy", mass=9.0), making.body("light")
            making.joint(settings, *((light, heavy) if is_reversed else (heavy, light)))
            mechanism = making.mechanism()
            articulations = articulations_of(mechanism)
            hinge_joint = articulations[0].joints[1]
            assert hinge_joint.is_reversed is is_reversed
            poses = poses_of(articulations, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, value))
            axis = hinge_joint.axes[0]
            at = axis.axis + (3 if axis.freedom is Freedom.ANGULAR else 0)
            found.append(values_at(mechanism, hinge_joint, poses)[at])
        assert found == pytest.approx([value, value], abs=1e-12)


def test_a_reversed_gimbal_stands_as_it_does_the_other_way_round() -> None:
    """Three angles in the opposite order about opposite axes are the same pose of both bodies."""
    apart = []
    for heavy in (0, 1):
        making = Making(4)
        one, other = making.body("one", mass=2.0 - heavy), making.body("other", mass=1.0 + heavy)
        making.joint(joint_that("gimbal", turns=AXES), one, other)
        articulations = articulations_of(making.mechanism())
        joint = articulations[0].joints[1]
        assert joint.is_reversed is bool(heavy)
        named = {0: 0.3, 1: -0.8, 2: 1.1}
        q = [0.0] * 6 + [1.0] + [named[axis.axis] for axis in joint.axes]
        poses = poses_of(articulations, q)
        apart.append(multiply(inverse(poses[one]), poses[other]))
    assert difference(*apart) < 1e-12


def test_resting_bodies_are_where_their_nodes_are() -> None:
    """Rigid, whatever the scale, and a free root's coordinates are its pose."""
    mechanism = SCENES["ragdoll"]
    articulations = articulations_of(mechanism)
    rest = rest_poses(mechanism, articulations)
    root = articulations[0].root
    assert difference(rest[root], mechanism.nodes[root].world) < 1e-12
    assert coordinates_of(articulations, rest)[:3] == pytest.approx(
        [row[3] for row in mechanism.nodes[root].world[:3]]
    )


def test_loops_are_read_as_well() -> None:
    """A four-bar linkage whose hinges hold has an angle at the joint that closes it."""
    mechanism = SCENES["several"]
    articulations = articulations_of(mechanism)
    loops = [loop for one in articulations for loop in one.loops]
    assert [loop.type for loop in loops] == [JointType.REVOLUTE]
    assert len(joint_coordinates(loops[0], rest_poses(mechanism, articulations))) == 1


def test_a_quarter_turn_in_the_middle_is_a_pose_like_others() -> None:
    """There only the sum of the outer angles is known: the pose is the same all the same."""
    making = Making(4)
    one, other = making.body("one", mass=2.0), making.body("other")
    making.joint(joint_that("gimbal", turns=AXES), one, other)
    articulations = articulations_of(making.mechanism())
    for middle in (pi / 2.0, -pi / 2.0, pi / 2.0 - 1e-8, pi / 2.0 - 1e-6):
        poses = poses_of(articulations, (*[0.0] * 6, 1.0, 0.4, middle, 0.9))
        again = poses_of(articulations, coordinates_of(articulations, poses))
        assert difference(poses[other], again[other]) < 1e-7


def test_what_newton_cannot_say_is_known() -> None:
    """Two angles, and what slides along axes that turn with the child; nothing else."""
    inexact = {}
    for name, mechanism in SCENES.items():
        joints = [joint for one in articulations_of(mechanism) for joint in one.joints]
        inexact[name] = {joint.is_reversed for joint in joints if not joint.is_exact}
    assert {name: ways for name, ways in inexact.items() if ways} == {
        "ragdoll": {False},
        "universal": {False, True},
        "steering": {False, True},
        "slot": {True},
        "offset": {True},
    }


def test_two_angles_hold_no_twist() -> None:
    """What a joint of two angles holds, D6 does not: 8 degrees of it at 30 degrees each."""
    making = Making(4)
    one, other = making.body("one", mass=2.0), making.body("other")
    making.joint(joint_that("universal", turns=(0, 1)), one, other)
    mechanism = making.mechanism()
    articulations = articulations_of(mechanism)
    q = (*[0.0] * 6, 1.0, radians(30.0), radians(30.0))
    values = values_at(mechanism, articulations[0].joints[1], poses_of(articulations, q))
    assert abs(values[5]) == pytest.approx(2.0 * asin(sin(radians(15.0)) ** 2), abs=1e-12)


def test_a_hinge_about_a_tilted_axis_holds_the_other_angles() -> None:
    """Angles held at 20 and -50 degrees, whatever the third one does."""
    limits = (
        Limit(AXES, (), 0.0, 0.0),
        Limit((), (0,), radians(20.0), radians(20.0)),
        Limit((), (1,), radians(-50.0), radians(-50.0)),
    )
    making = Making(6)
    one, other = making.body("one", mass=2.0), making.body("other")
    making.joint(JointSettings("tilted", limits), one, other)
    mechanism = making.mechanism()
    articulations = articulations_of(mechanism)
    for value in (-2.0, 0.0, 1.0):
        poses = poses_of(articulations, (*[0.0] * 6, 1.0, value))
        values = values_at(mechanism, articulations[0].joints[1], poses)
        assert values[:5] == pytest.approx((0.0, 0.0, 0.0, radians(20.0), radians(-50.0)), abs=1e-9)


@pytest.mark.parametrize(("held", "exact"), [(0.0, True), (1e-7, True), (1e-3, False)])
def test_what_slides_across_its_turning_is_exact_but_for_rounding(held: float, exact: bool) -> None:
    """An angle that single precision has made of none is none; half a milliradian is one."""
    limits = (
        Limit((2,), (), 0.0, 0.0),
        Limit((), (0,), held, held),
        Limit((), (1,), 0.0, 0.0),
    )
    making = Making(9)
    heavy, light = making.body("heavy", mass=9.0), making.body("light")
    making.joint(JointSettings("slot", limits), light, heavy)
    (joint,) = (one for one in articulations_of(making.mechanism())[0].joints if one.node)
    assert joint.is_reversed
    assert joint.is_exact is exact


@pytest.mark.parametrize(("speed", "odd"), [(3e-4, False), (3e-3, True)])
def test_bodies_are_thrown_as_their_joint_lets_them_but_for_what_nobody_notices(
    speed: float, odd: bool
) -> None:
    """Along a hinge, in m/s."""
    making = Making(9)
    heavy, light = making.body("heavy", mass=9.0), making.body("light")
    making.joint(hinge(1), heavy, light)
    articulations = articulations_of(making.mechanism())
    poses = rest_poses(making.mechanism(), articulations)
    (joint,) = (one for one in articulations[0].joints if one.node)
    along = tuple(speed * row[1] for row in multiply(poses[heavy], joint.parent_frame)[:3])
    motions = {heavy: STANDSTILL, light: BodyMotion(along, ZERO, ZERO)}
    assert is_at_odds(joint, poses, motions) is odd
