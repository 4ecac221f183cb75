# SPDX-License-Identifier: GPL-3.0-or-later
"""Which handle is being dragged: it stays in sight, with what has become of it."""

from __future__ import annotations

from collections.abc import Callable

from ...drawing.mouse.handles import Handle

_held: list[Handle] = []
_said: list[str] = []
_restores: list[Callable[[], None]] = []


def take(handle: Handle, restore: Callable[[], None]) -> None:
    """Note that a handle is dragged from now on, and what puts everything back."""
    _held[:], _restores[:] = [handle], [restore]


def give_up() -> bool:
    """Put everything back, if anything is being dragged."""
    restores = list(_restores)
    let_go()
    for restore in restores:
        restore()
    return bool(restores)


def say(text: str) -> None:
    """Note what is shown beside the handle."""
    _said[:] = [text]


def let_go() -> None:
    """Note that it is not any more."""
    _held.clear()
    _said.clear()
    _restores.clear()


def held() -> Handle | None:
    """Return the handle that is being dragged."""
    return _held[0] if _held else None


def said() -> str:
    """Return what is shown beside it; nothing where nothing is dragged."""
    return _said[0] if _said else ""
