# SPDX-License-Identifier: GPL-3.0-or-later
"""Free bodies that tumble, beside Euler's equations."""

from __future__ import annotations

import numpy as np
import pytest
from solver.building import Array, Builder

from omi_physics_joint.solver import Options, Simulation

solve_ivp = pytest.importorskip(
    "scipy.integrate", reason="scipy, which the truths need, is not in this Python"
).solve_ivp


@pytest.mark.parametrize(
    ("inertia", "spin", "error"),
    [
        ((0.01, 0.02, 0.03), (0.1, 6.0, 0.05), 2e-5),
        # Nearly a top: without the third term of the drift it is off by 8e-6.
        ((0.01, 0.02, 0.0205), (0.5, 5.0, 5.0), 1e-6),
    ],
)
def test_free_body_tumbles_as_euler_says(
    inertia: tuple[float, float, float], spin: tuple[float, float, float], error: float
) -> None:
    """A body with three different inertias tumbles as Euler's equations say."""
    made = Builder()
    made.body(inertia_diagonal=inertia, angular_velocity=spin)
    simulation = Simulation(made.mechanism(), Options(substeps=8))
    for _ in range(60):
        simulation.step(1.0 / 60.0)

    def law(_: float, y: Array) -> Array:
        spin, r = y[:3], y[3:].reshape(3, 3)
        matrix = np.array([[0, -spin[2], spin[1]], [spin[2], 0, -spin[0]], [-spin[1], spin[0], 0]])
        rate = np.cross(inertia * spin, spin) / inertia
        return np.concatenate([rate, (r @ matrix).ravel()])

    start = np.concatenate([spin, np.eye(3).ravel()])
    end = solve_ivp(law, (0.0, 1.0), start, rtol=1e-11, atol=1e-11).y[:, -1]
    world = end[3:].reshape(3, 3) @ end[:3]
    assert simulation.angular_velocities[0] == pytest.approx(world, abs=error)
