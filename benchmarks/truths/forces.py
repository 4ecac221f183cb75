# SPDX-License-Identifier: GPL-3.0-or-later
"""What joints bear, told from the motion: means over frames, beside what the solver reports.

What all joints of a body bear together follows from its acceleration alone. How joints that repeat
each other share it does not: rigid bodies do not say. The least, in N and N m, is then asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from omi_physics_joint.solver import Options, Simulation

from .as_mechanism import mechanism_of
from .assembly import GROUND, Array, Assembly, matrix_of
from .maximal import Maximal
from .positions import Coordinates, Positions

PARTS = 8
"""Intervals of Simpson's rule in a frame."""
WEIGHTS = np.array([1.0, *[4.0, 2.0] * (PARTS // 2 - 1), 4.0, 1.0]) / (3.0 * PARTS)


@dataclass(frozen=True, slots=True)
class Loads:
    """Means over frames: (frames, joints, 3), and (frames, bodies, 3) of all joints together."""

    force: Array
    torque: Array
    """About the origins of the joints."""
    body_force: Array
    body_torque: Array
    """About the world's origin."""


def true_loads(
    assembly: Assembly, frames: int, fps: float = 60.0, coordinates: Coordinates | None = None
) -> Loads:
    """Return what joints bear."""
    route, rows = Positions(assembly, coordinates), Maximal(assembly)
    times = np.arange(frames * PARTS + 1) / (fps * PARTS)
    found = []
    for state in route.path(times, 1e-10):
        whole = rows.state_of(*route.bodies(state))
        force, torque = rows.wrenches(whole)
        found.append(np.stack([force, torque, rows.origins(whole)]))
    samples = np.array(found)
    bodies = np.array([_on_bodies(assembly, *one) for one in samples])
    return Loads(
        *(_means(samples[:, part], frames) for part in (0, 1)),
        *(_means(bodies[:, part], frames) for part in (0, 1)),
    )


def reported_loads(assembly: Assembly, frames: int, fps: float = 60.0) -> Loads:
    """Return what the solver reports, by default settings."""
    gravity = tuple(float(x) for x in assembly.gravity)
    simulation = Simulation(mechanism_of(assembly), Options(gravity=gravity))  # type: ignore[arg-type]
    rows, forces, torques, bodies = Maximal(assembly), [], [], []
    for _ in range(frames):
        before = _origins(simulation, rows)
        simulation.step(1.0 / fps)
        report = simulation.joint_report()
        forces.append(report.force)
        torques.append(report.torque)
        middle = (before + _origins(simulation, rows)) / 2.0
        bodies.append(_on_bodies(assembly, report.force, report.torque, middle))
    found = np.array(bodies)
    return Loads(np.array(forces), np.array(torques), found[:, 0], found[:, 1])


def _origins(simulation: Simulation, rows: Maximal) -> Array:
    still = np.zeros((rows.count, 3))
    turns = matrix_of(simulation.rotations[1:])
    return rows.origins(rows.state_of(simulation.positions[1:], turns, still, still))


def _on_bodies(assembly: Assembly, force: Array, torque: Array, origins: Array) -> Array:
    """Return force and torque about the world's origin on each body, (2, bodies, 3)."""
    out = np.zeros((2, len(assembly.bodies), 3))
    whole = torque + np.cross(origins, force)
    for number, joint in enumerate(assembly.joints):
        for body, sign in ((joint.a, -1.0), (joint.b, 1.0)):
            if body != GROUND:
                out[0, body] += sign * force[number]
                out[1, body] += sign * whole[number]
    return out


def _means(samples: Array, frames: int) -> Array:
    """Return the means over frames by Simpson's rule."""
    at = PARTS * np.arange(frames)[:, None] + np.arange(PARTS + 1)
    return np.asarray(np.einsum("k,fk...->f...", WEIGHTS, samples[at]))
