# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of joints whose numbers have keys: at a moment, and around all of it."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

from ..joint import JointSettings, Limit
from ..keys import Track
from ..mechanism import Mechanism


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
