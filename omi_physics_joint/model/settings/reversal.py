# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint settings whose coordinates are counted the other way.

Along and about one axis that is the joint seen from its other side; where several axes move, who
exchanges sides has to know whether an inverse motion is that simple (``drawing.sides``,
``usd.sides``, ``blender.bodies.takeover``).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from operator import neg

from ..joint import Drive, Freedom, JointSettings, Limit, on_axes
from ..keys import mapped, reversed_bounds
from .fields import TARGETS


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
