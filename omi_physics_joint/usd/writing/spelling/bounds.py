# SPDX-License-Identifier: GPL-3.0-or-later
"""What a stage says of each degree of freedom of a joint: one pair of bounds, and one drive."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite

from ....model.joint import AXES, Drive, Freedom, JointSettings, Limit
from ....model.settings.canonical import acting
from ....model.settings.spans import Span, spans_of
from ....model.settings.together import Together, by_axis, together_in

Note = Callable[[str], None]
"""Takes the code of something that a stage cannot say."""


@dataclass(frozen=True, slots=True)
class AxisRoom:
    """What is left of one degree of freedom."""

    freedom: Freedom
    axis: int
    limit: Limit
    """On no axes."""
    drive: Drive | None = None

    @property
    def is_fixed(self) -> bool:
        """Whether it is held where the frames coincide, rigidly and always."""
        return self.limit.is_fixed and not (self.limit.is_soft or self.limit.keys)

    @property
    def is_bounded(self) -> bool:
        """Whether anything bounds it."""
        return isfinite(self.limit.min) or isfinite(self.limit.max) or bool(self.limit.keys)

    @property
    def is_one_sided(self) -> bool:
        """Whether exactly one bound is there, at rest."""
        return isfinite(self.limit.min) != isfinite(self.limit.max)


@dataclass(frozen=True, slots=True)
class Rooms:
    """All six of them, linear X, Y, Z, then angular, and the bound on several that USD knows."""

    each: tuple[AxisRoom, ...]
    together: Together | None = None
    """A distance from a point, or a cone."""


def rooms_of(settings: JointSettings, note: Note) -> Rooms:
    """Return what a stage is to say of a joint."""
    together = together_in(settings.limits)
    kept = next((one for one in together if _has_a_word(one, settings)), None)
    limits: list[Limit] = []
    for limit in settings.limits:
        if kept is not None and limit is kept.limit:
            continue
        if any(limit is one.limit for one in together):
            note("usd-round-limit")
        limits.append(by_axis(limit, Freedom.LINEAR if limit.linear_axes else Freedom.ANGULAR))
    if settings.foreign_drives:
        note("usd-foreign-drive")
    drives = tuple(map(acting, settings.drives))
    return Rooms(tuple(_room(span, drives, note) for span in spans_of(limits)), kept)


def gives_way(limit: Limit) -> bool:
    """Return whether a limit is soft, at rest or later."""
    return limit.is_soft or any(keys.field == "stiffness" for keys in limit.keys)


def _has_a_word(one: Together, settings: JointSettings) -> bool:
    """Return whether a bound is the distance from a point, or the cone of a ball joint."""
    others = [limit for limit in settings.limits if limit is not one.limit]
    if one.freedom is Freedom.LINEAR:
        return len(one.axes) == len(AXES) and not any(limit.linear_axes for limit in others)
    rigid = not (one.limit.keys or one.limit.is_soft)
    alone = not any(limit.angular_axes for limit in others) and not any(
        drive.type is Freedom.ANGULAR for drive in settings.drives
    )
    linear = spans_of(settings.limits)[: len(AXES)]
    pinned = all(span.rigid_low == 0.0 == span.rigid_high for span in linear)
    return len(one.axes) == len(AXES) - 1 and one.low == -inf and rigid and alone and pinned


def _room(span: Span, drives: tuple[Drive, ...], note: Note) -> AxisRoom:
    rigid = [limit for limit in span.limits if not gives_way(limit)]
    soft = [limit for limit in span.limits if gives_way(limit)]
    keyed = any(limit.keys for limit in rigid)
    if (rigid and soft) or len(soft) > 1 or (len(rigid) > 1 and keyed):
        note("usd-several-limits")
    limit = soft[0] if soft else Limit()
    if rigid:
        keys = rigid[0].keys if len(rigid) == 1 else ()
        limit = Limit(min=span.rigid_low, max=span.rigid_high, keys=keys)
    here = [
        one
        for one in drives
        if (one.type, one.axis) == (span.freedom, span.axis)
        and (one.stiffness or one.damping or one.keys)
    ]
    if len(here) > 1:
        note("usd-several-drives")
    is_locked = limit.is_lock and not (limit.is_soft or limit.keys)
    return AxisRoom(span.freedom, span.axis, limit, here[0] if here and not is_locked else None)
