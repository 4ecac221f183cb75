# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs of many files say while they go, at their end, and in their reports."""

from __future__ import annotations

import json
import re
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import pytest

from omi_physics_joint.cli.batch import journal
from omi_physics_joint.cli.batch.journal import STATES, RunProgress
from omi_physics_joint.cli.command import main
from omi_physics_joint.cli.outcome import Outcome
from omi_physics_joint.model.issue import Issue, Severity
from tests.approved import approved
from tests.omi_documents import door, glb, keyed_door

CHANGING = (
    (re.compile(r'"(versions|sha256|time|size)": ("[^"]*"|\{[^}]*\}|[\d.]+)'), r'"\1": 0'),
    (re.compile(r'("seconds": |time=")[\d.]+'), r"\g<1>0"),
    (re.compile(r" *[\d.]+ s\b"), " 0 s"),
    (re.compile(r"-?\b\d(\.\d+)?e-\d\d\b"), "0"),
)
"""What is another each time, and what stands there instead."""
Run = Callable[[str], list[str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A function that runs a command beside a shelf of files; what it prints and reports."""
    monkeypatch.chdir(tmp_path)
    shelf = Path("shelf")
    shelf.mkdir()
    (shelf / "a.glb").write_bytes(glb(door()))
    (shelf / "b.glb").write_bytes(glb(keyed_door()))
    (shelf / "cut.glb").write_bytes(b"glTF?")

    def steady(text: str) -> str:
        text = text.replace(str(tmp_path.resolve()), "HERE")
        for pattern, instead in CHANGING:
            text = pattern.sub(instead, text)
        return text

    def lines(words: str) -> list[str]:
        if "--resume" in words:
            Path("before.jsonl").rename("report.jsonl")
        code = main(words.split())
        out, err = capsys.readouterr()
        if out.startswith("{"):
            out = json.dumps(json.loads(out))
        told = [line.rstrip() for line in steady(out).splitlines()]
        told += [f"! {line.rstrip()}" for line in steady(err).splitlines()]
        for report in sorted(tmp_path.glob("report*")):
            text = report.read_text("utf-8")
            told += [f"{report.name}: {line.rstrip()}" for line in steady(text).splitlines()]
            if "--resume" not in words and report.suffix == ".jsonl":
                report.rename("before.jsonl")
            else:
                report.unlink()
        return [*told, f"-> {code}"]

    return lines


@pytest.mark.long
@pytest.mark.usefixtures("kernel_library")  # it is said which solver runs, and in how many steps
def test_runs_print_and_report_what_is_approved(run: Run) -> None:
    """Each file's line, what is lost in it, the end; JSON, JUnit and GitHub's words beside."""
    words = (
        "check -j 1 --reader godot-omi --report report.jsonl --junit report.xml shelf",
        "check -j 1 --reader godot-omi --report report.jsonl --resume shelf",
        "check -j 1 --quiet --fail-on loss --annotations github shelf",
        "check -j 1 --json --shard 1/2 shelf/a.glb shelf/b.glb",
        "info -j 1 shelf/a.glb shelf/b.glb",
        "convert -j 1 --output-dir out --format xml --report report.jsonl shelf",
        "convert --output-dir out --format urdf --tree --strict shelf",
        "simulate -j 1 --seconds 0.1 shelf/a.glb shelf/cut.glb",
    )
    approved("cli_batch.txt", {f"{one}.": run(one) for one in words})


def test_progress_is_said_as_approved(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line a file with its state; on a terminal how long it takes; what repeats is counted."""
    clock = iter(range(0, 100000, 70))
    monkeypatch.setattr(journal.time, "monotonic", lambda: float(next(clock)))
    hint = Issue(Severity.HINT, "godot-stops", "Door", "It gives back.", "Let it be.")
    told = {}
    for terminal in (True, False):
        for quiet in (False, True):
            monkeypatch.setattr(journal, "is_on_terminal", lambda terminal=terminal: terminal)
            arguments = Namespace(quiet=quiet, command="export", json=False)
            said = RunProgress(len(STATES) + 3, arguments)
            for number, state in enumerate(STATES):
                name = f"{state}.blend"
                code = 0 if state in ("ok", "unchanged", "lost") else number
                entry = {
                    "path": name,
                    "state": state,
                    "code": code,
                    "seconds": 1.5 * number,
                    "output": f"{state}.glb",
                    "target": f"{state}/{{part}}.glb",
                    "outputs": [f"{state}.glb"] * (1 + number % 2),
                    "bodies": number,
                    "joints": 1,
                }
                said.file(entry, Outcome(Path(name), (hint,), error="No." if code else ""))
            said.end({state: 1 for state in STATES}, 3)
            out, err = capsys.readouterr()
            kind = f"{'On a terminal' if terminal else 'In a log'}{', quietly' * quiet}."
            lines = [line.rstrip() for line in out.splitlines()]
            told[kind] = lines + [f"! {line.rstrip()}" for line in err.splitlines()]
    approved("cli_progress.txt", told)
