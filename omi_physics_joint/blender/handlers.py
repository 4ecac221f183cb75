# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens by itself when files are opened and saved."""

from __future__ import annotations

import sys

import bpy
from bpy.app import handlers

from ..model.wording.words import some
from .bridge.poses import away
from .data.scene import take_over_older_options
from .interface.signals import signals
from .migration import migrate, of_newer_release, stamp
from .registration import on
from .timeline import playback


@on(handlers.load_post)
def forget_what_is_gone(*_arguments: object) -> None:
    """Forget what was away in the file that another one has replaced."""
    away.forget_all()


@on(handlers.load_post, handlers.blend_import_post)
def bring_up_to_date(*_arguments: object) -> None:
    """Migrate data of older releases after a file was opened, or data came from another file."""
    take_over_older_options()
    with away.rest_pose():  # a simulated frame may be shown already
        before = signals.joints
        migrate()
        if signals.joints != before:
            for scene in bpy.data.scenes:
                playback.sign_again(scene)
    newer = of_newer_release()
    if newer:
        print(
            f"omi_physics_joint: saved by a newer version of this add-on: {some(newer, 4)}. "
            "Install that version to edit them safely.",
            file=sys.stderr,
        )


@on(handlers.save_pre)
def mark_version(*_arguments: object) -> None:
    """Mark the data as of this release before a file is saved, and have it hold the rest pose."""
    stamp()
    away.suspend()


@on(handlers.save_post, handlers.save_post_fail)
def show_again(*_arguments: object) -> None:
    """Show what plays again after a file was saved, or could not be."""
    away.resume()
