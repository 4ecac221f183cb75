# SPDX-License-Identifier: GPL-3.0-or-later
"""How the scripts in this folder speak to whoever started Blender, amid all that Blender says."""

from __future__ import annotations

MARK = "omi| "
"""What their lines begin with."""


def say(line: str) -> None:
    """Print a line for the user, at once."""
    print(MARK + line, flush=True)
