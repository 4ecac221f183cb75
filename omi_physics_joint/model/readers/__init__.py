# SPDX-License-Identifier: GPL-3.0-or-later
"""Who reads the files of a scene: the one table of what they do otherwise.

Check speaks of what stands here and of nothing else, and in these words says what to do; export
takes its defaults from here, and docs/manual/engines.md shows it.
"""

from __future__ import annotations

from collections.abc import Collection

from ..target import Target
from .godot import BOTH_FILES, OMI, OURS, PLAIN, STEPPED
from .khronos import BABYLON, VIEWERS
from .newton import NEWTON
from .physx import PHYSX
from .profile import Difference, Known, Profile, Reader
from .unity import UNITY

__all__ = [
    "DIFFERENCES",
    "IN_STEPS",
    "OF_STAGES",
    "PROFILES",
    "STEPPED",
    "USUAL",
    "Difference",
    "Known",
    "Profile",
    "Reader",
    "codes_for",
    "spoken_of",
    "target_for",
]

PROFILES: dict[Reader, Profile] = {
    Reader.SPEC: Profile(
        "As Specified",
        "Nobody in particular: only what the specifications say is checked",
        "the text of the specifications",
        targets=BOTH_FILES,
    ),
    Reader.GODOT: OURS,
    Reader.GODOT_OMI: OMI,
    Reader.GODOT_PLAIN: PLAIN,
    Reader.BABYLON: BABYLON,
    Reader.UNITY: UNITY,
    Reader.VIEWERS: VIEWERS,
    Reader.NEWTON: NEWTON,
    Reader.PHYSX: PHYSX,
}
"""By reader, in the order in which they are shown."""
OF_STAGES = frozenset(one for one, profile in PROFILES.items() if not profile.dialects)
"""Who reads stages of USD, and no glTF."""
IN_STEPS = frozenset((Reader.GODOT, Reader.GODOT_OMI))
"""Whose own steps our solver can take, so that what Check says of them can be tried."""
USUAL = frozenset((Reader.GODOT,))
"""For whom a scene is, unless it says otherwise."""
DIFFERENCES: dict[str, Difference] = {
    one.code: one for profile in PROFILES.values() for one in profile.differences
}
"""What Check may say of readers, by code."""


def spoken_of(readers: Collection[Reader], target: Target) -> frozenset[Reader]:
    """Return of whom Check speaks: of omi-godot too, where a file is written for it."""
    written = {Reader.GODOT_OMI} if target.is_godots else set()
    return frozenset(readers) | written


def codes_for(reader: Reader, target: Target) -> frozenset[str]:
    """Return what Check may say of a reader and a kind of file."""
    return frozenset(one.code for one in PROFILES[reader].differences if one.file in (None, target))


def target_for(readers: Collection[Reader]) -> Target:
    """Return how a file is written that all of some readers are to read.

    What suits one of them alone misleads the others, so it takes one that all want.
    """
    wanted = {PROFILES[reader].targets[0] for reader in readers if reader not in OF_STAGES}
    return wanted.pop() if len(wanted) == 1 else Target.SPECIFIED
