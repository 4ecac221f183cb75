# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of limits and drives that change with time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Keys:
    """How one number goes over time; before the first and after the last key it stays."""

    field: str
    """Name of the attribute in ``Limit``, ``Drive`` or ``JointNode``."""
    times: tuple[float, ...]
    """s, rising, at least one."""
    values: tuple[float, ...]
    """In the unit of the field, one a time."""
    is_stepped: bool = False
    """Whether a value stays until the next key; otherwise it goes there in a straight line."""

    def at(self, time: float) -> float:
        """Return the value at a time in s."""
        after = bisect_right(self.times, time)
        before = max(after - 1, 0)
        if self.is_stepped or after in (0, len(self.times)):
            return self.values[before]
        part = (time - self.times[before]) / (self.times[after] - self.times[before])
        return self.values[before] + part * (self.values[after] - self.values[before])

    def mapped(self, change: Callable[[float], float]) -> Keys:
        """Return the keys with other values at the same times."""
        return replace(self, values=tuple(change(value) + 0.0 for value in self.values))


Track = tuple[Keys, ...]
"""The keys of one limit or drive, each of another field."""

BOUNDS = ("min", "max")
"""Fields of limits that count along or about an axis."""
_OPPOSITE = {"min": "max", "max": "min"}


def mapped(track: Track, fields: tuple[str, ...], change: Callable[[float], float]) -> Track:
    """Return keys with other values in some fields."""
    return tuple(keys.mapped(change) if keys.field in fields else keys for keys in track)


def reversed_bounds(track: Track) -> Track:
    """Return the keys of a limit on an axis that points the other way."""
    turned = (
        replace(keys.mapped(lambda value: -value), field=_OPPOSITE[keys.field])
        if keys.field in _OPPOSITE
        else keys
        for keys in track
    )
    return tuple(sorted(turned, key=lambda keys: keys.field))
