# SPDX-License-Identifier: GPL-3.0-or-later
"""Stops the play before anything happens that must not see it. Saves are the business of ``away``.

Undo and redo replace objects, a file replaces all, and a render shows what the file holds.
"""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..interface.playing import stop
from ..registration import listen, stop_listening


@persistent
def stop_quietly(*_arguments: Any) -> None:  # noqa: ANN401 - handlers pass what they like
    """Stop because the user does something else."""
    stop()


@persistent
def stop_for_render(*_arguments: Any) -> None:  # noqa: ANN401
    """Stop and say why: nobody pressed a key."""
    stop("Stopped: pictures are rendered of the rest pose")


HANDLERS = (
    (bpy.app.handlers.undo_pre, stop_quietly),
    (bpy.app.handlers.redo_pre, stop_quietly),
    (bpy.app.handlers.load_pre, stop_quietly),
    (bpy.app.handlers.render_init, stop_for_render),
)


def register() -> None:
    """Start listening."""
    listen(HANDLERS)


def unregister() -> None:
    """Stop playing, and listening."""
    stop()
    stop_listening(HANDLERS)
