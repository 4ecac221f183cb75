# SPDX-License-Identifier: GPL-3.0-or-later
"""Approved texts: each is compared by a test, is short enough to be read, and differs clearly."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests import approved as module
from tests.approved import FOLDER, approved

TESTS = Path(__file__).resolve().parent
SITUATIONS = {"A door is shut.": ["Angle 0°", "", "Range 0° to 90°"], "It is open.": ["Angle 90°"]}


def compared_names() -> Counter[str]:
    """Return the names of files that tests compare, as their sources spell them."""
    found: Counter[str] = Counter()
    for path in TESTS.rglob("test_*.py"):
        text = path.read_text("utf-8")
        if path == Path(__file__) or "approved" not in text:
            continue
        for test in ast.walk(ast.parse(text)):
            if not isinstance(test, ast.FunctionDef) or not test.name.startswith("test_"):
                continue
            for call in ast.walk(test):
                if isinstance(call, ast.Call) and getattr(call.func, "id", "").startswith(
                    "approved"
                ):
                    assert isinstance(call.args[0], ast.Constant), f"{path}: write the name out"
                    found[str(call.args[0].value)] += 1
    return found


def test_each_file_is_compared_by_one_test() -> None:
    """No file lies there that nobody compares, and no two tests write the same one."""
    files = [path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()]
    assert compared_names() == Counter(files)


def test_files_can_be_read() -> None:
    """A file that a reviewer reads has at most 400 lines, as any other."""
    for path in FOLDER.rglob("*.txt"):
        assert len(path.read_text("utf-8").splitlines()) <= 400, path.name


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare as ever, with files of a folder of our own."""
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    monkeypatch.delenv(module.ANEW, raising=False)


def said(situations: dict[str, list[str]]) -> str:
    """Return what a comparison says that fails."""
    with pytest.raises(pytest.fail.Exception) as failed:
        approved("doors.txt", situations)
    return str(failed.value)


def test_what_was_written_anew_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written unasked; a file that was written holds until something is another."""
    assert "+ ## A door is shut." in said(SITUATIONS)
    monkeypatch.setenv(module.ANEW, "1")
    with pytest.raises(pytest.skip.Exception):
        approved("doors.txt", SITUATIONS)
    monkeypatch.delenv(module.ANEW)
    approved("doors.txt", SITUATIONS)
    for lines in (["Angle 1°"], [], ["Angle 90°", ""]):
        assert "  ## It is open." in said({**SITUATIONS, "It is open.": lines})
    assert "- ## It is open. (and its 1 lines)" in said({"A door is shut.": ["Angle 0°"]})
    assert said(dict(reversed(SITUATIONS.items()))), "their order is part of the file"


@pytest.mark.parametrize(
    "situations", [{"A door": []}, {"A door.": ["a\nb"]}, {"A door.": ["a "]}, {"A.": ["## b"]}]
)
def test_what_cannot_be_kept_is_refused(situations: dict[str, list[str]]) -> None:
    """Situations are sentences, and lines are lines."""
    with pytest.raises(AssertionError):
        approved("doors.txt", situations)
