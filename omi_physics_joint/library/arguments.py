# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether what other Python calls us with makes sense: a wrong call is no fault of a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from numbers import Integral, Real

from ..model.wording.words import listed


def is_one_of(name: str, value: object, every: Sequence[str]) -> None:
    """Refuse an argument that is none of a few.

    Raises:
        ValueError: it is none of them.
    """
    if value not in every:
        raise ValueError(f"{name} must be one of {listed([*map(str, every)])}, not {value!r}.")


def is_a(name: str, value: object, what: str, *kinds: type) -> None:
    """Refuse an argument of the wrong type.

    Raises:
        TypeError: it is of none of these.
    """
    if not isinstance(value, kinds):
        raise TypeError(f"{name} must be {what}, not {value!r:.80}.")


def number(name: str, value: float, *, least: float | None = None) -> float:
    """Return a finite number, above another one where that matters.

    Raises:
        TypeError: it is none.
        ValueError: it is infinite, not a number at all, or too small.
    """
    is_a(name, value, "a number", Real)
    if not isfinite(value) or (least is not None and value <= least):
        above = "" if least is None else f" above {least:g}"
        raise ValueError(f"{name} must be a finite number{above}, not {value!r}.")
    return float(value)


def flag(name: str, value: object) -> bool:
    """Return whether something is so; what was typed, as "no" is, counts as true in Python.

    Raises:
        TypeError: it is text.
    """
    if isinstance(value, str | bytes):
        raise TypeError(f"{name} must be True or False, not {value!r:.80}.")
    return bool(value)


def count(name: str, value: int | None) -> int | None:
    """Return a positive whole number, or None.

    Raises:
        TypeError: it is neither.
        ValueError: it is zero or less.
    """
    if value is None:
        return None
    is_a(name, value, "a whole number", Integral)
    return int(number(name, value, least=0.0))


def vector(name: str, values: Iterable[float]) -> tuple[float, float, float]:
    """Return three finite numbers.

    Raises:
        TypeError: they are none.
        ValueError: they are not three, or not finite.
    """
    is_a(name, values, "three numbers", Iterable)
    found = [number(name, one) for one in values]
    if len(found) != 3:
        raise ValueError(f"{name} must be three numbers, not {found}.")
    return found[0], found[1], found[2]
