# SPDX-License-Identifier: GPL-3.0-or-later
"""The search for rest, for tests that know where something hangs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from omi_physics_joint.solver import Energy, Simulation

LONGEST, SHORTEST = 1.0 / 30.0, 1e-6
"""s, steps of the search for rest."""
ROUNDING = 1e-12
"""Part of the energy that its sum is off by, so that no step has gained it."""


@dataclass(frozen=True, slots=True)
class Settled:
    """How a search for rest ended."""

    at_rest: bool
    steps: int
    speed: float
    """Largest speed of any centre of mass, or of any spin, at the end: m/s, rad/s."""


def energy_of(simulation: Simulation) -> Energy:
    """Return the energy with the stretch of all springs, however stiff."""
    kinetic, potential = zip(*(group.energy() for group in simulation.groups), strict=True)
    return Energy(sum(kinetic), sum(potential))


def settle(simulation: Simulation, *, tolerance: float = 1e-6, steps: int = 4000) -> Settled:
    """Move a simulation to its static equilibrium, and leave it there at rest.

    Kinetic damping: steps of first order, and all velocities are dropped whenever the kinetic
    energy has passed its peak. Steps that gain energy were too long. Motors and moving kinematic
    bodies never come to rest.

    Args:
        simulation: is changed; take a checkpoint before to return.
        tolerance: speed in m/s and rad/s that a step from rest may still cause.
        steps: how many to try.
    """
    calm, speed, step = 0, 0.0, LONGEST
    before = energy_of(simulation)
    for number in range(1, steps + 1):
        simulation.relax(step)
        energy = energy_of(simulation)
        speed = float(
            max(
                np.abs(simulation.linear_velocities).max(initial=0.0),
                np.abs(simulation.angular_velocities).max(initial=0.0),
            )
        )
        calm = calm + 1 if speed < tolerance * step / LONGEST else 0
        gains = energy.total - before.total > ROUNDING * abs(before.potential)
        step = max(0.5 * step, SHORTEST) if gains else min(1.05 * step, LONGEST)
        if energy.kinetic < before.kinetic or gains or calm:
            simulation.stop()
            energy = replace(energy, kinetic=0.0)
        before = energy
        if calm > 2:
            return Settled(True, number, speed)
    simulation.stop()
    return Settled(False, steps, speed)
