# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of joints are what was set, loops stay closed, limits hold."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, sin, sqrt
from random import Random

import numpy as np
import pytest

from omi_physics_joint.model.body import Motion, MotionType
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import AXES, Limit
from omi_physics_joint.model.mechanism import JointNode, Mechanism, Node
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.posing import Posing
from omi_physics_joint.posing.descent import pressed
from omi_physics_joint.solver import Simulation
from tests.model.building import random_quaternion, random_vector
from tests.posing.posable import (
    ANGULAR,
    KINDS,
    LINEAR,
    arm,
    four_bar,
    free_of,
    gap,
    measured,
    range_of,
    reposed,
    slider_crank,
    tree,
)
from tests.solver.building import Builder


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("axis", AXES)
def test_value_that_was_set_is_the_value(kind: str, axis: int) -> None:
    """Each free value of each kind of joint can be set, both ways, and reads the same after."""
    random = Random(axis)
    made = Builder()
    ground, body = made.ground(), made.body(random_vector(random), random_quaternion(random))
    frame = (random_vector(random), random_quaternion(random))
    joint = made.joint(ground, body, KINDS[kind](axis), *frame)
    posing = Posing(made.mechanism())
    for freedom, at in free_of(posing, joint):
        for value in (0.5, -0.35):
            assert posing.set_value(joint, freedom, at, value).reached
            values = posing.values(joint)
            assert values[at + 3 * (freedom is ANGULAR)] == pytest.approx(value, abs=1e-12)
            there = measured(reposed(made.mechanism(), posing), joint)
            assert there == pytest.approx(values, abs=1e-9)


@pytest.mark.parametrize(("value", "reached"), [(4e-7, True), (4e-6, False)])
def test_what_is_off_by_rounding_is_reached(value: float, reached: bool) -> None:
    """A millionth of a metre or a radian of what is held, as fields of single precision have it."""
    made = Builder()
    joint = made.joint(made.ground(), made.body((20.0, 0.5, 0.0)), recipes.weld())
    posing = Posing(made.mechanism())
    for freedom in (LINEAR, ANGULAR):
        assert posing.set_value(joint, freedom, 1, value).reached is reached


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_random_trees_stand_as_they_were_set(seed: int, mirrored: bool) -> None:
    """In a tree every value stays as it was set while others change, as files would say it."""
    mechanism, joints = tree(seed, mirrored=mirrored)
    posing, random, wanted = Posing(mechanism), Random(seed), {}
    for joint in joints * 2:
        for freedom, axis in free_of(posing, joint):
            low, high = range_of(posing, joint, freedom, axis)
            value = random.uniform(max(low, -1.2), min(high, 1.2))
            assert posing.set_value(joint, freedom, axis, value).reached
            wanted[joint, freedom, axis] = value
    there = reposed(mechanism, posing)
    for (joint, freedom, axis), value in wanted.items():
        at = axis + 3 * (freedom is ANGULAR)
        assert posing.values(joint)[at] == pytest.approx(value, abs=1e-9)
        assert measured(there, joint)[at] == pytest.approx(value, abs=1e-8)
    assert gap(there) < 1e-8


@pytest.mark.parametrize("seed", range(6))
def test_simulation_reads_what_was_posed(seed: int) -> None:
    """A simulation that starts in the pose has the coordinates that were set."""
    mechanism, joints = tree(seed)
    posing, random = Posing(mechanism), Random(seed)
    for joint in joints:
        for freedom, axis in free_of(posing, joint):
            posing.set_value(joint, freedom, axis, random.uniform(-0.5, 0.5))
    simulation = Simulation(reposed(mechanism, posing))
    for joint in joints:
        there = simulation.coordinates(joint)
        for freedom, axis in free_of(posing, joint):
            at = axis + 3 * (freedom is ANGULAR)
            assert there[at] == pytest.approx(posing.values(joint)[at], abs=1e-8)


def test_only_what_hangs_from_a_joint_moves() -> None:
    """Turning the middle joint of an arm leaves what is before it alone, to the last bit."""
    mechanism, joints, _ = arm(5, recipes.hinge(2))
    posing = Posing(mechanism)
    before = posing.positions
    posing.set_value(joints[2], ANGULAR, 2, 0.7)
    after = posing.positions
    assert (before[:3] == after[:3]).all()
    out = np.array([0.1, 0.3, 0.5])
    assert after[3:, 0] == pytest.approx(0.4 + out * cos(0.7))
    assert after[3:, 1] == pytest.approx(out * sin(0.7))


def test_values_are_kept_within_their_bounds() -> None:
    """A value beyond a bound, soft or rigid, stops at the bound; a lock does not move."""
    soft = Limit((), (2,), -0.5, 0.5, stiffness=10.0)
    settings = replace(recipes.hinge(2), limits=(*recipes.hinge(2).limits, soft))
    for own, bound in ((recipes.hinge(2, -0.5, 0.5), 0.5), (settings, 0.5)):
        mechanism, (joint,), _ = arm(1, own)
        posing = Posing(mechanism)
        assert posing.set_value(joint, ANGULAR, 2, 3.0).reached
        assert posing.values(joint)[5] == bound
        assert not posing.set_value(joint, ANGULAR, 0, 0.3).reached
        assert posing.values(joint)[3] == 0.0


def test_soft_lock_is_a_lock() -> None:
    """A soft limit with equal bounds leaves nothing to pose."""
    soft = Limit((), (2,), 0.0, 0.0, stiffness=10.0)
    settings = replace(recipes.hinge(2), limits=(*recipes.hinge(2).limits, soft))
    mechanism, (joint,), _ = arm(1, settings)
    assert free_of(Posing(mechanism), joint) == []


@pytest.mark.parametrize("axis", AXES)
def test_no_angle_of_a_pin_is_special(axis: int) -> None:
    """Of three free angles each goes past a quarter turn, while the others keep theirs."""
    mechanism, (joint,), _ = arm(1, recipes.pin())
    posing = Posing(mechanism)
    wanted = [0.4, -0.3, 0.5]
    for other in (a for a in AXES if a != axis):
        assert posing.set_value(joint, ANGULAR, other, wanted[other]).reached
    for wanted[axis] in (1.0, pi / 2.0, 2.0, 3.0, -2.0):
        assert posing.set_value(joint, ANGULAR, axis, wanted[axis]).reached
        assert posing.values(joint)[3:] == pytest.approx(wanted, abs=1e-9)
        assert measured(reposed(mechanism, posing), joint)[3:] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("axis", AXES)
def test_a_pin_is_dragged_alike_however_it_got_where_it_is(axis: int) -> None:
    """A value that was set leaves nothing behind: the least turn that brings a point there."""
    mechanism, (joint,), body = arm(1, recipes.pin())
    set_, taken = Posing(mechanism), Posing(mechanism)
    assert set_.set_value(joint, ANGULAR, axis, 1.2).reached
    assert taken.take_values({joint: set_.values(joint)}).reached
    for posing in (set_, taken):
        posing.drag(body, (0.1, 0.05, 0.02), (0.05, 0.1, 0.15))
    assert set_.rotations == pytest.approx(taken.rotations, abs=1e-9)


def test_four_bar_follows_its_crank() -> None:
    """The crank of a double rocker goes as far as it can; the loop is closed everywhere."""
    mechanism, joints = four_bar()
    posing = Posing(mechanism)
    for value in (0.3, 1.0, 2.0, -0.5, -1.0, 0.0):
        posed = posing.set_value(joints[0], ANGULAR, 2, value)
        assert posed.reached, value
        assert posing.values(joints[0])[5] == pytest.approx(value, abs=1e-9)
        assert gap(reposed(mechanism, posing)) < 1e-8
    assert np.abs(posing.values(joints[3])).max() < 1e-6, "back at the start, not in another branch"


@pytest.mark.long
@pytest.mark.parametrize("steps", [1, 24, 90])
def test_crank_turns_a_full_circle(steps: int) -> None:
    """A crank that is turned once around has its piston where geometry says, all the way."""
    mechanism, joints = slider_crank()
    posing = Posing(mechanism)
    for value in np.linspace(0.0, 2.0 * pi, steps + 1)[1:]:
        assert posing.set_value(joints[0], ANGULAR, 2, float(value)).gap < 1e-8
        piston = 0.5 * cos(value) + sqrt(1.0 - 0.25 * sin(value) ** 2) - 1.5
        assert posing.values(joints[3])[0] == pytest.approx(piston, abs=1e-8)
        assert gap(reposed(mechanism, posing)) < 1e-8


@pytest.mark.long
def test_piston_at_its_top_and_beyond() -> None:
    """A piston is brought to its dead centres, and stops there when more is asked."""
    mechanism, joints = slider_crank()
    posing = Posing(mechanism)
    for value, there in ((-0.4, -0.4), (-1.0, -1.0), (-1.3, -1.0), (-0.5, -0.5), (0.2, 0.0)):
        posed = posing.set_value(joints[3], LINEAR, 0, value)
        assert posing.values(joints[3])[0] == pytest.approx(there, abs=1e-6)
        assert posed.reached is (value == there)
        assert posed.off == pytest.approx(abs(value - there), abs=1e-6)
        assert gap(reposed(mechanism, posing)) < 1e-7


def test_bound_inside_a_loop_holds() -> None:
    """The crank stops where its piston meets a bound."""
    mechanism, joints = slider_crank(low=-0.3, high=0.0)
    posing = Posing(mechanism)
    posed = posing.set_value(joints[0], ANGULAR, 2, 2.0)
    assert not posed.reached
    assert posing.values(joints[3])[0] == pytest.approx(-0.3, abs=1e-9)
    assert gap(reposed(mechanism, posing)) < 1e-9
    piston = 0.5 * cos(2.0 - posed.off) + sqrt(1.0 - 0.25 * sin(2.0 - posed.off) ** 2) - 1.5
    assert piston == pytest.approx(-0.3, abs=1e-6)


def test_door_on_two_hinges_opens() -> None:
    """Two hinges in line say the same, and neither is in the way."""
    made = Builder()
    wall, door = made.ground(), made.body((0.5, 1.0, 0.0))
    joints = [made.joint(wall, door, recipes.hinge(1), (0.0, y, 0.0)) for y in (0.3, 1.7)]
    posing = Posing(made.mechanism())
    assert posing.set_value(joints[0], ANGULAR, 1, 1.2).reached
    assert posing.values(joints[1])[4] == pytest.approx(1.2, abs=1e-9)


def test_all_values_at_once() -> None:
    """The values of one pose, set together, give that pose, in trees and loops."""
    for mechanism, joints in (tree(5), four_bar()):
        posing = Posing(mechanism)
        freedom, axis = free_of(posing, joints[0])[0]
        posing.set_value(joints[0], freedom, axis, 0.4)
        wanted, there = {joint: posing.values(joint) for joint in joints}, posing.positions
        posing.reset()
        assert posing.take_values(wanted).reached
        assert posing.positions == pytest.approx(there, abs=1e-9)


def test_contradiction_is_said() -> None:
    """A loop of welds that do not fit ends as near as it can, and says how far that is."""
    made = Builder()
    ground, body = made.ground(), made.body((1.0, 0.0, 0.0))
    joint = made.joint(ground, body, recipes.hinge(2), (0.5, 0.0, 0.0))
    made.joint(ground, body, recipes.weld(), (0.0, 1.0, 0.0), connected_place=(0.0, 1.2, 0.0))
    posing = Posing(made.mechanism())
    posed = posing.set_value(joint, ANGULAR, 2, 1.0)
    assert not posed.reached
    assert posed.gap > 0.1
    assert np.isfinite(posing.positions).all()


@pytest.mark.parametrize("is_first", [True, False])
def test_a_contradiction_is_said_beside_what_fits(is_first: bool) -> None:
    """Values of several mechanisms at once are as far off as the worst of these."""
    made, joints = Builder(), []
    for fits in (not is_first, is_first):
        ground, body = made.ground(), made.body((1.0, 0.0, 0.0))
        joints.append(made.joint(ground, body, recipes.hinge(2), (0.5, 0.0, 0.0)))
        if not fits:
            there = (0.0, 1.2, 0.0)
            made.joint(ground, body, recipes.weld(), (0.0, 1.0, 0.0), connected_place=there)
    posing = Posing(made.mechanism())
    posed = posing.take_values(dict.fromkeys(joints, np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.3])))
    assert not posed.reached
    assert posed.gap > 0.1


def test_what_is_at_a_bound_and_pushed_against_it_is_held() -> None:
    """A slope presses where it leads down and there is no room above, or up and none below."""
    low, high = np.array([-1.0, 0.0, 0.0, -1.0, -1.0]), np.array([1.0, 1.0, 1.0, 0.0, 0.0])
    slope = np.array([1.0, 1.0, -1.0, -1.0, 1.0])
    assert pressed(slope, (low, high)).tolist() == [False, True, False, True, False]
    assert not pressed(np.zeros(5), (low, high)).any()
    assert not pressed(-slope, (low - 0.5, high + 0.5)).any()


def test_a_joint_to_the_world_is_posed() -> None:
    """A frame below no body stands still, on either side of a joint."""
    turn = compose((1.0, 2.0, 0.0), (0.0, 0.6, 0.0, 0.8))
    for joint, partner in ((0, 2), (2, 0)):
        nodes = [
            Node("Frame", world=turn),
            Node("Door", world=turn, motion=Motion(MotionType.DYNAMIC)),
        ]
        nodes.append(Node("Door Frame", 1, turn))
        nodes[joint] = replace(nodes[joint], joint=JointNode(0, partner))
        posing = Posing(Mechanism(tuple(nodes), settings=(recipes.hinge(1),)))
        assert posing.set_value(joint, ANGULAR, 1, 0.4).reached
        way = 1.0 if joint == 0 else -1.0
        angle = 2.0 * np.arctan2(0.6, 0.8) + way * 0.4
        world = np.array(posing.world_of(0))
        assert world[:3, :3] @ (1.0, 0.0, 0.0) == pytest.approx((cos(angle), 0.0, -sin(angle)))
        assert world[:3, 3] == pytest.approx((1.0, 2.0, 0.0))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", range(6))
def test_values_that_are_no_numbers_are_not_taken(place: int, bad: float) -> None:
    """Of one joint, whichever of its six they are; others take theirs."""
    mechanism, joints, _ = arm(2, recipes.pin())
    posing = Posing(mechanism)
    before = posing.values(joints[0]).copy()
    values = {joint: np.array([0.0, 0.0, 0.0, 0.1, 0.2, 0.3]) for joint in joints}
    values[joints[0]][place] = bad
    posing.take_values(values)
    assert posing.values(joints[0]) == pytest.approx(before, abs=1e-12)
    assert posing.values(joints[1]) == pytest.approx(values[joints[1]], abs=1e-9)
