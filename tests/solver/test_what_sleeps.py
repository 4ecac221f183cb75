# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes slowly goes on; what goes nowhere is not computed any more."""

from __future__ import annotations

from math import inf, tau

import numpy as np
import pytest
from solver.test_contacts import FAR, FPS, GRAVITY, UPRIGHT, body, grip, moved, on_floor

from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.model.shape import Box, Sphere
from omi_physics_joint.solver import KinematicMotion, Options, Simulation


def test_what_turns_back_slowly_does_not_stay() -> None:
    """A ball rolls up a slope, is slower than 1 mm/s for a third of a second, and comes back."""
    pulls = 0.007
    ball = body(0, (0.0, 1.0, 0.0), velocity=(0.005, 0.0, 0.0), spin=(0.0, 0.0, -0.005))
    simulation = on_floor((Sphere(1.0),), (ball,), grip(0.5), (-pulls, -GRAVITY, 0.0))
    goes = moved(simulation, 4.0)[:, 0, 0]
    for frame, way in enumerate(goes.tolist(), 1):
        time = frame / FPS
        assert way == pytest.approx(0.005 * time - 5.0 / 14.0 * pulls * time**2, abs=2e-5), frame


def test_what_spins_in_place_does_not_stay() -> None:
    """A ball on ice goes nowhere and turns for good."""
    spin = 0.05
    ball = body(0, (0.0, 0.5, 0.0), spin=(0.0, spin, 0.0))
    simulation = on_floor((Sphere(0.5),), (ball,), grip(0.0))
    moved(simulation, 1.5)
    (before,) = simulation.rotations.copy()
    moved(simulation, 0.5)
    (after,) = simulation.rotations
    turned = 2.0 * (np.arctan2(after[1], after[3]) - np.arctan2(before[1], before[3]))
    assert turned % tau == pytest.approx(0.5 * spin, rel=1e-3)


def drawn(speed: float, damping: float, friction: float, most: float = inf) -> Simulation:
    """Return a box of 1 kg on a floor, and a motor that draws it along X."""
    motor = Drive(Freedom.LINEAR, DriveMode.FORCE, 0, most, None, speed, 0.0, damping)
    place = compose((FAR, 0.1, -FAR), UPRIGHT)
    below, stands = compose((FAR, -0.5, -FAR), UPRIGHT), Motion(MotionType.STATIC)
    nodes = (
        Node("ground", motion=stands),
        body(0, (0.0, 0.1, 0.0)),
        Node("motor", 0, world=place, joint=JointNode(0, 3)),
        Node("end", 1, world=place),
        Node("floor", world=below, motion=stands, collider=Collider(1, 0)),
    )
    shapes = Box((0.4, 0.2, 0.4)), Box((4.0, 1.0, 4.0))
    mechanism = Mechanism(nodes, (JointSettings("", (), (motor,)),), shapes, (grip(friction),))
    return Simulation(mechanism, Options((0.0, -GRAVITY, 0.0), contacts=True))


@pytest.mark.parametrize("speed", [2e-4, 8e-4])
def test_what_is_drawn_slowly_goes_on(speed: float) -> None:
    """A motor draws a box over ice by less than a millimetre a second."""
    simulation = drawn(speed, 1e6, 0.0)
    goes = moved(simulation, 3.0)[:, simulation.body_nodes.index(1), 0]
    for frame, way in enumerate(goes.tolist(), 1):
        assert way == pytest.approx(speed * frame / FPS, abs=2e-5), frame


@pytest.mark.parametrize("damping", [1e2, 1e3, 1e4, 1e6])
@pytest.mark.parametrize("speed", [8e-4, 0.02, 0.1, 0.5])
def test_a_motor_drags_as_its_law_says(speed: float, damping: float) -> None:
    """At v - F / d, however slowly and stiffly; where friction bears more than d v it stands."""
    simulation = drawn(speed, damping, 0.5)
    goes = moved(simulation, 1.5)[:, simulation.body_nodes.index(1), 0]
    drags = max(speed - 0.5 * GRAVITY / damping, 0.0)
    assert goes[-1] - goes[FPS - 1] == pytest.approx(0.5 * drags, abs=2e-5 * speed)


@pytest.mark.parametrize("most", [4.8, 5.1])
def test_a_motor_at_its_largest_force_pulls_by_that(most: float) -> None:
    """Less than friction stands; by what is more the box goes faster and faster."""
    simulation = drawn(1.0, 1e6, 0.5, most)
    goes = moved(simulation, 1.0)[:, simulation.body_nodes.index(1), 0]
    second, third = goes[39] - goes[19], goes[59] - goes[39]
    pulls = max(most - 0.5 * GRAVITY, 0.0)
    assert third - second == pytest.approx(pulls / 9.0, rel=1e-3, abs=1e-9)


def test_what_stands_on_what_it_shakes_is_soon_not_computed() -> None:
    """Half a second after a box has landed on another both stay as they are, to the last bit."""
    boxes = body(0, (0.0, 0.1, 0.0)), body(0, (0.01, 0.32, 0.0))
    simulation = on_floor((Box((0.2, 0.2, 0.2)),), boxes, grip(0.6))
    moved(simulation, 0.8)
    place = simulation.positions.tobytes()
    moved(simulation, 0.2)
    assert simulation.positions.tobytes() == place


def test_what_lay_still_goes_along_with_what_begins_to_lead_it() -> None:
    """A crate stands on the floor under a hand that is still for long, and then draws it away."""
    way, place = (-0.3, 0.0, 0.4), compose((FAR, 0.1, -FAR), UPRIGHT)
    nodes = (
        Node("hand", world=place, motion=Motion(MotionType.KINEMATIC)),
        body(0, (0.0, 0.1, 0.0)),
        Node("joint", 0, world=place, joint=JointNode(0, 3)),
        Node("end", 1, world=place),
        Node("floor", world=compose((FAR, -0.5, -FAR), UPRIGHT), collider=Collider(1, 0)),
    )
    shapes = Box((0.2, 0.2, 0.2)), Box((4.0, 1.0, 4.0))
    mechanism = Mechanism(nodes, (recipes.slider(1),), shapes, (grip(0.3),))
    start = np.array((FAR, 0.1, -FAR))
    hand = KinematicMotion(
        np.array((0.0, 0.75, 1.75)), start + np.outer((0.0, 0.0, 1.0), way), np.array([UPRIGHT] * 3)
    )
    options = Options((0.0, -GRAVITY, 0.0), contacts=True)
    simulation = Simulation(mechanism, options, motions={0: hand})
    gone = moved(simulation, 1.0)[:, simulation.body_nodes.index(1)]
    assert gone[FPS // 2] == pytest.approx(np.zeros(3), abs=1e-6)
    assert gone[-1] == pytest.approx(0.25 * np.array(way), abs=1e-6)
