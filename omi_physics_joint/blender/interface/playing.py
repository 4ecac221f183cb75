# SPDX-License-Identifier: GPL-3.0-or-later
"""What plays in the viewport just now, and how the last play ended; ``play`` knows more of it."""

from __future__ import annotations

from typing import Protocol


class Player(Protocol):
    """One play of the joints of a scene."""

    reason: str

    @property
    def is_over(self) -> bool:
        """Whether it has put everything back."""

    def stop(self, reason: str = "") -> None:
        """Put everything back."""


_players: list[Player] = []
"""At most one; the last one stays here when it is over, for what there is to say of it."""


def player() -> Player | None:
    """Return what plays."""
    return next((one for one in _players if not one.is_over), None)


def is_playing() -> bool:
    """Return whether joints play, paused or not."""
    return player() is not None


def last_reason() -> str:
    """Return why the last play ended by itself; nothing where the user stopped it."""
    return _players[-1].reason if _players and _players[-1].is_over else ""


def begin(new: Player) -> None:
    """Remember what plays from now on."""
    _players[:] = [new]


def stop(reason: str = "") -> None:
    """Put everything back, if anything plays."""
    playing = player()
    if playing is not None:
        playing.stop(reason)
