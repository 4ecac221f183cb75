# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms written as MJCF, and moved by MuJoCo in small steps beside our solver.

    python -m benchmarks.robots.motions [--godot | --random 100 --seed 7] [--only hinge]

It ends with 1 where a case is off and nothing is said of it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import mujoco

from benchmarks.godot.engine import Measured, Pose
from benchmarks.stages.judging import Engine
from benchmarks.stages.run import measured, parser
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.readers import Reader
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf

from .moving import Y_UP, put, started

STEP = 1e-4
"""s of one step, with the model's own integrator, which bears stiff motors."""
OF_LOOKS = ("mjcf-plane", "mjcf-surface", "mjcf-tapered", "mjcf-meets", "mjcf-combine")
"""What is said of what touches."""


def put_model(contents: Contents, path: Path) -> tuple[Issue, ...]:
    """Write contents as MJCF, and return what it cannot say of how they move."""
    package, issues = write_mjcf(contents, path)
    put(package, path)
    return tuple(one for one in issues if one.code not in OF_LOOKS)


def moved(path: Path, seconds: float) -> Measured:
    """Return where the bodies of a model are at the start and after some seconds."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = started(model, STEP)
    start = _poses(model, data)
    for _ in range(round(seconds / STEP)):
        mujoco.mj_step(model, data)
    return Measured((), start, _poses(model, data))


def _poses(model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, Pose]:
    """Return where bodies are, in glTF's axes, by name."""
    mujoco.mj_kinematics(model, data)
    found: dict[str, Pose] = {}
    for index in range(1, model.nbody):
        body = data.body(index)
        w, x, y, z = body.xquat
        found[model.body(index).name] = (*(Y_UP @ body.xpos), *(Y_UP @ (x, y, z)), w)
    return found


def main() -> int:
    """Run with the words of the command line and return the exit code."""
    refusals = (ValueError,)
    engine = Engine(Reader.SPEC, moved, refusals, put_model, ".xml", "mjcf-")
    return measured(engine, parser(__doc__).parse_args())


if __name__ == "__main__":
    sys.exit(main())
