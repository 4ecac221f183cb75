# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip built from a copy of the sources, and Blender started in an empty profile to use it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
INSIDE = Path(__file__).resolve().parent / "inside"

RunInside = Callable[..., Any]
"""Script name, its arguments as keywords -> the JSON value that it answered."""


def source_paths() -> list[Path]:
    """Return the files that a commit of this checkout would hold, relative to it."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others"]
    try:
        listed = subprocess.run([*command, "--exclude-standard"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):  # no git, or a checkout without its history
        made = {".venv", "build", "dist", ".git"}
        found = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
        return [path for path in found if path.parts[0] not in made]
    paths = {Path(name) for name in listed.stdout.decode().split("\0") if name}
    return sorted(path for path in paths if (ROOT / path).is_file())


@pytest.fixture(scope="session")
def copy_sources() -> Callable[[Path], Path]:
    """A function that copies the sources into a new folder and returns it."""

    def copy(target: Path) -> Path:
        for path in source_paths():
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, target / path)
        return target

    return copy


@pytest.fixture(scope="session")
def kernel_wheels(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with wheels of the kernel: of all systems where zig is installed, else of this."""
    zig = Path(os.environ.get("OMI_VENVS") or ROOT / ".venv") / "kernel/bin/python"
    if not zig.is_file():
        request.getfixturevalue("c_compiler")
    folder = tmp_path_factory.mktemp("wheels")
    script = str(ROOT / "scripts/build_kernel.py")
    own = [sys.executable, script, "wheels", str(folder), "--own"]
    command = [str(zig), script, "wheels", str(folder)] if zig.is_file() else own
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def built_zip(
    copy_sources: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The extension's zip without a kernel, made by Blender's tool from a copy of the sources."""
    return build_zip(copy_sources, tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="session")
def zip_with_kernel(
    copy_sources: Callable[[Path], Path],
    tmp_path_factory: pytest.TempPathFactory,
    kernel_wheels: Path,
) -> Path:
    """The extension's zip with the kernel, as users get it."""
    return build_zip(copy_sources, tmp_path_factory.mktemp("build"), "--wheels", str(kernel_wheels))


def build_zip(copy_sources: Callable[[Path], Path], folder: Path, *words: str) -> Path:
    """Build and validate the extension's zip in a folder, and return its path."""
    source = copy_sources(folder / "clone of any name")
    # What a developer's folder may hold beside the sources, and the zip must not.
    (source / "stray.py").write_text("raise SystemExit\n", "utf-8")
    (source / "omi_physics_joint/__pycache__").mkdir()
    (source / "omi_physics_joint/__pycache__/stray.cpython-311.pyc").write_bytes(b"")
    script = str(ROOT / "scripts/build_extension.py")
    command = [sys.executable, script, "--source", str(source), "--output", str(folder / "dist")]
    command += words
    if real_blender():
        scripts = Path(sys.modules["bpy"].utils.system_resource("SCRIPTS"))
        command += ["--tool", str(scripts / "addons_core/bl_pkg/cli/blender_ext.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return Path(done.stdout.splitlines()[-1])


@pytest.fixture
def run_inside(tmp_path: Path) -> RunInside:
    """A function that runs a script of the folder `inside` in a fresh Blender, profile empty."""
    profile = tmp_path / "profile"
    profile.mkdir()
    answer = tmp_path / "answer.json"
    environment = {
        **os.environ,
        "BLENDER_USER_RESOURCES": str(profile),
        "PYTHONPATH": str(INSIDE),
        "OMI_KERNEL": "",
    }

    def run(script: str, **arguments: object) -> object:
        passed = json.dumps({**arguments, "answer": str(answer)}, default=str)
        done = subprocess.run(
            [*blender_command(INSIDE / script), passed],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(answer.read_text("utf-8"))

    return run


def blender_command(script: Path) -> list[str]:
    """Return the command that runs a script in a Blender of the kind that the tests run in."""
    if not real_blender():
        return [sys.executable, str(script)]
    options = ["-b", "--python-use-system-env", "--python-exit-code", "3"]
    return [real_blender(), *options, "--python", str(script), "--"]


def real_blender() -> str:
    """Return the path of the Blender that the tests run in; empty for the wheel."""
    bpy = sys.modules.get("bpy")
    return str(bpy.app.binary_path) if bpy else ""
