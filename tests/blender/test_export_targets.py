# SPDX-License-Identifier: GPL-3.0-or-later
"""Targets that cannot be written: one sentence, and all is left as it was."""

from __future__ import annotations

import gc
import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest
from io_scene_gltf2.blender.exp.export import gltf2_io_export
from omi_export import export, textured, two_bodies

from omi_physics_joint.blender.gltf_hooks import leftovers
from omi_physics_joint.cli.command import main
from omi_physics_joint.files.outputs import ASIDE

OFTEN = gc.get_threshold()
"""How often Python's collector looks, as it is before any export."""

BLOCKED = {
    "main": ("scene.gltf", "scene.gltf: it is a folder"),
    "glb": ("scene.glb", "scene.glb: it is a folder"),
    "bin": ("scene.bin", "scene.bin: it is a folder"),
}


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return every file and folder below a folder; nothing where there is no folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in (sorted(folder.rglob("*")) if folder.is_dir() else ())
    }


@pytest.fixture(autouse=True)
def aside(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder where folders that stand in for a target are made."""
    folder = tmp_path_factory.mktemp("aside")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def clean_log() -> Iterator[None]:
    """Take away the log of an exporter that raised: it would write into a closed stream later."""
    yield
    for name in ("glTFImporter", "glTFImporter_errors"):
        logging.getLogger(name).handlers.clear()


def left_aside() -> list[Path]:
    """Return our folders that stand in for a target."""
    return list(Path(tempfile.gettempdir()).glob(f"{ASIDE}*"))


def refused(target: Path) -> str:
    """Export to a file at frame 17, which must fail and leave nothing, and return the sentence."""
    before = contents(target.parent)
    bpy.context.scene.frame_set(17)
    with pytest.raises(RuntimeError) as caught:
        export(target)
    assert contents(target.parent) == before
    assert not left_aside()
    assert bpy.context.scene.frame_current == 17
    assert gc.get_threshold() == OFTEN
    assert "Traceback" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("what", BLOCKED)
def test_folder_in_the_place_of_a_file(what: str, strict: bool, tmp_path: Path) -> None:
    """A folder where a file must be is said in words, and old files and the session stay."""
    two_bodies()
    bpy.context.scene.omi_physics_joint.strict = strict
    name, reason = BLOCKED[what]
    (tmp_path / name).mkdir()
    for old in {"scene.gltf", "scene.bin", "scene.glb"} - {name}:
        (tmp_path / old).write_bytes(b"old")
    target = tmp_path / ("scene.glb" if what == "glb" else "scene.gltf")
    text = refused(target)
    assert "Nothing was written: cannot write " in text
    assert reason in text


@pytest.mark.parametrize("strict", [False, True])
def test_folder_that_cannot_be_made(strict: bool, tmp_path: Path) -> None:
    """Below a file no folder can be made, which is said before anything is written."""
    two_bodies()
    bpy.context.scene.omi_physics_joint.strict = strict
    (tmp_path / "file").write_bytes(b"old")
    assert "file is no folder" in refused(tmp_path / "file" / "scene.gltf")


def test_folder_in_the_place_of_a_picture(tmp_path: Path) -> None:
    """In strict a picture that cannot be written keeps the .bin and the file as they were."""
    still, *_ = two_bodies()
    textured(still)
    bpy.context.scene.omi_physics_joint.strict = True
    (tmp_path / "Picture.png").mkdir()
    (tmp_path / "scene.bin").write_bytes(b"old")
    assert "Picture.png: it is a folder" in refused(tmp_path / "scene.gltf")


def test_next_export_undoes_what_the_last_left(tmp_path: Path) -> None:
    """Where the exporter itself raised, what it left is put right by the next one."""
    two_bodies()
    undone = []
    leftovers.note(lambda: undone.append(True))
    export(tmp_path / "next.glb")
    assert undone == [True]


@pytest.mark.parametrize("form", ["glb", "gltf"])
@pytest.mark.parametrize("words", [(), ("--strict",)], ids=["loose", "strict"])
def test_command_line_says_one_sentence(
    form: str, words: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The command line names the target and why, in one line, and not a traceback."""
    two_bodies()
    bpy.context.scene.frame_set(17)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    (tmp_path / f"scene.{form}").mkdir()
    command = ["export", str(tmp_path / "scene.blend"), "--format", form, *words]
    assert main(command) == 3
    last = capfd.readouterr().err.strip().splitlines()[-1]
    assert last.startswith(f"error: {tmp_path / 'scene.blend'}: Nothing was written: cannot write")
    assert last.endswith("it is a folder.")
    assert bpy.context.scene.frame_current == 17


def test_exporter_that_raises_is_one_sentence(
    clean_log: None,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the exporter raises by itself reaches people as its last line; the frame is put back."""
    two_bodies()
    bpy.context.scene.frame_set(17)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))

    def broken(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(gltf2_io_export, "save_gltf", broken)
    assert main(["export", str(tmp_path / "scene.blend"), "--format", "gltf", "--no-strict"]) == 3
    last = capfd.readouterr().err.strip().splitlines()[-1]
    assert (
        last == f"error: {tmp_path / 'scene.blend'}: Nothing was written: No space left on device."
    )
    assert [path.name for path in tmp_path.iterdir()] == ["scene.blend"]
    assert bpy.context.scene.frame_current == 17
    assert gc.get_threshold() == OFTEN
