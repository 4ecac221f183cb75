# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint settings in other names of axes, in another sign, from another zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ..geometry.transform import Matrix
from ..joint import Drive, Freedom, JointSettings, Limit, on_axes
from ..keys import BOUNDS, mapped


def relabelled(settings: JointSettings, shift: int) -> JointSettings:
    """Return settings whose axis i is called i + shift; goes with ``relabelled_frame``."""

    def renamed(axes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted((axis + shift) % 3 for axis in axes))

    limits = tuple(
        replace(one, linear_axes=renamed(one.linear_axes), angular_axes=renamed(one.angular_axes))
        for one in settings.limits
    )
    drives = tuple(replace(drive, axis=(drive.axis + shift) % 3) for drive in settings.drives)
    return replace(settings, limits=limits, drives=drives)


def relabelled_frame(world: Matrix, shift: int) -> Matrix:
    """Return a frame whose axis i + shift points where axis i did: a turn, since cyclic."""
    rows = tuple(tuple(row[(axis - shift) % 3] for axis in range(3)) + row[3:] for row in world[:3])
    return (*rows, world[3])


def shifted(settings: JointSettings, zero: Sequence[float]) -> JointSettings:
    """Return settings counted from other zeros of the six coordinates, linear ones first."""
    if not any(zero):
        return settings
    offsets = {Freedom.LINEAR: zero[:3], Freedom.ANGULAR: zero[3:]}
    limits: list[Limit] = []
    for limit in settings.limits:
        for kind in Freedom:
            for axis in limit.axes(kind):
                part, offset = on_axes(limit, kind, (axis,)), offsets[kind][axis]
                keys = mapped(part.keys, BOUNDS, partial(_counted, offset))
                low, high = part.min - offset, part.max - offset
                limits.append(replace(part, min=low, max=high, keys=keys))
    drives: list[Drive] = []
    for drive in settings.drives:
        target, offset = drive.position_target, offsets[drive.type][drive.axis]
        if target is None:
            drives.append(drive)
            continue
        keys = mapped(drive.keys, ("position_target",), partial(_counted, offset))
        drives.append(replace(drive, position_target=target - offset, keys=keys))
    return replace(settings, limits=tuple(limits), drives=tuple(drives))


def _counted(zero: float, value: float) -> float:
    return value - zero
