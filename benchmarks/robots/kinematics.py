# SPDX-License-Identifier: GPL-3.0-or-later
"""Where bodies of a model stand: as it is read here, and as MuJoCo's own kinematics has them."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np

from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.axes import Z_UP_FROM_Y_UP
from omi_physics_joint.model.mechanism import Node
from omi_physics_joint.robots.mjcf.read import read_mjcf
from omi_physics_joint.robots.mjcf.start import HOME
from omi_physics_joint.robots.urdf.read import read_urdf


def read(path: Path) -> Contents:
    """Return what a model or a robot's file holds."""
    return (read_urdf if path.suffix == ".urdf" else read_mjcf)(path)[0]


def apart(path: Path, contents: Contents | None = None) -> float:
    """Return how far any body is from where MuJoCo has it at the key frame or at rest, in m.

    Args:
        path: of a model.
        contents: what has been read of it; None reads it.

    Raises:
        ValueError: MuJoCo does not read the model, or a body of it is not there.
    """
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    keys = [model.key(index).name for index in range(model.nkey)]
    if keys:
        mujoco.mj_resetDataKeyframe(model, data, keys.index(HOME) if HOME in keys else 0)
    mujoco.mj_kinematics(model, data)
    mechanism = Z_UP_FROM_Y_UP.mechanism((contents or read(path)).mechanism)
    nodes: dict[str, Node] = {}
    joints = {index for index, _, _ in mechanism.joints()}
    for index, node in enumerate(mechanism.nodes[1:], start=1):
        if index not in joints and (node.motion is not None or node.name not in nodes):
            nodes[node.name] = node
    worst = 0.0
    for body in range(1, model.nbody):
        name = model.body(body).name or f"body {body}"
        if name not in nodes:
            message = f"there is no body {name}"
            raise ValueError(message)
        place = np.array(nodes[name].world)[:3, 3]
        worst = max(worst, float(np.abs(place - data.xpos[body]).max()))
    return worst
