# SPDX-License-Identifier: GPL-3.0-or-later
"""How it is said what of a motion falls short of what joints ask for, and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from ..joint import Freedom
from .words import Say, counted, some

TOGETHER = "Move their frames together, or free an axis of one"
ALONE = "Move its frames together, or free an axis of it"
NEGLIGIBLE = 1e-3
"""Part of the larger one of a distance in m and an angle in rad, below which it is not told."""

_LOCKED = {
    "joints-lock": (
        "{moving} cannot move: the joints lock each other ({who}).",
        "Line up their axes, free an axis of one, remove what is too many, or make dynamic what "
        "stands and should move.",
    ),
    "limits-lock": (
        "{who} cannot move: they keep each other at the ends of their ranges.",
        "Remove these limits, or widen them so that the joints stand inside.",
    ),
    "joints-barely-fit": (
        "This loop moves only as its joints fit each other exactly ({who}), and single precision "
        "holds that less exactly: in time it may stray.",
        "Free an axis of one joint, or keep the mechanism near to the origin.",
    ),
    "joints-out-of-line": (
        "{who} and {other} hinge the same two bodies {off} out of line: they brake or lock each "
        "other.",
        "Line up their axes, or replace one by a pin.",
    ),
}


def said_of(code: str, **words: str) -> tuple[str, str]:
    """Return what is wrong with an island and what to do, by the code of the finding."""
    message, fix = _LOCKED[code]
    return message.format(**words), fix


def cannot_hold(
    names: Sequence[str], apart: tuple[float, float], say: Say, *, when: str = "", most: int = 6
) -> tuple[str, str]:
    """Return what is wrong with joints and what to do, without full stops.

    They are off by so many m and rad at most. ``when`` follows "hold", such as "in 3 frames".
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


def only_roughly(names: Sequence[str], when: str, *, lost: bool = False, most: int = 6) -> str:
    """Return which joints were stepped to first order, ``lost`` as they cannot all hold.

    ``when`` is such as "in 3 frames"; there is no full stop.
    """
    why = ", as they cannot all hold" * lost
    return f"Only roughly computed {when}{why}: {some(names, most)}"


def left_out(count: int) -> tuple[str, str]:
    """Return that so many points of contact were left out, and what to do; without full stops."""
    message = f"Too much touches at once: {counted(count, 'point')} of contact left out"
    return message, "Take simpler shapes, fewer bodies in a heap, or heaps that do not touch"


def not_followed(
    names: Sequence[str], fps: float, frames: int, finer: str, *, most: int = 6
) -> tuple[str, str]:
    """Return what was too stiff in how many of so many steps a second, and what to do.

    ``finer`` says how to have more of them, such as "Play slower"; there are no full stops.
    """
    message = (
        f"What pushes {some(names, most)} is too stiff to be followed at {fps:.4g} frames a "
        f"second: it gave way otherwise in {counted(frames, 'frame')}"
    )
    return message, f"{finer}, or make springs, drives and stops softer"
