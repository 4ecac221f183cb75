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
