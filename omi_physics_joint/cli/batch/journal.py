# SPDX-License-Identifier: GPL-3.0-or-later
"""What is told of a run: to people a line a file, lines of JSON as files are done, JUnit's XML."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Self
from xml.etree import ElementTree

from ...files.outputs import put_all
from ...model.wording.words import counted
from ..outcome import Outcome, Repeats
from ..reports.github import said_of
from ..streams import is_on_terminal
from .tasks import TasksError

SCHEMA = 1
"""Of lines; members may be added to them, none changes its meaning under one number."""
DONE = frozenset(("ok", "unchanged", "lost", "refused"))
"""States of files that a run that goes on does not do again."""
TOLD = frozenset(("path", "target", "state", "code", "seconds", "error", "issues"))
"""Members of a file's line without which nothing can be told of it."""
Entry = dict[str, Any]
"""What is reported of a file, as the manual describes it."""


class Journal:
    """Lines of JSON: a header, a line a file as soon as it is done, a summary."""

    def __init__(self, path: Path | None, *, goes_on: bool = False) -> None:
        """Open it; None writes nothing.

        Raises:
            TasksError: it cannot be written.
        """
        self._file: IO[str] | None = None
        self._path, self._lost = path, ""
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+" if goes_on else "w", encoding="utf-8")
            if self._file.tell() and not path.read_bytes().endswith(b"\n"):
                self._write("")  # the last one was not written to its end
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise TasksError(f"The report {path} cannot be written: {reason}.") from None

    def line(self, kind: str, **members: Any) -> None:  # noqa: ANN401 - JSON
        """Write one of the lines that the manual describes."""
        self._write(json.dumps({"kind": kind, **members}))

    def _write(self, text: str) -> None:
        if self._file is None or self._lost:
            return
        try:
            self._file.write(text + "\n")
            self._file.flush()
        except OSError as error:  # a full disk stops no export
            self._lost = error.strerror or str(error)

    @property
    def trouble(self) -> str:
        """Why the report is not whole, in one sentence; "" where it is."""
        if self._file is not None and not self._lost and not os.fstat(self._file.fileno()).st_nlink:
            self._lost = "it was removed meanwhile"
        return f"The report {self._path} is not whole: {self._lost}." if self._lost else ""

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        with suppress(OSError):
            if self._file is not None:
                self._file.close()


def done_before(
    path: Path | None, is_alike: Callable[[Entry], bool] = lambda _: True
) -> dict[tuple[str, str], Entry]:
    """Return what a report says last of files, by path and target, that a run can leave alone.

    Those of runs alike, which the lines that begin them say.
    """
    done: dict[tuple[str, str], Entry] = {}
    counts = True
    for one in lines_of(path):
        counts = is_alike(one) if one.get("kind") == "run" else counts
        if one.get("kind") == "file" and one.keys() >= TOLD:
            name = str(one["path"]), str(one["target"])
            done.pop(name, None)
            if counts and str(one["state"]) in DONE:
                done[name] = one
    return done


def lines_of(path: Path | None) -> Iterator[Entry]:
    """Yield what lines of JSON hold; who was killed tore the last one, and others may write too."""
    lines: list[str] = []
    with suppress(OSError):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path else lines
    for line in lines:
        value = None
        with suppress(ValueError, RecursionError):
            value = json.loads(line)
        if isinstance(value, dict):
            yield value


def write_junit(path: Path, command: str, entries: Sequence[Entry]) -> None:
    """Write what came of files as JUnit's XML: a test case each.

    Raises:
        TasksError: it cannot be written.
    """
    failed = [one for one in entries if one["code"]]
    total = f"{sum(one['seconds'] for one in entries):.3f}"
    suite = ElementTree.Element(
        "testsuite",
        name=f"omi_physics_joint {command}",
        tests=str(len(entries)),
        failures=str(len(failed)),
        time=total,
    )
    for one in entries:
        said = {"classname": command, "name": one["path"], "time": f"{one['seconds']:.3f}"}
        case = ElementTree.SubElement(suite, "testcase", said)
        lines = "\n".join(filter(None, [one["error"], *map(_line, one["issues"])]))
        if one["code"]:
            failure = ElementTree.SubElement(case, "failure", type=one["state"])
            failure.set("message", one["error"] or one["state"])
            failure.text = lines
        elif lines:
            ElementTree.SubElement(case, "system-out").text = lines
    text = _printable(ElementTree.tostring(suite, encoding="unicode", xml_declaration=True))
    try:
        if path.exists() and not path.is_file():  # a device stays one
            path.write_text(f"{text}\n", encoding="utf-8")
        else:
            put_all({path: f"{text}\n".encode()})
    except OSError as error:
        raise TasksError(f"{path} cannot be written: {error.strerror}.") from None


def _line(issue: Mapping[str, str]) -> str:
    return f"{issue['severity']}: {said_of(issue)}"


def _printable(text: str) -> str:
    """Return a text without what XML cannot hold; bytes that are no character are spelt out."""
    spelt = text.encode("utf-8", "backslashreplace").decode()
    return "".join(one for one in spelt if one in "\n\t" or one >= " ")


STATES = ("ok", "unchanged", "lost", "refused", "unreadable", "crashed", "timeout")
"""Of files, as the summary lists them."""
LOUD = frozenset(("crashed", "timeout", "unreadable", "refused"))


class RunProgress:
    """Says on standard error how a run goes, and on standard output what it was asked for."""

    def __init__(self, total: int, arguments: argparse.Namespace) -> None:
        """Begin, for a command with these words."""
        self._total, self._quiet, self._command = total, arguments.quiet, arguments.command
        self._says_results = not arguments.json
        self._began = time.monotonic()
        self._done = self._worked = 0
        self._repeats = Repeats()
        self._on_terminal = is_on_terminal()

    def file(self, entry: Mapping[str, Any], outcome: Outcome) -> None:
        """Say what came of a file."""
        state: str = entry["state"]
        self._done += 1
        if state == "unchanged" and not entry["code"]:
            return
        self._worked += state != "unchanged"
        if entry["code"] or not self._quiet:
            print(self._line(entry), file=sys.stderr)
        outcome = self._repeats.left_out(outcome)
        outcome.print_troubles(named=True, issues=self._command != "check")
        sys.stderr.flush()
        if self._says_results:
            outcome.print_results(self._command, named=True)
            sys.stdout.flush()

    def _line(self, entry: Mapping[str, Any]) -> str:
        state: str = entry["state"]
        width = len(str(self._total))
        shown = state.upper() if state in LOUD else state
        several = len(entry.get("outputs", ())) > 1
        target = entry["target"] if several else entry["output"]
        target = f" -> {target}" if target else ""
        kinds = (("bodies", "body"), ("joints", "joint"))
        held = [counted(entry[many], one) for many, one in kinds if many in entry]
        counts = f"  ({', '.join(held)})" if held else ""
        line = (
            f"[{self._done:{width}}/{self._total}] {shown:10} {entry['seconds']:6.1f} s  "
            f"{entry['path']}{target}{counts}"
        )
        left = self._total - self._done
        if not self._on_terminal or not left:
            return line
        pace = (time.monotonic() - self._began) / max(1, self._worked)
        return f"{line}, {_duration(pace * left)} left"

    def end(self, states: Mapping[str, int], left: int) -> None:
        """Say how many files ended how, before too, and how many were not reached."""
        for line in self._repeats.lines():
            print(line, file=sys.stderr)
        said = [f"{states[state]} {state}" for state in STATES if states.get(state)]
        said += [f"{left} not reached"] if left else []
        took = _duration(time.monotonic() - self._began)
        files = counted(sum(states.values()) + left, "file")
        print(f"{files}: {', '.join(said) or 'nothing to do'}; {took}", file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{seconds:.1f} s"
