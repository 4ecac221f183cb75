# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms written as stages, loaded and moved by Newton, beside our solver.

``PYTHONPATH=. python -m benchmarks.newton.stages`` in a Python with ``newton[importers,sim]``.
Newton says where bodies of articulations are, so a single joint is made one here.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import warp as wp

import newton
from benchmarks.babylon.engine import Measured, Pose
from benchmarks.babylon.judging import Off, ours, worst
from benchmarks.newton.stage_cases import stage_cases
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.readers import Reader
from omi_physics_joint.model.validate import check
from omi_physics_joint.usd.stage import encoded
from omi_physics_joint.usd.writing.write import written

STEPS_A_SECOND = 2000
DEGREES, MILLIMETRES = 1.0, 5.0
"""How far a body may be off after a second."""
SAID = ("usd-", "newton-")
"""How codes begin that name a difference."""
STIFF, DAMPED = 1e6, 2e3
"""N/m or N m/rad, and N s/m or N m s/rad: of bounds with ``--stiff``, instead of Newton's own."""


def moved(path: Path, seconds: float, *, stiff: bool) -> dict[str, Pose]:
    """Return where Newton moves the bodies of a stage, by the names of their prims."""
    builder = newton.ModelBuilder(up_axis=newton.Axis.Y)
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
    solver = newton.solvers.SolverMuJoCo(model, use_mujoco_cpu=True)
    control = model.control()
    for _ in range(round(seconds * STEPS_A_SECOND)):
        state.clear_forces()
        solver.step(state, after, control, None, 1.0 / STEPS_A_SECOND)
        state, after = after, state
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    poses = state.body_q.numpy().astype(np.float64)
    return {
        label.rpartition("/")[2]: tuple(poses[number].tolist())
        for number, label in enumerate(model.body_label)
    }


def judged(name: str, folder: Path, *, stiff: bool) -> tuple[Off, list[str]]:
    """Return how far a case is off, and what convert and Check say of it."""
    case = stage_cases()[name]
    stage, issues = written(Contents(case.mechanism, tuple(None for _ in case.mechanism.meshes)))
    path = folder / f"{name.replace(' ', '_')}.usda"  # pxr keeps what it has read under a name
    path.write_bytes(encoded(stage, path.suffix))
    checked = check(case.mechanism, readers=frozenset((Reader.NEWTON,)))
    codes = [issue.code for issue in (*issues, *checked) if issue.code.startswith(SAID)]
    try:
        end = moved(path, 1.0, stiff=stiff)
    except (NotImplementedError, ValueError) as error:
        return worst({}, Measured({}, {}, str(error))), codes
    return worst(ours(case, 1.0), Measured({}, end)), codes


def main() -> None:
    """Print a line a case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="cases whose names have this in them")
    parser.add_argument("--stiff", action="store_true", help="bounds of 1e6 instead of 1e4")
    arguments = parser.parse_args()
    wp.config.quiet = True
    with TemporaryDirectory() as folder:
        for name in stage_cases():
            if arguments.only not in name:
                continue
            off, codes = judged(name, Path(folder), stiff=arguments.stiff)
            is_right = off.degrees <= DEGREES and 10.0 * off.centimetres <= MILLIMETRES
            word = "right" if is_right else "named" if codes else "OFF"
            print(
                f"{name:34s} {off.degrees:8.3f} deg {10.0 * off.centimetres:8.2f} mm  {word}  "
                f"{off.body if off.degrees == float('inf') else ''} {', '.join(codes)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
