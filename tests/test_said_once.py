# SPDX-License-Identifier: GPL-3.0-or-later
"""What many rooms need to know stands in one file of the package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "omi_physics_joint"
PLACES = {
    'f"node {': "model/mechanism.py",
    "9.81": "model/mechanism.py",
    "Convex | Trimesh": "model/shape.py",
}
"""Words of what is known -> the file that says it."""


@pytest.mark.parametrize("words", PLACES)
def test_what_many_need_is_said_once(words: str) -> None:
    """Names of nodes, gravity on Earth and which shapes are made of meshes are said in one file."""
    found = [path for path in PACKAGE.rglob("*.py") if words in path.read_text("utf-8")]
    assert [path.relative_to(PACKAGE).as_posix() for path in found] == [PLACES[words]]


def test_only_what_runs_outside_blender_says_how_to_install() -> None:
    """What Blender shows asks nobody for pip, which Blender's users have not."""
    outside = ("cli", "library")
    rooms = [
        one for one in PACKAGE.rglob("*.py") if one.relative_to(PACKAGE).parts[0] not in outside
    ]
    assert [path for path in rooms if "pip install" in path.read_text("utf-8")] == []


def test_few_files_know_for_whom_a_file_is() -> None:
    """Beside the table of readers, who names a target or asks for one stands in eight files."""
    names = re.compile(r"import (.*, )?Target\b|\bTarget\.|\bis_godots\b")
    rooms = (path for path in PACKAGE.rglob("*.py") if path.parent.name != "readers")
    assert sum(names.search(path.read_text("utf-8")) is not None for path in rooms) <= 8
