# SPDX-License-Identifier: GPL-3.0-or-later
"""A file for each scene or collection of a .blend file, in every format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import pytest
from scenes import box, door

from omi_physics_joint.cli.command import main
from omi_physics_joint.gltf.read import read_document
from omi_physics_joint.library.offered import load

Captured = pytest.CaptureFixture[str]
FORMATS = ("glb", "gltf", "usda", "xml", "urdf")


def collected(name: str, objects: list[bpy.types.Object]) -> bpy.types.Collection:
    """Put objects of the scene into a new collection below it."""
    scene = bpy.context.scene
    collection = bpy.data.collections.new(name)
    scene.collection.children.link(collection)
    for obj in objects:
        collection.objects.link(obj)
        scene.collection.objects.unlink(obj)
    return collection


def hung(*names: str) -> list[bpy.types.Object]:
    """Return the objects of a door, with a letter of their own before their names."""
    before = set(bpy.data.objects)
    door()
    made = [one for one in bpy.data.objects if one not in before]
    for obj in made:
        obj.name = f"{names[0]} {obj.name}"
    return made


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Two doors in a collection each, a box in none, an empty collection and an excluded one."""
    collected("Front: A/b", hung("F"))
    back, below = collected("Back", []), collected("Below", hung("B"))
    bpy.context.scene.collection.children.unlink(below)
    back.children.link(below)
    bpy.context.scene.collection.objects.link(below.objects[0])  # also beside all collections
    collected("Nothing", [])
    collected("Old", [box("Spare")])
    layers = bpy.context.view_layer.layer_collection.children
    layers["Old"].exclude = True
    box("Loose", (9.0, 0.0, 0.0))
    return saved(tmp_path / "house.blend")


def saved(path: Path) -> Path:
    """Save the open file."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def export(capfd: Captured, *words: object) -> dict[str, Any]:
    """Export one file; return what is reported of it."""
    capfd.readouterr()
    main(["export", *map(str, words), "--json"])
    out = capfd.readouterr().out
    (one,) = json.loads(out[out.index("{\n") :])["files"]
    file: dict[str, Any] = one
    return file


def held(path: Path) -> tuple[str, int]:
    """Return the first letters of the bodies that a file holds, and how many joints."""
    nodes = read_document(load(path)).mechanism.nodes
    bodies = "".join(node.name[0] for node in nodes if node.motion is not None)
    return bodies, sum(node.joint is not None for node in nodes)


@pytest.mark.parametrize("form", FORMATS)
def test_each_collection_becomes_a_file(
    form: str, house: Path, tmp_path: Path, capfd: Captured
) -> None:
    """Each holds its own door, names of files are harmless, and what is in none is a loss."""
    words = ("--split", "collection", "--format", form, "--output-dir", tmp_path / "out")
    file = export(capfd, house, *words)
    names = [Path(one["path"]).relative_to(tmp_path.resolve()) for one in file["outputs"]]
    assert [one.as_posix() for one in names] == [
        f"out/house/{name}.{form}" for name in ("Front_ A_b", "Back")
    ]
    assert [held(tmp_path / name) for name in names] == [("FF", 1), ("BB", 1)]
    assert (file["bodies"], file["joints"], file["output"]) == (4, 2, file["outputs"][0]["path"])
    assert file["bytes"] == sum(one["bytes"] for one in file["outputs"])
    (left,) = [one for one in file["issues"] if one["code"] == "left-out-of-export"]
    assert (left["where"], left["loss"]) == ("Loose", True)


@pytest.mark.parametrize("form", ["glb", "xml"])
def test_a_joint_across_two_parts_is_an_error_of_both(
    form: str, tmp_path: Path, capfd: Captured
) -> None:
    """Nobody selects on a command line: what is said names the part that it is left out of."""
    frame, leaf, hinge = door()
    collected("Frames", [frame])
    collected("Doors", [leaf, hinge])
    path = saved(tmp_path / "door.blend")
    words = ("--split", "collection", "--format", form, "--output-dir", tmp_path / "out")
    file = export(capfd, path, *words)
    told = {one["where"].partition(": ")[0] for one in file["issues"] if one["severity"] == "error"}
    assert told == {f"Frames.{form}", f"Doors.{form}"}


@pytest.mark.parametrize("form", FORMATS)
def test_each_scene_becomes_a_file(form: str, tmp_path: Path, capfd: Captured) -> None:
    """Also a scene that is not the active one; a name for parts may be a folder."""
    hung("F")
    first = bpy.context.scene
    first.name = "First"
    other = bpy.data.scenes.new("Other")
    bpy.data.scenes.new("Empty")
    bpy.context.window.scene = other
    hung("O")
    bpy.context.window.scene = first
    path = saved(tmp_path / "two.blend")
    words = ("--split", "scene", "--name", "{part}/{stem}_lo", "--format", form)
    file = export(capfd, path, *words, "--output-dir", tmp_path / "out")
    places = [tmp_path / "out" / name / f"two_lo.{form}" for name in ("First", "Other")]
    assert {Path(one["path"]) for one in file["outputs"]} == {one.resolve() for one in places}
    assert [held(place) for place in places] == [("FF", 1), ("OO", 1)]


def test_scenes_of_a_library_are_no_parts(tmp_path: Path, capfd: Captured) -> None:
    """What a file links, as the scene that is its background, has a file of its own already."""
    hung("L")
    bpy.context.scene.name = "Street"
    library = saved(tmp_path / "street.blend")
    bpy.ops.wm.read_homefile(use_empty=True)
    hung("F")
    bpy.context.scene.name = "First"
    with bpy.data.libraries.load(str(library), link=True) as (_, target):
        target.scenes = ["Street"]
    bpy.context.scene.background_set = target.scenes[0]
    path = saved(tmp_path / "shot.blend")
    file = export(capfd, path, "--split", "scene", "--output-dir", tmp_path / "out")
    assert [Path(one["path"]).name for one in file["outputs"]] == ["First.glb"]


@pytest.mark.parametrize("form", ["glb", "usda"])
def test_what_is_said_of_one_part_is_not_said_of_another(
    form: str, tmp_path: Path, capfd: Captured
) -> None:
    """A scene without physics after one that has an issue repeats nothing of it."""
    door()[2].omi_physics_joint.settings = None
    bpy.context.scene.name = "A"
    other = bpy.data.scenes.new("B")
    other.collection.objects.link(bpy.data.objects.new("Stone", bpy.data.meshes.new("Stone")))
    words = ("--split", "scene", "--format", form, "--output-dir", tmp_path / "out")
    file = export(capfd, saved(tmp_path / "two.blend"), *words)
    assert len(file["outputs"]) == 2
    codes = [one["code"] for one in file["issues"]]
    assert codes.count("joint-without-settings") == 1


def test_parts_that_would_be_one_file_are_refused(tmp_path: Path, capfd: Captured) -> None:
    """Both are named, and nothing is written; nor is there anything of a file without parts."""
    collected("A/b", hung("F"))
    collected("a:B", hung("B"))
    path = saved(tmp_path / "house.blend")
    file = export(capfd, path, "--split", "collection", "--output-dir", tmp_path / "out")
    assert "'A/b' and 'a:B' would be one file" in file["error"]
    assert (file["state"], file["code"], file["output"]) == ("refused", 1, "")
    assert not list((tmp_path / "out").rglob("*.glb"))
    bpy.ops.wm.read_homefile(use_empty=True)
    path = saved(tmp_path / "empty.blend")
    assert "no collection with objects" in export(capfd, path, "--split", "collection")["error"]


def test_strict_leaves_out_the_part_that_is_wrong(
    house: Path, tmp_path: Path, capfd: Captured
) -> None:
    """It is named, the other is written, and the file counts as refused."""
    bpy.ops.wm.open_mainfile(filepath=str(house))
    for obj in bpy.data.collections["Back"].all_objects:
        if obj.omi_physics_joint.is_joint:
            obj.omi_physics_joint.settings = None
    saved(house)
    file = export(
        capfd, house, "--split", "collection", "--strict", "--output-dir", tmp_path / "out"
    )
    assert (file["state"], file["code"]) == ("refused", 1)
    assert file["error"].startswith("Back: Nothing was written")
    assert [Path(one["path"]).stem for one in file["outputs"]] == ["Front_ A_b"]
