# SPDX-License-Identifier: GPL-3.0-or-later
"""How axes, and quantities on them, are said in messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..geometry.axes import Z_UP_FROM_Y_UP, AxisMap
from ..joint import AXES, AXIS_NAMES, Freedom, Limit
from .words import Say, listed, metric


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
