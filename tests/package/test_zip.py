# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in the zip that users install."""

from __future__ import annotations

import os
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

from scripts.build_extension import build, extension_tool
from scripts.build_kernel import KERNEL_TARGETS

ROOT = Path(__file__).resolve().parent.parent.parent
ALLOWED = (
    "__init__.py",
    "LICENSE",
    "blender_manifest.toml",
    "manual",
    "omi_physics_joint",
    "presets",
    "wheels",
)
LARGEST = 2_000_000
"""Bytes of the whole zip: a quarter is kernels, a tenth USD and the robots' formats."""


def test_zip_holds_nothing_but_the_allowed(zip_with_kernel: Path) -> None:
    """Only the package, presets, wheels, manifest and licence are packed, and nothing made."""
    names = zipfile.ZipFile(zip_with_kernel).namelist()
    assert [name for name in names if name.split("/")[0] not in ALLOWED] == []
    assert [name for name in names if "__pycache__" in name or name.endswith(".pyc")] == []


def test_zip_holds_every_source_of_the_package(built_zip: Path) -> None:
    """Each Python and JSON file of the package is packed."""
    names = set(zipfile.ZipFile(built_zip).namelist())
    package = ROOT / "omi_physics_joint"
    sources = [*package.rglob("*.py"), *package.rglob("*.json")]
    assert {path.relative_to(ROOT).as_posix() for path in sources} - names == set()


def test_the_same_sources_give_the_same_zip(
    built_zip: Path, copy_sources: Callable[[Path], Path], tmp_path: Path
) -> None:
    """Another copy, with other times and permissions, is packed into the same bytes."""
    sources = copy_sources(tmp_path / "sources")
    for number, path in enumerate(sorted(sources.rglob("*.py"))):
        path.chmod(0o600)
        os.utime(path, (1e9 + number, 1e9 + number))
    again = build(sources, tmp_path / "dist", extension_tool())
    assert again.read_bytes() == built_zip.read_bytes()


def test_zip_holds_the_presets(built_zip: Path) -> None:
    """The shipped presets are packed."""
    names = zipfile.ZipFile(built_zip).namelist()
    presets = [name for name in names if name.startswith("presets/") and not name.endswith("/")]
    assert presets


def test_zip_holds_the_manual(built_zip: Path) -> None:
    """The page that Help opens is packed."""
    assert "manual/index.html" in zipfile.ZipFile(built_zip).namelist()


def test_version_is_said_once(built_zip: Path) -> None:
    """The zip's name carries the manifest's version, and pyproject.toml has none of its own."""
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert built_zip.name == f"omi_physics_joint-{manifest['version']}.zip"
    assert "version" not in project
    assert project["dynamic"] == ["version"]


def test_manifest_lists_the_wheels_that_are_there(zip_with_kernel: Path, built_zip: Path) -> None:
    """Zips differ in the wheels and in nothing else; a manifest names what its zip holds."""
    with zipfile.ZipFile(zip_with_kernel) as full, zipfile.ZipFile(built_zip) as plain:
        manifest = tomllib.loads(full.read("blender_manifest.toml").decode())
        wheels = manifest.pop("wheels")
        assert {f"./{name}" for name in set(full.namelist()) - set(plain.namelist())} == set(wheels)
        assert set(plain.namelist()) <= set(full.namelist())
        assert manifest == tomllib.loads(plain.read("blender_manifest.toml").decode())


def test_users_get_a_kernel_for_each_system(zip_with_kernel: Path, zig_python: str) -> None:
    """The zip that `make build` makes holds all wheels, and is not large."""
    names = zipfile.ZipFile(zip_with_kernel).namelist()
    tags = {name.removesuffix(".whl").split("-")[-1] for name in names if name.endswith(".whl")}
    assert tags == KERNEL_TARGETS.keys()
    assert zip_with_kernel.stat().st_size < LARGEST
