# SPDX-License-Identifier: GPL-3.0-or-later
"""For whom a file is written."""

from __future__ import annotations

from enum import StrEnum


class Target(StrEnum):
    """The reader that a file is for; a file says it where it is not everybody."""

    SPECIFIED = "specified"
    """Whoever reads glTF as it is specified."""
    GODOT = "godot"
    """Godot 4 with its add-on for OMI extensions, and the Jolt engine."""

    @property
    def is_godots(self) -> bool:
        """Whether files are spelled for Godot, and would mislead everybody else."""
        return self is Target.GODOT
