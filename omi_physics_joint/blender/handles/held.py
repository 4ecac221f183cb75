# SPDX-License-Identifier: GPL-3.0-or-later
"""Which handle is being dragged: it stays in sight, with what has become of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...drawing.mouse.handles import Handle


@dataclass(slots=True)
class _Hold:
    handle: Handle
    restore: Callable[[], None]
    text: str = ""


_now: list[_Hold] = []
"""At most one."""


def take(handle: Handle, restore: Callable[[], None]) -> None:
    """Note that a handle is dragged from now on, and what puts everything back."""
    _now[:] = [_Hold(handle, restore)]


def give_up() -> bool:
    """Put everything back, if anything is being dragged."""
    given_up = [*_now]
    let_go()
    for hold in given_up:
        hold.restore()
    return bool(given_up)


def say(text: str) -> None:
    """Note what is shown beside the handle."""
    for hold in _now:
        hold.text = text


def let_go() -> None:
    """Note that it is not any more."""
    _now.clear()


def held() -> Handle | None:
    """Return the handle that is being dragged."""
    return _now[0].handle if _now else None


def said() -> str:
    """Return what is shown beside it; nothing where nothing is dragged."""
    return _now[0].text if _now else ""
