# SPDX-License-Identifier: GPL-3.0-or-later
"""A project of Godot that measures files, and one run of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STEPS_A_SECOND = 1920
OWN_DAMPING = "0.1"
"""1/s, Godot's default."""
WRONG = "SCRIPT ERROR"
HERE = Path(__file__).resolve().parent
PLUGIN = "omi_extensions"
OURS = HERE.parents[1] / "clients" / "godot" / "addons" / "omi_physics_joint"

Pose = tuple[float, ...]
"""Place in m, then a quaternion (x, y, z, w)."""


class GodotError(Exception):
    """Godot did not run; its text is for the user."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What Godot made of one file."""

    joints: tuple[str, ...]
    """Kinds of its joint nodes."""
    start: dict[str, Pose]
    """Pose of each body when physics begins, by name."""
    end: dict[str, Pose]
    warnings: tuple[str, ...] = ()
    """What our add-on said of it."""
    tracks: tuple[str, ...] = ()
    """What its animation changes."""


@dataclass(frozen=True, slots=True)
class Godot:
    """A Godot with an add-on that reads joints."""

    program: Path
    project: Path
    version: str

    def measure(
        self, files: Iterable[Path], seconds: float, rate: int = STEPS_A_SECOND
    ) -> dict[str, Measured]:
        """Run files and return what became of each, by the name of the file.

        Args:
            files: in glTF.
            seconds: of motion.
            rate: steps a second.
        """
        results = self.project / "results.json"
        results.unlink(missing_ok=True)
        steps = str(round(seconds * rate))
        words = ["--fixed-fps", "60", "--script", "res://measure.gd", "--"]
        said = _run(
            self.program, self.project, [*words, str(results), steps, str(rate), *map(str, files)]
        )
        if not results.exists():
            message = f"Godot ended without results:\n{said[-2000:]}"
            raise GodotError(message)
        return {
            Path(file).name: Measured(
                tuple(one["joints"]),
                one["start"],
                one["end"],
                tuple(one["warnings"]),
                tuple(one["tracks"]),
            )
            for file, one in json.loads(results.read_text("utf-8")).items()
        }


def prepared(program: Path, addon: Path | None, folder: Path, *, damped: bool = False) -> Godot:
    """Make a project below a folder and have Godot learn its classes.

    Args:
        program: of Godot.
        addon: a checkout of omi-godot, or any folder that has its add-on inside; None is ours.
        folder: to work in.
        damped: whether velocities fall as they do by default.

    Raises:
        GodotError: the add-on is not there, or Godot does not run.
    """
    project = _project(OURS if addon is None else _found(addon), folder, "measure.gd")
    if damped:
        settings = project / "project.godot"
        text = settings.read_text("utf-8").replace("_damp=0.0", f"_damp={OWN_DAMPING}")
        settings.write_text(text, "utf-8")
    version = _run(program, None, ["--version"]).strip().splitlines()
    _run(program, project, ["--import"])
    return Godot(program, project, version[-1] if version else "unknown")


def built(program: Path, folder: Path, files: Iterable[Path]) -> dict[Path, dict[str, Any]]:
    """Return what our add-on makes of files, as ``structure.gd`` says it; nothing moves.

    Args:
        program: of Godot.
        folder: to work in.
        files: in glTF.

    Raises:
        GodotError: Godot does not run, or a script of the add-on fails.
    """
    project = _project(OURS, folder, "structure.gd")
    results = project / "results.json"
    words = ["--script", "res://structure.gd", "--", str(results), *map(str, files)]
    said = _run(program, project, words)
    if not results.exists():
        message = f"Godot ended without results:\n{said[-2000:]}"
        raise GodotError(message)
    return {Path(file): made for file, made in json.loads(results.read_text("utf-8")).items()}


def _project(addon: Path, folder: Path, script: str) -> Path:
    """Make a project below a folder that has an add-on and a script."""
    project = folder / "project"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(addon, project / "addons" / addon.name)
    for name in ("project.godot", script):
        shutil.copy(HERE / name, project / name)
    return project


def _found(addon: Path) -> Path:
    found = [addon] if addon.name == PLUGIN else sorted(addon.rglob(PLUGIN))
    sources = [one for one in found if (one / "plugin.cfg").is_file()]
    if not sources:
        message = f"{addon} holds no add-on {PLUGIN}; clone https://github.com/omigroup/omi-godot"
        raise GodotError(message)
    return sources[0]


def _run(program: Path, project: Path | None, words: list[str]) -> str:
    """Run Godot without a window and return what it says."""
    where = [] if project is None else ["--path", str(project)]
    try:
        done = subprocess.run(
            [str(program), "--headless", *where, *words],
            capture_output=True,
            text=True,
            timeout=1800,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GodotError(str(error)) from None
    said = done.stdout + done.stderr
    if WRONG in said:
        message = f"A script failed:\n{said[said.index(WRONG) :][:2000]}"
        raise GodotError(message)
    return said
