# SPDX-License-Identifier: GPL-3.0-or-later
"""What bodies of prescribed motion carry, drag and hit goes where it would in their own frame."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omi_physics_joint.model.body import Motion, MotionType, Vector3
from omi_physics_joint.model.joint import JointNode, JointSettings
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.model.shape import Box, Shape, Sphere
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.contacts.contacts import Contacts

from .test_contacts import FPS, GRAVITY, body, grip

pytestmark = pytest.mark.usefixtures("kernel_library")
PLATFORM, BOX, BALL = Box((20.0, 1.0, 20.0)), Box((0.2, 0.2, 0.2)), Sphere(0.1)


def led(place: Vector3 = (0.0, 0.0, 0.0), **motion: Vector3) -> Node:
    """Return a platform that is led."""
    return replace(body(0, place), motion=Motion(MotionType.KINEMATIC, **motion))


def run(
    nodes: tuple[Node, ...],
    shapes: tuple[Shape, ...],
    material: tuple[float, float],
    gravity: float,
    seconds: float,
    settings: tuple[JointSettings, ...] = (),
) -> Simulation:
    """Return where that leads; no step is tried twice or goes at first order."""
    mechanism = Mechanism(nodes, settings, shapes, (grip(*material),))
    simulation = Simulation(mechanism, Options((0.0, -gravity, 0.0), contacts=True))
    for _ in range(round(seconds * FPS)):
        report = simulation.step(1.0 / FPS)
        assert report.retries <= 1
        assert not any(island.first_order for island in report.islands)
    return simulation


@pytest.mark.parametrize("motion", ["linear_velocity", "angular_velocity"])
def test_what_leads_far_in_a_frame_is_looked_at_once(
    motion: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How far it goes is known beforehand: no step is made twice to find what it meets."""
    looks, look = [], Contacts.look
    monkeypatch.setattr(Contacts, "look", lambda *given: looks.append(0) or look(*given))
    goes = motion == "linear_velocity"
    shapes = (BALL if goes else Box((4.0, 0.1, 0.1)), BALL)
    first = led(**{motion: (9.0, 0.0, 0.0) if goes else (0.0, 6.0, 0.0)})
    other = body(1, (0.32, 0.0, 0.0) if goes else (1.9, 0.0, -0.28))
    simulation = Simulation(
        Mechanism((first, other), (), shapes, (grip(0.0),)), Options((0.0, 0.0, 0.0), contacts=True)
    )
    simulation.step(1.0 / FPS)
    simulation.step(1.0 / FPS)
    assert simulation.linear_velocities[-1].any()
    assert len(looks) == 2


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(("up", "down"), [(1.0, 0.0), (1.0, 1.0), (3.0, 1.0), (-0.5, 1.5)])
def test_what_a_platform_hits_bounces_off_as_in_its_frame(
    up: float, down: float, restitution: float
) -> None:
    """A ball leaves it e times as fast as they meet; it never left at all."""
    ball = body(1, (0.0, 0.7, 0.0), velocity=(0.0, -down, 0.0))
    nodes = (led(linear_velocity=(0.0, up, 0.0)), ball)
    simulation = run(nodes, (PLATFORM, BALL), (0.0, restitution), 0.0, 0.5)
    speed = up + restitution * (up + down)
    assert simulation.linear_velocities[-1, 1] == pytest.approx(speed, abs=1e-6)


@pytest.mark.parametrize("restitution", [0.5, 1.0])
def test_what_a_led_hand_holds_hits_as_if_it_were_led(restitution: float) -> None:
    """A bat that is welded to it, which weighs as much as the ball, is not thrown back."""
    hand = replace(led((0.0, 3.0, 0.0), linear_velocity=(0.0, 2.0, 0.0)), collider=None)
    bat = body(0, (0.0, 0.0, 0.0), velocity=(0.0, 2.0, 0.0))
    ends = Node("joint", 1, bat.world, joint=JointNode(0, 4)), Node("end", 0, bat.world)
    nodes = (hand, bat, body(1, (0.0, 0.3, 0.0)), *ends)
    shapes = Box((1.0, 0.2, 1.0)), BALL
    simulation = run(nodes, shapes, (0.0, restitution), 0.0, 0.3, (recipes.weld(),))
    speed = 2.0 + 2.0 * restitution
    assert simulation.linear_velocities[-2:, 1] == pytest.approx((2.0, speed), abs=1e-6)


@pytest.mark.parametrize("speed", [0.1, 1.0, 5.0])
def test_a_lift_carries_a_box(speed: float) -> None:
    """It goes along; each step was tried 62 times, since the lift gives energy."""
    nodes = led(linear_velocity=(0.0, speed, 0.0)), body(1, (0.0, 0.6, 0.0))
    simulation = run(nodes, (PLATFORM, BOX), (0.5, 0.0), GRAVITY, 0.5)
    assert simulation.positions[-1, 1] == pytest.approx(0.6 + 0.5 * speed, abs=1e-6)
    assert simulation.linear_velocities[-1, 1] == pytest.approx(speed, abs=1e-6)


def test_a_conveyor_drags_a_box_as_friction_says() -> None:
    """By mu g until it is as fast: it was 3 cm too far after half a second."""
    nodes = led(linear_velocity=(1.0, 0.0, 0.0)), body(1, (0.0, 0.6, 0.0))
    simulation = run(nodes, (PLATFORM, BOX), (0.5, 0.0), GRAVITY, 0.5)
    way = 0.5 - 0.5 / (0.5 * GRAVITY)
    assert simulation.positions[-1, 0] - 20.0 == pytest.approx(way, abs=5e-4)


def test_a_turning_beam_hits_as_fast_as_it_is_there() -> None:
    """A ball that rests 2 m from its axis leaves with twice the speed that the beam has there."""
    beam, ball = led(angular_velocity=(0.0, 0.0, 3.0)), body(1, (2.0, 0.61, 0.0))
    simulation = run((beam, ball), (PLATFORM, BALL), (0.0, 1.0), 0.0, 0.3)
    assert simulation.linear_velocities[-1, 1] == pytest.approx(12.0, rel=0.01)
