# SPDX-License-Identifier: GPL-3.0-or-later
"""What GitHub and JUnit are told of files: wherever it is asked for, and of each once."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from omi_physics_joint.cli.batch.journal import write_junit
from omi_physics_joint.cli.command import main
from omi_physics_joint.cli.reports.github import beside_files, tell_files
from omi_physics_joint.model.issue import Severity
from tests.omi_documents import door, glb

COMMANDS = ("check cut.glb", "convert cut.glb out.urdf", "info cut.glb", "simulate cut.glb")
BESIDE_IT = "::error file=cut.glb,title=unreadable::"


@pytest.fixture(autouse=True)
def summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where GitHub looks for the summary of a step; two files are beside it."""
    monkeypatch.chdir(tmp_path)
    Path("door.glb").write_bytes(glb(door()))
    Path("cut.glb").write_bytes(b"glTF?")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    return tmp_path / "summary.md"


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_tells_of_its_one_file(
    words: str, summary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is cut off is an annotation beside it, and a row of the table."""
    assert main([*words.split(), "--annotations", "github"])
    assert BESIDE_IT in capsys.readouterr().err
    assert "| cut.glb | unreadable |" in summary.read_text("utf-8")


@pytest.mark.long
def test_workers_leave_it_to_who_knows_all_files(
    summary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The summary has one table of all files, and not one more of each."""
    assert main(["check", "door.glb", "cut.glb", "-j", "1", "--annotations", "github"])
    assert BESIDE_IT in capsys.readouterr().err
    assert summary.read_text("utf-8").count("### check") == 1


def test_what_github_and_junit_cannot_hold_is_spelt_otherwise(tmp_path: Path) -> None:
    """New lines and commas for GitHub, what is no text for XML; all that failed counts."""
    issue = {"severity": "hint", "code": "c", "where": "a\x00", "message": "50 %\nor", "fix": "x:y"}
    lost = {"path": "a,b:c.glb", "code": 1, "state": "lost", "error": "", "issues": [issue]}
    gone = {"path": "d.glb", "code": 3, "state": "unreadable", "error": "No.", "issues": []}
    entries = [{**one, "seconds": 1.5} for one in (lost, gone)]
    assert beside_files(entries) == [
        "::notice file=a%2Cb%3Ac.glb,title=c::a\x00: 50 %25%0Aor x:y",
        "::error file=d.glb,title=unreadable::No.",
    ]
    write_junit(tmp_path / "j.xml", "check", entries)
    suite = ElementTree.parse(tmp_path / "j.xml").getroot()
    assert (suite.get("failures"), suite.get("time")) == ("2", "3.000")
    assert [one.text for one in suite.iter("failure")] == ["hint: a: 50 %\nor x:y", "No."]


@pytest.mark.parametrize("code", [0, 1])
@pytest.mark.parametrize("severity", [*Severity])
def test_all_that_is_more_than_a_hint_is_in_the_summary(
    severity: Severity, code: int, summary: Path
) -> None:
    """A warning as well, of a file that went well too."""
    issue = {"severity": severity.value, "code": "c", "where": "A", "message": "It is.", "fix": ""}
    entry = {"path": "a.glb", "code": code, "state": "ok", "error": "", "issues": [issue]}
    tell_files("check", [entry])
    text = summary.read_text("utf-8")
    assert ("A: It is." in text) is (severity is not Severity.HINT)
    assert ("| a.glb | ok |" in text) is (severity is not Severity.HINT or bool(code))


def test_the_summary_of_a_step_has_a_row_for_each_file_with_troubles(summary: Path) -> None:
    """Names and sentences stand there as they are, in one cell each; hints are left out."""
    issue = {"severity": "error", "code": "c", "where": "a|b", "message": "It\nis *not*", "fix": ""}
    bad = {"path": "a_b.glb", "code": 1, "state": "lost", "error": "", "issues": [issue, issue]}
    gone = {"path": "d.glb", "code": 3, "state": "unreadable", "error": "No.", "issues": []}
    hinted = [{**issue, "severity": "hint"}]
    good = {"path": "e.glb", "code": 0, "state": "ok", "error": "", "issues": hinted}
    tell_files("check", [bad, gone, good])
    tell_files("export", [good, good])
    assert summary.read_text("utf-8").splitlines() == [
        "### check: 1 lost, 1 unreadable, 1 ok",
        "",
        "| file | state | issues |",
        "|---|---|---|",
        r"| a\_b.glb | lost | a\|b: It is \*not\*<br>a\|b: It is \*not\* |",
        "| d.glb | unreadable | No. |",
        "",
        "### export: 2 ok",
        "",
    ]
