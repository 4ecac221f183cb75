# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays joints in the viewport, lets the user pull at them, and puts everything back."""

from ..interface.playing import is_playing, last_reason, stop
from ..simulated.reading import PlayError
from .outlook import outlook
from .session import PlaySession, current, start

__all__ = [
    "PlayError",
    "PlaySession",
    "current",
    "is_playing",
    "last_reason",
    "outlook",
    "start",
    "stop",
]

PARTS = ("operators", "panels")
