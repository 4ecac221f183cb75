# SPDX-License-Identifier: GPL-3.0-or-later
"""A checkout works under any name, beside any neighbours, and installs with pip."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

CopySources = Callable[[Path], Path]
ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(
    bool(sys.modules["bpy"].app.binary_path if "bpy" in sys.modules else ""),
    reason="the Python inside a real Blender has neither pip nor the tests' packages of its own",
)

NEIGHBOURS = ("json", "omi_physics_joint", "pytest")
"""Folders beside the checkout that would be found first if its parent were searched for modules."""
ALL = ("-k", "imports", "-m", "not long", "--ignore=tests/blender", "--ignore=tests/package")
"""Every file without Blender is collected, and those about imports are run."""
SOME = ("tests/gltf/test_document.py", "tests/library/test_offered.py")


def run(*command: object, cwd: Path) -> str:
    """Run Python without this process's surroundings; return what it printed."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    for name in ("PYTHONPATH", "OMI_REQUIRE_BPY"):
        kept.pop(name, None)
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=cwd,
        env=kept,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("name", "tests"),
    [("my clone (1)", SOME), ("omi_physics_joint", ALL), ("pygltflib", SOME), ("1.0", SOME)],
)
def test_clone_may_have_any_name(
    copy_sources: CopySources, tmp_path: Path, name: str, tests: tuple[str, ...]
) -> None:
    """The tests are collected and pass in a checkout of any name beside any neighbours."""
    for neighbour in NEIGHBOURS:
        (tmp_path / neighbour).mkdir(exist_ok=True)
        (tmp_path / neighbour / "__init__.py").write_text("raise RuntimeError(__name__)\n", "utf-8")
    clone = copy_sources(tmp_path / name)
    kernels = Path("build/kernel")
    if tests == SOME and (ROOT / kernels).is_dir():  # one clone compiles its own
        shutil.copytree(ROOT / kernels, clone / kernels)
    assert " passed" in run("-m", "pytest", "-q", *tests, cwd=clone)
    assert "omi_physics_joint" in run("-m", "omi_physics_joint", "--help", cwd=clone)


def test_pip_install_gives_a_command(copy_sources: CopySources, tmp_path: Path) -> None:
    """After `pip install .`, `python -m omi_physics_joint` works from any folder."""
    clone = copy_sources(tmp_path / "clone")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    site = tmp_path / "site"
    quiet = ("-q", "--disable-pip-version-check", "--no-deps", "--no-build-isolation")
    run("-m", "pip", "install", *quiet, "--target", site, ".", cwd=clone)
    start = f"import sys, runpy; sys.path.insert(0, {str(site)!r}); sys.argv[1:] = ['--help']; "
    start += "runpy.run_module('omi_physics_joint', run_name='__main__', alter_sys=True)"
    assert "omi_physics_joint" in run("-c", start, cwd=elsewhere)
    assert list((site / "omi_physics_joint/presets").rglob("*.*"))
