# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export has to undo, also where the exporter raises and asks us no more."""

from __future__ import annotations

from collections.abc import Callable

_undo: list[Callable[[], None]] = []


def note(undo: Callable[[], None]) -> None:
    """Keep what must be called once when the export has ended."""
    _undo.append(undo)


def put_back() -> None:
    """Undo all that the last export left, if it left anything."""
    while _undo:
        _undo.pop()()
