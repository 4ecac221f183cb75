# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots come into Blender and go out of it, in one step of undo, and errors are one sentence."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest
from random_robots import mjcf, urdf
from robot_models import ARM, LEG, tetrahedron

from benchmarks.robots.coordinates import differences, joints_of
from omi_physics_joint.blender.robots.operators import OMI_JOINT_OT_export_robot
from omi_physics_joint.robots.element import parsed


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    """An arm with a mesh beside it."""
    (tmp_path / "arm/meshes").mkdir(parents=True)
    (tmp_path / "arm/meshes/upper.stl").write_bytes(tetrahedron())
    path = tmp_path / "arm/arm.urdf"
    path.write_text(ARM, "utf-8")
    return path


def joints() -> set[str]:
    """Return the names of the joints in the scene."""
    return {
        obj.name for obj in bpy.context.scene.objects if obj.omi_physics_joint.settings is not None
    }


def test_a_robot_of_ros_becomes_objects(arm: Path) -> None:
    """Links are objects where they stand, Z up, with their joints, masses and meshes."""
    assert bpy.ops.omi_joint.import_robot(filepath=str(arm)) == {"FINISHED"}
    objects = bpy.context.scene.objects
    assert {"base", "upper", "hand", "tool"} <= set(objects.keys())
    assert joints() == {"shoulder", "reach"}
    assert tuple(objects["upper"].matrix_world.translation) == pytest.approx((0, 0, 0.5), abs=1e-6)
    assert objects["upper"].omi_physics_body.mass == pytest.approx(2.0)
    issues = bpy.context.window_manager.omi_physics_joint.issues
    assert "urdf-kept" in {issue.code for issue in issues}


@pytest.mark.parametrize("suffix", [".urdf", ".xml"])
def test_a_robot_goes_out_as_it_came(arm: Path, suffix: str) -> None:
    """Links, joints and mesh files are written; the scene's own choice of files stays."""
    bpy.ops.omi_joint.import_robot(filepath=str(arm))
    kept = bpy.context.scene.omi_physics_joint.dialect
    output = arm.parent / f"out{suffix}"
    assert bpy.ops.omi_joint.export_robot(filepath=str(output)) == {"FINISHED"}
    root = parsed(output.read_bytes(), output.name)
    if suffix == ".urdf":
        assert {link.text("name") for link in root.all("link")} >= {"base", "upper", "hand", "tool"}
        assert {joint.text("name") for joint in root.all("joint")} >= {"shoulder", "reach"}
    else:
        assert b'name="shoulder"' in output.read_bytes()
        assert root.text("model") == "out"
    assert list((arm.parent / "out_meshes").glob("*.stl"))
    assert bpy.context.scene.omi_physics_joint.dialect == kept


def test_a_robot_is_written_as_it_stands_whatever_other_files_are_for(arm: Path) -> None:
    """For Godot angles would be reversed; modifiers are in meshes, what is not selected in none."""
    bpy.ops.omi_joint.import_robot(filepath=str(arm))
    options = bpy.context.scene.omi_physics_joint
    found = []
    for choice in ({}, {"target": "GODOT", "dialect": "OMI"}):
        for name, value in choice.items():
            setattr(options, name, value)
        output = arm.parent / "out.urdf"
        bpy.ops.omi_joint.export_robot(filepath=str(output))
        found.append(output.read_bytes())
    assert found[0] == found[1]
    assert (options.target, options.dialect) == ("GODOT", "OMI")
    (mesh,) = (arm.parent / "out_meshes").glob("*.stl")
    facets = mesh.stat().st_size - 84
    (shown,) = (one for one in bpy.data.objects if one.type == "MESH" and one.data.polygons)
    shown.modifiers.new("Twice", "ARRAY")
    bpy.ops.object.select_all(action="DESELECT")
    for one in ("base", "upper", shown.name):
        bpy.data.objects[one].select_set(True)
    bpy.ops.omi_joint.export_robot(filepath=str(output), use_selection=True)
    names = {link.text("name") for link in parsed(output.read_bytes(), "out").all("link")}
    assert {"base", "upper"} <= names
    assert not {"hand", "tool"} & names
    assert mesh.stat().st_size == 84 + 2 * facets


def test_a_model_of_mujoco_becomes_objects(tmp_path: Path) -> None:
    """Stacks of joints come in through light bodies, in the pose of the key frame."""
    path = tmp_path / "leg.xml"
    path.write_text(LEG, "utf-8")
    assert bpy.ops.omi_joint.import_robot(filepath=str(path)) == {"FINISHED"}
    assert joints() == {"lift", "swing", "spread", "bend"}
    hip = bpy.context.scene.objects["hip"]
    assert tuple(hip.matrix_world.translation) == pytest.approx((0, 0, 1.1), abs=1e-6)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.urdf", "<!DOCTYPE robot><robot/>", "document type"),
        ("a.urdf", "<robot", "no XML"),
        ("a.txt", "", "must be named"),
        ("gone.xml", None, "cannot be read"),
    ],
)
def test_what_cannot_be_read_changes_nothing(
    name: str, text: str | None, words: str, tmp_path: Path
) -> None:
    """An error is one sentence, and the scene is as it was."""
    path = tmp_path / name
    if text is not None:
        path.write_text(text)
    before = len(bpy.data.objects)
    with pytest.raises(RuntimeError, match=words):
        bpy.ops.omi_joint.import_robot(filepath=str(path))
    assert len(bpy.data.objects) == before


def test_an_export_that_cannot_be_written_leaves_the_old_file(arm: Path) -> None:
    """A folder in the place of the file is named, and what is there stays."""
    bpy.ops.omi_joint.import_robot(filepath=str(arm))
    output = arm.parent / "out.urdf"
    output.mkdir()
    with pytest.raises(RuntimeError, match="folder"):
        bpy.ops.omi_joint.export_robot(filepath=str(output))
    assert output.is_dir()


def test_a_strict_export_that_would_lose_something_leaves_the_old_file(tmp_path: Path) -> None:
    """URDF starts at zero: without strict that is a warning, and the file is written."""
    path, output = tmp_path / "leg.xml", tmp_path / "out.urdf"
    path.write_text(LEG, "utf-8")
    bpy.ops.omi_joint.import_robot(filepath=str(path))
    output.write_bytes(b"old")
    before = {one.name for one in tmp_path.iterdir()}
    bpy.context.scene.omi_physics_joint.strict = True
    with pytest.raises(RuntimeError, match="strict"):
        bpy.ops.omi_joint.export_robot(filepath=str(output))
    assert output.read_bytes() == b"old"
    assert {one.name for one in tmp_path.iterdir()} == before
    bpy.context.scene.omi_physics_joint.strict = False
    bpy.ops.omi_joint.export_robot(filepath=str(output))
    assert output.read_bytes() != b"old"


def test_an_import_is_one_step_of_undo(arm: Path) -> None:
    """Undo takes the whole robot away again."""
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.omi_joint.import_robot("EXEC_DEFAULT", True, filepath=str(arm))
    assert "upper" in bpy.context.scene.objects
    bpy.ops.ed.undo()
    assert "upper" not in bpy.context.scene.objects


@pytest.mark.parametrize("seed", range(4))
def test_coordinates_come_back_as_they_went(seed: int, tmp_path: Path) -> None:
    """Names, order, signs, bounds and places of a random robot are those of its file again."""
    path, output = tmp_path / "robot.urdf", tmp_path / "again.urdf"
    path.write_text(urdf(seed, floats=seed % 2 == 0), "utf-8")
    bpy.ops.omi_joint.import_robot(filepath=str(path))
    bpy.ops.omi_joint.export_robot(filepath=str(output))
    assert differences(path.read_text("utf-8"), output.read_text("utf-8")) == []


@pytest.mark.parametrize("seed", range(4))
def test_joints_of_mujoco_come_back_as_they_went(seed: int, tmp_path: Path) -> None:
    """Stacks of hinges and slides have their names, order, axes and ranges again."""
    path, output = tmp_path / "model.xml", tmp_path / "again.xml"
    path.write_text(mjcf(seed), "utf-8")
    bpy.ops.omi_joint.import_robot(filepath=str(path))
    bpy.ops.omi_joint.export_robot(filepath=str(output))
    before, after = (joints_of(one.read_text("utf-8")) for one in (path, output))
    assert list(after) == list(before)
    assert all(after[name] == pytest.approx(before[name], abs=1e-5) for name in before)


def test_blender_shows_the_bounds_of_the_file(arm: Path) -> None:
    """A hinge of -1 to 2 is one of -1 to 2 about Blender's Z, whatever damping it has."""
    for text in (ARM, ARM.replace('<dynamics damping="0.4" friction="0.1"/>', "")):
        arm.write_text(text, "utf-8")
        bpy.ops.omi_joint.import_robot(filepath=str(arm))
        joint = next(obj for obj in bpy.context.selected_objects if "shoulder" in obj.name)
        limits = joint.omi_physics_joint.settings.limits
        about_z = [one for one in limits if one.freedom == "angular" and one.axes[2]]
        bounds = [(one.angular_min, one.angular_max) for one in about_z]
        assert bounds == [(pytest.approx(-1.0), pytest.approx(2.0))]


def test_the_base_may_be_chosen(arm: Path) -> None:
    """The import dialog lets a base float that the file has standing."""
    bpy.ops.omi_joint.import_robot(filepath=str(arm), base="floating")
    assert bpy.context.scene.objects["base"].omi_physics_body.type == "dynamic"


@pytest.mark.parametrize(
    ("name", "full"),
    [("ARM", "ARM.urdf"), ("ARM.URDF", "ARM.URDF"), ("a.Xml", "a.Xml"), ("", "")],
)
def test_the_file_dialog_adds_the_ending_that_a_name_lacks(name: str, full: str) -> None:
    """However an ending is written, it is there."""
    dialog = SimpleNamespace(filepath=name)
    assert OMI_JOINT_OT_export_robot.check(dialog, bpy.context) is (name != full)
    assert dialog.filepath == full


@pytest.mark.parametrize("how", ["copied", "placed", "read twice"])
@pytest.mark.parametrize("suffix", [".urdf", ".xml"])
def test_each_robot_of_a_scene_follows_its_own_joints(how: str, suffix: str, arm: Path) -> None:
    """Also where what is followed was renamed: in none but its own robot, and none is lost."""
    slides = '<axis xyz="0 0 1"/>'
    text = ARM.replace(slides, f'{slides}<mimic joint="shoulder" multiplier="0.5"/>')
    arm.write_text(text, "utf-8")
    bpy.ops.omi_joint.import_robot(filepath=str(arm))
    bpy.data.objects["shoulder"].name = "renamed"
    bpy.ops.object.select_all(action="SELECT")
    if how == "copied":
        bpy.ops.object.duplicate()
    elif how == "placed":
        made = bpy.data.collections.new("Arm")
        for obj in bpy.context.scene.objects:
            made.objects.link(obj)
        bpy.ops.object.collection_instance_add(collection=made.name, location=(3.0, 0.0, 0.0))
    else:
        bpy.ops.omi_joint.import_robot(filepath=str(arm))
    output = arm.parent / f"out{suffix}"
    bpy.ops.omi_joint.export_robot(filepath=str(output))
    root = parsed(output.read_bytes(), output.name)
    if suffix == ".urdf":
        followed = [one.text("joint") for joint in root.all("joint") for one in joint.all("mimic")]
    else:
        equality = next(root.all("equality"))
        followed = [one.text("joint2") for one in equality.all("joint")]
    second = {"copied": "renamed.001", "placed": "renamed 2", "read twice": "shoulder"}[how]
    assert sorted(followed) == sorted(["renamed", second])
