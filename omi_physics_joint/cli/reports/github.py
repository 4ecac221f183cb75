# SPDX-License-Identifier: GPL-3.0-or-later
"""What GitHub shows of a step: lines beside the files of a commit, and a summary of it."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable of a step that names a file, whose Markdown is shown with the run."""
MOST_ROWS = 500
"""Files in a table: GitHub shows no summary of more than 1 MiB."""
LEVELS = {"error": "error", "warning": "warning", "hint": "notice"}
SPECIAL = re.compile(r"[\\`*_\[\]<>|~&$]")
"""What Markdown does not take as it is."""


def tell_files(command: str, entries: Sequence[Mapping[str, Any]]) -> None:
    """Show what came of files, as reports have them; the table is of those with troubles."""
    for line in beside_files(entries):
        print(line, file=sys.stderr)
    states = Counter(one["state"] for one in entries)
    rows = []
    for one in entries:
        said = (one["error"], *(said_of(it) for it in one["issues"] if it["severity"] != "hint"))
        troubles = "<br>".join(_plain(text) for text in said if text)
        if troubles or one["code"]:
            rows.append(f"| {_plain(one['path'])} | {one['state']} | {troubles} |")
    counts = ", ".join(f"{many} {state}" for state, many in states.items())
    head = ["", "| file | state | issues |", "|---|---|---|"] if rows else []
    _add_to_summary([f"### {command}: {counts}", *head, *rows[:MOST_ROWS]])


def tell_changes(path: str, changes: Sequence[str]) -> None:
    """Show in words what is another in a file than it was."""
    print(_annotation("notice", path, "changed", "\n".join(changes)), file=sys.stderr)
    _add_to_summary(
        [f"### {_plain(path)} has changed", "", *(f"- {_plain(one)}" for one in changes)]
    )


def beside_files(entries: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return lines that GitHub shows beside the files of a commit."""
    lines: list[str] = []
    for one in entries:
        if one["error"]:
            lines.append(_annotation("error", one["path"], one["state"], one["error"]))
        for issue in one["issues"]:
            level = LEVELS[issue["severity"]]
            lines.append(_annotation(level, one["path"], issue["code"], said_of(issue)))
    return lines


def said_of(issue: Mapping[str, str]) -> str:
    """Return an issue of a report as a sentence."""
    return f"{issue['where']}: {issue['message']} {issue['fix']}".strip()


def _add_to_summary(lines: Sequence[str]) -> None:
    place = os.environ.get(SUMMARY)
    if place:
        text = "\n".join([*lines, "", ""]).encode("utf-8", "backslashreplace")
        with suppress(OSError), open(place, "ab") as file:
            file.write(text)


def _plain(text: str) -> str:
    """Return Markdown that shows a text on one line."""
    return SPECIAL.sub(r"\\\g<0>", " ".join(text.split()))


def _annotation(level: str, path: str, title: str, message: str) -> str:
    where = _escaped(path).replace(":", "%3A").replace(",", "%2C")
    return f"::{level} file={where},title={title}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
