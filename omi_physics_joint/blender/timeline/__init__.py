# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints on the timeline: simulated into a cache, shown frame by frame, baked to keys."""

from __future__ import annotations

from . import handlers, strip

PARTS = (handlers, strip)


def register() -> None:
    """Begin to look after caches."""
    for part in PARTS:
        part.register()


def unregister() -> None:
    """Stop, and put all bodies to rest."""
    for part in reversed(PARTS):
        part.unregister()
