# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reader or writer of a robot's file has to say: each kind once, with how many there are."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..model.issue import Issue, Severity
from ..model.wording.words import capitalized, counted, one_line, some

NAMED = 3
"""So many names stand in one issue."""
ONE = {"have": "has", "are": "is", "s": "s", "they": "it", "them": "it", "their": "its"}
SEVERAL = {"have": "have", "are": "are", "s": "", "they": "they", "them": "them", "their": "their"}
"""Words that go with the number of what is counted."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of thing that may be found.

    Attributes:
        noun: what is counted: "motor".
        message: what is said of them after "3 motors (a, b and c)", words of ``ONE`` in braces.
        fix: what to do; "" where there is nothing to do.
        severity: how bad it is.
    """

    noun: str
    message: str
    fix: str = ""
    severity: Severity = Severity.WARNING


@dataclass(slots=True)
class Findings:
    """What was found, by code, in the order of the first of each."""

    kinds: dict[str, Finding]
    """Every kind by its code."""
    where: str
    """Name of the file."""
    _names: dict[str, list[str]] = field(default_factory=dict)
    _single: list[Issue] = field(default_factory=list)

    def note(self, code: str, name: str) -> None:
        """Note one more of a kind."""
        self._names.setdefault(code, []).append(one_line(name))

    def say(self, severity: Severity, code: str, where: str, message: str, fix: str = "") -> None:
        """Say something that belongs to one thing alone."""
        self._single.append(Issue(severity, code, one_line(where), message, fix))

    def issues(self) -> tuple[Issue, ...]:
        """Return all that was found."""
        return (*self._single, *(self._issue(code, names) for code, names in self._names.items()))

    def _issue(self, code: str, names: list[str]) -> Issue:
        kind = self.kinds[code]
        told = list(dict.fromkeys(name for name in names if name))
        who = f" ({some(told, NAMED)})" if told else ""
        what = kind.message.format(**(ONE if len(names) == 1 else SEVERAL))
        sentence = f"{counted(len(names), kind.noun)}{who} {what}."
        return Issue(kind.severity, code, self.where, capitalized(sentence), kind.fix)
