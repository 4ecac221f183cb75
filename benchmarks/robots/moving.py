# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism moved by our solver, and by MuJoCo from the MJCF that is written of it."""

from __future__ import annotations

from math import degrees
from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.contents import Contents, Package
from omi_physics_joint.model.geometry.transform import rotation_angle
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.kinematics.rotation import matrix_of

FPS = 60
STEP = 5e-4
"""s of one step of MuJoCo, with RK4."""
Y_UP: NDArray[np.float64] = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""glTF from MuJoCo."""


def put(package: Package, path: Path) -> None:
    """Write the files of a package."""
    path.write_bytes(package.main)
    for name, content in package.sides.items():
        place = path.parent / name
        place.parent.mkdir(exist_ok=True)
        assert isinstance(content, bytes)
        place.write_bytes(content)


def moved_apart(contents: Contents, folder: Path, seconds: float = 1.0) -> tuple[float, float]:
    """Return how far bodies are apart at the end, in m and degrees.

    Args:
        contents: what moves.
        folder: where files may be written.
        seconds: how long.
    """
    path = folder / "case.xml"
    package, _ = write_mjcf(contents, path)
    put(package, path)
    return beside(contents, mujoco.MjModel.from_xml_path(str(path)), seconds)


def started(model: mujoco.MjModel, step: float) -> mujoco.MjData:
    """Return a model's state at the start, which moves in steps of so many s without contacts."""
    model.opt.timestep = step
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    return data


def beside(contents: Contents, model: mujoco.MjModel, seconds: float) -> tuple[float, float]:
    """Return how far bodies of a mechanism and of a model are apart at the end, in m and degrees.

    Bodies that the model does not have by their name are not compared.
    """
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    data = started(model, STEP)
    simulation = Simulation(contents.mechanism, Options())
    for _ in range(round(seconds * FPS)):
        simulation.step(1.0 / FPS)
    for _ in range(round(seconds / STEP)):
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    known = {model.body(index).name for index in range(model.nbody)}
    places, turns = simulation.positions, matrix_of(simulation.rotations)
    far = turned = 0.0
    for index, node in enumerate(simulation.body_nodes):
        one = contents.mechanism.nodes[node]
        is_dynamic = one.motion is not None and one.motion.type is MotionType.DYNAMIC
        if not is_dynamic or one.name not in known:
            continue
        body = data.body(one.name)
        far = max(far, float(np.abs(Y_UP @ body.xpos - places[index]).max()))
        theirs = Y_UP @ body.xmat.reshape(3, 3) @ Y_UP.T
        between = theirs @ turns[index].T
        rows = tuple(tuple(float(x) for x in row) for row in between)
        turned = max(turned, degrees(rotation_angle(rows)))
    return far, turned
