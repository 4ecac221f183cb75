# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism that falls back off its bounds goes the same way at any frame rate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import pi, radians

import numpy as np
import pytest
from solver.building import Array, Builder, rod_inertia

from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Simulation

MOST = 2.0
"""Degrees."""
RATES = (24, 60, 1920)
COMMON = 12
"""Times a second at which all of them have a frame."""
ABOUT_Z = (-0.5 * 2.0**0.5, 0.0, 0.0, 0.5 * 2.0**0.5)
"""Turns Y into -Z."""


def arm() -> Mechanism:
    """Return an arm that is flung up and falls into its bounds: a shoulder, an elbow, a wrist."""
    made = Builder()
    ground = made.ground()
    shoulder = np.array([-0.2, 1.1, 0.0])
    lengths, masses, lifts = (0.5, 0.42, 0.2), (2.2, 1.4, 0.5), (5.5, 10.0, 10.0)
    lean = Limit(angular_axes=(0, 2), min=radians(-45.0), max=radians(45.0))
    twist = Limit(angular_axes=(1,), min=radians(-30.0), max=radians(30.0))
    joints = (
        JointSettings(limits=(*recipes.pin().limits, lean, twist)),
        braked(recipes.hinge(1, radians(-120.0), 0.0), 0.12),
        braked(recipes.hinge(1, radians(-50.0), radians(50.0)), 0.03),
    )
    before, start = ground, shoulder
    for settings, length, mass, lift in zip(joints, lengths, masses, lifts, strict=True):
        centre = start + 0.5 * length * np.eye(3)[0]
        body = made.body(
            tuple(centre.tolist()),
            mass=mass,
            inertia_diagonal=rod_inertia(length, mass),
            angular_velocity=(4.0, 5.0, lift),
            linear_velocity=tuple(np.cross((0.0, 5.0, 5.5), centre - shoulder).tolist()),
        )
        turn = (0.0, 0.0, 0.0, 1.0) if before == ground else ABOUT_Z
        made.joint(before, body, settings, tuple(start.tolist()), turn)
        before, start = body, start + length * np.eye(3)[0]
    return made.mechanism()


def braked(settings: JointSettings, damping: float) -> JointSettings:
    """Return a hinge with a brake in N m s/rad."""
    drive = Drive(Freedom.ANGULAR, DriveMode.FORCE, 1, velocity_target=0.0, damping=damping)
    return replace(settings, drives=(drive,))


def wound() -> Mechanism:
    """Return a pendulum that is thrown over the top, into a bound at 270 degrees, and back."""
    made = Builder()
    body = made.body(
        (0.3, 0.0, 0.0),
        inertia_diagonal=rod_inertia(0.6),
        angular_velocity=(0.0, 0.0, 9.0),
        linear_velocity=(0.0, 2.7, 0.0),
    )
    made.joint(made.ground(), body, recipes.hinge(2, -1.5 * pi, 1.5 * pi))
    return made.mechanism()


def balls() -> Mechanism:
    """Return two rods on balls with bounds on all angles, let go aslant."""
    made = Builder()
    before = made.ground()
    bounds = Limit(angular_axes=(0, 1, 2), min=-0.5, max=0.5)
    for number in range(2):
        body = made.body(
            (0.4 * number + 0.2, 0.0, 0.0),
            inertia_diagonal=rod_inertia(0.4),
            angular_velocity=(2.0, 1.0, 0.0),
        )
        settings = JointSettings(limits=(*recipes.pin().limits, bounds))
        made.joint(before, body, settings, (0.4 * number, 0.0, 0.0))
        before = body
    return made.mechanism()


def turns(mechanism: Mechanism, fps: int) -> Array:
    """Return the rotations of all bodies at the common times of one second."""
    simulation, found = Simulation(mechanism), []
    for frame in range(fps):
        simulation.step(1.0 / fps)
        if (frame + 1) % (fps // COMMON) == 0:
            found.append(simulation.rotations)
    return np.array(found)


@pytest.mark.long
@pytest.mark.parametrize("build", [arm, wound, balls])
def test_it_goes_the_same_way_at_any_frame_rate(build: Callable[[], Mechanism]) -> None:
    """Impacts lie where they are inside the frame, not at its end."""
    slow, usual, fine = (turns(build(), fps) for fps in RATES)
    for one in (slow, usual):
        cosine = np.abs((one * fine).sum(-1)).clip(0.0, 1.0)
        assert np.degrees(2.0 * np.arccos(cosine)).max() <= MOST
    cosine = np.abs((fine[0] * fine[-1]).sum(-1)).clip(0.0, 1.0)
    assert np.degrees(2.0 * np.arccos(cosine)).max() > 10.0 * MOST
