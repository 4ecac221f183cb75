# SPDX-License-Identifier: GPL-3.0-or-later
"""``--annotations github`` tells of files wherever it is accepted, and of each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from omi_physics_joint.cli.command import main
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
