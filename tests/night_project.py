# SPDX-License-Identifier: GPL-3.0-or-later
"""A project with scenes, and a program named blender, for those who drive the command line."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/manual/night.md"
SCENES = {"doors/door": "door", "parts/scene": "drawer", "scene": "wheel"}
"""Names of scenes in a project -> the example that each is."""
WHOLE = sorted(f"{name}.glb" for name in SCENES)
"""What an export of all scenes into a tree writes."""
BLENDER = """#!/bin/sh
test "$1 $2 $3" = "-b --command omi_physics_joint" || exit 9
shift 3
exec '{python}' -m omi_physics_joint "$@"
"""
Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]
"""Words, a folder and an exit code -> how a program ended, with the program blender on the path."""


def make_project(folder: Path) -> Path:
    """Fill a folder with scenes in folders, two of one name, and return it."""
    for name, example in SCENES.items():
        path = folder / "scenes" / f"{name}.blend"
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "examples/blend" / f"{example}.blend", path)
    return folder


def environment_with_blender(folder: Path) -> dict[str, str]:
    """Return an environment where ``blender`` is Blender as a module, which has the add-on."""
    if os.name == "nt":
        pytest.skip("written for a POSIX shell")
    is_module = "bpy" not in sys.modules or not sys.modules["bpy"].app.binary_path
    if importlib.util.find_spec("bpy") is None or not is_module:
        pytest.skip("the program blender of these tests is a Python with the module bpy")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "blender").write_text(BLENDER.format(python=sys.executable), "utf-8")
    (folder / "blender").chmod(0o755)
    kept = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST")}
    return {**kept, "PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


def runner(folder: Path) -> Run:
    """Return a function that runs a program where there is such a ``blender``."""
    environment = environment_with_blender(folder)

    def run(*words: object, cwd: Path, code: int = 0, **more: str) -> Done:
        done = subprocess.run(
            [str(word) for word in words],
            cwd=cwd,
            env={**environment, **more},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return run


def written(folder: Path) -> list[str]:
    """Return the models below a folder."""
    return sorted(one.relative_to(folder).as_posix() for one in folder.rglob("*.glb"))


def states(report: Path) -> list[str]:
    """Return the states of all files of a report."""
    lines = map(json.loads, report.read_text("utf-8").splitlines())
    return [one["state"] for one in lines if one["kind"] == "file"]


def recipe(name: str) -> str:
    """Return the first block of code behind a word of the page, or at its top."""
    text = PAGE.read_text("utf-8").partition(name)[2]
    block = re.search(r"^```\w*\n((?:.*\n)+?)```|((?:^ {4}.*\n)+)", text, re.MULTILINE)
    assert block is not None, name
    return block[1] or dedent(block[2])
