# SPDX-License-Identifier: GPL-3.0-or-later
"""Two .blend files are compared by what they hold, whatever their scenes' own files are for."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

from omi_physics_joint.cli.command import main
from tests.scenes import door

Captured = pytest.CaptureFixture[str]


def saved(path: Path) -> Path:
    """Save the open file."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


@pytest.mark.parametrize("is_broken", [False, True])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("strict", True),
        ("target", "GODOT"),
        ("dialect", "OMI"),
        ("dialect", "KHR"),
        ("readers", {"GODOT"}),
    ],
)
def test_options_of_exports_are_no_changes(
    name: str, value: object, is_broken: bool, tmp_path: Path, capfd: Captured
) -> None:
    """Not in the first file and not in the second; what is wrong in them is said, no obstacle."""
    _, _, hinge = door(angle_min=-0.5, angle_max=1.0)
    if is_broken:
        hinge.omi_physics_joint.connected_body = None
    plain = saved(tmp_path / "plain.blend")
    setattr(bpy.context.scene.omi_physics_joint, name, value)
    other = saved(tmp_path / "other.blend")
    for files in ((plain, other), (other, plain)):
        capfd.readouterr()
        assert main(["diff", *map(str, files)]) == 0
        out, err = capfd.readouterr()
        assert out.splitlines()[-1] == "no changes"
        assert "could not" not in err
        told = [line for line in err.splitlines() if "has no second body" in line]
        assert {line.partition(": ")[0] for line in told} == (
            {*map(str, files)} if is_broken else set()
        )
