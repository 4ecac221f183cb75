# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms as files hold them, moved by the textbook beside the kernel in small, exact steps.

``python -m benchmarks.truths.oracle [NAME ...] [--seconds S]`` prints by how much the two part in
any frame, of the length: from the same mechanism in single precision, turned anyhow, at the origin
and 50 m from it. Rounding moves what is moved, so ``stored`` cannot say how exact the textbook is.
"""

from __future__ import annotations

import argparse
import sys
from unittest.mock import patch

import numpy as np

from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver import simulation as simulations
from omi_physics_joint.solver.engines.compiled import engine
from omi_physics_joint.solver.engines.engine import Engine
from omi_physics_joint.solver.textbook.stepper import TEXTBOOK

from .assembly import Array
from .catalogue import Case
from .judging import marks_of
from .stored import MECHANISMS, placements, stored

EXACT = 1e-9
"""m or rad, how far a step of the kernel may be off."""
SUBSTEPS = 8
DISTANCES = (0.0, 50.0)
"""m from the origin."""


def path(case: Case, mechanism: Mechanism, gravity: Array, frames: int, by: Engine) -> Array:
    """Return where judged points go, (frames, bodies, 3) m."""
    x, y, z = gravity.tolist()
    options = Options((x, y, z), substeps=None if by is TEXTBOOK else SUBSTEPS, accuracy=EXACT)
    with patch.object(simulations, "engine", return_value=by):
        simulation = Simulation(mechanism, options)
    arms = np.array([body.mark for body in case.build().bodies])
    rows = [simulation.body_nodes.index(body + 1) for body in range(len(arms))]
    marks = []
    for _ in range(frames):
        simulation.step(1.0 / case.fps)
        marks.append(marks_of(simulation, rows, arms))
    return np.array(marks)


def main(words: list[str]) -> None:
    """Print a line for each mechanism and distance."""
    parser = argparse.ArgumentParser(prog="benchmarks.truths.oracle", description=__doc__)
    parser.add_argument("names", nargs="*", help="default: all")
    parser.add_argument("--seconds", type=float, default=1.0, help="no motion goes on for longer")
    arguments = parser.parse_args(words)
    if engine() is TEXTBOOK:
        parser.error("there is no compiled kernel here (make kernel)")
    for name in arguments.names or MECHANISMS:
        case = MECHANISMS[name]
        frames = min(case.frames, round(arguments.seconds * case.fps))
        for distance in DISTANCES:
            (at,) = placements(distance, 1)
            there, gravity = stored(case.mechanism(), at), at.turn @ case.build().gravity
            ours, its = (path(case, there, gravity, frames, by) for by in (engine(), TEXTBOOK))
            error = float(np.sqrt(((ours - its) ** 2).sum(-1)).max()) / case.length
            print(f"{name} at {distance:g} m, {frames} frames: {error:.1e}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
