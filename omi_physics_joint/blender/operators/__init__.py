# SPDX-License-Identifier: GPL-3.0-or-later
"""What buttons do: each operator polls, collects, calls one function and reports."""

from __future__ import annotations

from . import (
    body,
    check,
    create,
    drag,
    edit,
    play,
    pose,
    run,
    settings,
    timeline,
)

PARTS = (
    create,
    edit,
    settings,
    body,
    check,
    run,
    drag,
    play,
    pose,
    timeline,
)


def register() -> None:
    """Register all operators."""
    for part in PARTS:
        part.register()


def unregister() -> None:
    """Unregister all operators."""
    for part in reversed(PARTS):
        part.unregister()
