# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that are dragged come as near as their joints let them, whatever they are."""

from __future__ import annotations

from dataclasses import replace
from math import cos, inf, nan, pi, sin, sqrt
from random import Random

import numpy as np
import pytest

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.posing import Posed, Posing
from tests.posing.posable import (
    ANGULAR,
    FREEDOMS,
    KINDS,
    arm,
    four_bar,
    free_of,
    gap,
    measured,
    random_tangle,
    range_of,
    reposed,
    tree,
    world_of,
)
from tests.solver.building import Builder


@pytest.mark.parametrize("swapped", [False, True])
def test_connected_body_moves_where_nothing_stands_still(swapped: bool) -> None:
    """Of two free bodies the one with the connected frame moves, however heavy it is."""
    made = Builder()
    bodies = [made.body((0.0, 0.0, 0.0), mass=5.0), made.body((1.0, 0.0, 0.0), mass=1.0)]
    ends = bodies[::-1] if swapped else bodies
    joint = made.joint(*ends, recipes.hinge(2), (0.5, 0.0, 0.0))
    posing = Posing(made.mechanism())
    before = posing.positions
    assert posing.set_value(joint, ANGULAR, 2, 0.5).reached
    moved = np.abs(posing.positions - before).max(1) > 1e-9
    assert list(moved) == [body == ends[1] for body in bodies]
    assert measured(reposed(made.mechanism(), posing), joint)[5] == pytest.approx(0.5)


@pytest.mark.parametrize("kind", ["hinge", "bounded hinge", "pin"])
def test_drag_reaches_what_can_be_reached(kind: str) -> None:
    """The end of an arm comes to within 1e-6 m of places it can be at, limits kept."""
    mechanism, _joints, end = arm(6, KINDS[kind](2))
    free, posing, random = Posing(mechanism), Posing(mechanism), Random(3)
    for _ in range(12):
        for joint in free.joint_nodes:
            for freedom, axis in free_of(free, joint):
                low, high = range_of(free, joint, freedom, axis)
                value = random.uniform(max(low, -0.6), min(high, 0.6))
                free.set_value(joint, freedom, axis, value)
        target = tuple((world_of(free, end) @ (0.1, 0.02, 0.0, 1.0))[:3])
        posed = posing.drag(end, (0.1, 0.02, 0.0), target)
        assert posed.reached
        assert np.abs((world_of(posing, end) @ (0.1, 0.02, 0.0, 1.0))[:3] - target).max() < 1e-6
        assert gap(reposed(mechanism, posing)) < 1e-9


def test_drag_comes_nearest_to_what_is_out_of_reach() -> None:
    """An arm stretches towards a place too far away, and folds towards one too near."""
    for count, link, target, off in (
        (5, 0.2, (3.0, 4.0, 0.0), 4.0),
        (5, 0.2, (3.0, 4.0, 2.0), sqrt(4.0**2 + 2.0**2)),
        (1, 1.0, (0.2, 0.3, 0.0), 1.0 - sqrt(0.13)),
    ):
        mechanism, _, end = arm(count, recipes.hinge(2), link)
        posing = Posing(mechanism)
        posed = posing.drag(end, (0.5 * link, 0.0, 0.0), target)
        assert not posed.reached
        assert posed.off == pytest.approx(off, abs=1e-9)
        tip = (world_of(posing, end) @ (0.5 * link, 0.0, 0.0, 1.0))[:2]
        towards = np.array(target[:2]) / np.hypot(*target[:2]) * count * link
        assert tip == pytest.approx(towards, abs=1e-6)


@pytest.mark.long
def test_limits_hold_out_of_reach() -> None:
    """Dragged all around, no joint of an arm passes its bound by more than 1e-9."""
    mechanism, joints, end = arm(8, recipes.hinge(2, -0.3, 0.4))
    posing = Posing(mechanism)
    for turn in np.linspace(0.0, 4.0 * pi, 60):
        posed = posing.drag(end, (0.1, 0.0, 0.0), (1.5 * cos(turn), 1.5 * sin(turn), 0.0))
        assert posed.gap == 0.0
        values = [posing.values(joint)[5] for joint in joints]
        assert min(values) >= -0.3 - 1e-9
        assert max(values) <= 0.4 + 1e-9


@pytest.mark.long
def test_drag_finds_the_nearest_pose_within_limits() -> None:
    """Of the poses around the one that was found, of a bounded arm of two, none is nearer."""
    mechanism, joints, end = arm(2, recipes.hinge(2, -0.5, 0.8), 1.0)
    grid = np.linspace(-0.5, 0.8, 400)
    first, second = np.meshgrid(grid, grid)
    tips = np.stack(
        [np.cos(first) + np.cos(first + second), np.sin(first) + np.sin(first + second)], -1
    )
    random = Random(4)
    for _ in range(25):
        target = (random.uniform(-1.0, 2.5), random.uniform(-2.0, 2.5))
        posing = Posing(mechanism)
        posing.set_value(joints[1], ANGULAR, 2, 0.1)
        posed = posing.drag(end, (0.5, 0.0, 0.0), (*target, 0.0))
        angles = [posing.values(joint)[5] for joint in joints]
        near = (np.abs(first - angles[0]) < 0.2) & (np.abs(second - angles[1]) < 0.2)
        best = float(np.hypot(*(tips - target).transpose(2, 0, 1))[near].min())
        assert posed.off <= best + 1e-9


def test_straight_arm_bends() -> None:
    """An arm that is stretched out to where its end is pushed back to can bend."""
    for settings in (recipes.hinge(2), recipes.pin(), recipes.hinge(2, -2.0, 2.0)):
        mechanism, _, end = arm(3, settings)
        posing = Posing(mechanism)
        assert posing.drag(end, (0.1, 0.0, 0.0), (0.45, 0.0, 0.0)).reached
        assert gap(reposed(mechanism, posing)) < 1e-9


@pytest.mark.parametrize("bounds", [(0.0, 2.0), (-2.0, 0.0)])
@pytest.mark.parametrize("count", [1, 2])
def test_a_straight_arm_bends_whichever_way_its_elbows_do(
    count: int, bounds: tuple[float, float]
) -> None:
    """To the one side that their bounds leave, where its end is pushed back."""
    made = Builder()
    body = made.body((0.1, 0.0, 0.0))
    made.joint(made.ground(), body, recipes.hinge(2))
    for number in range(1, count + 1):
        following = made.body((0.2 * number + 0.1, 0.0, 0.0))
        made.joint(body, following, recipes.hinge(2, *bounds), (0.2 * number, 0.0, 0.0))
        body = following
    posing = Posing(made.mechanism())
    assert posing.drag(body, (0.1, 0.0, 0.0), (0.16 * (count + 1), 0.0, 0.0)).reached


@pytest.mark.long
def test_drag_is_smooth() -> None:
    """Where the hand moves a little the bodies move a little, also past a stretched arm."""
    mechanism, _, end = arm(5, recipes.hinge(2, -1.5, 1.5))
    posing = Posing(mechanism)
    posing.drag(end, (0.1, 0.0, 0.0), (0.6, 0.5, 0.0))
    before = posing.positions
    for turn in np.linspace(0.0, 2.0 * pi, 400):
        radius = 0.8 + 0.35 * sin(2.0 * turn)
        place = (radius * cos(0.6 * sin(turn) + 0.7), radius * sin(0.6 * sin(turn) + 0.7), 0.0)
        posing.drag(end, (0.1, 0.0, 0.0), place)
        moved = np.abs(posing.positions - before).max()
        assert moved < 0.12
        before = posing.positions


def test_drag_can_keep_the_rotation() -> None:
    """The last body of an arm can be led away without turning."""
    mechanism, joints, end = arm(4, recipes.hinge(2))
    posing = Posing(mechanism)
    posing.set_value(joints[1], ANGULAR, 2, 0.8)
    turn = world_of(posing, end)[:3, :3]
    place = world_of(posing, end)[:3, 3] + (-0.08, 0.05, 0.0)
    assert posing.drag(end, (0.0, 0.0, 0.0), tuple(place), keep_orientation=True).reached
    assert world_of(posing, end)[:3, :3] == pytest.approx(turn, abs=1e-6)


def test_loop_is_dragged() -> None:
    """The coupler of a four-bar follows the hand along its curve, and the loop stays closed."""
    mechanism, joints = four_bar()
    free, posing = Posing(mechanism), Posing(mechanism)
    for value in np.linspace(0.0, 0.8, 9):
        free.set_value(joints[0], ANGULAR, 2, float(value))
        target = tuple(world_of(free, 2)[:3, 3])
        assert posing.drag(2, (0.0, 0.0, 0.0), target).reached
        assert posing.values(joints[0])[5] == pytest.approx(value, abs=1e-6)
        assert gap(reposed(mechanism, posing)) < 1e-8


def test_what_stands_still_stays() -> None:
    """Static and kinematic bodies do not move, and cannot be dragged."""
    made = Builder()
    ground, rail = made.ground(), made.body((0.0, 1.0, 0.0), kind=MotionType.KINEMATIC)
    middle, end = made.body((0.5, 0.5, 0.0)), made.body((1.0, 0.5, 0.0))
    made.joint(rail, middle, recipes.pin(), (0.0, 1.0, 0.0))
    made.joint(middle, end, recipes.pin(), (0.8, 0.5, 0.0))
    loose = made.body((9.0, 0.0, 0.0))
    posing = Posing(made.mechanism())
    before = posing.positions
    for body in (ground, rail, loose):
        assert posing.drag(body, (0.0, 0.0, 0.0), (5.0, 5.0, 5.0)) == Posed(False, inf)
    posing.drag(end, (0.0, 0.0, 0.0), (5.0, 5.0, 5.0))
    still = [posing.body_nodes.index(body) for body in (ground, rail, loose)]
    assert (posing.positions[still] == before[still]).all()


@pytest.mark.parametrize("welds", [1, 2])
def test_what_is_welded_to_the_ground_stays(welds: int) -> None:
    """Nothing is left to move, in a loop or not: the hand learns how far off it is."""
    made = Builder()
    ground, body = made.ground(), made.body((1.0, 0.0, 0.0))
    for number in range(welds):
        made.joint(ground, body, recipes.weld(), (float(number), 0.0, 0.0))
    posing = Posing(made.mechanism())
    posed = posing.drag(body, (0.0, 0.0, 0.0), (3.0, 0.0, 0.0))
    assert posed == Posed(False, pytest.approx(2.0), pytest.approx(0.0, abs=1e-12))
    assert posing.positions[posing.body_nodes.index(body)].tolist() == [1.0, 0.0, 0.0]


def test_loose_mechanism_follows_the_hand() -> None:
    """Where nothing stands still the heaviest body stays as long as the others reach."""
    made = Builder()
    trunk, limb = made.body((0.0, 0.0, 0.0), mass=9.0), made.body((1.0, 0.0, 0.0))
    made.joint(trunk, limb, recipes.pin(), (0.5, 0.0, 0.0))
    posing = Posing(made.mechanism())
    assert posing.drag(limb, (0.5, 0.0, 0.0), (0.5, 1.0, 0.0)).reached
    assert np.abs(posing.positions[0]).max() < 1e-9
    assert posing.drag(limb, (0.5, 0.0, 0.0), (0.5, 3.0, 0.0)).reached
    assert posing.positions[0] == pytest.approx((0.0, 2.0, 0.0), abs=1e-6)
    assert gap(reposed(made.mechanism(), posing)) < 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_reset_is_exact(seed: int) -> None:
    """After any posing, reset gives every number back bit by bit; so does a moment kept."""
    mechanism, joints = tree(seed)
    posing, random = Posing(mechanism), Random(seed)
    places, turns = posing.positions, posing.rotations
    values = {joint: posing.values(joint) for joint in joints}
    for joint in joints:
        for freedom, axis in free_of(posing, joint):
            posing.set_value(joint, freedom, axis, random.uniform(-0.5, 0.5))
    kept, there = posing.pose(), posing.positions
    posing.drag(posing.body_nodes[-1], (0.1, 0.0, 0.0), (1.0, 1.0, 1.0))
    posing.take(kept)
    assert (posing.positions == there).all()
    posing.reset()
    assert (posing.positions == places).all()
    assert (posing.rotations == turns).all()
    assert all((posing.values(joint) == values[joint]).all() for joint in joints)


def test_a_moment_kept_before_anything_moved_is_where_drags_go_on_from() -> None:
    """Back at the first moment, the hand finds the pose that it finds there at first."""
    mechanism, _, end = arm(5, recipes.hinge(2))
    posing, fresh = Posing(mechanism), Posing(mechanism)
    kept = posing.pose()
    posing.drag(end, (0.1, 0.0, 0.0), (-0.3, 0.4, 0.0))
    posing.take(kept)
    for one in (posing, fresh):
        one.drag(end, (0.1, 0.0, 0.0), (0.6, 0.4, 0.0))
    assert (posing.positions == fresh.positions).all()


def test_hanging_values_come_back_to_their_limits() -> None:
    """A door that stands outside its range is inside it once it was posed."""
    made = Builder()
    wall, door = made.ground(), made.body((0.5, 0.0, 0.0))
    joint = made.joint(
        wall,
        door,
        recipes.hinge(2, 0.0, 1.0),
        connected_rotation=(0.0, 0.0, sin(-0.25), cos(-0.25)),
    )
    posing = Posing(made.mechanism())
    assert posing.values(joint)[5] == pytest.approx(-0.5)
    posing.drag(door, (0.5, 0.0, 0.0), (1.0, -3.0, 0.0))
    assert posing.values(joint)[5] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_nothing_breaks_it(seed: int) -> None:
    """Whatever a mechanism says and a hand wants: no exception, no number that is none."""
    mechanism, bodies, _ = random_tangle(seed)
    posing, random = Posing(mechanism), Random(seed)
    wishes = (0.3, -4.0, 1e6, 1e300, nan, inf)
    for _ in range(4):
        for joint in posing.joint_nodes:
            freedom, axis = random.choice(FREEDOMS)
            posed = posing.set_value(joint, freedom, axis, random.choice(wishes))
            assert not np.isnan((posed.off, posed.gap)).any()
        target = tuple(random.choice(wishes) for _ in range(3))
        posing.drag(random.choice(bodies), (0.1, 0.0, 0.0), target)
        assert np.isfinite(posing.positions).all()
        assert np.isfinite(posing.rotations).all()
    posing.reset()


@pytest.mark.parametrize(("place", "number"), [((0, 0), 0.0), ((0, 0), nan), ((1, 3), inf)])
def test_bodies_that_have_no_pose_stop_nothing(place: tuple[int, int], number: float) -> None:
    """Flat ones, and ones that stand nowhere: no exception, and all that is told is a number."""
    for seed in range(2):
        mechanism, bodies, _ = random_tangle(seed)
        for body in bodies:
            nodes = list(mechanism.nodes)
            world = [list(row) for row in nodes[body].world]
            world[place[0]][place[1]] = number
            if not place[1]:
                world[1][0] = world[2][0] = 0.0
            nodes[body] = replace(nodes[body], world=tuple(map(tuple, world)))
            posing = Posing(replace(mechanism, nodes=tuple(nodes)))
            for joint in posing.joint_nodes:
                posing.set_value(joint, *FREEDOMS[5], 0.3)
            assert np.isfinite(posing.positions).all()
            assert np.isfinite(posing.rotations).all()
