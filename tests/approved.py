# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts that somebody has read and found right: `tests/approved/` has them, one file a test.

What is shown, drawn or written is said there as short lines below a sentence for each situation,
and a test compares what is so now. Whoever changes it on purpose runs `make approve`, reads what
`git diff tests/approved` says, and commits that along. `tests/test_approved.py` holds that each
of the files has a test.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent / "approved"
ANEW = "OMI_APPROVE"
"""The environment variable that has files written instead of compared."""
HEADING = "## "


def approved(name: str, situations: Mapping[str, Iterable[str]]) -> None:
    """Fail unless what is so now is what the file of this name says.

    Args:
        name: The file in `tests/approved/`; written out, so that it is known who compares it.
        situations: Lines by the sentence that says what they are about.
    """
    now = {sentence: [*lines] for sentence, lines in situations.items()}
    for sentence, lines in now.items():
        assert sentence.endswith("."), f"{sentence!r} is no sentence"
        wrong = [line for line in lines if line.startswith(HEADING) or line != line.rstrip()]
        assert not wrong, f"cannot be kept as a line: {wrong}"
        assert not any("\n" in line for line in lines), f"more than a line: {lines}"
    path = FOLDER / name
    if os.environ.get(ANEW) == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(_text(now), encoding="utf-8", newline="\n")
        pytest.skip(f"written anew: read what git diff says of {name}")
    before = _situations(path.read_text("utf-8")) if path.is_file() else {}
    said = [line for sentence in {**before, **now} for line in _said(sentence, before, now)]
    if said or [*before] != [*now]:
        pytest.fail("\n".join([f"{name} says otherwise (- before, + now):", *said]), pytrace=False)


def _text(situations: Mapping[str, list[str]]) -> str:
    """Return the contents of a file."""
    return "\n".join(
        "".join(f"{line}\n" for line in (HEADING + sentence, *lines))
        for sentence, lines in situations.items()
    )


def _situations(text: str) -> dict[str, list[str]]:
    """Return the lines of a file by sentence; the one that is empty before a heading is none."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith(HEADING):
            if lines and lines[-1] == "":
                del lines[-1]
            lines = found.setdefault(line.removeprefix(HEADING), [])
        else:
            lines.append(line)
    return found


def _said(
    sentence: str, before: Mapping[str, list[str]], now: Mapping[str, list[str]]
) -> list[str]:
    """Return how a situation differs, nothing if it does not."""
    if sentence not in now:
        return [f"- {HEADING}{sentence} (and its {len(before[sentence])} lines)"]
    if sentence not in before:
        return [f"+ {HEADING}{sentence}", *(f"+ {line}" for line in now[sentence])]
    compared = difflib.unified_diff(before[sentence], now[sentence], lineterm="", n=2)
    changed = [line for line in compared if not line.startswith(("---", "+++"))]
    return [f"  {HEADING}{sentence}", *changed] if changed else []
