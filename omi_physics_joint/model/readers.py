# SPDX-License-Identifier: GPL-3.0-or-later
"""Who reads the files of a scene: Check speaks of what they do otherwise, and of nobody else."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reader(StrEnum):
    """An engine with what makes it read physics from glTF."""

    GODOT = "godot"
    BABYLON = "babylon"


@dataclass(frozen=True, slots=True)
class Profile:
    """What there is to know of a reader.

    Attributes:
        name: what people call it.
        description: what it is, in a sentence without its full stop.
        known: how what Check says of it is known.
    """

    name: str
    description: str
    known: str


PROFILES: dict[Reader, Profile] = {
    Reader.GODOT: Profile(
        "Godot",
        "Godot with the add-on omi-godot, which reads OMI's extensions",
        "Godot 4.6.3, make bench-godot",
    ),
    Reader.BABYLON: Profile(
        "Babylon.js",
        "Babylon.js with Havok and the loader of its authors, which reads Khronos' extensions",
        "Babylon.js 9.34, Havok 1.3.14, loader 0.6.0, make bench-babylon",
    ),
}
"""By reader, in the order in which they are shown."""
USUAL = frozenset((Reader.GODOT,))
"""For whom a scene is, unless it says otherwise."""
