# SPDX-License-Identifier: GPL-3.0-or-later
"""A project with scenes, and a program named blender."""

from __future__ import annotations

from pathlib import Path

import pytest
from night_project import Run, make_project, runner


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with scenes in folders, two of one name."""
    return make_project(tmp_path / "project")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A function that runs a program where ``blender`` is Blender, with the add-on."""
    return runner(tmp_path / "programs")
