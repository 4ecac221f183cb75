# SPDX-License-Identifier: GPL-3.0-or-later
"""An export replaces old files at once or leaves them, whatever happens while it is written."""

from __future__ import annotations

import logging
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
import pytest
from omi_export import two_bodies
from scenes import door

from omi_physics_joint.blender.gltf_hooks import leftovers
from omi_physics_joint.blender.gltf_hooks.exported import exporting
from omi_physics_joint.cli.command import main
from omi_physics_joint.files import outputs
from omi_physics_joint.files.outputs import ASIDE

ROOT = Path(__file__).resolve().parents[2]
FORMS = {"glb": "GLB", "gltf": "GLTF_SEPARATE"}
KILLED = """
import builtins, os, signal, sys
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/tests"]
import bpy
import addon_utils
addon_utils.enable("omi_physics_joint", default_set=True)
bpy.ops.wm.read_homefile(use_empty=True)
from scenes import door
door()
target, form, number, strict = sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5] == "strict"
bpy.context.scene.omi_physics_joint.strict = strict
from io_scene_gltf2.blender.exp import exporter
from io_scene_gltf2.io.exp import export

class Killing:
    left = number

    def __init__(self, file):
        self.file = file

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.file.close()

    def close(self):
        self.file.close()

    def write(self, data):
        if Killing.left == 0:
            self.file.write(data[: len(data) // 2])
            self.file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        Killing.left -= 1
        return self.file.write(data)

def opened(path, mode="r", **options):
    return Killing(builtins.open(path, mode, **options))

exporter.open = export.open = opened
bpy.ops.export_scene.gltf(filepath=target, export_format=form)
sys.stdout.flush()
os._exit(7)
"""


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return every file and folder below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def run(target: Path, form: str) -> None:
    """Export to a file."""
    bpy.ops.export_scene.gltf(filepath=str(target), export_format=FORMS[form])


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Let no file grow beyond a size, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        for name in ("glTFImporter", "glTFImporter_errors"):
            logging.getLogger(name).handlers.clear()


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [0, 100, 900])
def test_a_full_disk_leaves_old_files(form: str, strict: bool, size: int, tmp_path: Path) -> None:
    """Wherever the disk is full, old files are byte for byte as they were, and nothing is new."""
    *_, moving = two_bodies()[:2]
    bpy.context.scene.omi_physics_joint.strict = strict
    target = tmp_path / f"door.{form}"
    run(target, form)
    before = contents(tmp_path)
    moving.data.vertices[0].co = (9.0, 9.0, 9.0)
    with full_disk(size), pytest.raises(RuntimeError):
        run(target, form)
    leftovers.put_back()
    assert contents(tmp_path) == before
    run(target, form)
    assert set(contents(tmp_path)) == set(before)
    assert contents(tmp_path) != before


@pytest.mark.parametrize(
    ("form", "number", "strict"),
    [
        ("glb", 0, "loose"),
        ("glb", 5, "strict"),
        ("gltf", 0, "strict"),
        ("gltf", 1, "loose"),
        ("gltf", 2, "strict"),
    ],
)
def test_a_kill_in_the_moment_of_writing_leaves_old_files(
    form: str, number: int, strict: str, tmp_path: Path
) -> None:
    """A process that is killed in the middle of a file hurts none; the next export clears up."""
    door()
    target = tmp_path / f"door.{form}"
    run(target, form)
    before = contents(tmp_path)
    words = [sys.executable, "-c", KILLED, str(ROOT), str(target), FORMS[form], str(number), strict]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == -9, done.stderr
    left = {name: data for name, data in contents(tmp_path).items() if ASIDE in name}
    assert left
    assert {name: data for name, data in contents(tmp_path).items() if name not in left} == before
    run(target, form)
    assert set(contents(tmp_path)) == set(before)


def test_what_cannot_be_replaced_in_the_end_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that another program holds when all is written: one sentence, all files as before."""
    *_, moving = two_bodies()[:2]
    target = tmp_path / "door.gltf"
    run(target, "gltf")
    before = contents(tmp_path)
    moving.data.vertices[0].co = (9.0, 9.0, 9.0)
    bpy.context.scene.frame_set(17)
    plain = os.replace

    def held(source: Path, place: Path) -> None:
        if Path(place).suffix == ".gltf":
            raise PermissionError(13, "It is held by another program")
        plain(source, place)

    monkeypatch.setattr(outputs.os, "replace", held)
    with pytest.raises(RuntimeError, match=r"Nothing was written: .*held by another program"):
        run(target, "gltf")
    assert contents(tmp_path) == before
    assert bpy.context.scene.frame_current == 17


@pytest.mark.parametrize("form", FORMS)
def test_links_are_written_through(form: str, tmp_path: Path) -> None:
    """A link in the place of a file stays one; what it points to is what is replaced."""
    door()
    (tmp_path / "store").mkdir()
    target = tmp_path / f"door.{form}"
    target.symlink_to("store/latest")
    for _ in range(2):
        run(target, form)
        assert target.is_symlink()
        assert (tmp_path / "store" / "latest").stat().st_size > 500
        assert [path.name for path in (tmp_path / "store").iterdir()] == ["latest"]


def test_nothing_is_kept_of_an_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The exporter's garbage lives on until it is collected; none of our data hangs on it."""
    made: list[Any] = []
    start = exporting.GltfExport.__init__

    def noting(self: exporting.GltfExport) -> None:
        made.append(self)
        start(self)

    monkeypatch.setattr(exporting.GltfExport, "__init__", noting)
    two_bodies()
    run(tmp_path / "door.glb", "glb")
    (one,) = made
    assert not any((one.read, one.animated, one.placed, one.issues, one.export_settings))
    assert not any((one.tree.objects, one.tree.vnodes))


def saved_door(folder: Path) -> Path:
    """Return a .blend with a door in it."""
    door()
    path = folder / "door.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def test_command_line_writes_through_a_link(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What is printed is the name that was asked for, and there is no further file."""
    path = saved_door(tmp_path)
    (tmp_path / "door.glb").symlink_to("latest")
    assert main(["export", str(path)]) == 0
    assert capfd.readouterr().out.splitlines()[-1] == str(tmp_path / "door.glb")
    assert {one.name for one in tmp_path.iterdir()} == {"door.blend", "door.glb", "latest"}
    assert (tmp_path / "latest").read_bytes().startswith(b"glTF")


@pytest.mark.parametrize("to", ["../elsewhere.glb", "door.blend"])
def test_command_line_follows_no_link_out_of_its_folder_or_onto_its_input(
    to: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A link to another folder, or to the .blend, is refused in one sentence."""
    home = tmp_path / "home"
    home.mkdir()
    path = saved_door(home)
    (tmp_path / "elsewhere.glb").write_bytes(b"theirs")
    (home / "door.glb").symlink_to(to)
    before = contents(tmp_path)
    assert main(["export", str(path)]) == 3
    last = capfd.readouterr().err.strip().splitlines()[-1]
    assert "leads out of" in last or "one of the files that are read" in last
    assert contents(tmp_path) == before
