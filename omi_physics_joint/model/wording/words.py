# SPDX-License-Identifier: GPL-3.0-or-later
"""How quantities and lists are said where nobody has chosen units: m and degrees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import degrees, floor, inf, isfinite, log10

from ..joint import Freedom

Say = Callable[[float, Freedom], str]
"""Puts a distance, given in m, or an angle, given in rad, into words."""

DIGITS = 4
"""Significant digits that a reader wants."""
DECIMALS = 6
"""No number is told finer than this."""
SMALL = 0.01
"""m below which distances are told in mm."""
LONGEST = 1e15
"""From here on the digits of a number say less than its power of ten."""


def number(value: float, digits: int = DIGITS) -> str:
    """Return a number with as many digits as a reader wants: "33.33", "11095", never "1.1e+04"."""
    if not isfinite(value) or abs(value) >= LONGEST:
        return f"{value:.{digits}g}"
    before = floor(log10(abs(value))) + 1 if value else 1
    text = f"{value:.{min(max(digits - before, 0), DECIMALS)}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def rounded(value: float) -> float:
    """Return a number with three digits, as somebody would type it."""
    return float(f"{value:.3g}")


def metric(value: float, freedom: Freedom) -> str:
    """Return a distance in m, or in mm where it is small, or an angle in degrees."""
    if freedom is Freedom.ANGULAR:
        return f"{number(degrees(value))}\N{DEGREE SIGN}"
    if 0.0 < abs(value) < SMALL:
        return f"{number(value * 1000.0)} mm"
    return f"{number(value)} m"


def extent(low: float, high: float, say: Callable[[float], str]) -> str:
    """Return "free", "up to 2 m", "from 1 m on" or "1 m to 2 m"."""
    if low == -inf:
        return "free" if high == inf else f"up to {say(high)}"
    return f"from {say(low)} on" if high == inf else f"{say(low)} to {say(high)}"


def listed(names: Sequence[str]) -> str:
    """Return "A, B and C"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def some(names: Sequence[str], most: int = 4) -> str:
    """Return "A, B and C", or "A, B and 7 others" where more than so many stand in a sentence."""
    if len(names) <= most:
        return listed(names)
    return listed([*names[: most - 1], f"{len(names) - most + 1} others"])


def counted(count: int, noun: str) -> str:
    """Return "1 joint", "3 joints" or "2 bodies"."""
    if count == 1:
        return f"1 {noun}"
    is_ies = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return f"{count} {noun[:-1]}ies" if is_ies else f"{count} {noun}s"


def capitalized(sentence: str) -> str:
    """Return a sentence that begins with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def one_line(text: str) -> str:
    """Return a string as it can stand in a message: what does not print is escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
