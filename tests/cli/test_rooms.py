# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands load the rooms of the house that their words and files take, and no others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOOR = str(ROOT / "examples/glb/door.glb")
FOUR_BAR = str(ROOT / "examples/glb/four_bar.glb")
SCRIPT = (
    "import sys; from omi_physics_joint.cli.command import main; "
    "code = main(sys.argv[1:]); print(*sys.modules); sys.exit(code)"
)
PLAIN = {"cli", "files", "library", "model"}
READ = PLAIN | {"gltf"}
MOVED = READ | {"numpy", "solver", "weighing"}


def loaded(folder: Path, *words: str) -> set[str]:
    """Return which modules a command has loaded when it is done, ours without our name."""
    command = [sys.executable, "-c", SCRIPT, *words]
    environment = {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return {
        name.removeprefix("omi_physics_joint.") for name in done.stdout.splitlines()[-1].split()
    }


def rooms(names: set[str]) -> set[str]:
    """Return the rooms of modules, and NumPy."""
    folders = {one.name for one in (ROOT / "omi_physics_joint").iterdir() if one.is_dir()}
    return {name.partition(".")[0] for name in names} & (folders | {"numpy"})


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(["check", DOOR], READ, id="check"),
        pytest.param(["check", FOUR_BAR], MOVED, id="check of a loop"),
        pytest.param(["info", DOOR], READ, id="info"),
        pytest.param(["info", "--solver"], MOVED, id="info --solver"),
        pytest.param(["diff", DOOR, DOOR], READ, id="diff"),
        pytest.param(["simulate", DOOR, "--seconds", "0.1"], MOVED, id="simulate"),
        pytest.param(["convert", DOOR, "out.glb"], READ, id="convert"),
    ],
)
def test_a_command_loads_the_rooms_that_it_takes(
    words: list[str], expected: set[str], tmp_path: Path
) -> None:
    """What checks a door knows neither of stages and robots nor of the solver."""
    assert rooms(loaded(tmp_path, *words)) == expected


@pytest.mark.long
@pytest.mark.parametrize("words", [["check", DOOR, DOOR, "-j", "1"], ["check", DOOR, "-j", "2"]])
def test_who_gives_work_to_others_loads_no_format_and_no_mechanism(
    words: list[str], tmp_path: Path
) -> None:
    """A supervisor knows words, issues and reports, and nothing of what workers do."""
    names = loaded(tmp_path, *words)
    assert rooms(names) == PLAIN
    assert not names & {"bpy", "library.offered", "model.mechanism"}
