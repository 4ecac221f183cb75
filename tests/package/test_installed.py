# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip, installed into an empty profile and used from there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import make_archive
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

HOOKS = ("glTF2ExportUserExtension", "glTF2ImportUserExtension")


def test_installed_zip_works_from_where_it_is(
    zip_with_kernel: Path, run_inside: Callable[..., Any]
) -> None:
    """Installed and enabled, it shows its hooks, properties, presets and manual."""
    found = run_inside("install_and_use.py", zip=zip_with_kernel, hooks=HOOKS)
    assert found["enabled"]
    assert "user_default" in Path(found["file"]).parts
    assert found["hooks"] == dict.fromkeys(HOOKS, True)
    assert found["object property"]
    assert [path for path in found["presets"] if "user_default" in path]
    assert found["other copies"] == []
    (manual,) = (prefix for prefix in found["manuals"] if prefix.startswith("file:"))
    assert "user_default" in manual
    page = Path(url2pathname(urlsplit(manual).path))
    assert page == Path(found["file"]).parent / "manual" / "index.html"
    assert found["manual is there"]
    door = found["door"]
    assert {"OMI_physics_joint", "OMI_physics_body", "OMI_physics_shape"} <= set(
        door["extensionsUsed"]
    )
    assert len(door["extensions"]["OMI_physics_joint"]["physicsJoints"]) == 1
    joints = [node for node in door["nodes"] if "OMI_physics_joint" in node.get("extensions", {})]
    assert len(joints) == 1


def test_installed_zip_brings_its_kernel(
    zip_with_kernel: Path, run_inside: Callable[..., Any]
) -> None:
    """Blender unpacks the wheel of this system, and the add-on loads it; removed, it is gone."""
    found = run_inside("install_kernel.py", zip=zip_with_kernel, system="")
    assert found["enabled"]
    assert found["solver"].startswith("compiled kernel, version "), found["solver"]
    assert Path(found["path"]).parent.parent.name == "site-packages"
    assert found["left"] == []


@pytest.mark.parametrize("system", ["freebsd-14.1-amd64", "linux-riscv64"])
def test_zip_installs_where_there_is_no_kernel(
    zip_with_kernel: Path, run_inside: Callable[..., Any], system: str
) -> None:
    """On a system without a wheel the extension is installed, enabled, and runs by the textbook."""
    found = run_inside("install_kernel.py", zip=zip_with_kernel, system=system)
    assert found["enabled"]
    assert found["solver"].startswith("textbook in NumPy, slow: no compiled kernel came along for ")


def test_zip_without_wheels_works(built_zip: Path, run_inside: Callable[..., Any]) -> None:
    """A zip that somebody built without compilers runs by the textbook."""
    found = run_inside("install_kernel.py", zip=built_zip, system="")
    assert found["enabled"]
    assert found["solver"].startswith("textbook in NumPy, slow: no compiled kernel came along for ")


def test_the_zip_of_the_repository_installs_too(
    copy_sources: Callable[[Path], Path], run_inside: Callable[..., Any], tmp_path: Path
) -> None:
    """As a host packs it, in a folder with the name of a branch: README's first step."""
    copy_sources(tmp_path / "packed/omi_physics_joint-main")
    packed = make_archive(str(tmp_path / "omi_physics_joint-main"), "zip", tmp_path / "packed")
    found = run_inside("install_and_use.py", zip=packed, hooks=HOOKS)
    assert found["enabled"]
    assert found["hooks"] == dict.fromkeys(HOOKS, True)
    assert found["manual is there"]
    assert "OMI_physics_joint" in found["door"]["extensionsUsed"]
