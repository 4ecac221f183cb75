# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes one kind of joint of another: what of its range and its drives still means something."""

from __future__ import annotations

from dataclasses import replace

from ..joint import Drive, Freedom, JointSettings, Limit, on_axes


def limits_kept(
    settings: JointSettings, freedom: Freedom, old_axis: int, axis: int
) -> tuple[Limit, ...]:
    """Return the limits that leave a range on one axis, for another axis."""
    return tuple(
        on_axes(limit, freedom, (axis,))
        for limit in settings.limits
        if old_axis in limit.axes(freedom) and not limit.is_lock
    )


def drives_kept(
    settings: JointSettings, freedom: Freedom, old_axis: int, axis: int
) -> tuple[Drive, ...]:
    """Return the drives of one axis, for another axis; arguments as for ``limits_kept``."""
    return tuple(
        replace(drive, axis=axis)
        for drive in settings.drives
        if drive.type is freedom and drive.axis == old_axis
    )
