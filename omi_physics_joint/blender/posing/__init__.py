# SPDX-License-Identifier: GPL-3.0-or-later
"""Posing mechanisms by hand: an edit of transforms, with every joint kept."""

from __future__ import annotations

from ..articulation.together import joints_around
from ..registration import in_order
from . import operators, panels, properties
from .session import PosingSession, session_for
from .stands import Stand, stand_of

__all__ = [
    "PosingSession",
    "Stand",
    "joints_around",
    "register",
    "session_for",
    "stand_of",
    "unregister",
]

PARTS = (properties, operators, panels)

register, unregister = in_order(PARTS)
