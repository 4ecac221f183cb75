# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs of many files report is so, whatever becomes of files, disks and listeners."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from omi_documents import door, glb

from omi_physics_joint.cli.batch.journal import Journal, done_before, lines_of, write_junit
from omi_physics_joint.cli.batch.known import Seen, changed_since
from omi_physics_joint.cli.batch.tasks import sources
from omi_physics_joint.cli.command import main

POSIX = pytest.mark.skipif(os.name == "nt", reason="pipes, devices and signals of POSIX")
ROOT = Path(__file__).resolve().parents[2]
EARLY = """
import os, runpy, signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == "omi_physics_joint.cli.command":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
runpy.run_module("omi_physics_joint", run_name="__main__")
"""
"""Presses Ctrl-C while the command line is loaded."""


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder with a sound file and one that is cut off."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "sound.glb").write_bytes(glb(door()))
    (folder / "cut.glb").write_bytes(b"glTF?")
    return folder


def test_what_is_put_into_its_place_later_counts_as_changed(tmp_path: Path) -> None:
    """Also a copy that keeps the time of the original."""
    old = tmp_path / "old.glb"
    old.write_bytes(b"old")
    time.sleep(0.05)
    moment = time.time_ns() - 20_000_000
    assert not changed_since(str(old), moment)
    os.utime(old, (0, 0))
    assert changed_since(str(old), moment)
    assert not changed_since(str(tmp_path / "none.glb"), moment)


@pytest.mark.long
def test_a_run_that_goes_on_remembers_what_failed(shelf: Path, tmp_path: Path) -> None:
    """Its exit code and JUnit are of all files: nothing turns green by being left alone."""
    report, junit = tmp_path / "report.jsonl", tmp_path / "junit.xml"
    words = ["check", str(shelf), "-j", "1", "--report", str(report), "--junit", str(junit)]
    doors = door()
    doors["nodes"][2]["extensions"]["OMI_physics_body"]["motion"]["mass"] = 0.0
    (shelf / "sound.glb").write_bytes(glb(doors))
    assert main(words) == 3
    lines = report.read_text().splitlines()
    report.write_text("".join(f"{one}\n" for one in lines if "cut.glb" not in one))
    with report.open("a") as file:
        file.write("[" * 100_000 + '\n7\n{"kind": "file", "state": []}\n{"kind": "file"}\n')
    before = done_before(report)
    assert [one["code"] for one in before.values()] == [1], "a door without a mass"
    (shelf / "cut.glb").write_bytes(glb(door()))
    assert main([*words, "--resume"]) == 1
    assert junit.read_text().count("<testcase") == 2
    assert json.loads(report.read_text().splitlines()[-1])["code"] == 1


@pytest.mark.long
def test_a_run_that_goes_on_does_again_what_is_no_more_as_it_was_told(
    shelf: Path, tmp_path: Path
) -> None:
    """With other words, of another file, or where what was written is gone; else nothing."""
    source, out = str(shelf / "sound.glb"), tmp_path / "out"
    report = tmp_path / "report.jsonl"
    own = ["-j", "1", "--report", str(report), "--resume"]
    write = ["convert", source, "--output-dir", str(out), "--format", "urdf", *own]

    def done(*words: str) -> int:
        before = report.read_text().count('"kind": "file"') if report.is_file() else 0
        assert main(words) == 0
        return report.read_text().count('"kind": "file"') - before

    check = ["check", source, *own]
    assert [done(*write), done(*write), done(*write, "--timeout", "500")] == [1, 0, 0]
    assert [done(*write, "--mesh-uri", "package://a"), done(*write), done(*write)] == [1, 1, 0]
    (out / "sound.urdf").unlink()
    assert [done(*write), done(*write)] == [1, 0]
    assert [done(*check), done(*check), done(*check, "--fail-on", "loss")] == [1, 0, 1]
    (shelf / "sound.glb").write_bytes(glb({"asset": {"version": "2.0"}}))
    assert [done(*check), done(*check)] == [1, 0]


@POSIX
@pytest.mark.long
def test_pipes_and_links_to_nothing_are_named_and_hold_nobody_up(
    shelf: Path, tmp_path: Path
) -> None:
    """Of a folder too; what is hidden in it is no model."""
    os.mkfifo(shelf / "pipe.glb")
    (shelf / "device.glb").symlink_to("/dev/zero")
    (shelf / "gone.glb").symlink_to("nowhere.glb")
    (shelf / "._sound.glb").write_bytes(b"of a Mac")
    report = tmp_path / "report.jsonl"
    assert main(["check", str(shelf), "-j", "1", "--report", str(report)]) == 3
    errors = {Path(path).name: entry["error"] for (path, _), entry in done_before(report).items()}
    assert errors == {"sound.glb": ""}
    told = [json.loads(line) for line in report.read_text().splitlines()]
    said = {Path(one["path"]).name: one["error"] for one in told if one["kind"] == "file"}
    assert {name for name in said if "is no file" in said[name]} == {"pipe.glb", "device.glb"}
    assert said["gone.glb"]
    assert "._sound.glb" not in said
    assert Seen.now(str(shelf / "device.glb")).sha256 == ""


@POSIX
def test_a_report_that_is_not_whole_is_said(tmp_path: Path) -> None:
    """Its disk is full, or somebody removed it."""
    with Journal(Path("/dev/full")) as full:
        full.line("run")
        assert "not whole: No space left" in full.trouble
    with Journal(tmp_path / "report.jsonl") as journal:
        journal.line("run")
        assert journal.trouble == ""
        (tmp_path / "report.jsonl").unlink()
        assert "removed meanwhile" in journal.trouble


@POSIX
@pytest.mark.long
@pytest.mark.parametrize("state", ["sound", "faulty", "unreadable"])
def test_a_run_whose_report_is_not_whole_has_failed(state: str, tmp_path: Path) -> None:
    """Whatever is found of its files: who reads the report takes it for all of them."""
    doors = door()
    if state == "faulty":
        doors["nodes"][2]["extensions"]["OMI_physics_body"]["motion"]["mass"] = 0.0
    path = tmp_path / "door.glb"
    path.write_bytes(b"glTF?" if state == "unreadable" else glb(doors))
    words = ["check", str(path), "-j", "1", "--report"]
    whole = main([*words, str(tmp_path / "report.jsonl")])
    assert whole == {"sound": 0, "faulty": 1, "unreadable": 3}[state]
    assert main([*words, "/dev/full"]) == 4


@POSIX
def test_a_device_is_written_to_and_not_replaced() -> None:
    """``--junit /dev/stdout``, say."""
    ours, its = os.openpty()
    try:
        write_junit(Path(os.ttyname(its)), "check", [])
        assert b"testsuite" in os.read(ours, 1000)
    finally:
        os.close(ours)
        os.close(its)


@POSIX
@pytest.mark.long
@pytest.mark.parametrize("target", ["/dev/full", "closed"])
def test_a_night_goes_on_where_nobody_listens(shelf: Path, tmp_path: Path, target: str) -> None:
    """Screens that are full or closed cost no file, and no line of the report."""
    report = tmp_path / "report.jsonl"
    words = [sys.executable, "-m", "omi_physics_joint", "check", str(shelf), "-j", "1"]
    where = "2>&- >&-" if target == "closed" else f">{target} 2>&1"
    line = f'"$@" --report "{report}" {where}'
    subprocess.run(["sh", "-c", line, "sh", *words], check=False, timeout=60)
    told = [json.loads(one)["kind"] for one in report.read_text().splitlines()]
    assert told == ["run", "file", "file", "summary"]


@POSIX
@pytest.mark.long
@pytest.mark.parametrize("words", [(), ("-j", "1")])
def test_what_cannot_be_printed_is_said(
    shelf: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """One sentence and exit code 3; what is written beside it is whole."""
    junit = tmp_path / "junit.xml"
    asked = [*words, "--junit", str(junit)] if words else []
    command = [sys.executable, "-m", "omi_physics_joint", "check", str(shelf / "sound.glb")]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*command, "--json", *asked],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1] == "error: It cannot be printed: No space left on device."
    assert junit.exists() == bool(words)


@pytest.mark.long
@POSIX
@pytest.mark.parametrize("words", [("--help",), ("info", "--solver")])
def test_also_what_is_no_report_is_said_when_it_cannot_be_printed(words: tuple[str, ...]) -> None:
    """Short answers, which wait in Python to be printed until it ends."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "omi_physics_joint", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.stderr == "error: It cannot be printed: No space left on device.\n"
    assert done.returncode == 3


def test_a_file_is_where_it_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a list has besides moves no output."""
    monkeypatch.chdir(tmp_path)
    for name in ("props/door.glb", "cars/car.glb"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(glb(door()))
    alone = sources([Path("props/door.glb")], (".glb",), deep=False)
    both = sources([Path("props/door.glb"), Path("cars/car.glb")], (".glb",), deep=False)
    assert alone[0].below == both[0].below == Path("props/door.glb")


def test_folders_that_cannot_be_made_are_said_before_the_work(shelf: Path) -> None:
    """A log folder that is a file, a JUnit file below one."""
    for words in (["--log-dir", shelf / "cut.glb"], ["--junit", shelf / "cut.glb" / "out.xml"]):
        assert main(["check", str(shelf), "-j", "1", *map(str, words)]) == 2


@POSIX
def test_who_stops_at_once_reads_no_traceback() -> None:
    """Ctrl-C before there is a run that could be stopped ends with its exit code, and no word."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-c", EARLY]
    done = subprocess.run(words, capture_output=True, env=environment, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (130, b"")


def test_a_torn_line_takes_none_of_the_next_run_with_it(tmp_path: Path) -> None:
    """Who was killed left half of one; each line of the run that goes on is whole."""
    report = tmp_path / "night.jsonl"
    report.write_text('{"kind": "file", "torn')
    with Journal(report, goes_on=True) as journal:
        journal.line("run", number=1)
        journal.line("file", number=2)
    assert [one["number"] for one in lines_of(report)] == [1, 2]
