# SPDX-License-Identifier: GPL-3.0-or-later
"""The one session that plays."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ..interface import playing
from .session import Session


def current() -> Session | None:
    """Return the session that plays."""
    session = playing.player()
    return session if isinstance(session, Session) else None


def start(scene: bpy.types.Scene, chosen: Sequence[bpy.types.Object] = ()) -> Session:
    """Play a scene; what played before stops.

    Raises:
        PlayError: nothing can be played.
    """
    playing.stop()
    session = Session(scene, chosen)
    playing.begin(session)
    return session
