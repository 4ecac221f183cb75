# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms written as stages, loaded and moved by Newton, beside our solver.

``PYTHONPATH=. python -m benchmarks.newton.stages [--only hinge | --godot | --random 100 --seed 7]``
in a Python with ``newton[importers,sim]``. Newton says where bodies of articulations are, so a
single joint is made one here.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import numpy as np
import warp as wp

import newton
from benchmarks.godot.engine import Measured, Pose
from benchmarks.stages.judging import Engine
from benchmarks.stages.run import measured, parser
from omi_physics_joint.model.readers import Reader

STEPS_A_SECOND = 2000
STIFF, DAMPED = 1e6, 2e3
"""N/m or N m/rad, and N s/m or N m s/rad: of bounds with ``--stiff``, instead of Newton's own."""


def moved(path: Path, seconds: float, *, stiff: bool) -> Measured:
    """Return where the bodies of a stage are at the start and after some seconds."""
    builder = newton.ModelBuilder(up_axis=newton.Axis.Y)
    newton.solvers.SolverMuJoCo.register_custom_attributes(builder)
    builder.add_usd(str(path))
    children = builder.joint_child
    for joint, articulation in enumerate(builder.joint_articulation):
        if articulation < 0 and children.count(children[joint]) == 1:
            builder.add_articulation([joint])
    if stiff:
        builder.joint_limit_ke = [STIFF] * len(builder.joint_limit_ke)
        builder.joint_limit_kd = [DAMPED] * len(builder.joint_limit_kd)
    model = builder.finalize(device="cpu")
    state, after = model.state(), model.state()
    newton.eval_ik(model, state, state.joint_q, state.joint_qd)
    start = _poses(model, state)
    solver = newton.solvers.SolverMuJoCo(model, use_mujoco_cpu=True)
    control = model.control()
    for _ in range(round(seconds * STEPS_A_SECOND)):
        state.clear_forces()
        solver.step(state, after, control, None, 1.0 / STEPS_A_SECOND)
        state, after = after, state
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    return Measured((), start, _poses(model, state))


def _poses(model: newton.Model, state: newton.State) -> dict[str, Pose]:
    """Return where bodies are, by the names of their prims."""
    poses = state.body_q.numpy().astype(np.float64)
    names = (label.rpartition("/")[2] for label in model.body_label)
    return {name: tuple(poses[number].tolist()) for number, name in enumerate(names)}


def main() -> int:
    """Run with the words of the command line and return the exit code."""
    words = parser(__doc__)
    words.add_argument("--stiff", action="store_true", help="bounds of 1e6 instead of 1e4")
    arguments = words.parse_args()
    wp.config.quiet = True
    move = partial(moved, stiff=arguments.stiff)
    refusals = (NotImplementedError, ValueError, AssertionError)
    return measured(Engine(Reader.NEWTON, move, refusals), arguments)


if __name__ == "__main__":
    sys.exit(main())
