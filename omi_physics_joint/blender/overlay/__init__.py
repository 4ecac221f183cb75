# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints drawn in the 3D view. Others add to it through ``extras``."""

from __future__ import annotations

from . import signals, viewport

PARTS = (signals, viewport)


def register() -> None:
    """Start noticing changes and drawing."""
    for part in PARTS:
        part.register()


def unregister() -> None:
    """Stop both."""
    for part in reversed(PARTS):
        part.unregister()
