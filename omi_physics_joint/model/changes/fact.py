# SPDX-License-Identifier: GPL-3.0-or-later
"""One thing that is another in one mechanism than in another, and when numbers are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isinf
from typing import TypeVar

from ..wording.words import DIGITS

Side = TypeVar("Side")

SAME = 1e-6
"""Part of a number that does not count: single precision, which Blender has, holds no more."""
FINER = (DIGITS, 7, 10, 17)
"""Digits, of which the first are taken that tell two numbers apart."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What has changed of one thing.

    Attributes:
        what: which property of it; "" of the thing itself.
        before: its value in words.
        after: the same in the second mechanism; alone the whole story where ``before`` is "".
        part: which of motion, collider, trigger, joint, place, name or gravity it belongs to.
    """

    what: str
    before: str
    after: str
    part: str = ""

    def __str__(self) -> str:
        """Return it as words that follow the name of the thing."""
        story = f"{self.before} -> {self.after}" if self.before else self.after
        return f"{self.what} {story}" if self.what else story


@dataclass(frozen=True, slots=True)
class Change:
    """A fact, and of which node; of None it belongs to the whole.

    Attributes:
        subject: name of the node, as one of a kind.
        fact: what has changed.
        nodes: index of the node in the first mechanism and in the second; None where it is not.
    """

    subject: str
    fact: Fact
    nodes: tuple[int | None, int | None] = (None, None)

    def __str__(self) -> str:
        """Return it as one line."""
        return f"{self.subject}: {self.fact}"


def near(one: float, other: float, least: float = SAME) -> bool:
    """Return whether two numbers are the same as far as files hold them."""
    if one == other:
        return True
    if isinf(one) or isinf(other):
        return False
    return abs(one - other) <= max(SAME * max(abs(one), abs(other)), least)


def all_near(one: Iterable[float], other: Iterable[float], least: float = SAME) -> bool:
    """Return whether as many numbers are the same."""
    ours, theirs = tuple(one), tuple(other)
    pairs = zip(ours, theirs, strict=False)
    return len(ours) == len(theirs) and all(near(a, b, least) for a, b in pairs)


def told(what: str, sides: Sequence[Side], say: Callable[[Side, int], str]) -> Fact:
    """Return a fact with as many digits as it takes to tell both sides apart."""
    texts = ["", ""]
    for digits in FINER:
        texts = [say(side, digits) for side in sides]
        if texts[0] != texts[1]:
            break
    return Fact(what, *texts)


def compared(
    what: str,
    sides: Sequence[Sequence[float]],
    say: Callable[[Sequence[float], int], str],
    least: float = 0.0,
) -> Iterator[Fact]:
    """Yield a fact where the numbers of both sides differ."""
    one, other = sides
    if not all_near(one, other, least):
        yield told(what, sides, say)
