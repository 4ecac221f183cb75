# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong, where, and what to do about it: errors as values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fnmatch import fnmatchcase

from .losses import LOSSES
from .wording.words import counted, some

ALIKE = 5
"""Up to so many findings that differ only in whom they name are told one by one."""


class Severity(StrEnum):
    """How bad an issue is."""

    ERROR = "error"
    """The specification forbids it, or it cannot be written."""
    WARNING = "warning"
    """A named engine would stumble on it, or something was changed on the way."""
    HINT = "hint"
    """It is allowed and works, but it looks unintended."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One finding about a mechanism or a file."""

    severity: Severity
    code: str
    """Stable name in kebab-case, the same in Blender, in files and in JSON reports."""
    where: str
    """Name of the object, or JSON pointer into the file."""
    message: str
    """One sentence: what is wrong."""
    fix: str = ""
    """One sentence: what to do. Empty when there is nothing to do."""
    node: int | None = None
    """Index of the node in its mechanism, where the issue belongs to one."""
    loss: bool = False
    """Whether something is lost: of codes in the table of losses always."""

    def __post_init__(self) -> None:
        """Look up the code, so that nobody who finds something has to."""
        if self.code in LOSSES:
            object.__setattr__(self, "loss", True)

    def __str__(self) -> str:
        """Return the issue as one line."""
        line = f"{self.severity.value}: {self.where}: {self.message}"
        return f"{line} {self.fix}" if self.fix else line

    def as_json(self) -> dict[str, str | bool]:
        """Return the issue as a JSON object."""
        names = ("severity", "code", "where", "message", "fix")
        return {**{name: str(getattr(self, name)) for name in names}, "loss": self.loss}


def has_errors(issues: Iterable[Issue]) -> bool:
    """Return whether any of the issues is an error."""
    return any(issue.severity is Severity.ERROR for issue in issues)


def but_for(codes: Iterable[str], issues: Iterable[Issue]) -> tuple[Issue, ...]:
    """Return issues but for those with such codes, which may be patterns: ``godot-*``."""
    patterns = tuple(codes)
    return tuple(
        one for one in issues if not any(fnmatchcase(one.code, pattern) for pattern in patterns)
    )


def against_strict(issues: Iterable[Issue]) -> list[Issue]:
    """Return what keeps a file from being what it was made of: errors and losses."""
    return [issue for issue in issues if issue.loss or issue.severity is Severity.ERROR]


def worst_first(issues: Iterable[Issue]) -> list[Issue]:
    """Return issues with errors first, else in their order."""
    order = list(Severity)
    return sorted(issues, key=lambda issue: order.index(issue.severity))


def gathered(issues: Iterable[Issue]) -> list[list[Issue]]:
    """Return issues in their order, many that say the same of different things in one list."""
    every, alike = list(issues), dict[tuple[object, ...], list[Issue]]()
    lists = [
        alike.setdefault((one.severity, one.code, one.message, one.fix, one.loss), [])
        for one in every
    ]
    for one, group in zip(every, lists, strict=True):
        group.append(one)
    return [
        group if len(group) > ALIKE else [one]
        for one, group in zip(every, lists, strict=True)
        if len(group) <= ALIKE or one is group[0]
    ]


def as_one(alike: Sequence[Issue]) -> Issue:
    """Return one issue for those that say the same: how many, and the first few names."""
    if len(alike) == 1:
        return alike[0]
    names = some([one.where for one in alike])
    return replace(alike[0], where=f"{len(alike)} times ({names})")


def summary(issues: Iterable[Issue]) -> str:
    """Return "2 errors, 3 warnings, 1 loss among them", or "no issues"; errors are bad enough."""
    found = tuple(issues)
    counts = Counter(issue.severity for issue in found)
    parts = [counted(counts[one], one.value) for one in Severity if one in counts]
    lost = sum(issue.loss and issue.severity is not Severity.ERROR for issue in found)
    if lost:
        parts.append(f"{lost} {'loss' if lost == 1 else 'losses'} among them")
    return ", ".join(parts) or "no issues"
