# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens by itself when files are opened and saved."""

from __future__ import annotations

import sys
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..model.wording.words import some
from .bridge.poses import away
from .data.joint import joint_changes
from .data.scene import take_over_older_options
from .migration import migrate, stamp
from .registration import listen, stop_listening
from .timeline import playback


@persistent
def forget_what_is_gone(*_arguments: Any) -> None:  # noqa: ANN401
    """Forget what was away in the file that another one has replaced."""
    away.forget_all()


@persistent
def bring_up_to_date(*_arguments: Any) -> None:  # noqa: ANN401 - handlers pass what they like
    """Migrate data of older releases after a file was opened, or data came from another file."""
    take_over_older_options()
    with away.rest_pose():  # a simulated frame may be shown already
        before = joint_changes()
        newer = migrate()
        if joint_changes() != before:
            for scene in bpy.data.scenes:
                playback.sign_again(scene)
    if newer:
        print(
            f"omi_physics_joint: saved by a newer version of this add-on: {some(newer, 4)}. "
            "Install that version to edit them safely.",
            file=sys.stderr,
        )


@persistent
def mark_version(*_arguments: Any) -> None:  # noqa: ANN401
    """Mark the data as of this release before a file is saved, and have it hold the rest pose."""
    stamp()
    away.suspend()


@persistent
def show_again(*_arguments: Any) -> None:  # noqa: ANN401
    """Show what plays again after a file was saved, or could not be."""
    away.resume()


HANDLERS = (
    (bpy.app.handlers.load_post, forget_what_is_gone),
    (bpy.app.handlers.load_post, bring_up_to_date),
    (bpy.app.handlers.blend_import_post, bring_up_to_date),
    (bpy.app.handlers.save_pre, mark_version),
    (bpy.app.handlers.save_post, show_again),
    (bpy.app.handlers.save_post_fail, show_again),
)


def register() -> None:
    """Start listening."""
    listen(HANDLERS)


def unregister() -> None:
    """Stop listening."""
    stop_listening(HANDLERS)
