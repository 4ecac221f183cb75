# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is to know of a program that reads our files, and of each thing it does otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..issue import Severity
from ..target import Target


class Reader(StrEnum):
    """A program with what makes it read physics."""

    SPEC = "spec"
    GODOT = "godot"
    GODOT_OMI = "godot-omi"
    GODOT_PLAIN = "godot-plain"
    BABYLON = "babylon"
    UNITY = "unity"
    VIEWERS = "viewers"
    NEWTON = "newton"
    PHYSX = "physx"


class Known(StrEnum):
    """How it is known what a reader does."""

    MEASURED = "measured"
    """The reader was run with a file, and what moved was compared."""
    READ = "read"
    """Its source was read; it was not run."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that a reader ignores, or does otherwise than is specified.

    Attributes:
        code: of what Check says about it.
        does: what becomes of it there, for a table.
        says: what Check says of it, one sentence; its rule fills in what stands in braces.
        mend: what to do about it, likewise.
        known: how this is known.
        file: the files that it is about; None for all.
        severity: how bad Check finds it.
    """

    code: str
    does: str
    says: str
    mend: str
    known: Known = Known.MEASURED
    file: Target | None = None
    severity: Severity = Severity.WARNING


def unproven(code: str, does: str, says: str, mend: str) -> Difference:
    """Return a difference that is known from the source of a reader alone."""
    return Difference(code, does, says, mend, Known.READ)


@dataclass(frozen=True, slots=True)
class Profile:
    """What there is to know of a reader.

    Attributes:
        name: what people call it.
        description: what it is, in a sentence without its full stop.
        known: versions that were run or read, and with what.
        differences: what it ignores or does otherwise.
        dialects: the families of extensions that it reads, as the command line calls them;
            none where it reads stages of USD instead.
        targets: the kinds of glTF files that it understands, the one that it should get first.
    """

    name: str
    description: str
    known: str
    differences: tuple[Difference, ...] = ()
    dialects: frozenset[str] = frozenset(("omi", "khr"))
    targets: tuple[Target, ...] = (Target.SPECIFIED,)
