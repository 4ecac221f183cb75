# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint settings in other names of axes, in another sign, from another zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..geometry.transform import Matrix
from ..joint import Drive, Freedom, JointSettings, Limit, on_axes
from ..keys import BOUNDS, moved_from


def relabelled(settings: JointSettings, shift: int) -> JointSettings:
    """Return settings whose axis i is called i + shift; goes with ``relabelled_frame``."""

    def renamed(axes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted((axis + shift) % 3 for axis in axes))

    limits = tuple(
        replace(
            limit, linear_axes=renamed(limit.linear_axes), angular_axes=renamed(limit.angular_axes)
        )
        for limit in settings.limits
    )
    drives = tuple(replace(drive, axis=(drive.axis + shift) % 3) for drive in settings.drives)
    return replace(settings, limits=limits, drives=drives)


def relabelled_frame(world: Matrix, shift: int) -> Matrix:
    """Return a frame whose axis i + shift points where axis i did: a turn, since cyclic."""
    rows = tuple(tuple(row[(axis - shift) % 3] for axis in range(3)) + row[3:] for row in world[:3])
    return (*rows, world[3])


def shifted(settings: JointSettings, zero: Sequence[float]) -> JointSettings:
    """Return settings counted from other zeros.

    Args:
        settings: of a joint.
        zero: the value of each of the six coordinates, linear then angular, that becomes zero.
    """
    if not any(zero):
        return settings
    limits: list[Limit] = []
    for limit in settings.limits:
        for kind in Freedom:
            for axis in limit.axes(kind):
                part = on_axes(limit, kind, (axis,))
                offset = zero[axis + (3 if kind is Freedom.ANGULAR else 0)]
                keys = moved_from(part.keys, offset, BOUNDS)
                low, high = part.min - offset, part.max - offset
                limits.append(replace(part, min=low, max=high, keys=keys))
    drives = tuple(
        _shifted_drive(drive, zero[drive.axis + (3 if drive.type is Freedom.ANGULAR else 0)])
        for drive in settings.drives
    )
    return replace(settings, limits=tuple(limits), drives=drives)


def _shifted_drive(drive: Drive, zero: float) -> Drive:
    if drive.position_target is None:
        return drive
    keys = moved_from(drive.keys, zero, ("position_target",))
    return replace(drive, position_target=drive.position_target - zero, keys=keys)
