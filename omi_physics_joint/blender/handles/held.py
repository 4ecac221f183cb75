# SPDX-License-Identifier: GPL-3.0-or-later
"""What is being dragged: its handle stays in sight, with what has become of it."""

from __future__ import annotations

from .frames import FrameDrag
from .values import ValueDrag

Drag = ValueDrag | FrameDrag

_now: list[Drag] = []
"""At most one."""


def take(drag: Drag) -> None:
    """Note what is dragged from now on."""
    _now[:] = [drag]


def give_up() -> bool:
    """Put everything back, if anything is being dragged."""
    given_up = [*_now]
    let_go()
    for drag in given_up:
        drag.restore()
    return bool(given_up)


def let_go() -> None:
    """Note that it is not any more."""
    _now.clear()


def held() -> Drag | None:
    """Return what is being dragged."""
    return _now[0] if _now else None
