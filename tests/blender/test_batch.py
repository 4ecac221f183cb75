# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line on .blend files, through the add-on itself."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from math import pi
from pathlib import Path

import bpy
import pytest
from scenes import door, select

from omi_physics_joint.blender.check.diagnosis import REBOUND
from omi_physics_joint.cli.command import main
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.read import read, read_document
from omi_physics_joint.library.motion import trying
from omi_physics_joint.library.offered import load as load_any
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.spans import spans_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def blend(tmp_path: Path) -> Path:
    """Return a saved file with a door in it."""
    door()
    path = tmp_path / "door.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def exported(path: Path) -> Mechanism:
    """Return what an exported file holds; it must be sound."""
    reading = read(load(path).json)
    assert not reading.issues
    return reading.mechanism


def test_export_writes_beside_or_into_a_folder(
    blend: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Export writes .glb or .gltf with its .bin, says where, and ends with 0."""
    assert main(["export", str(blend)]) == 0
    assert capfd.readouterr().out.splitlines()[-1] == str(blend.with_suffix(".glb"))
    folder = blend.parent / "out"
    assert main(["export", str(blend), "--output-dir", str(folder), "--format", "gltf"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["door.bin", "door.gltf"]
    assert len(list(exported(folder / "door.gltf").joints())) == 1


def test_strict_export_of_a_broken_file(blend: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Strict writes nothing, ends with 1, and says why in one line without a traceback."""
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    bpy.data.objects["Door Hinge"].omi_physics_joint.connected_body = None
    bpy.ops.wm.save_mainfile()
    assert main(["export", str(blend), "--strict"]) == 1
    assert not blend.with_suffix(".glb").exists()
    error = capfd.readouterr().err
    assert "Nothing was written: Door Hinge: It has no second body" in error
    assert "Traceback" not in error


def test_diff_tells_what_blender_says_of_a_broken_file(
    blend: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Its export leaves out what is broken, so nothing is wrong in the file that is compared."""
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    bpy.data.objects["Door Hinge"].omi_physics_joint.connected_body = None
    bpy.ops.wm.save_mainfile()
    assert main(["diff", str(blend), str(blend)]) == 0
    assert "Door Hinge: It has no second body" in capfd.readouterr().err


def test_check_and_info_as_one_document(blend: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Check and info print one JSON document on a .blend, the same as on its exported file."""
    assert main(["check", "--json", str(blend)]) == 0
    report = json.loads(capfd.readouterr().out)
    assert {issue["severity"] for issue in report["files"][0]["issues"]} <= {"warning", "hint"}
    assert main(["info", "--json", str(blend)]) == 0
    info = json.loads(capfd.readouterr().out)["files"][0]["info"]
    assert main(["export", str(blend)]) == 0
    capfd.readouterr()
    assert main(["info", "--json", str(blend.with_suffix(".glb"))]) == 0
    assert json.loads(capfd.readouterr().out)["files"][0]["info"]["joints"] == info["joints"]


def test_words_of_check_mean_the_same_of_a_blend_as_of_its_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readers, and trying, by which the strong spring from afar is told of no more.

    Stops of Godot's are told of a .blend only where they are tried.
    """
    monkeypatch.setattr(trying, "SECONDS", 0.1)
    _, _, hinge = door(use_range=False)
    drive = hinge.omi_physics_joint.settings.drives.add()
    drive.freedom, drive.axis, drive.use_position_target = "angular", "1", True
    drive.angular_position_target, drive.stiffness, drive.damping = 1.5, 2000.0, 50.0
    blend = tmp_path / "door.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    assert main(["export", str(blend)]) == 0
    for words, is_far in (
        (["--reader", "godot"], True),
        (["--reader", "godot", "--try"], False),
        (["--reader", "babylon", "--try"], False),
    ):
        codes = []
        for path in (blend, blend.with_suffix(".glb")):
            capfd.readouterr()
            main(["check", str(path), "--json", *words])
            (report,) = json.loads(capfd.readouterr().out)["files"]
            codes.append({issue["code"] for issue in report["issues"]} - {REBOUND})
        assert codes[0] == codes[1], words
        assert ("godot-far-spring" in codes[0]) == is_far, words


def test_articulations_of_a_blend_are_those_of_its_file(
    blend: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Types, coordinates and frames are the same, and people read the tree."""
    assert main(["export", str(blend)]) == 0
    found = []
    for path in (blend, blend.with_suffix(".glb")):
        capfd.readouterr()
        assert main(["info", "--json", "--articulations", "*", str(path)]) == 0
        info = json.loads(capfd.readouterr().out)["files"][0]["info"]
        found.append(info["articulations"])
    assert found[0]["articulations"][0]["joints"][0]["type"] == "REVOLUTE"
    frames = [one["articulations"][0]["joints"][0].pop("child_frame") for one in found]
    assert frames[0] == pytest.approx(frames[1], abs=1e-6)
    frames = [one["articulations"][0]["joints"][0].pop("parent_frame") for one in found]
    assert frames[0] == pytest.approx(frames[1], abs=1e-6)
    positions = [one.pop("joint_q") for one in found]
    assert positions[0] == pytest.approx(positions[1], abs=1e-6)
    assert found[0] == found[1]
    assert main(["info", "--articulations", str(blend)]) == 0
    assert "  Door Hinge: REVOLUTE about Z, Frame > Door" in capfd.readouterr().out


def test_info_describes_all_scenes(blend: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What is in other scenes than the active one is described too, and its errors count."""
    bpy.context.window.scene = bpy.data.scenes.new("Second")
    second = door()[2]
    name = second.name
    bpy.ops.wm.save_mainfile()
    capfd.readouterr()
    assert main(["info", "--json", str(blend)]) == 0
    info = json.loads(capfd.readouterr().out)["files"][0]["info"]
    assert len(info["joints"]) == 2
    assert {(one["body"], one["connected_body"]) for one in info["joints"]} >= {("Door", "Frame")}
    bpy.data.objects[name].omi_physics_joint.connected_body = None
    bpy.ops.wm.save_mainfile()
    capfd.readouterr()
    assert main(["info", "--json", str(blend)]) == 1
    report = json.loads(capfd.readouterr().out)["files"][0]
    assert "joint-without-partner" in {issue["code"] for issue in report["issues"]}


@pytest.mark.parametrize("frame_too", [True, False])
def test_joints_of_instances_in_other_scenes_have_their_own_bodies(
    frame_too: bool, blend: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each of two instances of a door, below another, is held by the frame in it or beside it."""
    bpy.context.window.scene = other = bpy.data.scenes.new("Second")
    pair = bpy.data.collections.new("Pair")
    for obj in door()[not frame_too :]:
        other.collection.objects.unlink(obj)
        pair.objects.link(obj)
    above = bpy.data.objects.new("Above", None)
    other.collection.objects.link(above)
    for name in ("Left", "Right"):
        instance = bpy.data.objects.new(name, None)
        instance.instance_type, instance.instance_collection = "COLLECTION", pair
        instance.parent = above
        other.collection.objects.link(instance)
    bpy.ops.wm.save_mainfile()
    capfd.readouterr()
    assert main(["info", "--json", str(blend)]) == 0
    joints = json.loads(capfd.readouterr().out)["files"][0]["info"]["joints"]
    found = sorted((one["body"], one["connected_body"]) for one in joints)
    assert found == [("Door", "Frame"), *[("Door.001", "Frame.001")] * 2]


@pytest.mark.parametrize("command", ["check", "info", "export"])
def test_standard_output_is_one_document(blend: Path, tmp_path: Path, command: str) -> None:
    """In a process of its own, --json prints one JSON document whatever Blender prints.

    Nothing is left in the temporary folder.
    """
    (tmp_path / "temporary").mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    words = [sys.executable, "-m", "omi_physics_joint", command, "--json", str(blend)]
    done = subprocess.run(
        words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["command"] == command
    assert not list((tmp_path / "temporary").iterdir())


@pytest.mark.parametrize(
    ("for_godot", "for_all"),
    [
        (("--target", "godot"), ("--target", "specified")),
        (("--godot-angular-sign",), ("--no-godot-angular-sign",)),
    ],
)
def test_target_counts_only_in_the_file(
    blend: Path, for_godot: tuple[str, ...], for_all: tuple[str, ...]
) -> None:
    """What is written for Godot is spelled otherwise and means the same; older words still do."""
    before = blend.read_bytes()
    said, meant = [], []
    for words in (for_godot, for_all):
        assert main(["export", str(blend), *words]) == 0
        path = blend.with_suffix(".glb")
        limits = load(path).json["extensions"]["OMI_physics_joint"]["physicsJoints"][0]["limits"]
        said += [(one["min"], one["max"]) for one in limits if one["min"] != one["max"]]
        mechanism = exported(path)
        ((_, _, joint),) = mechanism.joints()
        spans = spans_of(mechanism.settings_of(joint).limits)
        meant += [(span.low, span.high) for span in spans if span.is_lopsided]
    assert said[0] == pytest.approx((-said[1][1], -said[1][0]))
    assert meant[0] == pytest.approx(meant[1])
    assert {round(abs(bound), 5) for bound in said[1]} == {0.0, round(pi / 2, 5)}
    assert blend.read_bytes() == before


def test_saved_export_settings_hold(blend: Path) -> None:
    """What the export dialog has remembered in the file also holds for the command line."""
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    select(bpy.data.objects["Frame"])
    bpy.context.scene["glTF2ExportSettings"] = {"use_selection": True}
    bpy.ops.wm.save_mainfile()
    assert main(["export", str(blend), "--no-strict"]) in {0, 1}
    assert [node.name for node in exported(blend.with_suffix(".glb")).nodes] == ["Frame"]


def _opened(blend: Path) -> None:
    """Have the door of a file go up until frame 10, and save the file there."""
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    leaf = bpy.data.objects["Door"]
    leaf.keyframe_insert("location", frame=0)
    leaf.location.z = 5.0
    leaf.keyframe_insert("location", frame=10)
    bpy.context.scene.frame_set(10)
    bpy.ops.wm.save_mainfile()


def test_current_frame(blend: Path) -> None:
    """What is asked for counts, else what the file has saved, else it is the pose of frame 0."""
    _opened(blend)
    for saved in (None, False, True):
        if saved is not None:
            bpy.ops.wm.open_mainfile(filepath=str(blend))
            bpy.context.scene["glTF2ExportSettings"] = {"export_current_frame": saved}
            bpy.ops.wm.save_mainfile()
        for words, said in (
            (["--current-frame"], True),
            (["--no-current-frame"], False),
            ([], saved),
        ):
            main(["export", str(blend), *words])
            nodes = {node.name: node for node in exported(blend.with_suffix(".glb")).nodes}
            height = nodes["Door"].world[1][3]
            assert height == pytest.approx(5.0 if said else 0.0, abs=1e-6), (saved, words)


@pytest.mark.parametrize("form", ["glb", "usda", "xml"])
def test_current_frame_counts_in_every_format(form: str, blend: Path) -> None:
    """What is asked for, be it the one or the other, is the pose of each."""
    if form == "usda" and importlib.util.find_spec("pxr") is None:
        pytest.skip("this Blender has no pxr")
    _opened(blend)
    heights = {}
    for word in ("--current-frame", "--no-current-frame"):
        main(["export", str(blend), word, "--format", form])
        mechanism = read_document(load_any(blend.with_suffix(f".{form}"))).mechanism
        nodes = {node.name: node for node in mechanism.nodes}
        heights[word] = nodes["Door"].world[1][3]
    assert heights == pytest.approx({"--current-frame": 5.0, "--no-current-frame": 0.0}, abs=1e-6)


def test_junk_is_unreadable(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A file that Blender cannot open is one line and exit code 3."""
    path = tmp_path / "junk.blend"
    path.write_text("junk", encoding="utf-8")
    assert main(["check", str(path)]) == 3
    last = capfd.readouterr().err.strip().splitlines()[-1]
    assert last.startswith(f"error: {path}: Blender cannot open it")


def test_file_for_godot_is_not_warned_of_godot(blend: Path) -> None:
    """Where the angles are reversed for Godot, the export does not warn of Godot's angles."""
    codes = {}
    for choice in (False, True):
        bpy.ops.wm.open_mainfile(filepath=str(blend))
        options = bpy.context.scene.omi_physics_joint
        options.readers = {"GODOT_OMI"}
        options.target = "GODOT" if choice else "SPECIFIED"
        bpy.ops.export_scene.gltf(filepath=str(blend.with_suffix(".glb")))
        issues = bpy.context.window_manager.omi_physics_joint.issues
        codes[choice] = "godot-angular-sign" in {issue.code for issue in issues}
    assert codes == {False: True, True: False}


@pytest.mark.parametrize("form", ["gltf", "usda", "usdc", "xml", "urdf"])
def test_every_format_is_exported_in_one_step(form: str, blend: Path) -> None:
    """What is written has the door's joint; strict refuses in each format, and writes nothing."""
    if form.startswith("usd") and importlib.util.find_spec("pxr") is None:
        pytest.skip("this Blender has no pxr")
    out = blend.with_name("out")
    words = ["export", str(blend), "--format", form, "--output-dir", str(out)]
    assert main(words) == 0
    written = out / f"door.{form}"
    reading = read_document(load_any(written))
    assert sum(node.joint is not None for node in reading.mechanism.nodes) == 1
    before = written.read_bytes()
    bpy.data.objects["Door Hinge"].omi_physics_joint.first_body = None
    bpy.data.objects["Door Hinge"].parent = None
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    names = {one.name for one in out.rglob("*")}
    assert main([*words, "--strict"]) == 1
    assert written.read_bytes() == before
    assert {one.name for one in out.rglob("*")} == names
