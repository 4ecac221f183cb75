# SPDX-License-Identifier: GPL-3.0-or-later
"""The one session that plays, and how the last one ended."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ..properties.preview import OmiPreview
from .session import Session

_sessions: list[Session] = []
"""At most one; the last one stays here when it is over, for what there is to say of it."""


def current() -> Session | None:
    """Return the session that plays."""
    return next((one for one in _sessions if not one.is_over), None)


def is_playing() -> bool:
    """Return whether joints play, paused or not."""
    return current() is not None


def settings_in_use(scene: bpy.types.Scene) -> OmiPreview:
    """Return the settings that a panel shows: those of the session, or else of the scene."""
    session = current()
    return scene.omi_physics_preview if session is None else session.settings


def last_reason() -> str:
    """Return why the last session ended by itself; nothing where the user stopped it."""
    return _sessions[-1].reason if _sessions and _sessions[-1].is_over else ""


def start(scene: bpy.types.Scene, chosen: Sequence[bpy.types.Object] = ()) -> Session:
    """Play a scene; what played before stops.

    Raises:
        PlayError: nothing can be played.
    """
    stop()
    _sessions.clear()
    _sessions.append(Session(scene, chosen))
    return _sessions[-1]


def stop(reason: str = "") -> None:
    """Put everything back, if anything plays."""
    session = current()
    if session is not None:
        session.stop(reason)
