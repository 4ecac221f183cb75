# SPDX-License-Identifier: GPL-3.0-or-later
"""How it is said that joints cannot all hold, by how much, and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from ..joint import Freedom
from .words import Say, some

TOGETHER = "Move their frames together, or free an axis of one"
ALONE = "Move its frames together, or free an axis of it"
NEGLIGIBLE = 1e-3
"""Part of the larger one of a distance in m and an angle in rad, below which it is not told."""


def cannot_hold(
    names: Sequence[str], apart: tuple[float, float], say: Say, *, when: str = "", most: int = 6
) -> tuple[str, str]:
    """Return what is wrong and what to do, without full stops.

    Args:
        names: of the joints.
        apart: by how much they are off at most, m and rad.
        say: puts both into words.
        when: said after "hold", such as "in 3 frames".
        most: so many names are told.
    """
    lengths = [
        f"{say(far, freedom)} {how}"
        for far, freedom, how in zip(apart, Freedom, ("apart", "askew"), strict=True)
        if far > NEGLIGIBLE * max(apart)
    ]
    both = {1: "", 2: "both "}.get(len(names), "all ")
    far = f": up to {' and '.join(lengths)}" if lengths else ""
    message = f"{some(names, most)} cannot {both}hold{' ' * bool(when)}{when}{far}"
    return message, ALONE if len(names) == 1 else TOGETHER
