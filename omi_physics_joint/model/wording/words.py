# SPDX-License-Identifier: GPL-3.0-or-later
"""How quantities, axes and lists are said where nobody has chosen units: m and degrees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import degrees, floor, inf, isfinite, log10

from ..geometry.axes import Z_UP_FROM_Y_UP, AxisMap
from ..joint import AXES, AXIS_NAMES, Freedom, Limit

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


@dataclass(frozen=True, slots=True)
class AxisWords:
    """What axes and quantities of a mechanism are called for the reader of a message.

    A mechanism counts glTF axes. Who works in Blender reads "Z" for glTF Y, and "Y" with the
    opposite sign for glTF Z, so numbers that belong to an axis pass through here as well.
    """

    names: tuple[str, str, str] = AXIS_NAMES
    signs: tuple[int, int, int] = (1, 1, 1)
    say: Say = metric
    """Puts a distance or an angle into words."""

    @classmethod
    def of(cls, target_from_gltf: AxisMap) -> AxisWords:
        """Return the words for whoever thinks in the axes that the map leads to."""
        x, y, z = (AXIS_NAMES[axis] for axis in target_from_gltf.axis)
        return cls((x, y, z), target_from_gltf.sign)

    def saying(self, say: Say) -> AxisWords:
        """Return the same words with quantities in other units."""
        return replace(self, say=say)

    def name(self, axis: int) -> str:
        """Return "X"; or the number where there is no such axis."""
        return self.names[axis] if axis in AXES else str(axis)

    def in_order(self, sizes: Sequence[float]) -> list[float]:
        """Return three sizes, in the order of the axes, as the reader counts these."""
        return [size for _, size in sorted(zip(self.names, sizes, strict=True))]

    def way(self, freedom: Freedom, *axes: int) -> str:
        """Return "along X", or "about X and Y"."""
        names = listed([self.name(axis) for axis in axes])
        return f"{'along' if freedom is Freedom.LINEAR else 'about'} {names}"

    def value(self, freedom: Freedom, axis: int, value: float) -> str:
        """Return a distance or an angle on an axis, with the sign it has there."""
        return self.say(self.signs[axis] * value, freedom)

    def bounds(self, freedom: Freedom, axis: int, low: float, high: float) -> tuple[str, str]:
        """Return the two bounds on an axis, the lower one first."""
        if self.signs[axis] < 0:
            low, high = -high, -low
        return self.say(low, freedom), self.say(high, freedom)

    def limit(self, limit: Limit, number: int) -> str:
        """Return "The limit along X and Y", or "Limit 3" for one without axes."""
        parts = [
            f"{verb} {listed(sorted(self.name(axis) for axis in axes))}"
            for verb, axes in (("along", limit.linear_axes), ("about", limit.angular_axes))
            if axes
        ]
        return f"The limit {' and '.join(parts)}" if parts else f"Limit {number}"


GLTF_AXES = AxisWords()
BLENDER_AXES = AxisWords.of(Z_UP_FROM_Y_UP)
