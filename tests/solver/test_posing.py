# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms are posed by their joints: values are what was set, loops stay closed, limits hold."""

from __future__ import annotations

from dataclasses import replace
from math import cos, inf, nan, pi, sin, sqrt
from random import Random

import numpy as np
import pytest

from omi_physics_joint.model import recipes
from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.coordinates import coordinates
from omi_physics_joint.model.frames import rigid_frame
from omi_physics_joint.model.joint import AXES, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.spans import spans_of
from omi_physics_joint.model.transform import compose, multiply
from omi_physics_joint.solver import Simulation
from omi_physics_joint.solver.joints import GIMBAL
from omi_physics_joint.solver.posing import Posed, Posing
from omi_physics_joint.solver.rotation import matrix_of
from tests.model.building import random_quaternion, random_vector
from tests.solver.building import Builder

ANGULAR, LINEAR = Freedom.ANGULAR, Freedom.LINEAR
FREEDOMS = [(freedom, axis) for freedom in Freedom for axis in AXES]
KINDS = {
    "hinge": lambda axis: recipes.hinge(axis),
    "bounded hinge": lambda axis: recipes.hinge(axis, -0.7, 1.9),
    "slider": lambda axis: recipes.slider(axis, -0.4, 0.6),
    "pin": lambda _axis: recipes.pin(),
    "bounded pin": lambda axis: JointSettings(
        limits=(Limit(AXES, (), 0.0, 0.0), Limit((), (axis,), -1.0, 0.8))
    ),
    "two angles": lambda axis: JointSettings(
        limits=(Limit(AXES, (), 0.0, 0.0), Limit((), (axis,), 0.0, 0.0))
    ),
    "locks away from zero": lambda axis: JointSettings(
        limits=(
            Limit((axis,), (), 0.3, 0.3),
            Limit((), ((axis + 1) % 3,), 0.4, 0.4),
            Limit((), ((axis + 2) % 3,), -0.6, -0.6),
        )
    ),
    "all free": lambda _axis: JointSettings(),
}


def world_of(posing: Posing, node: int) -> np.ndarray:
    """Return world from body (4, 4) of a body."""
    row = posing.body_nodes.index(node)
    out = np.eye(4)
    out[:3, :3] = matrix_of(posing.rotations[row : row + 1])[0]
    out[:3, 3] = posing.positions[row]
    return out


def reposed(mechanism: Mechanism, posing: Posing) -> Mechanism:
    """Return the mechanism in the pose that it was given: what an export would hold."""
    nodes = []
    for index, node in enumerate(mechanism.nodes):
        body = mechanism.body_of(index)
        if body is not None:
            before = np.array(rigid_frame(mechanism.nodes[body].world))
            moved = world_of(posing, body) @ np.linalg.solve(before, np.array(node.world))
            node = replace(node, world=tuple(map(tuple, moved.tolist())))  # noqa: PLW2901
        nodes.append(node)
    return replace(mechanism, nodes=tuple(nodes))


def measured(mechanism: Mechanism, joint: int) -> np.ndarray:
    """Return the six values of a joint where the nodes of a mechanism stand."""
    node = mechanism.nodes[joint]
    settings = mechanism.settings_of(node.joint)
    frames = (node.world, mechanism.nodes[node.joint.connected_node].world)
    frames = [rigid_frame(world, settings) for world in frames]
    return np.array(coordinates(spans_of(settings.limits), *frames))


def gap(mechanism: Mechanism) -> float:
    """Return the largest violation of any lock or limit, m or rad."""
    worst = 0.0
    for index, _, joint in mechanism.joints():
        spans = spans_of(mechanism.settings_of(joint).limits)
        for span, value in zip(spans, measured(mechanism, index), strict=True):
            worst = max(worst, span.low - value, value - span.high)
    return worst


def tree(seed: int, count: int = 6, mirrored: bool = False) -> tuple[Mechanism, list[int]]:
    """Return a random tree of bodies with a joint of any kind between each and one before it."""
    random = Random(seed)
    made = Builder()
    made.ground()
    bodies, joints = [0], []
    for _ in range(count):
        body = made.body(random_vector(random), random_quaternion(random))
        kind = random.choice([name for name in KINDS if name != "all free"])
        settings = KINDS[kind](random.choice(AXES))
        ends = (random.choice(bodies), body)
        frame = (random_vector(random), random_quaternion(random))
        joints.append(
            made.joint(*(ends if random.random() < 0.5 else ends[::-1]), settings, *frame)
        )
        bodies.append(body)
        if mirrored:
            flip = compose(scale=(1.0, -1.0, 1.0))
            for index in (joints[-1], joints[-1] + 1):
                node = made.nodes[index]
                made.nodes[index] = replace(node, world=multiply(node.world, flip))
    return made.mechanism(), joints


def four_bar() -> tuple[Mechanism, list[int]]:
    """Return a crank of 1 m, a coupler and a rocker of 1.5 m on a ground of 2 m, in the plane Z."""
    made = Builder()
    ground = made.ground()
    crank, coupler, rocker = (made.body(at) for at in ((0, 0.5, 0), (1, 1.25, 0), (2, 0.75, 0)))
    hinge = recipes.hinge(2)
    joints = [
        made.joint(ground, crank, hinge, (0.0, 0.0, 0.0)),
        made.joint(crank, coupler, hinge, (0.0, 1.0, 0.0)),
        made.joint(coupler, rocker, hinge, (2.0, 1.5, 0.0)),
        made.joint(ground, rocker, hinge, (2.0, 0.0, 0.0)),
    ]
    return made.mechanism(), joints


def slider_crank(**slider: float) -> tuple[Mechanism, list[int]]:
    """Return a crank of 0.5 m that drives a piston along X over a rod of 1 m."""
    made = Builder()
    ground = made.ground()
    crank, rod, piston = (made.body((x, 0.0, 0.0)) for x in (0.25, 1.0, 1.5))
    joints = [
        made.joint(ground, crank, recipes.hinge(2), (0.0, 0.0, 0.0)),
        made.joint(crank, rod, recipes.hinge(2), (0.5, 0.0, 0.0)),
        made.joint(rod, piston, recipes.hinge(2), (1.5, 0.0, 0.0)),
        made.joint(ground, piston, recipes.slider(0, **slider), (1.5, 0.0, 0.0)),
    ]
    return made.mechanism(), joints


def arm(count: int, settings: JointSettings, link: float = 0.2) -> tuple[Mechanism, list[int], int]:
    """Return an arm of rods along X on joints of one kind, and its last body."""
    made = Builder()
    body, joints = made.ground(), []
    for i in range(count):
        following = made.body(((i + 0.5) * link, 0.0, 0.0))
        joints.append(made.joint(body, following, settings, (i * link, 0.0, 0.0)))
        body = following
    return made.mechanism(), joints, body


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
    for freedom, at in posing.free(joint):
        for value in (0.5, -0.35):
            assert posing.set_value(joint, freedom, at, value).reached
            values = posing.values(joint)
            assert values[at + 3 * (freedom is ANGULAR)] == pytest.approx(value, abs=1e-12)
            there = measured(reposed(made.mechanism(), posing), joint)
            assert there == pytest.approx(values, abs=1e-9)


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_random_trees_stand_as_they_were_set(seed: int, mirrored: bool) -> None:
    """In a tree every value stays as it was set while others change, as files would say it."""
    mechanism, joints = tree(seed, mirrored=mirrored)
    posing, random, wanted = Posing(mechanism), Random(seed), {}
    for joint in joints * 2:
        for freedom, axis in posing.free(joint):
            low, high = posing.range_of(joint, freedom, axis)
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
        for freedom, axis in posing.free(joint):
            posing.set_value(joint, freedom, axis, random.uniform(-0.5, 0.5))
    simulation = Simulation(reposed(mechanism, posing))
    for joint in joints:
        there = simulation.coordinates(joint)
        for freedom, axis in posing.free(joint):
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
    assert Posing(mechanism).free(joint) == ()


def test_middle_angle_of_a_pin_stays_away_from_the_pole() -> None:
    """Of three free angles the one about Y stops where the others can still be told apart."""
    mechanism, (joint,), _ = arm(1, recipes.pin())
    posing = Posing(mechanism)
    posing.set_value(joint, ANGULAR, 1, 3.0)
    assert posing.values(joint)[4] == pytest.approx(GIMBAL)


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


@pytest.mark.parametrize("kind", ["hinge", "bounded hinge", "pin"])
def test_drag_reaches_what_can_be_reached(kind: str) -> None:
    """The end of an arm comes to within 1e-6 m of places it can be at, limits kept."""
    mechanism, _joints, end = arm(6, KINDS[kind](2))
    free, posing, random = Posing(mechanism), Posing(mechanism), Random(3)
    for _ in range(12):
        for joint in free.joint_nodes:
            for freedom, axis in free.free(joint):
                low, high = free.range_of(joint, freedom, axis)
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
        for freedom, axis in posing.free(joint):
            posing.set_value(joint, freedom, axis, random.uniform(-0.5, 0.5))
    kept, there = posing.pose(), posing.positions
    posing.drag(posing.body_nodes[-1], (0.1, 0.0, 0.0), (1.0, 1.0, 1.0))
    posing.take(kept)
    assert (posing.positions == there).all()
    posing.reset()
    assert (posing.positions == places).all()
    assert (posing.rotations == turns).all()
    assert all((posing.values(joint) == values[joint]).all() for joint in joints)


def test_all_values_at_once() -> None:
    """The values of one pose, set together, give that pose, in trees and loops."""
    for mechanism, joints in (tree(5), four_bar()):
        posing = Posing(mechanism)
        freedom, axis = posing.free(joints[0])[0]
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


def random_tangle(seed: int) -> tuple[Mechanism, list[int], list[int]]:
    """Return bodies with joints between any of them at random places, with absurd numbers."""
    random = Random(seed)
    made = Builder()
    kinds = list(MotionType)
    bodies = [
        made.body(
            random_vector(random),
            random_quaternion(random),
            kind=random.choice([MotionType.DYNAMIC] * 3 + kinds),
            mass=random.choice((1.0, 0.0, inf, 1e9)),
        )
        for _ in range(random.randint(2, 6))
    ]
    numbers = (0.0, 0.5, -2.0, 1e3, 1e-9, inf, -inf, nan, 7.0)
    joints = []
    for _ in range(random.randint(1, 7)):
        limits = tuple(
            Limit(
                tuple(a for a in AXES if random.random() < 0.5),
                tuple(a for a in AXES if random.random() < 0.5),
                random.choice(numbers),
                random.choice(numbers),
                random.choice((inf, 0.0, 10.0)),
            )
            for _ in range(random.randint(0, 4))
        )
        settings = random.choice((JointSettings(limits=limits), KINDS["hinge"](0), recipes.pin()))
        places = (random_vector(random), random_quaternion(random))
        others = (random_vector(random), random_quaternion(random))
        joints.append(
            made.joint(
                random.choice(bodies),
                random.choice(bodies),
                settings,
                *places,
                connected_place=random.choice((places, others))[0],
                connected_rotation=random.choice((places, others))[1],
            )
        )
    if random.random() < 0.2:
        broken = Node("broken", bodies[0], joint=JointNode(99, -1))
        made.nodes.append(broken)
    return made.mechanism(), bodies, joints


@pytest.mark.parametrize("seed", range(40))
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
