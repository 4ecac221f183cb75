# SPDX-License-Identifier: GPL-3.0-or-later
"""A strict export writes all of it or nothing, and says why in one sentence."""

from __future__ import annotations

import gc
import re
from pathlib import Path
from typing import Any

import bpy
import pytest
from omi_export import (
    JOINT,
    add_body,
    break_joint,
    connect,
    errors,
    export,
    extension,
    textured,
    two_bodies,
)

from omi_physics_joint.model.settings.recipes import weld

OFTEN = gc.get_threshold()
"""How often Python's collector looks, as it is before any export."""

KINDS = {
    "glb": {"filepath": "door.glb", "export_format": "GLB"},
    "gltf": {"filepath": "door.gltf", "export_format": "GLTF_SEPARATE"},
    "textures": {
        "filepath": "door.gltf",
        "export_format": "GLTF_SEPARATE",
        "export_texture_dir": "textures",
    },
    "textures beside": {
        "filepath": "files/door.gltf",
        "export_format": "GLTF_SEPARATE",
        "export_texture_dir": "../textures/deep",
    },
}
ORDER = ("hint", "warning", "error")
SENTENCE = re.compile(r"Error: Nothing was written: [^.\n]+\.\n?")


@pytest.fixture
def strict() -> None:
    """Switch strict on."""
    bpy.context.scene.omi_physics_joint.strict = True


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return every file and folder below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def run(folder: Path, kind: str, **options: Any) -> None:
    """Export into a folder."""
    given = {**KINDS[kind], **options}
    bpy.ops.export_scene.gltf(**{**given, "filepath": str(folder / given["filepath"])})


def refusal(folder: Path, kind: str, **options: Any) -> str:
    """Export into a folder, which must be refused, and return what the user reads."""
    with pytest.raises(RuntimeError) as caught:
        run(folder, kind, **options)
    return str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
def test_refused_export_leaves_old_files_as_they_were(
    kind: str, strict: None, tmp_path: Path
) -> None:
    """After a refusal every old file is byte-identical, and nothing is new in the folder."""
    still, moving, joint = two_bodies()
    textured(still)
    run(tmp_path, kind)
    before = contents(tmp_path)
    assert len(before) == {"glb": 1, "gltf": 3, "textures": 4, "textures beside": 6}[kind]
    moving.location = (5.0, 5.0, 5.0)
    moving.data.vertices[0].co = (9.0, 9.0, 9.0)
    break_joint(joint)
    textured(moving)
    assert SENTENCE.fullmatch(refusal(tmp_path, kind))
    assert contents(tmp_path) == before
    # The same export without strict does change the files, so the comparison can fail.
    bpy.context.scene.omi_physics_joint.strict = False
    run(tmp_path, kind)
    assert contents(tmp_path) != before


@pytest.mark.parametrize("kind", KINDS)
def test_refused_export_makes_nothing(kind: str, strict: None, tmp_path: Path) -> None:
    """In a fresh folder, and in one that does not exist yet, a refusal leaves nothing."""
    still, _, joint = two_bodies()
    textured(still)
    break_joint(joint)
    refusal(tmp_path, kind)
    refusal(tmp_path / "missing" / "folder", kind)
    assert contents(tmp_path) == {}


def test_refusal_is_one_sentence(strict: None, tmp_path: Path) -> None:
    """The user reads one line without a traceback that names the object, the fault and the fix."""
    still, moving, joint = two_bodies()
    break_joint(connect(moving, still, weld(), name="Second"))
    break_joint(joint)
    text = refusal(tmp_path, "glb")
    assert SENTENCE.fullmatch(text)
    assert "Traceback" not in text
    assert "holds nothing; choose" in text
    assert "1 more" in text
    assert sorted(errors()["joint-without-settings"]) == ["Second", "Weld"]


@pytest.mark.parametrize("what", ["breaks", "sleeps", "breaks, and is muted"])
def test_what_no_gltf_can_say_is_told_and_refused(what: str, tmp_path: Path) -> None:
    """At which force a joint breaks, and that a body starts asleep; not of what is left out."""
    _, moving, joint = two_bodies()
    moving.omi_physics_body.starts_asleep = what == "sleeps"
    joint.omi_physics_breaking.use_breaking = what != "sleeps"
    joint.omi_physics_joint.mute = what.endswith("muted")
    export(tmp_path / "door.glb")
    told = [
        one for one in bpy.context.window_manager.omi_physics_joint.issues if "glTF" in one.message
    ]
    code = "sleep-not-said" if what == "sleeps" else "breaking-not-said"
    assert [one.code for one in told] == [code] * (not joint.omi_physics_joint.mute)
    bpy.context.scene.omi_physics_joint.strict = True
    if told:
        assert told[0].message[:-1] in refusal(tmp_path, "glb")


@pytest.mark.parametrize("kind", KINDS)
def test_refused_export_leaves_the_session_as_it_was(
    kind: str, strict: None, tmp_path: Path
) -> None:
    """Frame, sub-frame, selection, active object and mode are as before a refusal."""
    still, moving, joint = two_bodies()
    break_joint(joint)
    scene, layer = bpy.context.scene, bpy.context.view_layer
    scene.frame_set(17, subframe=0.25)
    for obj in scene.objects:
        obj.select_set(obj in (still, joint))
    layer.objects.active = still
    bpy.ops.object.mode_set(mode="EDIT")
    refusal(tmp_path, kind)
    assert (scene.frame_current, scene.frame_subframe) == (17, 0.25)
    assert layer.objects.active == still
    assert still.mode == "EDIT"
    assert {obj.name for obj in scene.objects if obj.select_get()} == {still.name, joint.name}
    assert moving.mode == "OBJECT"


@pytest.mark.parametrize("refused", [False, True])
def test_collector_is_as_it_was(refused: bool, strict: None, tmp_path: Path) -> None:
    """Python's garbage collector, which leaves older objects alone meanwhile, is as it was."""
    _, _, joint = two_bodies()
    if refused:
        break_joint(joint)
        refusal(tmp_path, "glb")
    else:
        run(tmp_path, "glb")
    assert gc.isenabled()
    assert gc.get_threshold() == OFTEN


def test_strict_lets_warnings_and_hints_pass(strict: None, tmp_path: Path) -> None:
    """Only errors refuse, and what OMI alone cannot say: a scene with hints is written."""
    two_bodies()
    gltf = export(tmp_path / "hints.glb")
    found = bpy.context.window_manager.omi_physics_joint.issues
    assert {issue.severity for issue in found} == {"hint"}
    assert extension(gltf, "Weld")


@pytest.mark.parametrize("worst", ORDER)
def test_an_export_reports_no_more_than_matters(
    worst: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Hints stand in the list alone, warnings in the log too, and errors pop up besides."""
    _, _, joint = two_bodies()
    if worst == "warning":
        joint.omi_physics_joint.settings.drives.add().damping = 1.0  # where all is locked
    elif worst == "error":
        break_joint(joint)
    run(tmp_path, "glb")
    found = {one.severity for one in bpy.context.window_manager.omi_physics_joint.issues}
    assert max(found, key=ORDER.index) == worst
    assert capfd.readouterr().out.count("Physics joints: ") == ORDER.index(worst)


@pytest.mark.parametrize("dialect", ["OMI", "BOTH", "KHR"])
def test_strict_writes_no_rope_that_omi_makes_a_box(
    strict: None, tmp_path: Path, dialect: str
) -> None:
    """One bound on several axes is Khronos' alone: without them the file would say another."""
    two_bodies()
    (weld,) = bpy.data.node_groups
    weld.limits.clear()
    rope = weld.limits.add()
    rope.freedom, rope.axes, rope.together, rope.use_min = "linear", (True,) * 3, True, False
    bpy.context.scene.omi_physics_joint.dialect = dialect
    if dialect == "OMI":
        assert "one bound on several axes" in refusal(tmp_path, "glb")
        assert contents(tmp_path) == {}
    else:
        run(tmp_path, "glb")
        assert "door.glb" in contents(tmp_path)


def test_without_strict_the_file_is_written_and_issues_are_listed(tmp_path: Path) -> None:
    """Without strict the sound part is written, and each error is in the list of issues."""
    still, moving, joint = two_bodies()
    connect(moving, still, weld(), name="Sound")
    break_joint(joint)
    gltf = export(tmp_path / "partly.glb")
    report = bpy.context.window_manager.omi_physics_joint
    assert report.title == "Export"
    assert errors() == {"joint-without-settings": ["Weld"]}
    (line,) = [issue for issue in report.issues if issue.severity == "error"]
    assert line.object_name == "Weld"
    assert line.message
    assert line.fix
    assert extension(gltf, "Sound")
    assert not extension(gltf, "Weld")


def test_a_lone_broken_joint_is_not_overlooked(strict: None, tmp_path: Path) -> None:
    """Where nothing else is physical, a joint that cannot be read still refuses the export."""
    still, moving, joint = two_bodies()
    break_joint(joint)
    still.omi_physics_body.is_body = moving.omi_physics_body.is_body = False
    assert SENTENCE.fullmatch(refusal(tmp_path, "glb"))
    assert contents(tmp_path) == {}


def test_error_in_another_scene_refuses_all(strict: None, tmp_path: Path) -> None:
    """With several scenes in one file, an error in the last one keeps the first unwritten."""
    two_bodies()
    other = bpy.data.scenes.new("Second")
    lonely = add_body("Lonely", collection=other.collection)
    lonely.omi_physics_joint.is_joint = True
    for kind in KINDS:
        assert SENTENCE.fullmatch(refusal(tmp_path, kind))
    assert contents(tmp_path) == {}


def broken(*_arguments: object, **_options: object) -> None:
    """Stand in for a fault of ours."""
    message = "a fault of ours"
    raise KeyError(message)


EARLY = ("mechanism_from_placed", "diagnose", "placed_in_export", "gather_meshes")
LATE = ("mesh_indices", "put_frames", "follow")
"""Parts that work when the exporter has written a .bin and its pictures already."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", [*EARLY, *LATE])
def test_crash_in_strict_writes_nothing(
    part: str, kind: str, strict: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of ours is told to the user and, in strict, leaves all files as they were."""
    still, *_ = two_bodies()
    textured(still)
    run(tmp_path, kind)
    before = contents(tmp_path)
    still.data.vertices[0].co = (9.0, 9.0, 9.0)
    crash(part, monkeypatch)
    text = refusal(tmp_path, kind)
    assert "could not be exported" in text
    assert "a fault of ours" in text
    assert "Traceback" not in text
    assert contents(tmp_path) == before


@pytest.mark.parametrize("part", [*EARLY, *LATE])
def test_crash_without_strict_is_told(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without strict the plain file is written, and the user hears that physics is not in it."""
    two_bodies()
    crash(part, monkeypatch)
    assert "could not be exported" in refusal(tmp_path, "glb")
    assert list(contents(tmp_path)) == ["door.glb"]


def crash(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a function that the export calls raise."""
    from omi_physics_joint.blender.gltf_hooks.exported import exporting, phases

    (module,) = (one for one in (exporting, phases) if hasattr(one, part))
    monkeypatch.setattr(module, part, broken)


@pytest.mark.parametrize("kind", KINDS)
def test_strict_writes_the_same_files(kind: str, tmp_path: Path) -> None:
    """Where nothing is wrong, strict writes byte for byte what is written without it."""
    still, *_ = two_bodies()
    textured(still)
    for folder, strict_too in (("loose", False), ("strict", True)):
        bpy.context.scene.omi_physics_joint.strict = strict_too
        run(tmp_path / folder, kind)
    assert contents(tmp_path / "loose") == contents(tmp_path / "strict")
    assert (tmp_path / "strict" / str(KINDS[kind]["filepath"])).is_file()


def test_extensions_are_declared_as_used_and_not_required(strict: None, tmp_path: Path) -> None:
    """A reader that does not know our extensions can still show the file."""
    two_bodies()
    gltf = export(tmp_path / "used.glb")
    assert JOINT in gltf["extensionsUsed"]
    assert not set(gltf.get("extensionsRequired", ())) & set(gltf["extensionsUsed"])
