# SPDX-License-Identifier: GPL-3.0-or-later
"""Which handle is being dragged: it stays in sight, also where its bounds meet."""

from __future__ import annotations

from ...drawing.handles import Handle

_held: list[Handle] = []


def take(handle: Handle) -> None:
    """Note that a handle is dragged from now on."""
    _held[:] = [handle]


def let_go() -> None:
    """Note that it is not any more."""
    _held.clear()


def held() -> Handle | None:
    """Return the handle that is being dragged."""
    return _held[0] if _held else None
