# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports of many .blend files by workers: what goes wrong in one harms no other."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest
from nights import ENVIRONMENT, SEGFAULT, files_of, saved

from omi_physics_joint.cli.reports.versions import versions

pytestmark = pytest.mark.skipif(
    bool(bpy.app.binary_path), reason="workers are started by a Python with bpy"
)


@pytest.fixture
def night(tmp_path: Path) -> Path:
    """A folder with three doors in folders of their own."""
    for name in ("a", "b", "c"):
        saved(tmp_path / "night" / name / "door.blend")
    return tmp_path / "night"


def command(night: Path, *words: object) -> list[str]:
    """Return the words of an export of a folder."""
    own = ("export", night, "-r", "--output-dir", night.parent / "out", "--tree", "--report")
    report = night.parent / "report.jsonl"
    return [sys.executable, "-m", "omi_physics_joint", *map(str, (*own, report, *words))]


def exported(night: Path, *words: object) -> tuple[int, dict[str, dict[str, Any]]]:
    """Export a folder; return the exit code and what is reported of each file, by folder."""
    done = subprocess.run(
        command(night, *words), env=ENVIRONMENT, capture_output=True, check=False, timeout=200
    )
    return done.returncode, reported(night)


def reported(night: Path) -> dict[str, dict[str, Any]]:
    """Return what the report says of each file, by its folder."""
    return {Path(one["path"]).parent.name: one for one in files_of(night.parent / "report.jsonl")}


def test_a_file_that_kills_its_worker_costs_itself_alone(night: Path) -> None:
    """The others are written, it is named with the reason, and the exit code is 4.

    Of what goes on for ever and of what takes all memory ``test_faulty_nights`` says the same.
    """
    saved(night / "b" / "door.blend", SEGFAULT)
    code, files = exported(night, "-j", 1, "--scripts", "allow")
    assert code == 4
    states = {name: one["state"] for name, one in files.items()}
    assert states == {"a": "ok", "b": "crashed", "c": "ok"}
    assert "signal 11" in files["b"]["error"]
    assert "last words" in files["b"]["log_tail"]
    written = {one.parent.name for one in (night.parent / "out").rglob("*.glb")}
    assert written == {"a", "c"}
    assert not list((night.parent / "out").rglob(".omi_physics_joint_*"))


def test_several_files_have_a_worker_that_nobody_asked_for(night: Path, tmp_path: Path) -> None:
    """A crash costs one of three, and paths of what was written are on standard output."""
    saved(night / "b" / "door.blend", SEGFAULT)
    places = [night / name / "door.blend" for name in "abc"]
    own = ("export", *places, "--output-dir", tmp_path / "out", "--tree", "--scripts", "allow")
    words = [sys.executable, "-m", "omi_physics_joint", *map(str, own)]
    done = subprocess.run(
        words, env=ENVIRONMENT, capture_output=True, check=False, timeout=200, text=True
    )
    assert done.returncode == 4
    written = {str(tmp_path / "out" / name / "door.glb") for name in "ac"}
    assert set(done.stdout.splitlines()) == written


def test_a_report_begins_with_all_versions(night: Path, tmp_path: Path) -> None:
    """Also where the first that is said of a file was known before a worker was up."""
    words = [one for one in command(night) if one != "--tree"]
    subprocess.run(words, env=ENVIRONMENT, capture_output=True, check=False, timeout=200)
    lines = (tmp_path / "report.jsonl").read_text(encoding="utf-8").splitlines()
    header, first = map(json.loads, lines[:2])
    assert "written over" in first["error"]
    assert header["versions"] == versions() | {"blender": bpy.app.version_string}


def test_scripts_run_where_that_is_allowed_alone(night: Path) -> None:
    """What a stranger's file would do does not happen."""
    saved(night / "b" / "door.blend", SEGFAULT)
    code, files = exported(night, "-j", 2, "--scripts", "deny")
    assert code == 0
    assert {one["state"] for one in files.values()} == {"ok"}


def test_only_what_has_changed_is_exported_anew(night: Path, tmp_path: Path) -> None:
    """A linked library counts as a part of who links it; what is as it was keeps its time."""
    library = saved(tmp_path / "library" / "parts.blend")
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(library), link=True) as (there, here):
        here.meshes = [name for name in there.meshes if "Door" in name] or there.meshes[:1]
    linked = bpy.data.objects.new("Linked", bpy.data.meshes[0])
    bpy.context.scene.collection.objects.link(linked)
    bpy.ops.wm.save_as_mainfile(filepath=str(night / "b" / "door.blend"), copy=True)
    _, first = exported(night, "--changed-only")
    assert {one["state"] for one in first.values()} == {"ok"}
    assert str(library) in {one["path"] for one in first["b"]["inputs"]}
    times = {one: one.stat().st_mtime_ns for one in (night.parent / "out").rglob("*.glb")}
    began = time.monotonic()
    code, again = exported(night, "--changed-only")
    assert {one["state"] for one in again.values()} == {"unchanged"}
    assert code == 0
    assert time.monotonic() - began < 5.0, "no Blender is started"
    saved(library, "changed = True\n")
    _, third = exported(night, "--changed-only")
    states = {name: one["state"] for name, one in third.items()}
    assert states == {"a": "unchanged", "b": "ok", "c": "unchanged"}
    kept = [one for one in times if one.stat().st_mtime_ns == times[one]]
    assert kept == list(times), "what is written anew has the same bytes, and keeps its time"
    _, other = exported(night, "--changed-only", "--dialect", "khr")
    assert {one["state"] for one in other.values()} == {"ok"}, "other words, other files"
    split = ("--changed-only", "--split", "scene")
    for state in ("ok", "unchanged"):
        _, parts = exported(night, *split)
        assert {one["state"] for one in parts.values()} == {state}
    assert parts["a"]["target"].endswith("a/door/{part}.glb")
    Path(parts["a"]["output"]).unlink()
    _, parts = exported(night, *split)
    assert [parts[name]["state"] for name in "abc"] == ["ok", "unchanged", "unchanged"]


def test_what_is_saved_while_it_is_read_is_done_again(night: Path) -> None:
    """Nobody knows which of the two is in the output: it is known the next time."""
    path = night / "b" / "door.blend"
    saved(path, "import bpy, os\nos.utime(bpy.data.filepath, (0, 0))\n")
    words = ("--changed-only", "--scripts", "allow")
    _, first = exported(night, *words)
    (source,) = (one for one in first["b"]["inputs"] if one["path"] == str(path))
    assert source["sha256"] == ""
    _, again = exported(night, *words)
    assert [again[name]["state"] for name in "abc"] == ["unchanged", "ok", "unchanged"]


def test_scripts_of_one_file_do_not_change_the_next(night: Path) -> None:
    """Where they may run, each file has a fresh Blender."""
    _, alone = exported(night, "-j", 1)
    moves = "import bpy\n@bpy.app.handlers.persistent\ndef move(*_):\n"
    moves += "    bpy.data.objects['Door'].location.x += 5.0\n"
    saved(night / "a" / "door.blend", f"{moves}bpy.app.handlers.load_post.append(move)\n")
    _, beside = exported(night, "-j", 1, "--scripts", "allow")
    assert [beside[name]["sha256"] for name in "bc"] == [alone[name]["sha256"] for name in "bc"]


def test_outputs_are_those_of_one_process(night: Path) -> None:
    """Workers write what an export of one file in this process writes, byte for byte."""
    _, files = exported(night, "-j", 2, "--recycle", 1)
    assert {one["state"] for one in files.values()} == {"ok"}
    alone = [sys.executable, "-m", "omi_physics_joint", "export", str(night / "a/door.blend")]
    single = night.parent / "single"
    words = [*alone, "--output-dir", str(single)]
    subprocess.run(words, env=ENVIRONMENT, check=True, capture_output=True, timeout=100)
    expected = (single / "door.glb").read_bytes()
    assert [Path(one["output"]).read_bytes() for one in files.values()] == [expected] * 3


@pytest.mark.parametrize(
    "killed", [lambda own, _: own, lambda _, worker: worker], ids=["supervisor", "worker"]
)
def test_a_kill_leaves_whole_files_and_whole_lines(
    night: Path, killed: Callable[[int, int], int]
) -> None:
    """Outputs are whole, lines of the report too, and a next run does the rest."""
    for number in range(5):
        saved(night / f"more{number}" / "door.blend")
    words = command(night, "-j", "1")
    with subprocess.Popen(
        words, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        worker = int(_children(process.pid)[0])
        os.kill(killed(process.pid, worker), signal.SIGKILL)
    assert all(one["state"] == "ok" for one in reported(night).values())
    code, _ = exported(night, "-j", "1", "--resume")
    assert code == 0
    whole = {one.stat().st_size for one in (night.parent / "out").rglob("*.glb")}
    assert len(whole) == 1
    assert len(reported(night)) == 8
    assert not list((night.parent / "out").rglob(".omi_physics_joint_*"))


def _children(number: int) -> list[str]:
    """Return the processes that a process has started, whichever of its threads did."""
    threads = Path(f"/proc/{number}/task").glob("*/children")
    return [child for one in threads for child in one.read_text().split()]
