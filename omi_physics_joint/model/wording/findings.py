# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reader or writer of a file has to say: each kind once, with how many there are."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from ..issue import Issue, Severity
from .words import capitalized, counted, one_line, some

ONE = {"have": "has", "are": "is", "s": "s", "they": "it", "them": "it", "their": "its"}
ONE |= {"Objects": "Object", "Bodies": "Body", "nodes": "a plain node"}
SEVERAL = {word: word for word in ONE} | {"s": "", "nodes": "plain nodes"}
"""Words that go with the number of what is counted."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of thing that may be found."""

    noun: str
    """What is counted: "motor"; "" where the message is a sentence by itself."""
    message: str
    """Said of them after "3 motors (a, b and c)", words of ``ONE`` in braces."""
    fix: str = ""
    """What to do; "" where there is nothing to do."""
    severity: Severity = Severity.WARNING


class Findings:
    """What was found, each kind with the names of those that it was found of."""

    def __init__(self, kinds: Mapping[str, Finding], where: str = "", family: str = "") -> None:
        """Take every kind by its code, the name of the file, and how codes begin: "mjcf-"."""
        self._kinds, self._where, self._family = kinds, where, family
        self._names: dict[str, dict[Hashable, str]] = {}
        self._single: list[Issue] = []

    def note(self, code: str, name: str, key: Hashable = None) -> None:
        """Note one more of a kind; with a key, each key once."""
        names = self._names.setdefault(code, {})
        names.setdefault(len(names) if key is None else key, one_line(name))

    def say(self, severity: Severity, code: str, where: str, message: str, fix: str = "") -> None:
        """Say something that belongs to one thing alone."""
        issue = Issue(severity, self._family + code, one_line(where), message, fix)
        self._single.append(issue)

    def issues(self) -> tuple[Issue, ...]:
        """Return all that was found, in the order of the table of kinds."""
        found = [(code, self._names[code]) for code in self._kinds if code in self._names]
        return (*self._single, *(self._issue(code, names) for code, names in found))

    def _issue(self, code: str, names: Mapping[Hashable, str]) -> Issue:
        kind = self._kinds[code]
        told = list(dict.fromkeys(name for name in names.values() if name))
        who = some(told) if told else ""
        if not kind.noun:
            only = next(iter(names)) if len(names) == 1 else None
            node = only if isinstance(only, int) else None
            return Issue(kind.severity, code, who or self._where, kind.message, kind.fix, node)
        what = kind.message.format(**(ONE if len(names) == 1 else SEVERAL))
        count = counted(len(names), kind.noun)
        # Names with parentheses of their own stand at the end.
        sentence = (
            f"{count} {what}: {who}." if "(" in who else f"{count}{who and f' ({who})'} {what}."
        )
        where = self._where or str(next(iter(names)))
        code = self._family + code
        return Issue(kind.severity, code, where, capitalized(sentence), kind.fix)


ANIMATED_BODIES = {
    "static-animated": (
        "This static body is animated, so it counts as kinematic: it moves, and what is joined to "
        "it follows.",
        "Make it kinematic, or take out what animates it.",
    ),
    "dynamic-animated": (
        "This dynamic body is animated too: forces move it here, and some readers animate it.",
        "Make it kinematic, or take out what animates it.",
    ),
}
"""Of animated bodies that are not kinematic, in files and scenes: by code what is so, and a fix."""
