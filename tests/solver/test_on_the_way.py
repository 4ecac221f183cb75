# SPDX-License-Identifier: GPL-3.0-or-later
"""What changes while a mechanism moves: joints that are added, bodies that are led elsewhere."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, sin

import numpy as np
import pytest
from solver.building import Builder, chain, rod_inertia

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import JointNode, JointSettings
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import KinematicMotion, Simulation

STEP = 1.0 / 60.0


def hatch() -> tuple[Mechanism, int, int]:
    """Return a rod on a hinge with bounds that falls from the horizontal, its node and joint."""
    made = Builder()
    ground = made.ground()
    rod = made.body((0.5, 0.0, 0.0), inertia_diagonal=rod_inertia(1.0))
    joint = made.joint(ground, rod, recipes.hinge(2, -0.5 * pi, 0.0))
    return made.mechanism(), rod, joint


def pinned(mechanism: Mechanism, body: int, place: tuple[float, float, float]) -> Mechanism:
    """Return a mechanism with a pin from a body's own origin to a place of the world."""
    nodes = list(mechanism.nodes)
    nodes.append(Node("", None, compose(place)))
    joint = JointNode(len(mechanism.settings), len(nodes) - 1)
    nodes.append(Node("", body, nodes[body].world, joint=joint))
    pin = JointSettings("Hold", recipes.weld().limits[:1])
    return replace(mechanism, nodes=tuple(nodes), settings=(*mechanism.settings, pin))


def test_joint_is_added_where_the_body_is_and_taken_away() -> None:
    """The motion goes on from the pose and the velocity at hand, and time with it."""
    mechanism, rod, joint = hatch()
    simulation = Simulation(mechanism)
    for _ in range(20):
        simulation.step(STEP)
    row = simulation.body_nodes.index(rod)
    place, spin = simulation.positions[row].copy(), simulation.angular_velocities[row].copy()
    simulation.rejoin(pinned(mechanism, rod, tuple(place.tolist())))
    assert simulation.time == pytest.approx(20 * STEP)
    assert simulation.positions[row] == pytest.approx(place, abs=1e-12)
    assert simulation.angular_velocities[row] == pytest.approx(spin, abs=1e-9)
    for _ in range(60):
        assert simulation.step(STEP).converged
    assert simulation.positions[row] == pytest.approx(place, abs=1e-6)
    simulation.rejoin(mechanism)
    for _ in range(120):
        simulation.step(STEP)
    assert simulation.joint_nodes == (joint,)
    assert simulation.coordinates(joint)[5] == pytest.approx(-0.5 * pi, abs=1e-6)


def test_other_bodies_are_refused() -> None:
    """Joints may change on the way, bodies may not."""
    mechanism, rod, _ = hatch()
    nodes = list(mechanism.nodes)
    nodes[rod] = replace(nodes[rod], motion=replace(nodes[rod].motion, mass=2.0))
    with pytest.raises(ValueError, match="same bodies"):
        Simulation(mechanism).rejoin(replace(mechanism, nodes=tuple(nodes)))


def test_pressed_bound_lets_go_at_once_after_joints_changed() -> None:
    """A bound that is pressed when joints change is not held as if the rest pose violated it.

    Rounding moves what rests on a bound by 1e-11 a step, out or in; at -1 rad it goes in.
    """
    made = Builder()
    ground = made.ground()
    rod = made.body((0.5, 0.1, 0.03), inertia_diagonal=rod_inertia(1.0))
    joint = made.joint(ground, rod, recipes.hinge(2, -1.0, 0.0), (0.01, 0.02, 0.0))
    mechanism = made.mechanism()
    simulation = Simulation(mechanism)
    for _ in range(300):
        simulation.step(STEP)
    assert simulation.coordinates(joint)[5] == pytest.approx(-1.0, abs=1e-6)
    simulation.rejoin(replace(mechanism, settings=(*mechanism.settings, JointSettings("More"))))
    simulation.set_gravity((60.0, 20.0, 0.0))
    for _ in range(6):
        simulation.step(STEP)
    assert simulation.coordinates(joint)[5] > -1.0 + 0.1


def test_kinematic_body_follows_another_motion_from_now_on() -> None:
    """A motion that is handed over step by step leads the body and what hangs from it."""
    made = Builder()
    hand = made.body(kind=MotionType.KINEMATIC)
    load = made.body((0.0, -1.0, 0.0), inertia_diagonal=rod_inertia(1.0))
    made.joint(hand, load, recipes.weld())
    simulation = Simulation(made.mechanism())
    still = np.array([[0.0, 0.0, 0.0, 1.0]] * 2)
    for number in range(30):
        ends = np.array([[0.1 * n, 0.0, 0.0] for n in (number, number + 1)])
        times = simulation.time + np.array([0.0, STEP])
        simulation.set_motions({hand: KinematicMotion(times, ends, still)})
        assert simulation.step(STEP).converged
        assert simulation.linear_velocities[0] == pytest.approx((6.0, 0.0, 0.0), abs=1e-6)
    assert simulation.positions[0] == pytest.approx((3.0, 0.0, 0.0), abs=1e-12)
    assert simulation.positions[1] == pytest.approx((3.0, -1.0, 0.0), abs=1e-6)
    assert simulation.linear_velocities[1] == pytest.approx((6.0, 0.0, 0.0), abs=1e-5)


def test_a_spinning_body_goes_where_its_origin_goes() -> None:
    """Its velocity is that of the origin, wherever the mass is; what hangs from it comes along."""
    made = Builder()
    hand = made.body(
        (1.0, 2.0, 0.0),
        kind=MotionType.KINEMATIC,
        center_of_mass=(0.5, -0.2, 0.3),
        linear_velocity=(0.3, 0.0, -0.6),
        angular_velocity=(0.0, 2.0, 1.0),
    )
    load = made.body((1.0, 2.0, 0.0), center_of_mass=(0.0, 0.1, 0.0))
    made.joint(hand, load, recipes.weld())
    simulation = Simulation(made.mechanism())
    for number in range(1, 31):
        assert simulation.step(STEP).converged
        time = number * STEP
        for row, nearly in ((0, 1e-12), (1, 1e-6)):
            there = (1.0 + 0.3 * time, 2.0, -0.6 * time)
            assert simulation.positions[row] == pytest.approx(there, abs=nearly)
            speed = simulation.linear_velocities[row]
            assert speed == pytest.approx((0.3, 0.0, -0.6), abs=1e3 * nearly)


def test_frames_of_an_animation_lie_within_steps() -> None:
    """A body that is led at 24 frames a second turns corners in between steps of 1 / 60 s."""
    made = Builder()
    hand = made.body(kind=MotionType.KINEMATIC)
    load = made.body((0.0, -1.0, 0.0), inertia_diagonal=rod_inertia(1.0))
    made.joint(hand, load, recipes.slider(1, -0.5, 0.5))
    times = np.arange(25) / 24.0
    ends = np.stack([np.sin(7.0 * times), 0.0 * times, times**2], 1)
    still = np.tile([0.0, 0.0, 0.0, 1.0], (25, 1))
    simulation = Simulation(made.mechanism(), motions={hand: KinematicMotion(times, ends, still)})
    for number in range(1, 60):
        assert simulation.step(STEP).converged
        led = [np.interp(number * STEP, times, ends[:, axis]) for axis in (0, 2)]
        assert simulation.positions[0, ::2] == pytest.approx(led, abs=1e-12)
        assert simulation.positions[1, ::2] == pytest.approx(led, abs=1e-9)
    speed = (ends[24] - ends[23]) * 24.0
    assert simulation.linear_velocities[1, ::2] == pytest.approx(speed[::2], abs=1e-6)


def test_large_equal_islands_move_as_each_alone() -> None:
    """Islands that are eliminated together do not feel one another."""
    links = 20
    alone = chain(links)
    made = [replace(alone.nodes[0])]
    for number in range(3):
        shift = len(made) - 1
        for node in alone.nodes[1:]:
            up = 0 if node.parent == 0 else node.parent and node.parent + shift
            joint = node.joint and replace(
                node.joint, connected_node=node.joint.connected_node + shift
            )
            world = tuple(
                (*row[:3], row[3] + (2.0 * number if i == 2 else 0.0))
                for i, row in enumerate(node.world)
            )
            made.append(replace(node, parent=up, joint=joint, world=world))
    one = Simulation(alone)
    three = Simulation(replace(alone, nodes=tuple(made)))
    for _ in range(30):
        one.step(STEP)
        three.step(STEP)
    moved = one.positions[1:]
    for number in range(3):
        rows = slice(1 + number * links, 1 + (number + 1) * links)
        there = three.positions[rows] - np.array([0.0, 0.0, 2.0 * number])
        assert there == pytest.approx(moved, abs=1e-5)


def test_a_led_body_is_as_fast_as_it_came() -> None:
    """At the end of a step, where another piece of its motion begins, or none does."""
    made = Builder()
    hand = made.body(kind=MotionType.KINEMATIC, center_of_mass=(0.5, -0.2, 0.3))
    made.joint(hand, made.body((0.0, -1.0, 0.0)), recipes.pin())
    simulation = Simulation(made.mechanism())
    angles, places = np.array([0.0, 0.01, -0.02, -0.02]), np.array([0.0, 0.1, 0.4, 0.1])
    motion = KinematicMotion(
        STEP * np.arange(4.0),
        np.array([(place, 0.0, 0.0) for place in places]),
        np.array([(0.0, sin(angle / 2.0), 0.0, cos(angle / 2.0)) for angle in angles]),
    )
    simulation.set_motions({hand: motion})
    for speed, spin in zip(np.diff(places) / STEP, np.diff(angles) / STEP, strict=True):
        simulation.step(STEP)
        assert simulation.angular_velocities[0] == pytest.approx((0.0, spin, 0.0), abs=1e-5)
        assert simulation.linear_velocities[0] == pytest.approx((speed, 0.0, 0.0), abs=1e-5)
