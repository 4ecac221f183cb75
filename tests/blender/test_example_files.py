# SPDX-License-Identifier: GPL-3.0-or-later
"""The files in examples/ are what their script makes, and sound."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

from examples.files import FILES, HERE, build, export
from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.cli.command import main
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.read import read_document
from omi_physics_joint.model.changes.changes import changes
from omi_physics_joint.model.issue import Severity
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.validate import check
from tests.scenes import issues

MOST_BYTES = 1_600_000
"""Of all files together: they are in every clone."""


def in_scene() -> Mechanism:
    """Return what is in the open file."""
    return mechanism_from_placed(placed_in_scene(bpy.context.scene)).mechanism


def in_file(path: Path) -> Mechanism:
    """Return what is in a .glb, in which nothing may be wrong."""
    reading = read_document(load(str(path)))
    found = [*reading.issues, *check(reading.mechanism)]
    assert [one for one in found if one.severity is Severity.ERROR] == []
    return reading.mechanism


@pytest.mark.parametrize("name", FILES)
def test_files_are_what_the_script_makes(name: str, tmp_path: Path) -> None:
    """Bodies, shapes and joints of both files are those that are built now, without an error."""
    build(name)
    made = in_scene()
    assert "ERROR" not in {severity.upper() for severity in issues().values()}
    export(tmp_path / "made.glb")
    bpy.ops.wm.open_mainfile(filepath=str(HERE / "blend" / f"{name}.blend"))
    assert [str(one) for one in changes(made, in_scene())] == []
    assert "ERROR" not in {severity.upper() for severity in issues().values()}
    kept, new = in_file(HERE / "glb" / f"{name}.glb"), in_file(tmp_path / "made.glb")
    assert [str(one) for one in changes(new, kept)] == []
    assert sum(1 for _ in kept.joints()) == sum(1 for _ in made.joints()) > 0


@pytest.mark.parametrize("name", FILES)
def test_strict_exports_what_is_shipped(name: str, tmp_path: Path) -> None:
    """Whoever tries the command on these files first has nothing refused or lost."""
    blend = str(HERE / "blend" / f"{name}.blend")
    assert main(["export", blend, "--output-dir", str(tmp_path), "--strict"]) == 0
    kept, new = in_file(HERE / "glb" / f"{name}.glb"), in_file(tmp_path / f"{name}.glb")
    assert [str(one) for one in changes(new, kept)] == []


def test_each_mechanism_has_both_files_and_no_other_is_there() -> None:
    """There are ten of each kind, small enough to be in every clone."""
    found = {kind: sorted((HERE / kind).iterdir()) for kind in ("blend", "glb")}
    assert len(FILES) == 10
    for kind, paths in found.items():
        assert [path.name for path in paths] == sorted(f"{name}.{kind}" for name in FILES)
    assert sum(path.stat().st_size for paths in found.values() for path in paths) < MOST_BYTES
