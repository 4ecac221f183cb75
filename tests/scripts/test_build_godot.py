# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip of the Godot add-on holds what a project needs, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INSIDE = "addons/omi_physics_joint/"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the text of each file in the zip."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, str(ROOT / "scripts" / "build_godot.py"), "--output", str(folder)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    with zipfile.ZipFile(said.strip()) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_it_unpacks_into_a_project(files: dict[str, str]) -> None:
    """All lies in the folder of the add-on, with a licence."""
    assert all(name.startswith(INSIDE) for name in files)
    assert {INSIDE + name for name in ("plugin.cfg", "LICENSE", "README.md")} <= files.keys()
    assert files[INSIDE + "LICENSE"].startswith("MIT License")
    assert {Path(name).suffix for name in files} <= {".gd", ".cfg", ".md", ""}


def test_it_has_the_version_of_the_whole(files: dict[str, str]) -> None:
    """The version is said in the manifest of the extension and nowhere else."""
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text("utf-8"))
    assert f'version="{manifest["version"]}"' in files[INSIDE + "plugin.cfg"]
    sources = ROOT / "clients" / "godot" / INSIDE / "plugin.cfg"
    assert manifest["version"] not in sources.read_text("utf-8")


def test_every_script_that_is_named_is_there(files: dict[str, str]) -> None:
    """What the plug-in starts and scripts load is in the zip, and every script is used."""
    scripts = {Path(name).name for name in files if name.endswith(".gd")}
    plugin = re.findall(r'^script="(.*)"', files[INSIDE + "plugin.cfg"], re.MULTILINE)
    loaded = re.findall(r'preload\("(.*?)"\)', "\n".join(files.values()))
    assert {*plugin, *loaded, "physics_import.gd"} == scripts


def test_scripts_are_ours_and_short(files: dict[str, str]) -> None:
    """Each says its licence and what it is, and none has over 400 lines."""
    for name, text in files.items():
        if name.endswith(".gd"):
            lines = text.splitlines()
            assert lines[0] == "# SPDX-License-Identifier: MIT", name
            assert lines[1].startswith("## "), name
            assert len(lines) <= 400, name


def test_the_same_sources_give_the_same_zip(tmp_path: Path) -> None:
    """Nothing of the day or the machine is in it."""
    made = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        command = [sys.executable, str(ROOT / "scripts" / "build_godot.py")]
        subprocess.run([*command, "--output", str(folder)], capture_output=True, check=True)
        made.append(next(folder.glob("*.zip")).read_bytes())
    assert made[0] == made[1]
