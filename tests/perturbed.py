# SPDX-License-Identifier: GPL-3.0-or-later
"""Files with one thing another in each, and what is made of them: issues, and what `diff` says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf, nan
from typing import Generic, TypeVar

from omi_physics_joint.model.changes.changes import changes
from omi_physics_joint.model.changes.pairing import with_same_names
from omi_physics_joint.model.contents import Contents, ContentsError
from omi_physics_joint.model.issue import Issue

File = TypeVar("File")
Found = tuple[Contents, Sequence[Issue]]
MOST, LONGEST = 3, 200
"""Changes that are told of one file, of what else there is the number; letters of one."""
REFUSED, UNREADABLE = "refused", ("text", "shorter")
NOTHING = re.compile(r"-?\b\d(\.\d+)?e-1\d\b")
"""Numbers that are rounding alone, and another on another machine."""


class Perturbed(Generic[File]):
    """Reads files that have one thing another than a plain one."""

    def __init__(self, read: Callable[[File], Found], plain: File) -> None:
        self._read = read
        self._before, usual = read(plain)
        self._kept = set(kept(self._before))
        self._usual = {(one.code, one.message) for one in usual}
        self.sentences = {one.code: str(one) for one in usual}
        """By code, as it is said first."""

    def line(self, place: str, variants: Mapping[str, File]) -> str:
        """Return what comes of each thing that may stand at a place.

        What is no number is left out of it where the whole file is refused.
        """
        found: dict[str, list[str]] = {}
        absent = self._outcome(variants["absent"])
        without = absent[1]
        for word, file in variants.items():
            codes, told = absent if word == "absent" else self._outcome(file)
            if codes == REFUSED and word in UNREADABLE:
                continue
            if told == without and without and word != "absent":
                told = "as if absent"
            found.setdefault("; ".join(filter(None, (codes, told))) or "same", []).append(word)
        return f"{place}: " + " | ".join(f"{', '.join(by)}: {said}" for said, by in found.items())

    def said(self) -> list[str]:
        """Return the first sentence of each code that was met."""
        return [f"{code}: {sentence}" for code, sentence in sorted(self.sentences.items())]

    def _outcome(self, file: File) -> tuple[str, str]:
        """Return codes that are new or gone, and what is another than in the plain file."""
        try:
            after, issues = self._read(file)
        except ContentsError as error:
            self.sentences.setdefault("refused", str(error))
            return REFUSED, ""
        fresh = [one for one in issues if (one.code, one.message) not in self._usual]
        for one in fresh:
            self.sentences.setdefault(one.code, str(one))
        gone = {code for code, _ in self._usual} - {one.code for one in issues}
        codes = sorted({f"{one.severity.value} {one.code}" for one in fresh})
        told = [str(one) for one in changes(*with_same_names((self._before, after)))]
        told += sorted({*kept(after)} - self._kept) or sorted(
            f"no {one}" for one in self._kept - {*kept(after)}
        )
        more = [f"{len(told) - MOST} more"] if len(told) > MOST else []
        words = [f"{one[:LONGEST]}..." if len(one) > LONGEST else one for one in told[:MOST]]
        changed = NOTHING.sub("0", " ".join("; ".join([*words, *more]).split()))
        return ", ".join([*codes, *(f"no {one}" for one in sorted(gone))]), changed


def kept(contents: Contents) -> Iterator[str]:
    """Yield what a joint has that goes along with it: where in its JSON, and what."""
    for _, node, joint in contents.mechanism.all_joints():
        if joint.unknown:
            yield from leaves(json.loads(joint.unknown), node.name)


def leaves(value: object, place: str) -> Iterator[str]:
    """Yield the values of JSON, each with its place."""
    if isinstance(value, dict | list) and value:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from leaves(inner, f"{place}/{key}")
    else:
        yield f"{place} = {value}"


def others(value: object) -> Iterator[tuple[str, object]]:
    """Yield other values than one, and what they are: some that may stand there, most not."""
    if isinstance(value, bool):
        yield from (("opposite", not value), ("number", 7))
    elif isinstance(value, int | float):
        yield from (("doubled", 2 * value), ("below zero", -value - 1))
        yield from (("endless", inf), ("text", "x"))
    elif isinstance(value, str):
        yield from (("another", f"{value}X"), ("number", 7))
    elif isinstance(value, list | tuple):
        kind = type(value)
        yield from (("shorter", kind(value[:-1])), ("number", 7))
        if value and all(isinstance(one, float | int) for one in value):
            yield "doubled", kind(2 * one for one in value)
            yield "no number", kind([nan, *value[1:]])
    elif isinstance(value, Mapping):
        yield "list", []
    else:
        yield "number", 7
