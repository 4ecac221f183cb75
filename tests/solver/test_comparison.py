# SPDX-License-Identifier: GPL-3.0-or-later
"""How far two motions of one mechanism are apart, joint by joint."""

from __future__ import annotations

from math import degrees, pi

import numpy as np
import pytest

from omi_physics_joint.model.joint import Breaking, Drive, DriveMode, Freedom, JointSettings
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld
from omi_physics_joint.model.wording.words import metric
from omi_physics_joint.solver import (
    Comparison,
    JointDifference,
    Options,
    Simulation,
    Steps,
    largest,
)

from .building import Builder, bearing, run

AS_GODOT = Options(steps=Steps.GODOT)


def bars(*kinds: JointSettings, **motion: object) -> Mechanism:
    """Return bars of half a metre, each on a joint of its own to the ground."""
    made = Builder()
    ground = made.ground()
    for number, settings in enumerate(kinds):
        at = float(2 * number)
        body = made.body((at + 0.25, 0.0, 0.0), **motion)  # type: ignore[arg-type]
        made.joint(ground, body, settings, (at, 0.0, 0.0))
    return made.mechanism()


def both(mechanism: Mechanism, seconds: float) -> tuple[Simulation, Simulation]:
    """Return a mechanism after some seconds as Godot moves it, and exactly."""
    pair = Simulation(mechanism, AS_GODOT), Simulation(mechanism)
    for one in pair:
        run(one, seconds)
    return pair


@pytest.mark.long
def test_a_hinge_is_apart_by_its_angle_and_a_pin_by_its_turn() -> None:
    """What is told is what both simulations say of their joints and bodies."""
    pair = both(bars(hinge(2), pin(), weld()), 0.8)
    of_hinge, of_pin, of_weld = Comparison(*pair).differences()
    angles = [one.coordinates(of_hinge.joint)[5] for one in pair]
    assert of_hinge.angle == pytest.approx(abs(angles[0] - angles[1]))
    assert degrees(of_hinge.angle) > 3.0
    halves = [np.array(one.rotations)[2] for one in pair]
    turned = 2.0 * np.arccos(min(abs(float(halves[0] @ halves[1])), 1.0))
    assert of_pin.angle == pytest.approx(turned, abs=1e-7)
    assert of_pin.turns
    assert not of_pin.slides
    assert (of_weld.angle, of_weld.distance) == pytest.approx((0.0, 0.0), abs=1e-3)
    assert of_weld.words(metric) == ""
    assert [one.joint for one in largest((of_weld, of_hinge))] == [of_hinge.joint]


def test_a_slider_is_apart_by_a_distance() -> None:
    """It falls on, a little later and damped."""
    pair = both(bars(slider(1)), 0.5)
    (one,) = Comparison(*pair).differences()
    ways = [each.coordinates(one.joint)[1] for each in pair]
    assert one.distance == pytest.approx(abs(ways[0] - ways[1]))
    assert one.slides
    assert not one.turns
    assert one.words(metric) == metric(one.distance, Freedom.LINEAR)


@pytest.mark.long
def test_whole_turns_count_where_there_is_one_axis() -> None:
    """A wheel that Jolt lets turn no faster than 47 rad/s stays behind by turns."""
    motor = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, damping=1e6, velocity_target=80.0)
    wheel = JointSettings("Wheel", hinge(2).limits, (motor,))
    (one,) = Comparison(*both(bars(wheel), 1.0)).differences()
    assert one.angle > 2.0 * pi


def test_what_a_joint_holds_is_told_where_it_does_not() -> None:
    """A hinge that is stretched by 3 cm says so; by 3 mm it does not."""
    stretched = JointDifference(0, 0.2, 0.03, turns=True, slides=False)
    assert stretched.words(metric) == "11.46° and 0.03 m"
    held = JointDifference(0, 0.2, 0.003, turns=True, slides=False)
    assert held.words(metric) == "11.46°"
    assert JointDifference(0, 0.0005, 0.0004, turns=True, slides=True).words(metric) == ""
    told = JointDifference(0, 0.002, 0.0015, turns=True, slides=True).words(metric)
    assert told == "0.1146° and 1.5 mm"


def test_broken_joints_are_left_out() -> None:
    """What has given way in one of both is no longer a joint."""
    mechanism = bars(hinge(2), pin())
    shown = Simulation(mechanism, AS_GODOT)
    weak = Simulation(bearing(mechanism, shown.joint_nodes[0], Breaking(force=1.0)))
    for one in (shown, weak):
        run(one, 0.2)
    assert [one.joint for one in Comparison(shown, weak).differences()] == [shown.joint_nodes[1]]
