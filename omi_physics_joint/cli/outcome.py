# SPDX-License-Identifier: GPL-3.0-or-later
"""What came of one file, read here or in Blender, and what counts against it for every command."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..model.issue import Issue, Severity, against_strict, as_one, but_for, gathered, has_errors
from ..model.readers import DIFFERENCES
from ..model.wording.words import counted, one_line
from .reports.lines import info_lines

if TYPE_CHECKING:
    from .reports.report import Info


class FailOn(StrEnum):
    """What ends a command with exit code 1; each has those before it in it."""

    ERROR = "error"
    LOSS = "loss"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Judge:
    """What a user wants to hear of issues, and which of them fail a file."""

    fail_on: FailOn = FailOn.ERROR
    ignored: tuple[str, ...] = ()
    """Patterns of codes that are not spoken of."""
    quiet: bool = False
    """Whether people hear of nothing but what fails a file."""

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Judge:
        """Return what the words of a command ask for; strict fails on losses at least."""
        fail_on = FailOn(arguments.fail_on)
        if getattr(arguments, "strict", None) and fail_on is FailOn.ERROR:
            fail_on = FailOn.LOSS
        ignored = [code.strip(" '\"") for word in arguments.ignore for code in word.split(",")]
        return cls(fail_on, tuple(filter(None, ignored)), arguments.quiet)

    def slips(self) -> list[str]:
        """Say which codes that are ignored look like slips of the pen."""
        if not self.ignored:
            return []
        from ..model.validate.codes import SEVERITIES  # which take as long to load as a command

        odd = (code for code in self.ignored if code not in SEVERITIES)
        meant = ((code, get_close_matches(code, SEVERITIES, 1, ALIKE)) for code in odd)
        return [f"--ignore {code}: is {close[0]} meant?" for code, close in meant if close]

    def heard(self, issues: Iterable[Issue]) -> tuple[Issue, ...]:
        """Return issues but for those that are ignored."""
        return but_for(self.ignored, issues)

    def told(self, issues: Iterable[Issue]) -> tuple[Issue, ...]:
        """Return the issues that people are told, many that say the same as one."""
        kept = (one for one in issues if not self.quiet or self.fails([one]))
        return tuple(map(as_one, gathered(kept)))

    def fails(self, issues: Iterable[Issue]) -> bool:
        """Return whether one of the issues is as bad as what a command is to fail on."""
        found = tuple(issues)
        if self.fail_on is FailOn.ERROR:
            return any(one.severity is Severity.ERROR for one in found)
        warns = self.fail_on is FailOn.WARNING
        return bool(against_strict(found)) or (
            warns and any(one.severity is Severity.WARNING for one in found)
        )


ALIKE = 0.9
"""How much like a code, from 0 to 1, what is ignored has to be to be a slip of the pen."""
USUAL_JUDGE = Judge()


def add_judging(parser: argparse.ArgumentParser) -> None:
    """Add the words that every command with issues has."""
    option = parser.add_argument
    option(
        "--fail-on",
        choices=[one.value for one in FailOn],
        default=FailOn.ERROR.value,
        help="end with 1 where there is an error, or anything lost too, or any warning too "
        "(default: error; with --strict loss)",
    )
    option(
        "--ignore",
        action="append",
        default=[],
        metavar="CODE",
        help="neither say nor count issues with this code (--json has it of each), or with one of "
        "a pattern such as 'godot-*'; several if given again, or with commas",
    )
    option("--quiet", action="store_true", help="say nothing but results and what fails a file")


FINE, FAULTY, WRONG_USE, UNREADABLE, CRASHED, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""Exit codes; of several files the largest counts. A file's worker crashed, or took too long."""
REFUSED = "Nothing was written: strict refuses errors and losses."


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command has to say of one file."""

    path: Path
    issues: tuple[Issue, ...] = ()
    info: Info | None = None
    outputs: tuple[str, ...] = ()
    """Paths of what was written: one, or one for each part of a file."""
    error: str = ""
    """One sentence, where the command could not be done; no issues alone say that."""
    inputs: tuple[str, ...] = ()
    """Paths of the files that a .blend file names: libraries, images."""
    is_refused: bool = False
    """Whether it was not done because of its issues."""
    judge: Judge = USUAL_JUDGE
    said: tuple[str, ...] = ()
    """Lines of a simulation."""

    def requiring(self, wanted: Sequence[str]) -> Outcome:
        """Return this with an error for each kind of things that the file should hold and has not.

        They are called as in ``Info``: an optimiser that knows no physics leaves a file without a
        fault, and without all of it.
        """
        fix = "Export it anew, and leave physics alone on the way: diff compares two files."
        lost = tuple(
            Issue(Severity.ERROR, "required-missing", "file", f"It holds no {kind}.", fix)
            for kind in wanted
            if self.info is not None and not cast("dict[str, object]", self.info)[kind]
        )
        return replace(self, issues=(*lost, *self.issues)) if lost else self

    @property
    def is_bare(self) -> bool:
        """Whether nothing is to be said of a file but that it holds no physics."""
        if self.info is None or self.issues:
            return False
        info = self.info
        return not (info["joints"] or info["bodies"] or info["colliders"] or info["triggers"])

    @property
    def code(self) -> int:
        """The exit code that this file deserves."""
        if self.is_refused or self.judge.fails(self.issues):
            return FAULTY
        return UNREADABLE if self.error else FINE

    @property
    def state(self) -> str:
        """What came of the file, in one word of the report."""
        if self.is_refused:
            return "refused"
        return {FINE: "ok", FAULTY: "lost"}.get(self.code, "unreadable")

    def judged(self, judge: Judge) -> Outcome:
        """Return the outcome as a user wants to hear of it."""
        return replace(self, judge=judge, issues=judge.heard(self.issues))

    def as_json(self) -> dict[str, Any]:
        """Return what all commands report of a file, but for what is in its outputs."""
        issues = [issue.as_json() for issue in self.issues]
        return {
            "path": str(self.path),
            "code": self.code,
            "state": self.state,
            "error": self.error,
            "issues": issues,
            **({"inputs": list(self.inputs)} if self.inputs else {}),
        }

    def print_results(self, command: str, *, named: bool) -> None:
        """Print what a command is asked for; what went wrong is said on standard error."""
        prefix = f"{self.path}: " if named else ""
        lines: Iterable[str] = ()
        if command == "check" and (self.issues or not self.error):
            lines = map(str, self.judge.told(self.issues))
        elif command == "info" and self.info is not None:
            lines = info_lines(self.info)
        elif command == "simulate":
            lines = self.said
        elif command in ("convert", "export"):
            lines, prefix = self.outputs, ""
        for line in lines:
            print(prefix + (one_line(line) if lines is not self.outputs else line))

    def print_troubles(self, *, named: bool, issues: bool = True) -> None:
        """Say on standard error, in one line each, what was found and what could not be done."""
        for issue in self.judge.told(self.issues) if issues else ():
            prefix = f"{self.path}: " if named else ""
            print(prefix + one_line(str(issue)), file=sys.stderr)
        if self.error:
            print(f"error: {self.path}: {one_line(self.error)}", file=sys.stderr)


def outcome_of(path: Path, reply: Mapping[str, Any]) -> Outcome:
    """Return the outcome that a reply of Blender tells."""
    issues = tuple(map(_issue_of, reply.get("issues") or ()))
    error = str(reply.get("error") or "")
    if not reply.get("ok") and not error and not has_errors(issues):
        error = "Blender could not do it and gave no reason."
    info = cast("Info | None", reply.get("info") or None)
    outputs, is_refused = tuple(map(str, reply.get("outputs") or ())), bool(reply.get("refused"))
    inputs = tuple(map(str, reply.get("inputs") or ()))
    said = tuple(reply.get("said") or ())
    return Outcome(path, issues, info, outputs, error, inputs, is_refused, said=said)


def _issue_of(said: Mapping[str, Any]) -> Issue:
    code, where, message, fix = (said[name] for name in ("code", "where", "message", "fix"))
    loss = bool(said.get("loss"))
    return Issue(Severity(said["severity"]), code, where, message, fix, loss=loss)


class Repeats:
    """Says what a reader does otherwise of the first file alone that it is about.

    It is the same in every file, and who reads it fifty times reads nothing more.
    """

    def __init__(self) -> None:
        """Begin a run."""
        self._known: set[str] = set()
        self._more: Counter[str] = Counter()

    def left_out(self, outcome: Outcome) -> Outcome:
        """Return an outcome without the hints that were given before."""
        own = {one.code for one in outcome.issues if one.severity is Severity.HINT}
        repeated = own & self._known & DIFFERENCES.keys()
        self._more.update(sorted(repeated))
        self._known |= own
        kept = tuple(one for one in outcome.issues if one.code not in repeated)
        return replace(outcome, issues=kept)

    def lines(self) -> list[str]:
        """Say of what was left out in how many files it is true."""
        return [f"{code}: likewise in {counted(n, 'other file')}" for code, n in self._more.items()]
