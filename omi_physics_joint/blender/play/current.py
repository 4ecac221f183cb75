# SPDX-License-Identifier: GPL-3.0-or-later
"""The one session that plays."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ..interface import playing
from .session import PlaySession


def current() -> PlaySession | None:
    """Return the session that plays."""
    session = playing.player()
    return session if isinstance(session, PlaySession) else None


def start(scene: bpy.types.Scene, chosen: Sequence[bpy.types.Object] = ()) -> PlaySession:
    """Play a scene; what played before stops.

    Raises:
        PlayError: nothing can be played.
    """
    playing.stop()
    session = PlaySession(scene, chosen)
    playing.begin(session)
    return session
