# SPDX-License-Identifier: GPL-3.0-or-later
"""A file and the stage of USD that it becomes are one motion."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.motions import EXAMPLES, assert_one_motion

pytest.importorskip("pxr", reason="usd-core is not installed")


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.glb")))
def test_a_stage_moves_as_the_file_that_it_was_written_from(name: str, tmp_path: Path) -> None:
    """All shipped mechanisms: bounds, springs, motors, loops, cones, meshes."""
    assert_one_motion(name, ".usda", tmp_path)
