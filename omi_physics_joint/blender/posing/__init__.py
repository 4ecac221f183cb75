# SPDX-License-Identifier: GPL-3.0-or-later
"""Posing mechanisms by hand: an edit of transforms, with every joint kept."""

from __future__ import annotations

from ..properties import pose
from .mechanism import joints_around
from .session import Session, session_for
from .sliders import set_slider
from .stands import Stand, stand_of

__all__ = ["Session", "Stand", "joints_around", "session_for", "stand_of"]


def register() -> None:
    """Give the sliders their values."""
    pose.connect(stand_of, set_slider)


def unregister() -> None:
    """Take them away."""
    pose.connect(None, None)
