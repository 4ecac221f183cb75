# SPDX-License-Identifier: GPL-3.0-or-later
"""A ragdoll that meets many limits at once, beside itself in steps of 1/30,720 s.

``python -m benchmarks.truths.chatter``: 20 boxes hang by the head in twelve directions of gravity.
After two seconds 0.01 % of gravity moves them farther than any stepping, so the first one counts.
"""

from __future__ import annotations

import time

import numpy as np

from omi_physics_joint.solver import Options, Simulation

from ..solver.as_model import mechanism_of
from ..solver.ragdoll import ragdoll
from ..solver.scene import Array

STARTS = 12
SECONDS = 1.0
FINE = 240, 128
"""Frames a second, and steps in each, of what is taken as true."""


def directions() -> Array:
    """Return gravities in m/s^2, (STARTS, 3), downwards more often than not."""
    found = np.random.default_rng(5).normal(size=(STARTS, 3)) - [0.0, 0.5, 0.0]
    return np.asarray(9.81 * found / np.linalg.norm(found, axis=1)[:, None])


def hung(gravity: Array, fps: int, substeps: int | None = None) -> tuple[Array, float, float]:
    """Return where bodies are, how much energy went, and how far limits are passed.

    Args:
        gravity: (3,) m/s^2.
        fps: output steps a second.
        substeps: at least so many steps in each; None leaves it to the solver.

    Returns:
        Each half second (2 SECONDS, n, 3) m; J; m or rad at most.
    """
    x, y, z = gravity.tolist()
    simulation = Simulation(
        mechanism_of(ragdoll(limited=True)), Options((x, y, z), substeps=substeps)
    )
    start, frames, passed = simulation.energy(), [], 0.0
    for frame in range(1, round(SECONDS * fps) + 1):
        simulation.step(1.0 / fps)
        report = simulation.joint_report()
        passed = max(passed, float(report.overshoot.max()), float(report.separation.max()))
        if (2 * frame) % fps == 0:
            frames.append(simulation.positions)
    end = simulation.energy()
    lost = start.kinetic + start.potential - end.kinetic - end.potential
    return np.array(frames), lost, passed


def main() -> None:
    """Print by frame rate how far bodies are off, mm, median and most of all starts."""
    true = [hung(gravity, *FINE) for gravity in directions()]
    for fps in (24, 60, 240):
        began = time.process_time()
        ours = [hung(gravity, fps) for gravity in directions()]
        took = (time.process_time() - began) / (STARTS * SECONDS)
        off = 1e3 * np.array(
            [np.linalg.norm(a[0] - b[0], axis=-1).max(-1) for a, b in zip(ours, true, strict=True)]
        )
        lost = 100 * np.array([abs(a[1] / b[1] - 1.0) for a, b in zip(ours, true, strict=True)])
        print(f"{fps} fps, {1e3 * took:.0f} ms a second of which Python's reports are a part")
        for number, at in enumerate((0.5, 1.0)):
            middle, most = np.median(off[:, number]), off[:, number].max()
            print(f"  after {at} s: {middle:.2f} mm, most {most:.2f}")
        print(f"  energy lost off by {np.median(lost):.2f} %, most {lost.max():.2f}")
        print(f"  limits passed, joints apart: {max(one[2] for one in ours):.1e}")


if __name__ == "__main__":
    main()
