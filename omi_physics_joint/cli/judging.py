# SPDX-License-Identifier: GPL-3.0-or-later
"""What counts against a file, in the same words for every command."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from ..model.issue import Issue, Severity, against_strict, as_one, but_for, gathered


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
        ignored = [code.strip() for word in arguments.ignore for code in word.split(",")]
        return cls(fail_on, tuple(filter(None, ignored)), arguments.quiet)

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
        help="neither say nor count issues with this code, or with one of a pattern such as "
        " 'godot-*'; several if given again, or with commas",
    )
    option("--quiet", action="store_true", help="say nothing but results and what fails a file")
