# SPDX-License-Identifier: GPL-3.0-or-later
"""What is reported of many files, parts and issues: each of them, and the right one by its name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from omi_physics_joint.cli import each_file
from omi_physics_joint.cli.batch.journal import STATES, Journal, RunProgress, _duration, write_junit
from omi_physics_joint.cli.batch.run import _runs_scripts
from omi_physics_joint.cli.batch.tasks import Task, placed, sources
from omi_physics_joint.cli.examine import _report
from omi_physics_joint.cli.outcome import FailOn, Judge, Outcome, Repeats, outcome_of
from omi_physics_joint.cli.reports.github import beside_files, tell_files
from omi_physics_joint.cli.reports.lines import info_lines
from omi_physics_joint.cli.reports.report import info_of
from omi_physics_joint.model.issue import Issue, Severity
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.readers import DIFFERENCES

Captured = pytest.CaptureFixture[str]
HINT = next(iter(DIFFERENCES))
BAD = Issue(Severity.ERROR, "bad", "Door", "It is bad.", "Mend it.")
LOSS = Issue(Severity.WARNING, "gone", "Lid", "It is gone.", "", loss=True)
SOFT = Issue(Severity.WARNING, "soft", "Wall", "It is soft.", "")
ODD = Issue(Severity.HINT, "odd", "Post", "It is odd.", "")


def entry(path: str, state: str = "ok", *issues: Issue, **members: Any) -> dict[str, Any]:
    """Return what is reported of a file."""
    code = {"ok": 0, "unchanged": 0, "lost": 1, "refused": 1, "crashed": 4}.get(state, 3)
    said = [one.as_json() for one in issues]
    base = {"path": path, "state": state, "code": code, "seconds": 1.5, "error": "", "issues": said}
    return {**base, "output": "", "target": "", **members}


@pytest.mark.parametrize("count", [1, 2, 3])
def test_sums_are_of_all_that_was_written(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each part too, with its own numbers."""
    held = {f"{at}.glb": {"path": f"{at}.glb", "bytes": 10 * at, "joints": at} for at in (1, 2, 3)}
    monkeypatch.setattr(each_file, "_written", lambda path: held[path.name])
    outputs = tuple(held)[:count]
    report = each_file._as_json(Outcome(Path("a.blend"), outputs=outputs), "export")
    total = sum(range(1, count + 1))
    assert (report["bytes"], report["joints"], report["output"]) == (10 * total, total, "1.glb")
    assert [one["path"] for one in report["outputs"]] == list(outputs)


@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("parts", [1, 2])
def test_a_line_a_file(parts: int, state: str, quiet: bool, capsys: Captured) -> None:
    """Which, where to, and how much is in it; not of what was left alone, or where all is quiet."""
    words = SimpleNamespace(quiet=quiet, command="export", json=True)
    progress = RunProgress(12, words)
    outputs = [{"path": f"out/{at}.glb"} for at in range(parts)]
    one = entry("a.blend", state, outputs=outputs, output="out/0.glb", target="out/{part}.glb")
    one |= {"bodies": 1, "joints": 2}
    progress.file(one, Outcome(Path("a.blend")))
    said = capsys.readouterr().err
    if state == "unchanged" or (quiet and not one["code"]):
        assert said == ""
        return
    target = "out/{part}.glb" if parts > 1 else "out/0.glb"
    assert said.startswith("[ 1/12] ")
    assert said.endswith(f" 1.5 s  a.blend -> {target}  (1 body, 2 joints)\n")


def test_what_was_left_alone_and_fails_is_told(capsys: Captured) -> None:
    """It fails the run all the same."""
    progress = RunProgress(1, SimpleNamespace(quiet=True, command="export", json=True))
    progress.file(entry("a.blend", "unchanged", code=1), Outcome(Path("a.blend"), (BAD,)))
    said = capsys.readouterr().err
    assert "unchanged" in said
    assert "a.blend: error: Door: It is bad." in said


@pytest.mark.parametrize("left", [0, 1, 3])
def test_the_summary_counts_all(left: int, capsys: Captured) -> None:
    """Files that were not reached among them; each state in its place."""
    progress = RunProgress(9, SimpleNamespace(quiet=True, command="export", json=True))
    progress.end({"timeout": 1, "ok": 2}, left)
    more = f", {left} not reached" if left else ""
    assert capsys.readouterr().err.startswith(f"{3 + left} files: 2 ok, 1 timeout{more}; ")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1.25, "1.2 s"),
        (59.4, "59.4 s"),
        (61.0, "1 min 1 s"),
        (3600.0, "1 h 0 min"),
        (9000, "2 h 30 min"),
    ],
)
def test_how_long(seconds: float, words: str) -> None:
    """In the units that one thinks in."""
    assert _duration(seconds) == words


def test_a_test_case_a_file(tmp_path: Path) -> None:
    """What fails is a failure, with an error or without; what is said of others stands."""
    files = [
        entry("a", "ok"),
        entry("b", "ok", SOFT),
        entry("c", "lost", BAD, SOFT),
        entry("d", "unreadable", error="There is no such file."),
    ]
    write_junit(tmp_path / "out.xml", "check", files)
    suite = ElementTree.parse(tmp_path / "out.xml").getroot()
    said = (suite.get("tests"), suite.get("failures"), suite.get("time"))
    assert said == ("4", "2", "6.000")
    assert [case.get("name") for case in suite] == ["a", "b", "c", "d"]
    assert [[part.tag for part in case] for case in suite] == [
        [],
        ["system-out"],
        ["failure"],
        ["failure"],
    ]
    assert [case[0].get("message") for case in suite[2:]] == ["lost", "There is no such file."]
    assert "error: Door: It is bad. Mend it.\nwarning: Wall" in (suite[2][0].text or "")


def test_a_torn_line_costs_no_other(tmp_path: Path) -> None:
    """A report that goes on begins a line of its own; one that begins anew has nothing else."""
    path = tmp_path / "out.jsonl"
    path.write_text('{"kind": "file"}\n{"kind": "fi', "utf-8")
    with Journal(path, goes_on=True) as journal:
        journal.line("summary", code=0)
    assert path.read_text("utf-8").splitlines()[-1] == '{"kind": "summary", "code": 0}'
    with Journal(path) as journal:
        journal.line("summary", code=1)
    assert path.read_text("utf-8") == '{"kind": "summary", "code": 1}\n'


def test_each_issue_has_its_level_beside_the_file() -> None:
    """With its own title, and a path that GitHub takes for one."""
    lines = beside_files([entry("a,b:c.glb", "lost", BAD, SOFT, ODD, error="It is lost.")])
    heads = [line.split("::")[1] for line in lines]
    place = "file=a%2Cb%3Ac.glb"
    assert heads == [
        f"error {place},title=lost",
        f"error {place},title=bad",
        f"warning {place},title=soft",
        f"notice {place},title=odd",
    ]


@pytest.mark.parametrize("wrong", [0, 2])
def test_the_table_is_of_files_with_troubles(
    wrong: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any there is none, and without hints in it."""
    place = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(place))
    files = [entry(f"{at}.glb", "ok", ODD) for at in range(3)]
    files[:wrong] = [entry(f"{at}.glb", "lost", BAD, ODD) for at in range(wrong)]
    tell_files("check", files)
    text = place.read_text("utf-8")
    assert text.count("\n| ") == (wrong + 1 if wrong else 0)
    assert "odd" not in text
    assert text.startswith(f"### check: {'2 lost, 1 ok' if wrong else '3 ok'}\n")


@pytest.mark.parametrize("fail_on", FailOn)
@pytest.mark.parametrize("issue", [BAD, LOSS, SOFT, ODD], ids=lambda one: one.code)
def test_each_word_fails_on_what_it_says(fail_on: FailOn, issue: Issue) -> None:
    """And on what is worse; who is quiet is told of that alone, the others of all."""
    worst = {"bad": 0, "gone": 1, "soft": 2, "odd": 3}[issue.code]
    fails = worst <= list(FailOn).index(fail_on)
    outcome = Outcome(Path("a"), (ODD, issue)).judged(Judge(fail_on))
    assert outcome.code == int(fails)
    assert len(Judge(fail_on, quiet=True).told((issue,))) == int(fails)
    assert len(Judge(fail_on).told((issue,))) == 1
    reply = {"ok": True, "issues": [issue.as_json()]}
    assert outcome_of(Path("a"), reply).issues == (issue,)


def test_ignored_codes_may_have_blanks() -> None:
    """As in "a, b"; a pattern stands for all that it fits."""
    words = SimpleNamespace(fail_on="error", ignore=["bad, go*", "soft"], quiet=False)
    assert Judge.of(words).heard((BAD, LOSS, SOFT, ODD)) == (ODD,)


@pytest.mark.parametrize(
    "lost", [("joints",), ("joints", "colliders"), ("joints", "bodies", "colliders")]
)
def test_each_kind_that_is_missing_is_told(lost: tuple[str, ...]) -> None:
    """Not of a file that could not be read: that has an error of its own."""
    kinds = ("joints", "bodies", "colliders")
    info: Any = {kind: 0 if kind in lost else 2 for kind in kinds}
    found = Outcome(Path("a"), (ODD,), info).requiring(kinds).issues
    assert [one.message for one in found] == [
        *(f"It holds no {kind}." for kind in lost),
        "It is odd.",
    ]
    assert Outcome(Path("a"), error="No.").requiring(kinds).issues == ()


def test_what_a_reader_does_otherwise_is_said_once() -> None:
    """Other hints are of each file; how many files it is true of is counted."""
    hint = Issue(Severity.HINT, HINT, "scene", "It is so.", "")
    repeats = Repeats()
    kept = [repeats.left_out(Outcome(Path(name), (hint, ODD, SOFT))).issues for name in "abc"]
    assert kept == [(hint, ODD, SOFT), (ODD, SOFT), (ODD, SOFT)]
    assert repeats.lines() == [f"{HINT}: likewise in 2 other files"]


@pytest.mark.parametrize("asked", [None, "allow", "deny"])
@pytest.mark.parametrize("word", ["", "-y", "--enable-autoexec", "-b"])
def test_scripts_run_where_somebody_asked(word: str, asked: str | None) -> None:
    """By either spelling of Blender's, unless the command says otherwise."""
    runs = _runs_scripts(SimpleNamespace(scripts=asked), ["blender", word])
    assert runs is (asked == "allow" or (asked is None and word in ("-y", "--enable-autoexec")))


def test_files_of_folders_are_those_that_are_seen(tmp_path: Path) -> None:
    """Whatever case they end in; nothing hidden below, wherever the folder itself lies."""
    home = tmp_path / ".hidden" / "home"
    for name in ("a.glb", "B.GLB", ".c.glb", "d.txt", "in/e.glb", ".in/f.glb"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(b"")
    (home / "folder.glb").mkdir()
    found = sources([home], (".glb",), deep=True)
    assert sorted(one.below.as_posix() for one in found) == ["B.GLB", "a.glb", "in/e.glb"]


def test_lists_may_quote_and_files_may_be_called_like_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either quotes, blank lines, and names with signs of patterns that are there."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.glb", "b.glb", "c.glb", "@d.glb", "[e].glb"):
        Path(name).write_bytes(b"")
    Path("list.txt").write_text("a.glb\n\n\"b.glb\"\n 'c.glb' \n", "utf-8")
    words = map(Path, ("@list.txt", "@d.glb", "[e].glb"))
    found = [str(one.path) for one in sources(words, (".glb",), deep=False)]
    assert found == ["a.glb", "b.glb", "c.glb", "@d.glb", "[e].glb"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_who_comes_first_has_the_name(order: tuple[int, ...], tmp_path: Path) -> None:
    """The others are told whose it is; one that is no file takes none."""
    files = []
    for name in ("x", "y", "z"):
        path = tmp_path / name / "a.glb"
        path.parent.mkdir()
        path.write_bytes(b"") if name != "y" else path.mkdir()
        files.append(path)
    named = [
        sources([files[at]], (".glb",), deep=False)[0] if files[at].is_file() else None
        for at in order
    ]
    named = [one or SimpleNamespace(path=files[1], below=Path("a.glb")) for one in named]
    tasks = placed(named, tmp_path / "out", "{stem}.gltf")
    troubles = {task.path: task.trouble for task in tasks}
    first, last = (files[0], files[2]) if order.index(0) < order.index(2) else (files[2], files[0])
    assert troubles[files[1]].endswith("is no file.")
    assert troubles[first] == ""
    assert troubles[last].startswith(f"It would be written over what {first} becomes: both are a")


@pytest.mark.parametrize("after", [False, True])
def test_only_who_moves_by_forces_has_a_mass(*, after: bool) -> None:
    """And who is joined is said in the order of the joint; all users of settings are named."""
    joint = {"name": "J", "body": "A", "connected_body": "", "title": "Hinge", "sentence": "Hinge"}
    bodies = [
        {"name": kind, "motion": kind, "mass": 2.0} for kind in ("static", "kinematic", "dynamic")
    ]
    settings = [{"name": "S", "title": "Hinge", "users": ["J", "K"]}]
    info: Any = {"nodes": 1, "colliders": 2, "triggers": 0, "bodies": bodies}
    info |= {"joints": [joint] * (1 + after), "settings": settings}
    lines = list(info_lines(info))
    assert (
        lines[0]
        == f"1 node, 3 bodies, {'2 joints' if after else '1 joint'}, 2 colliders, 0 triggers"
    )
    assert lines[1:4] == [
        "body static: static",
        "body kinematic: kinematic",
        "body dynamic: dynamic, 2 kg",
    ]
    assert lines[4] == "joint J: Hinge; joins A and nothing"
    assert lines[-1] == 'settings "S": Hinge; 2 users: J, K'


def test_both_sides_of_a_diff_are_reported() -> None:
    """In their order, without a code of their own."""
    report = _report([Outcome(Path("a")), Outcome(Path("b"), error="No.")], (), 3)
    assert [(one["path"], one["error"]) for one in report["files"]] == [("a", ""), ("b", "No.")]
    assert not any("code" in one for one in report["files"])
    assert Task(Path("a")).name == ("a", "")


@pytest.mark.parametrize("bare", [0, 1, 2])
@pytest.mark.parametrize("kind", ["joints", "bodies", "colliders", "triggers"])
def test_files_without_physics_are_counted(kind: str, bare: int, capsys: Captured) -> None:
    """One optimiser that knows no physics takes it from all, and what is lost has no issues."""
    nothing = info_of(Mechanism())
    held: Any = {**nothing, kind: 1}
    infos = [nothing] * bare + [held] * (2 - bare)
    paths = [Path(f"{at}.glb") for at in range(2)]
    outcomes = [Outcome(path, info=info) for path, info in zip(paths, infos, strict=True)]
    said = {0: "no issues", 1: "no issues, and no physics"}[min(bare, 1)]
    each_file._print_all(outcomes[:1], "check", says_solver=False)
    assert capsys.readouterr().out == f"{said}\n"
    each_file._print_all(outcomes, "check", says_solver=False)
    without = f", {bare} without physics" if bare else ""
    assert capsys.readouterr().out == f"2 files{without}: no issues\n"
    each_file._print_all([replace(outcomes[0], issues=(BAD,))], "check", says_solver=False)
    assert capsys.readouterr().out == f"{BAD}\n1 error\n"
