# SPDX-License-Identifier: GPL-3.0-or-later
"""Stops the play before anything happens that must not see it. Saves are the business of ``away``.

Undo and redo replace objects, a file replaces all, and a render shows what the file holds.
"""

from __future__ import annotations

from bpy.app import handlers

from ..interface.playing import stop
from ..registration import on


@on(handlers.undo_pre, handlers.redo_pre, handlers.load_pre)
def stop_quietly(*_arguments: object) -> None:
    """Stop because the user does something else."""
    stop()


@on(handlers.render_init)
def stop_for_render(*_arguments: object) -> None:
    """Stop and say why: nobody pressed a key."""
    stop("Stopped: pictures are rendered of the rest pose")


def unregister() -> None:
    """Stop playing."""
    stop()
