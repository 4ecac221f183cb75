# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user does in a window; see docs/testing.md."""

from . import authoring, exporting, handles, playing, posing

__all__ = ["authoring", "exporting", "handles", "playing", "posing"]
