# SPDX-License-Identifier: GPL-3.0-or-later
"""Sign, name, order, bounds and place of a robot's coordinates are the same on every way."""

from __future__ import annotations

from pathlib import Path

import pytest
from random_robots import mjcf, urdf

from benchmarks.robots.coordinates import differences, joints_of, routes


@pytest.mark.parametrize("seed", range(12))
def test_a_robot_of_ros_has_the_same_coordinates_again(seed: int, tmp_path: Path) -> None:
    """The same values by the same names put every link where it was, whichever way it went."""
    path = tmp_path / "robot.urdf"
    path.write_text(urdf(seed, floats=seed % 2 == 0), "utf-8")
    for way, text in routes(path, tmp_path):
        assert differences(path.read_text("utf-8"), text, nested=way == ".xml") == [], way


@pytest.mark.parametrize("seed", range(12))
def test_a_model_of_mujoco_has_the_same_joints_again(seed: int, tmp_path: Path) -> None:
    """Joints stand on the same bodies, in the same order, with axis, place and range."""
    path = tmp_path / "model.xml"
    path.write_text(mjcf(seed), "utf-8")
    before = joints_of(path.read_text("utf-8"))
    for way, text in routes(path, tmp_path):
        if way == ".urdf":  # has no balls, and one joint a link
            continue
        after = joints_of(text)
        assert list(after) == list(before), way
        for name, said in before.items():
            assert after[name] == pytest.approx(said, abs=1e-5), (way, name)
