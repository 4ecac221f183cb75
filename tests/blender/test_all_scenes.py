# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line is told of each scene of a file, whichever is the active one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_joint.blender.batch.files import run
from tests.scenes import door

SCENES = ("First", "Second", "Third")
ENDS = ("Frame", "Door", "Door Hinge")


@pytest.fixture(params=SCENES)
def blend(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file with a door in each of three scenes, and two instances of it; each is active once."""
    bpy.context.scene.name = SCENES[0]
    for name in SCENES:
        scene = bpy.data.scenes.get(name) or bpy.data.scenes.new(name)
        bpy.context.window.scene = scene
        collection = bpy.data.collections.new(f"Doors {name}")
        scene.collection.children.link(collection)
        for obj, end in zip(door(), ENDS, strict=True):
            obj.name = f"{end} {name}"
            scene.collection.objects.unlink(obj)
            collection.objects.link(obj)
        for place in (5.0, 10.0):
            bpy.ops.object.collection_instance_add(
                collection=collection.name, location=(place, 0.0, 0.0)
            )
    bpy.context.window.scene = bpy.data.scenes[request.param]
    return saved(tmp_path / "three.blend")


def saved(path: Path) -> Path:
    """Save the open file."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def broken(path: Path, *names: str) -> None:
    """Take the second body from the joints of some scenes."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    for name in names:
        bpy.data.objects[f"Door Hinge {name}"].omi_physics_joint.connected_body = None
    saved(path)


def asked(path: Path, command: str, **words: object) -> dict[str, Any]:
    """Ask for something as the command line does."""
    words = {"readers": None, "tries": False, "articulations": None, "strict": None, **words}
    reply: dict[str, Any] = run({"command": command, "path": str(path), **words})
    return reply


def test_joints_of_each_scene_and_instance_join_their_own_bodies(blend: Path) -> None:
    """Nodes of a later scene are counted on from those of the ones before."""
    joints = asked(blend, "info")["info"]["joints"]
    found = sorted((one["name"], one["body"], one["connected_body"]) for one in joints)
    assert found == [
        (f"Door Hinge {name}", f"Door {name}", f"Frame {name}") for name in SCENES for _ in range(3)
    ]


@pytest.mark.parametrize("wrong", SCENES)
def test_what_is_wrong_in_any_scene_is_said(wrong: str, blend: Path) -> None:
    """Not in the active one alone, by check as by info."""
    broken(blend, wrong)
    for command in ("check", "info"):
        issues = asked(blend, command)["issues"]
        told = [one["where"] for one in issues if one["code"] == "joint-without-partner"]
        assert told
        assert all(f"Door Hinge {wrong}" in where for where in told)


def test_words_of_the_command_count_in_each_scene(blend: Path, tmp_path: Path) -> None:
    """Readers, strict, who the file is for and its dialect."""
    asked(
        blend,
        "export",
        output=str(tmp_path / "out.glb"),
        format="glb",
        readers=["spec"],
        strict=True,
        target="specified",
        dialect="khr",
    )
    for scene in bpy.data.scenes:
        options = scene.omi_physics_joint
        said = (set(options.readers), options.strict, options.target, options.dialect)
        assert said == (set(), True, "SPECIFIED", "KHR")


@pytest.mark.parametrize("blend", SCENES[1:2], indirect=True)
@pytest.mark.parametrize("form", ["glb", "usda"])
@pytest.mark.parametrize("wrong", [SCENES[:1], SCENES[1:2], SCENES[:2], SCENES[1:]])
def test_a_part_that_is_refused_costs_no_other(
    wrong: tuple[str, ...], form: str, blend: Path, tmp_path: Path
) -> None:
    """It is named, and what is wrong in it said once; others are written, without physics too."""
    broken(blend, *wrong)
    bpy.context.window.scene = bpy.data.scenes.new("Without")
    bpy.ops.mesh.primitive_cube_add()
    saved(blend)
    output = str(tmp_path / f"{{part}}.{form}")
    reply = asked(blend, "export", output=output, format=form, split="scene", strict=True)
    written = {Path(one).stem for one in reply["outputs"]}
    assert written == {*SCENES, "Without"} - set(wrong)
    assert reply["refused"]
    assert reply["error"].startswith(f"{wrong[0]}: ")
    told = [one for one in reply["issues"] if one["code"] == "joint-without-partner"]
    assert len(told) == 3 * len(wrong)


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (1, "1 object of the scene 'First' is in no file: it is in no collection below it."),
        (3, "3 objects of the scene 'First' are in no file: they are in no collection below it."),
    ],
)
def test_objects_in_no_part_are_counted(count: int, words: str, tmp_path: Path) -> None:
    """One object is one, and is told by its name."""
    bpy.context.scene.name = "First"
    made = bpy.data.collections.new("Part")
    bpy.context.scene.collection.children.link(made)
    for obj in door():
        made.objects.link(obj)
        bpy.context.scene.collection.objects.unlink(obj)
    for name in "ABC"[:count]:
        bpy.context.scene.collection.objects.link(bpy.data.objects.new(name, None))
    blend = saved(tmp_path / "parts.blend")
    output = str(tmp_path / "{part}.glb")
    reply = asked(blend, "export", output=output, format="glb", split="collection")
    (left,) = [one for one in reply["issues"] if one["code"] == "left-out-of-export"]
    assert (left["where"], left["message"]) == ("A", words)
    assert left["fix"] == f"Move {'it' if count == 1 else 'them'} into a collection."


@pytest.mark.parametrize("blend", SCENES[1:2], indirect=True)
def test_poses_of_each_scene_are_known(blend: Path) -> None:
    """No joint is said to be moved in a scene that is not the active one of a file."""
    told = {one["code"] for one in asked(blend, "check")["issues"]}
    bpy.context.window.scene = bpy.data.scenes.new("Lights")
    again = {one["code"] for one in asked(saved(blend), "check")["issues"]}
    assert again == told
    assert "moved-since-joined" not in told


@pytest.mark.parametrize("blend", SCENES[1:2], indirect=True)
@pytest.mark.parametrize(
    ("form", "active", "code"),
    [
        ("glb", "Lights", "node-in-no-scene"),
        ("usda", "Lights", "left-out-of-export"),
        ("usda", "Second", "left-out-of-export"),
        ("glb", "Second", ""),
        ("xml", "Lights", ""),
    ],
)
def test_physics_in_another_scene_is_said(
    form: str, active: str, code: str, blend: Path, tmp_path: Path
) -> None:
    """A stage has the active scene alone, and readers of glTF show it first."""
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    bpy.data.scenes.new("Lights")
    bpy.context.window.scene = bpy.data.scenes[active]
    reply = asked(saved(blend), "export", output=str(tmp_path / f"out.{form}"), format=form)
    told = [one["code"] for one in reply["issues"] if "active scene" in one["message"]]
    assert told == [code] * bool(code)


def test_a_folder_that_is_write_protected_is_one_sentence(tmp_path: Path) -> None:
    """In every format, before anything is exported."""
    blend = saved(tmp_path / "a.blend")
    (tmp_path / "out.usda").mkdir()
    reply = asked(blend, "export", output=str(tmp_path / "out.usda"), format="usda")
    assert reply["error"].startswith("Nothing was written: cannot write ")
    assert reply["error"].endswith("it is a folder.")


@pytest.mark.parametrize("form", ["xml", "urdf"])
def test_a_robot_of_nothing_is_said(form: str, tmp_path: Path) -> None:
    """Its file has no body, whatever is shown in it."""
    bpy.ops.mesh.primitive_cube_add()
    blend = saved(tmp_path / "rock.blend")
    reply = asked(blend, "export", output=str(tmp_path / f"rock.{form}"), format=form)
    assert "no-physics" in {one["code"] for one in reply["issues"]}
