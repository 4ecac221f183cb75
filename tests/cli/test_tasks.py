# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files a run takes and where it puts them, and what is known of the one before."""

from __future__ import annotations

import argparse
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from omi_physics_joint.cli.batch.journal import (
    DONE,
    TOLD,
    Journal,
    done_before,
    lines_of,
    write_junit,
)
from omi_physics_joint.cli.batch.known import KnownOutputs, Seen, still_holds
from omi_physics_joint.cli.batch.tasks import (
    NamedFile,
    Task,
    placed,
    sources,
    tasks_of,
    wrong_names,
)
from omi_physics_joint.cli.parser import parsed
from omi_physics_joint.cli.words import misnamed_report

ENTRY: dict[str, Any] = dict.fromkeys(TOLD, "") | {"path": "a.glb", "target": "a.urdf"}


def test_a_folder_gives_files_whatever_case_their_ending_has(tmp_path: Path) -> None:
    """Also links to nothing, which are named as unreadable then; no folder that is called so."""
    for name in ("A.GLB", "b.glb", "c.Glb", "d.gltf"):
        (tmp_path / name).write_bytes(b"glTF")
    (tmp_path / "e.glb").mkdir()
    (tmp_path / "f.glb").symlink_to(tmp_path / "none.glb")
    found = sources([tmp_path], (".glb",), deep=False)
    assert [one.below.name for one in found] == ["A.GLB", "b.glb", "c.Glb", "f.glb"]


def test_what_the_night_before_has_made_is_not_read_again(tmp_path: Path) -> None:
    """Outputs below the folder that is read are no inputs, unless they are named, or are others."""
    for name in ("a.xml", "build/a.xml", "build/sub/b.xml", "build/c.glb", "props/d.xml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"<mujoco/>")
    build = tmp_path / "build"

    def read(folder: Path, out: Path) -> list[str]:
        words = [str(folder), "-r", "--output-dir", str(out), "--tree", "--format", "xml"]
        tasks = tasks_of(parsed(["convert", *words], "omi"))
        return [one.path.relative_to(tmp_path).as_posix() for one in tasks]

    assert read(tmp_path, build) == ["a.xml", "build/c.glb", "props/d.xml"]
    assert read(build, build) == ["build/a.xml", "build/c.glb", "build/sub/b.xml"]
    assert read(build, tmp_path / "b") == ["build/a.xml", "build/c.glb", "build/sub/b.xml"]


def test_files_named_from_elsewhere_lie_below_what_is_above_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is named from here lies as it is named, whatever stands beside it."""
    (tmp_path / "here/sub").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    words = [Path("sub/a.glb"), tmp_path / "x/b.glb", Path("../x/y/c.glb"), Path("./d.glb")]
    found = sources(words, (".glb",), deep=False)
    assert [one.below.as_posix() for one in found] == ["sub/a.glb", "b.glb", "y/c.glb", "d.glb"]
    again = sources([Path("../x/y/c.glb"), tmp_path / "x/y/c.glb"], (".glb",), deep=False)
    assert [one.below.as_posix() for one in again] == ["c.glb"]


def test_no_blend_that_is_read_is_written_over(tmp_path: Path) -> None:
    """By whatever name its file goes; another file of that name may be."""
    source, other = tmp_path / "a.blend", tmp_path / "out/a.glb"
    other.parent.mkdir()
    source.write_bytes(b"BLENDER")
    files = [NamedFile(source, Path("a.blend"))]
    (task,) = placed(files, other.parent, "{stem}.glb")
    assert not task.trouble
    other.write_bytes(b"BLENDER")
    assert not placed(files, other.parent, "{stem}.glb")[0].trouble
    other.unlink()
    os.link(source, other)
    assert "one of the files that are read" in placed(files, other.parent, "{stem}.glb")[0].trouble


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"tree": True, "name": "{stem}_lo", "output_dir": "o"}, "a --name of its own"),
        ({"tree": True}, "--output-dir"),
        ({"name": "{folder}/{stem}"}, "--output-dir"),
        ({"name": "{stem}", "command": "convert"}, "--output-dir"),
        ({"name": "{stem}", "command": "convert", "output_dir": "o"}, ""),
        ({"name": "{stem}/{part}"}, "go together"),
        ({"name": "{stem}", "split": "mechanism"}, "go together"),
        ({"name": "{stem}/{part}", "split": "mechanism"}, ""),
        ({"tree": True, "output_dir": "o", "split": "mechanism"}, ""),
        ({"name": "{folder}/{stem}", "output_dir": "o"}, ""),
        ({"tree": True, "command": "check"}, ""),
    ],
)
def test_words_about_names_that_contradict_each_other_are_said(
    words: dict[str, Any], said: str
) -> None:
    """Of commands that write files, which others may share the words with."""
    plain = {
        "files": [Path("a.blend")],
        "command": "export",
        "name": None,
        "tree": False,
        "output_dir": None,
        "split": None,
    }
    found = wrong_names(argparse.Namespace(**plain | words))
    assert said in found
    assert bool(found) is bool(said)


@pytest.mark.parametrize("torn", [True, False])
def test_a_run_that_goes_on_begins_on_a_line_of_its_own(torn: bool, tmp_path: Path) -> None:
    """A line that was not written to its end costs itself alone; else there is no empty one."""
    path = tmp_path / "night/report.jsonl"
    with Journal(path) as journal:
        journal.line("file", **ENTRY | {"state": "ok"})
    if torn:
        path.write_text(path.read_text() + '{"kind": "fi')
    with Journal(path, goes_on=True) as journal:
        journal.line("file", **ENTRY | {"path": "b.glb", "state": "ok"})
        assert not journal.trouble
    assert [one["path"] for one in lines_of(path)] == ["a.glb", "b.glb"]
    assert len(path.read_text().splitlines()) == 2 + torn
    with Journal(path) as journal:
        journal.line("end")
    assert [*lines_of(path)] == [{"kind": "end"}]


def test_what_is_done_is_what_was_told_last_of_each_path_and_target(tmp_path: Path) -> None:
    """Files in a state that another run need not do again; lines of others count for nothing."""
    path = tmp_path / "report.jsonl"
    states = ("ok", "unchanged", "lost", "refused", "unreadable", "crashed", "hung", "stopped")
    with Journal(path) as journal:
        for state in states:
            journal.line("file", **ENTRY | {"path": state, "state": state})
        journal.line("file", **ENTRY | {"state": "refused"})
        journal.line("file", **ENTRY | {"state": "ok"})
        journal.line("file", **ENTRY | {"state": "ok", "target": "a.xml"})
        journal.line("summary", **ENTRY | {"path": "sum", "state": "ok"})
        journal.line("file", path="c.glb", target="", state="ok")
    found = done_before(path)
    assert {key[0] for key in found} == {*DONE, "a.glb"}
    assert found["a.glb", "a.urdf"]["state"] == "ok"
    assert ("a.glb", "a.xml") in found
    assert done_before(tmp_path / "none") == done_before(None) == {}


def test_what_is_done_is_of_runs_alike_and_told_last(tmp_path: Path) -> None:
    """What another run has done since, in whatever state, is no more as it was told before."""
    path = tmp_path / "report.jsonl"
    with Journal(path) as journal:
        for run in ("old", "new", "old", "new"):
            journal.line("run", options=run)
            journal.line("file", **ENTRY | {"path": run, "state": "ok"})
        journal.line("run", options="old")
        journal.line("file", **ENTRY | {"path": "twice", "state": "ok"})
        journal.line("run", options="new")
        journal.line("file", **ENTRY | {"path": "twice", "state": "crashed"})
    assert {name for name, _ in done_before(path, lambda run: run["options"] == "new")} == {"new"}
    assert {name for name, _ in done_before(path, lambda run: run["options"] == "old")} == {"old"}


def test_a_report_holds_while_what_was_read_and_written_is_there(tmp_path: Path) -> None:
    """As it was, by content where only the time differs; what changed under the reader never."""
    source, output = tmp_path / "a.glb", tmp_path / "a.urdf"
    source.write_bytes(b"one")
    output.write_bytes(b"two")
    gone = asdict(Seen.now(str(tmp_path / "none.png")))
    inputs = [asdict(Seen.now(str(source))), gone]
    told = ENTRY | {"path": str(source), "target": str(output), "state": "ok", "inputs": inputs}
    written = told | {"outputs": [{"path": str(output)}]}
    assert not still_holds(told | {"inputs": [inputs[0] | {"sha256": ""}]}, Seen.now)
    os.utime(source, (0, 0))
    assert all(still_holds(one, Seen.now) for one in (told, written))
    assert not any(still_holds(told | {"inputs": one}, Seen.now) for one in (None, [7], [{}]))
    assert still_holds(told | {"target": ""}, Seen.now), "a check writes nothing"
    output.unlink()
    assert not any(still_holds(one, Seen.now) for one in (told, written))
    assert still_holds(told | {"state": "refused"}, Seen.now), "nothing was to be written"
    source.write_bytes(b"six")
    assert not still_holds(told | {"target": ""}, Seen.now)


def test_a_suite_is_written_over_a_suite_alone(tmp_path: Path) -> None:
    """A robot of MJCF has the same ending; what is not there yet is nobody's."""
    path = tmp_path / "a.xml"
    words = argparse.Namespace(report=None, junit=path)
    assert not misnamed_report(words)
    assert not misnamed_report(argparse.Namespace(report=None, junit=Path("n" * 300 + ".xml")))
    path.write_text('<mujoco model="arm"/>')
    assert "--junit says where to write" in misnamed_report(words)
    write_junit(path, "check", [])
    assert not misnamed_report(words)


@pytest.mark.parametrize("by_content", [True, False])
def test_what_is_unchanged_is_of_the_same_file_words_and_output(
    by_content: bool, tmp_path: Path
) -> None:
    """Another file that becomes the same, or the same with other words, is done anew."""
    source, output = tmp_path / "a.glb", tmp_path / "a.urdf"
    source.write_bytes(b"one")
    output.write_bytes(b"two")
    known = KnownOutputs.read(tmp_path / "known.jsonl", "words")
    seen = [asdict(Seen.now(str(one))) for one in (source, output)]
    report = ENTRY | {"path": str(source), "target": str(output), "state": "ok"}
    report |= {"inputs": seen[:1], "outputs": seen[1:]}
    known.add(report, {"blender": "5.2"})
    for key, path, is_known in (
        ("words", source, True),
        ("others", source, False),
        ("words", tmp_path / "b.glb", False),
    ):
        again = KnownOutputs.read(tmp_path / "known.jsonl", key)
        assert bool(again.versions) is (key == "words")
        found = again.unchanged(Task(path, output), by_content=by_content)
        assert (found is not None) is is_known
    output.write_bytes(b"six")
    os.utime(output, ns=(report["outputs"][0]["time"],) * 2)
    again = KnownOutputs.read(tmp_path / "known.jsonl", "words")
    assert (again.unchanged(Task(source, output), by_content=by_content) is None) is by_content
    output.write_bytes(b"twice")
    again = KnownOutputs.read(tmp_path / "known.jsonl", "words")
    assert again.unchanged(Task(source, output), by_content=by_content) is None


@pytest.mark.parametrize("word", ["{}", "{}/*.glb", "@{}/list.txt"])
def test_one_word_that_names_many_is_many_files_for_whoever_simulates(
    word: str, tmp_path: Path
) -> None:
    """A folder, a pattern and a list alone are what they are with other words beside them."""
    for name in ("a.glb", "b.glb"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "list.txt").write_text(f"{tmp_path}/a.glb\n{tmp_path}/b.glb\n")
    arguments = parsed(["simulate", word.format(tmp_path)], "omi")
    assert [task.path.name for task in tasks_of(arguments)] == ["a.glb", "b.glb"]


@pytest.mark.parametrize("name", ["@night", "night[1]", "night*"])
def test_a_folder_is_one_whatever_it_is_called(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is there, so it is no list and no pattern; with other words beside it, too."""
    monkeypatch.chdir(tmp_path)
    for folder in (name, "other"):
        Path(folder).mkdir()
        Path(folder, f"{folder[0]}.glb").write_bytes(b"")
    for words in ([name], [name, "other"]):
        tasks = tasks_of(parsed(["simulate", *words], "omi"))
        assert [task.path.parent.name for task in tasks] == words


@pytest.mark.parametrize(
    ("text", "is_taken"),
    [
        ('<?xml version="1.0"?>\n<!-- <mujoco> --><package format="3"/>', False),
        ("<testsuite tests='1'/>", False),
        ("<mujocoinclude/>", False),
        ("<!-- <package> -->\n<mujoco model='m'>", True),
        ("<mujoco", True),
        ("", True),
    ],
)
def test_of_xml_in_a_folder_what_is_of_another_kind_is_passed_over(
    text: str, is_taken: bool, tmp_path: Path
) -> None:
    """A folder of ROS has package.xml, and ours a report; who names such a file is told."""
    for name in ("a.xml", "b.urdf"):
        (tmp_path / name).write_text(text)
    kinds = (".xml", ".urdf")
    found = sources([tmp_path], kinds, deep=False)
    assert [one.path.name for one in found] == ["a.xml", "b.urdf"][not is_taken :]
    assert len(sources([tmp_path / "a.xml"], kinds, deep=False)) == 1
