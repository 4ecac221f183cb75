# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of limits and drives that change with time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .joint import JointSettings, Limit
    from .mechanism import Mechanism


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


def is_keyed(settings: JointSettings) -> bool:
    """Return whether any number of joint settings changes with time."""
    return any(limit.keys for limit in settings.limits) or any(
        drive.keys for drive in settings.drives
    )


def around(settings: JointSettings) -> JointSettings:
    """Return joint settings that leave what any moment of their keys leaves, and no keys."""
    if not is_keyed(settings):
        return settings
    return replace(
        settings,
        limits=tuple(map(_widest, settings.limits)),
        drives=tuple(replace(drive, keys=()) for drive in settings.drives),
    )


def settings_at(settings: JointSettings, time: float) -> JointSettings:
    """Return joint settings as they are at a time in s, which then stay."""
    if not is_keyed(settings):
        return settings
    return replace(
        settings,
        limits=tuple(replace(one, keys=(), **_values(one.keys, time)) for one in settings.limits),
        drives=tuple(replace(one, keys=(), **_values(one.keys, time)) for one in settings.drives),
    )


def mechanism_at(mechanism: Mechanism, time: float) -> Mechanism:
    """Return a mechanism whose joint settings are those of a time in s."""
    return replace(mechanism, settings=tuple(settings_at(one, time) for one in mechanism.settings))


def _widest(limit: Limit) -> Limit:
    low = min(limit.min, *(min(keys.values) for keys in limit.keys if keys.field == "min"), inf)
    high = max(limit.max, *(max(keys.values) for keys in limit.keys if keys.field == "max"), -inf)
    return replace(limit, min=low, max=high, keys=())


def _values(track: Track, time: float) -> dict[str, Any]:
    return {keys.field: keys.at(time) for keys in track}
