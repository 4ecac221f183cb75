# SPDX-License-Identifier: GPL-3.0-or-later
"""What is linked and not there is an error, however it was linked; never "no issues"."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from scenes import door

from omi_physics_joint.blender.bridge.read_settings import settings_of
from omi_physics_joint.blender.check import operators
from omi_physics_joint.blender.check.report import EMPTY
from omi_physics_joint.cli.command import main
from omi_physics_joint.model.issue import Issue, Severity
from omi_physics_joint.model.joint import JointSettings

KINDS = (
    "collection",
    "instance",
    "nested instance",
    "child of an instance",
    "objects",
    "override",
    "settings",
)
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """Return a library with a door in a collection, and an empty scene to link it into."""
    home = bpy.context.scene.collection
    made = bpy.data.collections.new("Gate")
    home.children.link(made)
    door()
    for obj in list(home.objects):
        home.objects.unlink(obj)
        made.objects.link(obj)
    path = tmp_path / "gate.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    return path


def linked(library: Path, kind: str) -> Path:
    """Return a shot that uses the library in one way or another."""
    scene = bpy.context.scene
    if kind == "settings":
        door()
    with bpy.data.libraries.load(str(library), link=True) as (source, target):
        if kind == "objects":
            target.objects = list(source.objects)
        elif kind == "settings":
            target.node_groups = list(source.node_groups)
        else:
            target.collections = ["Gate"]
    if kind == "settings":
        bpy.data.objects["Door Hinge"].omi_physics_joint.settings = target.node_groups[0]
    elif kind == "objects":
        for obj in target.objects:
            scene.collection.objects.link(obj)
    elif kind in ("collection", "override"):
        scene.collection.children.link(target.collections[0])
        if kind == "override":
            target.collections[0].override_hierarchy_create(scene, bpy.context.view_layer)
    elif kind == "child of an instance":
        outer, inner = map(bpy.data.collections.new, ("Street", "House"))
        outer.children.link(inner)
        inner.children.link(target.collections[0])
        instance(outer, scene.collection, nested=False)
    else:
        instance(target.collections[0], scene.collection, nested=kind == "nested instance")
    path = library.with_name("shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def instance(collection: bpy.types.Collection, home: bpy.types.Collection, *, nested: bool) -> None:
    """Instance a collection, or a local one that instances it."""
    if nested:
        inner = bpy.data.collections.new("Set")
        instance(collection, inner, nested=False)
        collection = inner
    empty = bpy.data.objects.new("Gate Here", None)
    empty.instance_type = "COLLECTION"
    empty.instance_collection = collection
    home.objects.link(empty)


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_library_is_an_error(kind: str, gate: Path, capfd: Captured) -> None:
    """Check names the file, what is missing and what to do; strict writes nothing, exit code 1."""
    shot = linked(gate, kind)
    assert main(["check", str(shot)]) == 0
    gate.rename(gate.with_name("moved.blend"))
    capfd.readouterr()
    assert main(["check", str(shot)]) == 1
    lines = capfd.readouterr().out.splitlines()
    (line,) = [line for line in lines if line.startswith("error: gate.blend: ")]
    assert "gate.blend is not there. Missing from it: " in line
    wanted = {"objects": "Door", "settings": "(of Door Hinge)"}.get(kind, "Gate")
    assert wanted in line
    assert "relocate the library" in line
    assert main(["export", str(shot), "--strict"]) == 1
    assert "Nothing was written" in capfd.readouterr().err
    assert not shot.with_suffix(".glb").exists()
    assert main(["export", str(shot), "--no-strict"]) == 1
    assert shot.with_suffix(".glb").exists()


def test_a_thing_that_the_library_lost_is_an_error(gate: Path, capfd: Captured) -> None:
    """The file is there, but the collection has another name by now."""
    shot = linked(gate, "instance")
    bpy.ops.wm.open_mainfile(filepath=str(gate))
    bpy.data.collections["Gate"].name = "Portal"
    bpy.ops.wm.save_mainfile()
    capfd.readouterr()
    assert main(["check", str(shot)]) == 1
    assert "no longer holds Gate (of Gate Here)" in capfd.readouterr().out


def test_libraries_that_nothing_uses_are_no_trouble(gate: Path, capfd: Captured) -> None:
    """What no scene shows may be missing: it is not exported anyway."""
    with bpy.data.libraries.load(str(gate), link=True) as (_, target):
        target.collections = ["Gate"]
    target.collections[0].use_fake_user = True
    door()
    shot = gate.with_name("shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=str(shot))
    gate.unlink()
    assert main(["check", str(shot)]) == 0
    assert main(["export", str(shot), "--strict"]) == 0


@pytest.mark.parametrize("name", ["Hinge", "Door of the Gate"])
def test_settings_that_are_missing_keep_their_name(name: str, gate: Path) -> None:
    """They say nothing else, but by their name they are found again in what is told and written."""
    bpy.ops.wm.open_mainfile(filepath=str(gate))
    bpy.data.node_groups[0].name = name
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.read_homefile(use_empty=True)
    shot = linked(gate, "settings")
    gate.unlink()
    bpy.ops.wm.open_mainfile(filepath=str(shot))
    hinge = bpy.data.objects["Door Hinge"]
    assert hinge.omi_physics_joint.settings.is_missing
    assert settings_of(hinge) == JointSettings(name=name)


@pytest.mark.parametrize("has_ours", [False, True])
@pytest.mark.parametrize("finds", [False, True])
def test_nothing_to_check_is_said_where_nothing_is_and_nothing_was_found(
    finds: bool, has_ours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library that is not there is an error, though it is all that the scene has."""
    if has_ours:
        door()
    found = [Issue(Severity.ERROR, "library-missing", "x.blend", "It is not there.", "Find it.")]
    plain = operators.diagnose_scene

    def diagnosed(scene: bpy.types.Scene, *, tries: bool) -> Any:
        return (found if finds else []), plain(scene, tries=tries)[1]

    monkeypatch.setattr(operators, "diagnose_scene", diagnosed)
    bpy.ops.omi_joint.check()
    title = bpy.context.window_manager.omi_physics_joint.title
    assert (title == EMPTY) is not (finds or has_ours)
