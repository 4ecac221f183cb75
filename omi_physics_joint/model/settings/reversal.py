# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint settings whose coordinates are counted the other way.

Along and about one axis that is the joint seen from its other side; where several axes move, who
exchanges sides has to know whether an inverse motion is that simple (``is_reversible``); what is
drawn asks for more (``drawing.bounds``).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from operator import neg

from ..joint import AXES, Drive, Freedom, JointSettings, Limit, on_axes
from ..keys import mapped, reversed_bounds
from .fields import TARGETS
from .spans import Spans, spans_of
from .together import together_in


def reversed_settings(
    settings: JointSettings, kinds: Collection[Freedom] = tuple(Freedom)
) -> JointSettings:
    """Return settings whose values of some kinds are those of the given ones with another sign."""
    return replace(
        settings,
        limits=tuple(part for limit in settings.limits for part in _parts(limit, kinds)),
        drives=tuple(
            reversed_drive(drive) if drive.type in kinds else drive for drive in settings.drives
        ),
    )


def reversed_limit(limit: Limit) -> Limit:
    """Return a limit on values with the other sign, never -0.0."""
    keys = reversed_bounds(limit.keys)
    return replace(limit, min=0.0 - limit.max, max=0.0 - limit.min, keys=keys)


def reversed_drive(drive: Drive) -> Drive:
    """Return a drive to values with the other sign, never -0.0."""
    place, speed = drive.position_target, drive.velocity_target
    return replace(
        drive,
        position_target=None if place is None else 0.0 - place,
        velocity_target=None if speed is None else 0.0 - speed,
        keys=mapped(drive.keys, TARGETS, neg),
    )


def _parts(limit: Limit, kinds: Collection[Freedom]) -> list[Limit]:
    """Return what a limit becomes; what is on several axes together has no sign."""
    if not limit.together and len(kinds) == len(Freedom):
        return [reversed_limit(limit)]
    parts = [on_axes(limit, kind, axes) for kind in Freedom if (axes := limit.axes(kind))]
    return [
        part
        if any(map(part.is_together, Freedom)) or not any(part.axes(kind) for kind in kinds)
        else reversed_limit(part)
        for part in parts
    ]


def is_reversible(settings: JointSettings) -> bool:
    """Return whether the inverse motion of a joint is one that the same axes can bound.

    The inverse of a turn has the opposite angle about each axis. The inverse of a shift is the
    opposite one where nothing turns, or where all turns are about the line that it runs along.
    A distance is what it was where it is from a point, also where things turn.
    """
    spans = spans_of(settings.limits)
    around = {one.freedom: one.axes for one in together_in(settings.limits)}
    distance = around.get(Freedom.LINEAR, ())
    if len(distance) == len(AXES):
        driven = any(drive.type is Freedom.LINEAR for drive in settings.drives)
        return not driven and all(spans[axis].is_free for axis in AXES)
    shifts = {axis for axis in AXES if not _rests(spans, axis)}
    turns = {axis for axis in AXES if not _rests(spans, axis + len(AXES))}
    return not shifts or not turns or (shifts == turns and len(shifts) == 1)


def _rests(spans: Spans, index: int) -> bool:
    """Return whether a degree of freedom stays at zero, rigidly and always."""
    span = spans[index]
    return span.rigid_low == 0.0 == span.rigid_high and not span.is_keyed
