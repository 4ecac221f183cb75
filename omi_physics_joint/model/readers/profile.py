# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is to know of a program that reads our files, and of each thing it does otherwise."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
        says: what Check says of it, one sentence; its rule fills in what stands in braces.
        mend: what to do about it, likewise.
        known: how this is known.
        file: the files that it is about; None for all.
        severity: how bad Check finds it.
    """

    code: str
    says: str
    mend: str
    known: Known = Known.MEASURED
    file: Target | None = None
    severity: Severity = Severity.WARNING

    def of(
        self, code: str, reader: str, much: str = "", known: Known = Known.MEASURED
    ) -> Difference:
        """Return what one of several readers does that do this alike."""
        says = self.says.replace("READER", reader).replace("MUCH", much)
        return replace(self, code=code, says=says, known=known)


AS_FORCE = Difference(
    "",
    "The drive {way} works by acceleration; READER takes its numbers as forces.",
    "Use the force mode, its numbers times what the drive moves at rest; Fix does so.",
)
BY_BODY_ALONE = replace(
    AS_FORCE,
    says="The drive {way} works by acceleration; READER weighs it by the body alone, as if the "
    "joint did not hold it.",
)
FAR_SPRING = Difference(
    "",
    "The spring {way} is turned far from its target, where READER's pulls less: by 4 % at "
    "57\N{DEGREE SIGN}, by 10 % at 90\N{DEGREE SIGN}.",
    "Keep it near to its target, or make it stiffer.",
)
FAST = Difference(
    "",
    "{what} faster than READER lets anything turn, {most:g} rad/s.",
    "Make it slower.",
)
KEYED = Difference(
    "",
    "Settings of {names} are animated, and stay as they are there.",
    "Set the targets of the drives in the program, step by step.",
)
LED = Difference(
    "",
    "This kinematic body has a velocity; it stands still in READER.",
    "Animate the body instead.",
)
STOPS = Difference(
    "",
    "At the limits of {names} READER gives back MUCH of the speed, and play does not.",
    "Let the bodies reach their limits slowly, for instance with a damped drive.",
    severity=Severity.HINT,
)
TAPERED = Difference(
    "",
    "{Objects} {names} {have} two radii, which READER does not read.",
    "Use a convex hull, or one radius.",
)


def unproven(code: str, says: str, mend: str) -> Difference:
    """Return a difference that is known from the source of a reader alone."""
    return Difference(code, says, mend, Known.READ)


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
