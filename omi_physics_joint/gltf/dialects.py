# SPDX-License-Identifier: GPL-3.0-or-later
"""The dialects: spellings of one model, side by side. Another is a folder and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from ..model.mechanism import Mechanism
from .dialect_writer import Speller
from .khr.names import EXTENSIONS as KHR_EXTENSIONS
from .khr.read_khr import read_khr, with_world_bodies
from .khr.spell_khr import spell_khr
from .omi.names import EXTENSIONS as OMI_EXTENSIONS
from .omi.read_omi import read_omi
from .omi.spell_omi import spell_omi
from .source import Source


class Spoken(StrEnum):
    """Which dialect."""

    OMI = "omi"
    KHR = "khr"


@dataclass(frozen=True, slots=True)
class Dialect:
    """Extensions that say physics, how they are read and how they are written.

    Attributes:
        spoken: which one it is.
        extensions: in the order in which they are declared.
        read: returns the mechanism, whose first nodes are those of the file, and which of the
            extensions the file uses.
        spell: returns what goes into the file.
        complete: returns a mechanism with what this dialect leaves to be understood, if it does.
    """

    spoken: Spoken
    extensions: tuple[str, ...]
    read: Callable[[Source], tuple[Mechanism, frozenset[str]]]
    spell: Speller
    complete: Callable[[Mechanism], Mechanism] | None = None


DIALECTS = (
    Dialect(Spoken.OMI, OMI_EXTENSIONS, read_omi, spell_omi),
    Dialect(Spoken.KHR, KHR_EXTENSIONS, read_khr, spell_khr, with_world_bodies),
)
"""In the order in which they count where they disagree."""


def spoken_by(choice: str) -> frozenset[Spoken]:
    """Return the dialects that are meant by ``both``, ``omi`` or ``khr``."""
    return frozenset(Spoken) if choice == "both" else frozenset((Spoken(choice),))
