# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays joints in the viewport, lets the user pull at them, and puts everything back."""

from __future__ import annotations

from .current import current, is_playing, last_reason, settings_in_use, start, stop
from .guards import register, unregister
from .outlook import outlook
from .scenery import PlayError
from .session import Session

__all__ = [
    "PlayError",
    "Session",
    "current",
    "is_playing",
    "last_reason",
    "outlook",
    "register",
    "settings_in_use",
    "start",
    "stop",
    "unregister",
]
