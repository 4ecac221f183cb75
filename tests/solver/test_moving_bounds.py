# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds that move from step to step push what they come over, and let go of what falls away."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from omi_documents import door

from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.keyed import mechanism_at, settings_at
from omi_physics_joint.solver import Options, Simulation

HINGE = 3
FLOATING = Options(gravity=(0.0, 0.0, 0.0))


def keyed(*keys: Keys, low: float = 0.0, high: float = 1.5) -> Mechanism:
    """Return a door whose hinge has these bounds and keys."""
    mechanism = read(door()).mechanism
    settings = mechanism.settings[0]
    limit = replace(settings.limits[2], min=low, max=high, keys=keys)
    limits = (*settings.limits[:2], limit)
    return replace(mechanism, settings=(replace(settings, limits=limits),))


def followed(
    mechanism: Mechanism, seconds: float, fps: int, rough: int = 0
) -> list[tuple[float, float]]:
    """Return time and angle of the hinge in each frame, in s and rad.

    Every frame is met, and no more than some are computed to first order.
    """
    simulation = Simulation(mechanism_at(mechanism, 0.0), FLOATING)
    found = []
    for frame in range(1, round(seconds * fps) + 1):
        time = frame / fps
        simulation.retune((settings_at(mechanism.settings[0], time),))
        report = simulation.step(1.0 / fps)
        rough -= len(report.first_order)
        assert not report.not_met
        found.append((time, float(simulation.coordinates(HINGE)[5])))
    assert rough >= 0
    return found


@pytest.mark.long
@pytest.mark.parametrize("fps", [4, 8, 24, 60, 120])
def test_a_bound_pushes_what_it_comes_over(fps: int) -> None:
    """The door goes with its bound, half a frame behind it at most, and stops when that stops."""
    lower = Keys("min", (0.0, 1.0), (0.0, 1.0))
    for time, value in followed(keyed(lower), 1.5, fps):
        assert value == pytest.approx(lower.at(time), abs=0.5 / fps), time
    assert value == pytest.approx(1.0, abs=1e-3)


@pytest.mark.long
@pytest.mark.parametrize("fps", [24, 60])
def test_what_a_bound_pushes_takes_one_step_a_frame(fps: int) -> None:
    """It comes in slowly enough for that, frame after frame."""
    mechanism = keyed(Keys("min", (0.0, 4.0), (0.0, 1.0)))
    simulation = Simulation(mechanism_at(mechanism, 0.0), FLOATING)
    steps = 0
    for frame in range(1, 4 * fps):
        simulation.retune((settings_at(mechanism.settings[0], frame / fps),))
        steps += simulation.step(1.0 / fps).steps
    assert steps <= 4.4 * fps


@pytest.mark.long
def test_a_lock_that_moves_takes_the_body_along() -> None:
    """Both bounds as one: forth and back."""
    track = tuple(Keys(name, (0.0, 1.0, 2.0), (0.0, 1.0, 0.0)) for name in ("min", "max"))
    for time, value in followed(keyed(*track, high=0.0), 2.0, 60):
        assert value == pytest.approx(track[0].at(time), abs=1.0 / 60.0), time


def test_a_bound_that_goes_away_pulls_nothing() -> None:
    """A door at rest stays where it is."""
    lower = Keys("min", (0.0, 1.0), (0.0, -1.0))
    assert all(
        value == pytest.approx(0.0, abs=1e-6) for _, value in followed(keyed(lower), 1.0, 60)
    )


def test_other_settings_leave_the_pose_alone() -> None:
    """A stiffness that changes moves nothing that stands inside of its bounds."""
    stiffness = Keys("stiffness", (0.0, 1.0), (100.0, 200.0))
    mechanism = keyed(stiffness, low=-inf, high=1.0)
    assert all(value == pytest.approx(0.0, abs=1e-9) for _, value in followed(mechanism, 0.5, 60))


def test_a_rest_pose_that_violates_a_bound_still_takes_its_time() -> None:
    """It comes in within half a second, not in two frames, whatever else is animated."""
    damping = Keys("damping", (0.0, 2.0), (0.0, 1.0))
    found = dict(followed(keyed(damping, low=0.5), 1.0, 60, rough=1))
    times = sorted(found)
    assert found[times[3]] < 0.1
    assert found[times[-1]] == pytest.approx(0.5, abs=0.01)
