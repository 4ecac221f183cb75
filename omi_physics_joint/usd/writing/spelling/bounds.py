# SPDX-License-Identifier: GPL-3.0-or-later
"""What a stage says of each degree of freedom of a joint: one pair of bounds, and one drive."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, isfinite

from ....model.joint import AXES, Drive, Freedom, JointSettings, Limit
from ....model.keys import Track
from ....model.settings.canonical import acting
from ....model.settings.radial import Together, by_axis, together_in
from ....model.settings.spans import Span, spans_of

Note = Callable[[str], None]
"""Takes the code of something that a stage cannot say."""


@dataclass(frozen=True, slots=True)
class AxisRoom:
    """What is left of one degree of freedom."""

    freedom: Freedom
    axis: int
    low: float = -inf
    high: float = inf
    """m or rad."""
    stiffness: float = inf
    damping: float = 0.0
    keys: Track = ()
    drive: Drive | None = None

    @property
    def is_locked(self) -> bool:
        """Whether it is held rigidly, and always."""
        return self.low == self.high and self.stiffness == inf and not self.keys

    @property
    def is_fixed(self) -> bool:
        """Whether it is held where the frames coincide."""
        return self.is_locked and self.low == 0.0

    @property
    def is_bounded(self) -> bool:
        """Whether anything bounds it."""
        return isfinite(self.low) or isfinite(self.high) or bool(self.keys)

    @property
    def is_one_sided(self) -> bool:
        """Whether exactly one bound is there, at rest."""
        return isfinite(self.low) != isfinite(self.high)


@dataclass(frozen=True, slots=True)
class Rooms:
    """All six of them, linear X, Y, Z, then angular, and the bound on several that USD knows."""

    each: tuple[AxisRoom, ...]
    together: Together | None = None
    """A distance from a point, or a cone."""


def rooms_of(settings: JointSettings, note: Note) -> Rooms:
    """Return what a stage is to say of a joint."""
    radial = together_in(settings.limits)
    kept = next((one for one in radial if _has_a_word(one, settings)), None)
    limits: list[Limit] = []
    for limit in settings.limits:
        freedom = Freedom.LINEAR if limit.linear_axes else Freedom.ANGULAR
        if kept is not None and limit is kept.limit:
            continue
        if any(limit is one.limit for one in radial):
            note("usd-round-limit")
        limits.append(by_axis(limit, freedom))
    if settings.foreign_drives:
        note("usd-foreign-drive")
    drives = tuple(acting(drive) for drive in settings.drives)
    return Rooms(tuple(_room(span, drives, note) for span in spans_of(limits)), kept)


def _has_a_word(one: Together, settings: JointSettings) -> bool:
    """Return whether a bound is the distance from a point, or the cone of a ball joint."""
    others = [limit for limit in settings.limits if limit is not one.limit]
    if one.freedom is Freedom.LINEAR:
        return len(one.axes) == len(AXES) and not any(limit.linear_axes for limit in others)
    rigid = not (one.limit.keys or one.limit.is_soft)
    spans = spans_of(settings.limits)
    alone = not any(limit.angular_axes for limit in others) and not any(
        drive.type is Freedom.ANGULAR for drive in settings.drives
    )
    pinned = all(span.rigid_low == 0.0 == span.rigid_high for span in spans[: len(AXES)])
    return len(one.axes) == len(AXES) - 1 and one.low == -inf and rigid and alone and pinned


def _room(span: Span, drives: tuple[Drive, ...], note: Note) -> AxisRoom:
    room = AxisRoom(span.freedom, span.axis)
    rigid = [limit for limit in span.limits if not _is_soft(limit)]
    soft = [limit for limit in span.limits if _is_soft(limit)]
    if len(rigid) > 1 and any(limit.keys for limit in rigid):
        note("usd-several-limits")
    if rigid:
        keys = rigid[0].keys if len(rigid) == 1 else ()
        room = replace(room, low=span.rigid_low, high=span.rigid_high, keys=keys)
    elif soft:
        first = soft[0]
        room = replace(
            room,
            low=first.min,
            high=first.max,
            stiffness=first.stiffness,
            damping=first.damping,
            keys=first.keys,
        )
    if (rigid and soft) or len(soft) > 1:
        note("usd-several-limits")
    here = [
        one for one in drives if (one.type, one.axis) == (span.freedom, span.axis) and _acts(one)
    ]
    if len(here) > 1:
        note("usd-several-drives")
    return room if room.is_locked or not here else replace(room, drive=here[0])


def _is_soft(limit: Limit) -> bool:
    return limit.is_soft or any(keys.field == "stiffness" for keys in limit.keys)


def _acts(drive: Drive) -> bool:
    return bool(drive.stiffness or drive.damping or drive.keys)
