# SPDX-License-Identifier: GPL-3.0-or-later
"""From a mechanism to arrays: bodies, frames and bounds of awkward mechanisms, by identities."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan, radians

import numpy as np
import pytest

from omi_physics_joint.model.body import ZERO, MotionType
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.geometry.transform import compose, multiply
from omi_physics_joint.model.joint import Freedom, JointSettings, Limit
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanics.rounding import TURNED
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.recipes import hinge, pin, slider
from omi_physics_joint.solver.kinematics.rotation import (
    Array,
    exponential,
    matrix_of,
    rotation_vector,
)
from omi_physics_joint.solver.reading.assembly import axle_of
from omi_physics_joint.solver.reading.bodies import (
    Bodies,
    KinematicBodies,
    KinematicMotion,
    read_bodies,
)
from omi_physics_joint.solver.reading.joints import Joint, in_parts, read_joints, rows_of
from omi_physics_joint.solver.reading.mending import Mended, mend, mended
from omi_physics_joint.solver.system import MOST_ROWS, POINT, WHOLE
from tests.awkward import chains, elsewhere
from tests.kinds_of_joints import KINDS, settings

from .building import Builder

HELD = ("a weld", "a pin", "a hinge with bounds", "a slider with bounds", "a table", "two angles")
HELD += ("a hinge with a servo", "a slider with a spring")


def read(mechanism: Mechanism) -> tuple[Bodies, list[Joint], dict[int, Mended]]:
    """Return bodies, joints as they are, and how these are mended."""
    bodies, _ = read_bodies(mechanism)
    numbers = {int(node): i for i, node in enumerate(bodies.nodes) if node >= 0}
    dynamic = np.flatnonzero(bodies.dynamic).tolist()
    world = len(bodies.nodes) - 1
    joints, issues = read_joints(mechanism, mechanism.settings, numbers, world, frozenset(dynamic))
    assert not issues
    return bodies, joints, mended(mechanism, joints, dynamic, numbers)


@pytest.mark.parametrize("far", [False, True])
def test_a_body_turns_about_what_its_motion_says(*, far: bool) -> None:
    """Of chains of unequal bodies: the tensor of inertia, the centre and both speeds."""
    contents = chains()
    mechanism = (elsewhere(contents) if far else contents).mechanism
    bodies, _ = read_bodies(mechanism)
    assert bodies.nodes[-1] == -1
    for i, node in enumerate(bodies.nodes[:-1].tolist()):
        motion = mechanism.nodes[node].motion
        assert motion is not None
        frame = np.array(rigid_frame(mechanism.nodes[node].world))
        turn, centre = frame[:3, :3], frame[:3, :3] @ np.array(motion.center)
        moves = motion.type.value == "dynamic"
        assert (bool(bodies.dynamic[i]), bool(bodies.kinematic[i])) == (moves, False)
        assert bodies.position[i] == pytest.approx(frame[:3, 3] + centre, abs=1e-12)
        spin = turn @ np.array(motion.angular_velocity) if moves else np.zeros(3)
        assert bodies.rotation[i] @ bodies.spin[i] == pytest.approx(spin, abs=1e-12)
        speed = turn @ np.array(motion.linear_velocity) if moves else np.zeros(3)
        assert bodies.velocity[i] == pytest.approx(speed + np.cross(spin, centre), abs=1e-12)
        if moves:
            own = matrix_of(np.array([motion.inertia_orientation]))[0]
            tensor = turn @ own @ np.diag(motion.inertia_diagonal) @ own.T @ turn.T
            found = bodies.rotation[i] @ np.diag(bodies.inertia[i]) @ bodies.rotation[i].T
            assert found == pytest.approx(tensor, abs=1e-12)
            assert bodies.mass[i] == motion.mass


@pytest.mark.parametrize("kind", HELD)
def test_frames_that_rounding_took_apart_meet_half_way(kind: str) -> None:
    """Along and about what a joint holds nothing is left, by half of it each; else all stays.

    What is off by more than rounding stays as it is.
    """
    draw = np.random.default_rng(29)
    mechanism = chains([kind]).mechanism
    _, joints, _ = read(mechanism)
    for size in (0.2, 50.0):
        shaken = list(mechanism.nodes)
        for joint in joints:
            node = mechanism.nodes[joint.node].joint
            assert node is not None
            by = compose(tuple(size * 1e-6 * draw.choice([-1, 1], 3) * draw.uniform(0.5, 1, 3)))
            half = size * 1e-6 * draw.choice([-1, 1], 3) * draw.uniform(0.3, 0.5, 3)
            turn = compose(rotation=(*half.tolist(), 1.0))
            other = shaken[node.connected_node]
            moved = multiply(other.world, multiply(by, turn))
            shaken[node.connected_node] = replace(other, world=moved)
        _, before, how = read(replace(mechanism, nodes=tuple(shaken)))
        for joint in before:
            old, new = joint.frames, how[joint.node].frames
            locked = joint.low[:6] == joint.high[:6]
            apart, left = (_apart(frames) - _rest(joint) for frames in (old, new))
            if size > 1.0:
                assert new == pytest.approx(old, abs=1e-15)
                continue
            assert left[:3][locked[:3]] == pytest.approx(0.0, abs=1e-12)
            assert left[:3][~locked[:3]] == pytest.approx(apart[:3][~locked[:3]], abs=2e-12)
            if locked[3:].any():
                assert left[3:][locked[3:]] == pytest.approx(0.0, abs=1e-11)
                assert left[3:][~locked[3:]] == pytest.approx(apart[3:][~locked[3:]], abs=1e-11)
            middle = old[:, :3, 3].sum(0) - new[:, :3, 3].sum(0)
            assert middle == pytest.approx(np.zeros(3), abs=1e-12)


def _rest(joint: Joint) -> Array:
    return np.where(joint.low[:6] == joint.high[:6], joint.low[:6], 0.0)


def _apart(frames: Array) -> Array:
    """Return how the second frame stands in the first: along and about its axes, if a little."""
    back = frames[0, :3, :3].T
    turn = rotation_vector((back @ frames[1, :3, :3])[None])[0]
    return np.concatenate([back @ (frames[1, :3, 3] - frames[0, :3, 3]), turn])


def resting(kind: str, low: float, high: float, at: float) -> Joint:
    """Return a hinge or a slider that rests somewhere, turned anyhow, mended."""
    made = Builder()
    ground, body = made.ground(), made.body((0.3, 0.2, 0.1))
    make = hinge if kind == "hinge" else slider
    there = exponential(np.array([[0.4, -0.7, 1.1]]))[0]
    frame, other = np.eye(4), np.eye(4)
    frame[:3, :3] = there
    turn = exponential(np.array([[0.0, at, 0.0]]))[0] if kind == "hinge" else np.eye(3)
    other[:3, :3] = there @ turn
    if kind == "slider":
        other[:3, 3] = there @ np.array([0.0, at, 0.0])
    node = made.joint(ground, body, make(1, low, high))
    mechanism = made.mechanism()
    nodes = list(mechanism.nodes)
    for index, world in ((node, frame), (node + 1, other)):
        rows = tuple(tuple(row) for row in world.tolist())
        nodes[index] = replace(nodes[index], world=rows)
    _, [joint], how = read(replace(mechanism, nodes=tuple(nodes)))
    mend([joint], how)
    return joint


@pytest.mark.parametrize("turns", [(200, 300), (-300, -200), (170, 250), (-90, 90), (400, 500)])
@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize("off", [0.3, -0.3, 30.0])
def test_a_bound_that_a_hinge_rests_on_by_rounding_gives_way(
    turns: tuple[int, int], end: int, off: float
) -> None:
    """On whichever turn it is: beyond it by a third of rounding, within it, and truly beyond it."""
    low, high = map(radians, turns)
    out = (-1.0, 1.0)[end] * off * TURNED
    rests = (low, high)[end] + out
    joint = resting("hinge", low, high, rests)
    found = [joint.low[4], joint.high[4]]
    expected = [low, high]
    if off == 0.3:
        expected[end] = rests
    assert found == pytest.approx(expected, abs=1e-3 * TURNED)


@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize(("off", "gives"), [(1e-9, True), (-1e-9, False), (1e-3, False)])
def test_a_bound_that_a_slider_rests_on_by_rounding_gives_way(
    end: int, off: float, *, gives: bool
) -> None:
    """Of a range that does not hold zero, turned anyhow; the other bound stays."""
    bounds = [0.25, 0.5]
    out = (-1.0, 1.0)[end] * off
    joint = resting("slider", *bounds, bounds[end] + out)
    found = [joint.low[1], joint.high[1]]
    assert found[1 - end] == bounds[1 - end]
    assert found[end] == (pytest.approx(bounds[end] + out, abs=1e-12) if gives else bounds[end])


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_axle_is_the_axis_that_alone_turns(axis: int) -> None:
    """Of a hinge its axis, whether it has bounds or not; of what turns about two or none, none."""
    about = Limit((), (axis,), 0.0, 0.0)
    bounded = Limit((), ((axis + 1) % 3,), -0.5, 0.5)
    for said, expected in (
        (hinge(axis), axis),
        (hinge(axis, 0.3, 0.3), -1),
        (slider(axis), -1),
        (KINDS["two angles"], -1),
        (replace(slider(axis), limits=(*pin().limits, about, bounded)), -1),
    ):
        made = Builder()
        made.joint(made.ground(), made.body((1.0, 0.0, 0.0)), said)
        _, [joint], _ = read(made.mechanism())
        assert axle_of(list(rows_of(joint))) == expected


def test_a_body_that_is_led_is_between_its_frames_and_rests_outside_of_them() -> None:
    """Places and turns go evenly by the shorter way, about the origin of the node."""
    turns = exponential(np.array([[0.3, -0.2, 0.9], [1.1, 0.4, -0.5], [1.1, 0.4, -0.5]]))
    q = _quaternions(turns)
    places = np.array([[1.0, 2.0, 3.0], [4.0, 0.0, -3.0], [4.0, 2.0, -3.0]])
    led = KinematicMotion(np.array([0.5, 0.75, 1.75]), places, q * np.array([[1], [-1], [1]]))
    for time, first in ((0.0, 0), (2.5, 2)):
        place, turn, speed, spin = led.at(time)
        assert place == pytest.approx(places[first])
        assert turn == pytest.approx(turns[first])
        assert not speed.any()
        assert not spin.any()
    place, turn, speed, spin = led.at(0.5625)
    assert place == pytest.approx(0.75 * places[0] + 0.25 * places[1])
    assert speed == pytest.approx(4.0 * (places[1] - places[0]))
    way = rotation_vector((turns[1] @ turns[0].T)[None])[0]
    assert spin == pytest.approx(4.0 * way)
    assert turn == pytest.approx(exponential(0.25 * way[None])[0] @ turns[0])
    _, turn, speed, spin = led.at(1.0)
    assert turn == pytest.approx(turns[1])
    assert spin == pytest.approx(np.zeros(3), abs=1e-12)
    assert speed == pytest.approx([0.0, 2.0, 0.0])


def _quaternions(turns: Array) -> Array:
    half = 0.5 * rotation_vector(turns)
    size = np.linalg.norm(half, axis=-1, keepdims=True)
    return np.concatenate([np.sin(size) * half / size, np.cos(size)], 1)


def test_bodies_that_are_led_take_their_parts_of_a_step() -> None:
    """Two animations cut a step where their frames are, once each, and none of what rests."""
    made = Builder()
    bodies = [
        made.body((float(n), 0.0, 0.0), kind=MotionType.KINEMATIC, angular_velocity=spin)
        for n, spin in enumerate((ZERO, ZERO, (0.0, 0.0, 1.0), ZERO))
    ]
    rest, _ = read_bodies(made.mechanism())
    same = np.array([[0.0, 0.0, 0.0, 1.0]] * 2)
    motions = {
        bodies[0]: KinematicMotion(np.array([0.25, 0.5]), np.zeros((2, 3)), same),
        bodies[1]: KinematicMotion(np.array([0.5 + 1e-12, 0.875]), np.zeros((2, 3)), same),
    }
    led = KinematicBodies(rest, motions)
    assert sorted(led.movers) == [0, 1, 2]
    cuts = [0.0, 0.25, 0.5, 0.875, 1.0]
    found = list(led.parts([0, 1, 2], 0.0, 1.0))
    assert [start for start, _ in found] == pytest.approx(cuts[:-1])
    assert [length for _, length in found] == pytest.approx(np.diff(cuts).tolist())
    assert list(led.parts([2], 0.0, 1.0)) == [(0.0, 1.0)]
    assert list(led.parts([0], 0.25, 0.25)) == [(0.25, 0.25)]


def test_what_stands_has_no_speed_whatever_a_file_says() -> None:
    """A kinematic body beside it goes as fast as its file says."""
    made, speeds = (
        Builder(),
        {"linear_velocity": (1.0, 2.0, 3.0), "angular_velocity": (3.0, 2.0, 1.0)},
    )
    for kind in (MotionType.STATIC, MotionType.KINEMATIC):
        made.body((1.0, 0.0, 0.0), (0.5, 0.5, 0.5, 0.5), kind=kind, **speeds)
    bodies, _ = read_bodies(made.mechanism())
    for speed in (bodies.velocity, bodies.spin):
        assert speed.any(1).tolist() == [False, True, False]


@pytest.mark.parametrize("freedom", Freedom)
@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("most", [0.0, 0.5, -0.5])
def test_a_bound_together_of_nothing_holds(freedom: Freedom, most: float, *, keyed: bool) -> None:
    """A rope without length holds each axis, or all together if it is keyed; less is told."""
    made, is_linear = Builder(), freedom is Freedom.LINEAR
    axes = {"linear_axes" if is_linear else "angular_axes": (0, 1, 2)}
    limit = Limit(max=most, **axes, together=True)
    if keyed:
        limit = replace(limit, keys=(Keys("max", (0.0, 1.0), (most, 0.7)),))
    made.joint(made.ground(), made.body((1.0, 0.0, 0.0)), settings(limit))
    mechanism = made.mechanism()
    [joint], issues = read_joints(mechanism, mechanism.settings, {0: 0, 1: 1}, 2, frozenset({1}))
    own = 0 if is_linear else 3
    holds = joint.high[[own, own + 1, own + 2, POINT if is_linear else WHOLE]].tolist()
    each = 0.0 if most == 0.0 and not keyed else inf
    assert holds == [each] * 3 + [inf if most < 0.0 or each == 0.0 else most]
    assert [one.code for one in issues] == ["limit-empty"] * (most < 0.0)


@pytest.mark.parametrize("freedom", Freedom)
@pytest.mark.parametrize("axes", [(1, 2), (0, 2), (0, 1), (0, 1, 2)])
def test_parts_of_a_joint_with_many_rows_say_all_of_it(
    axes: tuple[int, ...], freedom: Freedom
) -> None:
    """Each bound and spring is of one part, and no part has more rows than there is room for."""
    made, is_linear = Builder(), freedom is Freedom.LINEAR
    bounds = (
        Limit(axes if is_linear else (), () if is_linear else axes, 0.1, 0.4, together=True),
        Limit((0, 1, 2), (0, 1, 2), -0.5, 0.5),
        Limit((0,), (1,), -0.1, 0.1, stiffness=9.0),
    )
    made.joint(made.ground(), made.body((1.0, 0.0, 0.0)), settings(*bounds))
    mechanism = made.mechanism()
    [joint], _ = read_joints(mechanism, mechanism.settings, {0: 0, 1: 1}, 2, frozenset({1}))
    parts = in_parts(joint)
    assert len(parts) == 2
    assert [row for part in parts for row in rows_of(part)] == rows_of(joint)
    assert [one for part in parts for one in part.elements] == joint.elements
    assert all(len(rows_of(part)) <= MOST_ROWS for part in parts)


@pytest.mark.parametrize("number", [nan, -1.0, -inf, 0.0])
@pytest.mark.parametrize("axes", [((1,), ()), ((), (1,))])
def test_damping_that_is_none_is_zero(axes: tuple[tuple[int, ...], ...], number: float) -> None:
    """A soft limit is a spring without it, and no number beyond all others."""
    made = Builder()
    limit = Limit(*axes, -0.1, 0.1, 50.0, number)
    made.joint(made.body(), made.body(), JointSettings(limits=(limit,)))
    _, (joint,), _ = read(made.mechanism())
    assert [(one.stiffness, one.damping) for one in joint.elements] == [(50.0, 0.0)]
