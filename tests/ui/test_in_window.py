# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of this folder in a real window, where a Blender that has one is named."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLENDER = os.environ.get("OMI_WINDOW_BLENDER")


@pytest.mark.skipif(not BLENDER, reason="needs a window: make test-ui BLENDER=/path/to/blender")
def test_steps_in_a_real_window(tmp_path: Path) -> None:
    """Every step is well with a free hand, and found faulty with a tied one."""
    command = [sys.executable, str(ROOT / "scripts" / "in_window.py"), "tests", str(BLENDER)]
    done = subprocess.run(
        [*command, str(tmp_path / "pictures")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("program", [["false"], ["true"], ["no-such-program"]])
def test_a_blender_that_runs_nothing_is_a_failure(program: list[str], tmp_path: Path) -> None:
    """A command that is no Blender, or sees no checkout, is told as such and never a success."""
    script = str(ROOT / "scripts" / "in_window.py")
    command = [sys.executable, script, "tests", *program, str(tmp_path / "pictures")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert program[0] in done.stderr
