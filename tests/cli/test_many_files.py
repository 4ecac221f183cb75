# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of many files: which they are, where they go, and what workers make of them."""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from argparse import ArgumentTypeError
from dataclasses import asdict
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from omi_documents import door, glb

from omi_physics_joint.cli.batch.journal import STATES
from omi_physics_joint.cli.batch.known import KnownOutputs, Seen, inputs_of
from omi_physics_joint.cli.batch.tasks import (
    NamedFile,
    Task,
    TasksError,
    pattern_of,
    placed,
    shard_of,
    sharded,
    sources,
)
from omi_physics_joint.cli.command import main
from omi_physics_joint.cli.words import add_batch, files_or_megabytes

ROOT = Path(__file__).resolve().parents[2]
GLB = (".glb",)


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder with files in folders, two of one name, one that is cut off."""
    for name in ("a/door.glb", "b/door.glb", "b/deep/größe und 'rest'.glb"):
        path = tmp_path / "shelf" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(glb(door()))
    (tmp_path / "shelf/b/cut.glb").write_bytes(b"glTF?")
    (tmp_path / "shelf/b/note.txt").write_text("no model")
    return tmp_path / "shelf"


def names(found: list[NamedFile]) -> list[str]:
    """Return where files lie below what was named."""
    return [one.below.as_posix() for one in found]


def test_folders_patterns_lists_and_files_name_the_same(shelf: Path, tmp_path: Path) -> None:
    """Each file comes once, with where it lies, however it is named; lists may hold all of that."""
    whole = names(sources([shelf], GLB, deep=True))
    assert whole == ["a/door.glb", "b/cut.glb", "b/deep/größe und 'rest'.glb", "b/door.glb"]
    pattern = shelf / "**" / "*.glb"
    assert sorted(names(sources([pattern], GLB, deep=False))) == whole
    listed = tmp_path / "night.txt"
    listed.write_text("\ufeff" + f"{shelf}/a/door.glb\r\n\n{shelf}/b/*.glb\n", encoding="utf-8")
    found = names(sources([Path(f"@{listed}"), shelf / "a/door.glb"], GLB, deep=False))
    assert found == ["a/door.glb", "b/cut.glb", "b/door.glb"]
    assert names(sources([shelf / "b"], GLB, deep=False)) == ["cut.glb", "door.glb"]


def test_what_is_hidden_is_not_taken(shelf: Path) -> None:
    """Neither a hidden file nor what lies in a hidden folder, however deep; else it is named."""
    whole = names(sources([shelf], GLB, deep=True))
    for place in (".hidden.glb", ".old/door.glb", "a/.trash/deep/door.glb"):
        (shelf / place).parent.mkdir(parents=True, exist_ok=True)
        (shelf / place).write_bytes(glb(door()))
    assert names(sources([shelf], GLB, deep=True)) == whole
    assert names(sources([shelf / ".old"], GLB, deep=True)) == ["door.glb"]


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="names of files are any bytes on Linux alone")
def test_a_list_may_have_quotes_and_names_of_any_bytes(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Quotes around a line are none of a name, unless one has them; the report has what is read.

    Nothing that is written or printed fails over such a name.
    """
    monkeypatch.chdir(tmp_path)
    old = Path(os.fsdecode(b"caf\xe9.glb"))
    for name in (old, Path("'kept'")):
        name.write_bytes(glb(door()))
    listed = [b'"%s/a/door.glb"' % os.fsencode(shelf), b"'kept'", b"'caf\xe9.glb'"]
    Path("night.txt").write_bytes(b"\r\n".join(listed))
    found = sources([Path("@night.txt")], GLB, deep=False)
    assert [one.path for one in found] == [shelf / "a/door.glb", Path("'kept'"), old]
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    (shelf / old).write_bytes(b"glTF?")
    words = ("-r", "-j", "1", "--report", "r.jsonl", "--junit", "j.xml", "--log-dir", "logs")
    assert main(["check", str(shelf), *words, "--shard", "1/1", "--annotations", "github"]) == 3
    states = {one["path"]: one["state"] for one in lines_of(Path("r.jsonl"))[1:-1]}
    assert states[str(shelf / old)] == "unreadable"
    cases = ElementTree.parse("j.xml").getroot().iter("testcase")
    assert r"caf\udce9.glb" in {str(one.get("name")).rpartition("/")[2] for one in cases}
    assert r"caf\udce9.glb" in Path("summary.md").read_text("utf-8")
    Path("night.txt").write_text("a.glb", encoding="utf-16")
    with pytest.raises(TasksError, match="no text in UTF-8"):
        sources([Path("@night.txt")], GLB, deep=False)


@pytest.mark.parametrize("word", ["@none.txt", "none/*.glb", "empty"])
def test_what_names_no_file_is_said(word: str, tmp_path: Path) -> None:
    """A list that is not there, a pattern or folder without a file."""
    (tmp_path / "empty").mkdir()
    prefix = "@" * word.startswith("@")
    with pytest.raises(TasksError, match=r"cannot be read|There is no"):
        sources([Path(f"{prefix}{tmp_path / word.lstrip('@')}")], GLB, deep=False)


def test_shards_are_a_partition_that_hangs_on_names_alone() -> None:
    """Each file is in one part of seven, whatever else is in the list and in whichever order."""
    files = [NamedFile(Path(f"/x/{i}.glb"), Path(f"{i}.glb")) for i in range(200)]
    parts = [sharded(files, (part, 7)) for part in range(1, 8)]
    assert sorted(one.path for part in parts for one in part) == sorted(one.path for one in files)
    assert min(map(len, parts)) > 10
    fewer = sharded(files[150:][::-1], (3, 7))
    assert set(fewer) == set(parts[2]) & set(files[150:])
    assert shard_of("3/40") == (3, 40)
    for wrong in ("0/4", "5/4", "a/b", "3"):
        with pytest.raises(ArgumentTypeError):
            shard_of(wrong)


def test_two_files_that_become_one_are_known_before_one_is_opened(
    shelf: Path, tmp_path: Path
) -> None:
    """Names that differ by case are one on many disks; with a tree each has a folder of its own."""
    files = sources([shelf], GLB, deep=True)
    (shelf / "c").mkdir()
    files.append(NamedFile(shelf / "c/DOOR.glb", Path("c/DOOR.glb")))
    flat = placed(files, tmp_path / "out", "{stem}.usda")
    assert [one.path.parent.name for one in flat if "--tree" in one.trouble] == ["b", "c"]
    tree = placed(files, tmp_path / "out", "{folder}/{stem}.usda")
    assert not [one for one in tree if one.trouble]
    assert tree[0].output == (tmp_path / "out/a/door.usda").resolve()
    parts = placed(files, tmp_path / "out", "{stem}/{part}.glb")
    assert [one.path.parent.name for one in parts if "written over" in one.trouble] == ["b", "c"]
    assert parts[0].target == str((tmp_path / "out/door/{part}.glb").resolve())
    assert not (tmp_path / "out/door/{part}").exists()


def test_names_of_outputs_follow_a_pattern(tmp_path: Path) -> None:
    """Fields stand for where a file lies and what it is called; names stay below the folder."""
    files = [NamedFile(Path(f"/x/{one}"), Path(one)) for one in ("a/b/{door}.glb", "door.glb")]
    for pattern, names in (
        ("{folder}/{stem}_lo", ["a/b/{door}_lo.xml", "door_lo.xml"]),
        ("lo/{folder}/{stem}/m", ["lo/a/b/{door}/m.xml", "lo/door/m.xml"]),
    ):
        tasks = placed(files, tmp_path, f"{pattern_of(pattern)}.xml")
        assert [one.output for one in tasks] == [tmp_path.resolve() / name for name in names]
    for wrong in (
        "/a/{stem}",
        "../{stem}",
        "{stem}/",
        "{name}",
        "{stem.parent}",
        "{",
        "{stem}_{part}",
    ):
        with pytest.raises(ArgumentTypeError):
            pattern_of(wrong)


def test_a_worker_is_replaced_after_files_or_memory() -> None:
    """``50`` are files, ``500MB`` is memory."""
    assert files_or_megabytes("50") == (50, 0.0)
    assert files_or_megabytes("500mb") == (0, 500.0)
    for wrong in ("0", "-1", "many", "MB"):
        with pytest.raises(ValueError, match=r"^(could not|invalid|0|-1)"):
            files_or_megabytes(wrong)


def test_what_is_unchanged_is_judged_by_size_time_and_content(tmp_path: Path) -> None:
    """A new time alone is no change, new content is; by content alone also with an old time."""
    source, output = tmp_path / "a.blend", tmp_path / "a.glb"
    source.write_bytes(b"one")
    output.write_bytes(b"made")
    report = {"path": str(source), "target": str(output)}
    report["inputs"] = [asdict(Seen.now(str(source)))]  # type: ignore[assignment]
    report["outputs"] = [{"path": str(output), "sha256": Seen.now(str(output)).sha256}]  # type: ignore[assignment]
    task, place = Task(source, output), tmp_path / "state"
    KnownOutputs(place, "key").add(report, {"blender": "5"})
    with place.open("a") as file:
        file.write("[" * 100_000 + '\n"theirs"\n{"key": "key"}\n{"torn')
    known = KnownOutputs.read(place, "key")
    assert known.versions == {"blender": "5"}
    assert known.unchanged(task, by_content=False) == report
    os.utime(source, (1, 1))
    assert known.unchanged(task, by_content=False) == report
    other = Task(tmp_path / "b.blend", output)
    assert known.unchanged(other, by_content=False) is None, "it came from another file"
    was = source.stat()
    source.write_bytes(b"two")
    assert known.unchanged(task, by_content=False) is None
    os.utime(source, ns=(was.st_atime_ns, Seen(**report["inputs"][0]).time))  # type: ignore[arg-type, index]
    assert known.unchanged(task, by_content=False) == report, "size and time are trusted"
    assert known.unchanged(task, by_content=True) is None
    source.write_bytes(b"one")
    output.unlink()
    assert known.unchanged(task, by_content=True) is None
    assert KnownOutputs.read(place, "other words").unchanged(task, by_content=False) is None


def test_tiles_of_an_image_are_inputs_each(tmp_path: Path) -> None:
    """Blender names them by one pattern."""
    for number in (1001, 1002):
        (tmp_path / f"skin.{number}.png").write_bytes(b"")
    (tmp_path / "skin.png").write_bytes(b"")
    found = inputs_of([str(tmp_path / "skin.<UDIM>.png"), str(tmp_path / "x.blend")])
    assert [Path(one).name for one in found] == ["skin.1001.png", "skin.1002.png", "x.blend"]


def run(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "omi_physics_joint", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
    )


def lines_of(report: Path) -> list[dict[str, Any]]:
    """Return the lines of a report."""
    return [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]


@pytest.mark.long
def test_workers_find_what_one_process_finds(shelf: Path, tmp_path: Path) -> None:
    """Issues, counts and codes of each file are the same; the report and JUnit's file have all."""
    alone = json.loads(run("check", "--json", "-r", shelf, cwd=tmp_path).stdout)
    more = ("-j", 2, "--report", "r.jsonl", "--junit", "j.xml", "--annotations", "github")
    more += ("--log-dir", "logs")
    done = run("check", "--json", "-r", shelf, *more, cwd=tmp_path)
    assert done.returncode == alone["code"] == 3
    document = json.loads(done.stdout)
    by_path = {one["path"]: one for one in document["files"]}
    for one in alone["files"]:
        assert {name: by_path[one["path"]][name] for name in one} == one
    cut = str(shelf / "b/cut.glb")
    assert f"::error file={cut},title=unreadable::" in done.stderr
    header, *files, summary = lines_of(tmp_path / "r.jsonl")
    assert (header["kind"], header["schema"], header["command"]) == ("run", 1, "check")
    assert {one["path"] for one in files} == by_path.keys()
    assert summary["states"] == {"ok": 3, "unreadable": 1}
    assert (summary["code"], summary["not_reached"]) == (3, 0)
    assert len({one["log"] for one in files}) == 4, "files of one name have logs of their own"
    assert all((tmp_path / one["log"]).is_file() for one in files)
    suite = ElementTree.parse(tmp_path / "j.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("4", "1")
    (failed,) = [case for case in suite if case.find("failure") is not None]
    assert failed.get("name") == cut
    assert "4 files: 3 ok, 1 unreadable" in done.stderr


@pytest.mark.long
def test_many_files_are_converted_and_simulated(shelf: Path, tmp_path: Path) -> None:
    """Outputs are those of single runs, byte for byte, in the same folders."""
    done = run(
        *("convert", "-r", shelf, "-j", 2, "--output-dir", "out", "--tree", "--format", "xml"),
        cwd=tmp_path,
    )
    assert done.returncode == 3
    run("convert", shelf / "a/door.glb", "door.xml", cwd=tmp_path)
    made = sorted(one.relative_to(tmp_path).as_posix() for one in (tmp_path / "out").rglob("*.xml"))
    assert made == ["out/a/door.xml", "out/b/deep/größe und 'rest'.xml", "out/b/door.xml"]
    assert (tmp_path / "out/a/door.xml").read_bytes() == (tmp_path / "door.xml").read_bytes()
    words = ("simulate", shelf / "a/door.glb", shelf / "b/door.glb", "--json", "motion")
    moved = run(*words, cwd=tmp_path)
    assert moved.returncode == 0
    motions = sorted((tmp_path / "motion").rglob("*.json"))
    assert [one.parent.name for one in motions] == ["a", "b"], "none goes over the other"
    assert moved.stdout.count("2 bodies, 1 joint") == 2


@pytest.mark.long
def test_a_stopped_run_goes_on_where_it_was(shelf: Path, tmp_path: Path) -> None:
    """SIGTERM ends after the files in hand with a whole report; --resume does the others alone."""
    for number in range(400):
        (shelf / f"a/{number}.glb").write_bytes(glb(door()))
    words = ["check", "-r", str(shelf), "-j", "1", "--report", "r.jsonl"]
    command = [sys.executable, "-m", "omi_physics_joint", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        while not process.stderr.readline().startswith("["):
            pass
        process.send_signal(signal.SIGTERM)
        told = process.stderr.read()
    assert process.returncode == 130, told
    assert "Stops after the files in hand" in told
    _, *first, summary = lines_of(tmp_path / "r.jsonl")
    assert 0 < len(first) < 400
    assert summary["not_reached"] == 404 - len(first)
    with (tmp_path / "r.jsonl").open("a") as report:
        report.write('{"kind": "file", "torn')
    assert run(*words, "--resume", cwd=tmp_path).returncode == 3
    text = (tmp_path / "r.jsonl").read_text(encoding="utf-8")
    done = [line for line in text.splitlines() if line.startswith('{"kind": "file", "path"')]
    paths = [json.loads(line)["path"] for line in done if '"state": "ok"' in line]
    assert len(paths) == len(set(paths)) == 403
    assert json.loads(text.splitlines()[-1])["not_reached"] == 0


@pytest.mark.long
def test_workers_end_with_a_supervisor_that_is_killed(shelf: Path, tmp_path: Path) -> None:
    """Nobody is left behind to write on when the report has ended; the next run tidies up."""
    for number in range(300):
        (shelf / f"a/{number}.glb").write_bytes(glb(door()))
    words = [sys.executable, "-m", "omi_physics_joint", "check", "-r", str(shelf), "-j", "2"]
    aside = tmp_path / "aside"
    aside.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(aside)}
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        while not process.stderr.readline().startswith("["):
            pass
        process.kill()
    assert list(aside.glob("omi_workers_*"))
    last = time.monotonic() + 20.0
    while _of_session(aside) and time.monotonic() < last:
        time.sleep(0.1)
    assert not _of_session(aside)
    subprocess.run([*words[:4], str(shelf / "a/door.glb"), "-j", "1"], env=environment, check=True)
    assert not list(aside.glob("omi_workers_*"))


def _of_session(aside: Path) -> list[Path]:
    """Return the processes whose temporary folder this is."""
    found = []
    for one in Path("/proc").glob("[0-9]*/environ"):
        try:
            mine = f"TMPDIR={aside}".encode() in one.read_bytes().split(b"\0")
        except OSError:
            continue
        if mine:
            found.append(one)
    return found


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["check", "a.glb", "-j", "0"], "positive whole number"),
        (["check", "a.glb", "--shard", "4/3"], "no part such as"),
        (["check", "a.glb", "--resume"], "name it with --report"),
        (["export", "a.blend", "--tree"], "name it with --output-dir"),
        (["export", "a.blend", "--name", "../{stem}"], "no name of a file below a folder"),
        (["export", "a.blend", "--name", "{part}"], "go together"),
        (["export", "a.blend", "--split", "scene", "--name", "{stem}"], "go together"),
        (["convert", "a.glb", "b.glb", "c.glb"], "IN and OUT"),
        (["convert", "a.glb", "-j", "2"], "--output-dir DIR and --format"),
        (["convert", "a.glb", "b.glb", "--format", "usda"], "the name of OUT says"),
        (["export", "a.blend", "--blender", "/none"], "There is no program"),
        (["check", "@none.txt", "-j", "2"], "cannot be read"),
        (["check", "a.glb", "--report", "/none\0/x"], "cannot be written"),
        (["check", "--report", "a.glb", "b.glb"], "is named as what is read is"),
        (["info", "--junit", "a.URDF", "b.urdf"], "is named as what is read is"),
        (["export", "--report", "a.blend", "b.blend"], "is named as what is read is"),
        (["simulate", "--json", "a.usda", "b.usda"], "is named as what is read is"),
    ],
)
def test_wrong_words_about_runs_are_one_line(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """They end with 2, before anything is opened."""
    assert main(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert reason in line


def test_every_word_of_runs_is_in_the_manual() -> None:
    """The page of many files names each word that commands take for them, and each state."""
    text = (ROOT / "docs/manual/night.md").read_text(encoding="utf-8")
    parser = argparse.ArgumentParser()
    add_batch(parser, "export")
    words = set(re.findall(r"--[a-z-]+", parser.format_help())) - {"--help"}
    missing = sorted(
        word for word in words - {"--jobs", "--recursive"} if not re.search(rf"{word}\b", text)
    )
    assert not missing
    assert not [state for state in STATES if f"`{state}`" not in text]
