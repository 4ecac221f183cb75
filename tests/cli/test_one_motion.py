# SPDX-License-Identifier: GPL-3.0-or-later
"""A file and what it becomes as a model of MuJoCo or a robot of ROS are one motion."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.motions import assert_one_motion


@pytest.mark.long
@pytest.mark.parametrize("name", ["chain", "drawer", "four_bar", "lamp", "scales", "wheel"])
def test_mjcf_moves_as_the_file_that_it_was_written_from(name: str, tmp_path: Path) -> None:
    """Springs, dampers, loops of hinges and cones: what MuJoCo can say is what it said.

    What it cannot, several angles with a bound each, is named when it is written.
    """
    assert_one_motion(name, ".xml", tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("name", ["chain", "scales"])
def test_urdf_moves_as_the_file_that_it_was_written_from(name: str, tmp_path: Path) -> None:
    """Trees of hinges without springs, which is what it can say."""
    assert_one_motion(name, ".urdf", tmp_path, places=False)
