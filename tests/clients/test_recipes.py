# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipes of the page about nights, taken out of it and run as they stand there."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from night_project import WHOLE, Run, recipe, states, written

from omi_physics_joint.cli.batch.tasks import tasks_of
from omi_physics_joint.cli.parser import parsed

CALL = ("blender", "-b", "--command", "omi_physics_joint")
pytestmark = pytest.mark.long


def words_of(command: str) -> list[str]:
    """Return what follows the call of Blender in a line for a shell."""
    words = shlex.split(command.replace("\\\n", " "))
    assert tuple(words[:4]) == CALL
    return words[4:]


def parts_with_files(command: str, placeholder: str, count: int) -> list[int]:
    """Return which parts of a recipe have something to do; the current folder is the project's."""
    return [
        part
        for part in range(1, count + 1)
        if tasks_of(parsed(words_of(command.replace(placeholder, str(part))), "blender"))
    ]


def test_the_night_of_the_first_lines(project: Path, run: Run) -> None:
    """All scenes are there, strictly; the second night has nothing to do."""
    command = recipe("# Five hundred files a night")
    for state in ("ok", "unchanged"):
        run("bash", "-c", command, cwd=project)
        assert states(project / "build/night.jsonl") == [state] * len(WHOLE)
    assert written(project / "build") == WHOLE


def test_make(project: Path, run: Run) -> None:
    """It exports what is new, also when there is a folder of the name of its target."""
    (project / "Makefile").write_text(recipe("**make**"), "utf-8")
    run("make", "build", cwd=project)
    assert written(project / "build") == WHOLE
    assert f"{len(WHOLE)} unchanged" in run("make", "build", cwd=project).stderr


def test_slurm_by_a_stand_in(project: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script run by its own shell, the number of a task in the environment."""
    script = recipe("**Slurm**")
    assert script.startswith("#!/bin/sh\n#SBATCH --array=1-40\n"), "sbatch wants both first"
    (project / "night.sh").write_text(script, "utf-8")
    monkeypatch.chdir(project)
    call = script[script.index("blender -b") :]
    parts = parts_with_files(call, "$SLURM_ARRAY_TASK_ID", 40)
    empty = next(part for part in range(1, 41) if part not in parts)
    for part in (*parts, empty):
        run("sh", "night.sh", cwd=project, SLURM_ARRAY_TASK_ID=str(part))
    assert written(project / "build") == WHOLE
    reports = [states(project / f"build/night_{part}.jsonl") for part in (*parts, empty)]
    assert [state for report in reports for state in report] == ["ok"] * len(WHOLE)


def test_github(project: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line of the step as a runner folds it and fills it in, with what it adds to a summary."""
    step = recipe("**GitHub**")
    matrix = re.search(r"matrix: \{ part: \[(.*)\] \}", step)
    folded = re.search(r"- run: >\n((?:      .*\n)+)", step)
    assert matrix
    assert folded
    line = " ".join(folded[1].split())
    assert [int(one) for one in matrix[1].split(",")] == list(range(1, 11))
    monkeypatch.chdir(project)
    for part in parts_with_files(line, "${{ matrix.part }}", 10):
        filled = line.replace("${{ matrix.part }}", str(part))
        summary = {"GITHUB_STEP_SUMMARY": str(project / "summary.md")}
        run("bash", "-e", "-c", filled, cwd=project, **summary)
        assert set(states(project / "night.jsonl")) == {"ok"}
    assert written(project / "build") == WHOLE
    assert "### export: " in (project / "summary.md").read_text("utf-8")


def test_systemd(project: Path, run: Run, tmp_path: Path) -> None:
    """Nothing is wrong with the units, and the line of the service exports all."""
    units = dict(re.findall(r"^# ~/(\S+)\n((?:[^#].*\n)+)", recipe("**systemd**"), re.MULTILINE))
    assert [Path(one).name for one in units] == ["night.service", "night.timer"]
    service = units[".config/systemd/user/night.service"]
    line = re.search(r"^ExecStart=(.*)$", service, re.MULTILINE)
    assert line
    assert "WorkingDirectory=%h/project\n" in service
    run("sh", "-c", f"exec {line[1]}", cwd=project)
    assert written(project / "build") == WHOLE
    if shutil.which("systemd-analyze"):
        blender = run("sh", "-c", "command -v blender", cwd=project).stdout.strip()
        for name, text in units.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            # Only the folders of the system are looked into for a program.
            (tmp_path / name).write_text(text.replace("=blender", f"={blender}"), "utf-8")
        places = [tmp_path / name for name in units]
        own = {"XDG_RUNTIME_DIR": str(tmp_path)}
        done = run("systemd-analyze", "--user", "verify", *places, cwd=tmp_path, **own)
        assert "night" not in done.stderr, done.stderr


def test_the_words_for_windows(project: Path) -> None:
    """No Windows is here; the command that it would call is understood as it is meant."""
    found = re.search(r'/tr "(.*)"\n', recipe("**Windows**"))
    assert found
    asked = parsed(words_of(found[1].replace("\\", "\\\\")), "blender")
    assert (asked.recursive, asked.tree, asked.jobs) == (True, True, 4)
    assert asked.output_dir == Path("C:\\project\\build")
