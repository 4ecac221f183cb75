# SPDX-License-Identifier: GPL-3.0-or-later
"""MuJoCo stands and moves what is written as our solver does, where it is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from robot_models import ARM, LEG, read, tetrahedron

from benchmarks.robots.cases import CASES

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed in this Python")

from benchmarks.robots.kinematics import apart  # noqa: E402 - it needs MuJoCo
from benchmarks.robots.moving import moved_apart  # noqa: E402 - likewise


def test_a_model_stands_where_mujoco_has_it(tmp_path: Path) -> None:
    """Every body of a model is where MuJoCo puts it at the same key frame."""
    read(LEG, tmp_path)
    assert apart(tmp_path / "model.xml") < 1e-9


def test_a_robot_of_ros_stands_where_mujoco_has_it(tmp_path: Path) -> None:
    """Every moving link of a robot is where MuJoCo puts it at zero."""
    (tmp_path / "arm/meshes").mkdir(parents=True)
    (tmp_path / "arm/meshes/upper.stl").write_bytes(tetrahedron())
    text = ARM.replace("package://arm/", "")
    read(text, tmp_path / "arm", "arm.urdf")
    assert apart(tmp_path / "arm/arm.urdf") < 1e-9


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long) for name in CASES])
def test_mujoco_moves_a_tree_as_our_solver_does(name: str, tmp_path: Path) -> None:
    """After a second of small steps no body is turned otherwise by more than 0.1 degrees."""
    metres, degrees = moved_apart(CASES[name], tmp_path)
    assert degrees < 0.1
    assert metres < 0.005
