# SPDX-License-Identifier: GPL-3.0-or-later
"""The one spelling of joint settings that every reader understands.

Linear and angular axes never share a limit; axes share a limit only where they are fixed (min and
max zero) or bounded together, since readers differ on what a range on several axes means; linear
X Y Z come first, then angular X Y Z. Limits without an axis or a bound do nothing and fall away.
"""

from __future__ import annotations

from dataclasses import replace
from math import isinf

from ..joint import Drive, Freedom, JointSettings, Limit, on_axes
from .together import plain


def canonical(settings: JointSettings) -> JointSettings:
    """Return the same joint in the one spelling; a fixed point of itself."""
    limits = [one for freedom in Freedom for one in _canonical_limits(settings.limits, freedom)]
    drives = sorted(settings.drives, key=lambda one: (one.type is Freedom.ANGULAR, one.axis))
    return replace(settings, limits=tuple(limits), drives=tuple(drives))


def is_idle(limit: Limit) -> bool:
    """Return whether a limit limits nothing: no axis, or no bound."""
    axes = limit.linear_axes + limit.angular_axes
    return not axes or (isinf(limit.min) and isinf(limit.max))


def _canonical_limits(limits: tuple[Limit, ...], freedom: Freedom) -> list[Limit]:
    """Split, group and order the limits on one kind of axes.

    On each axis limits keep their order, since the first of contradicting ones wins. So a fixed
    limit shares its axes only where it is alone on them. A rigid limit said twice is said once;
    soft ones add up and stay.
    """
    on_axis: dict[int, list[Limit]] = {}
    spelled: list[tuple[tuple[int, ...], Limit]] = []
    for given in limits:
        limit = plain(on_axes(given, freedom, tuple(dict.fromkeys(given.axes(freedom)))))
        if is_idle(limit):
            continue
        bare = on_axes(limit, freedom, ())
        if limit.is_together(freedom):
            spelled.append((tuple(sorted(limit.axes(freedom))), bare))
            continue
        for axis in dict.fromkeys(limit.axes(freedom)):
            here = on_axis.setdefault(axis, [])
            if limit.is_soft or bare not in here:
                here.append(bare)
    shared: dict[Limit, tuple[int, ...]] = {}
    for axis, here in sorted(on_axis.items()):
        if len(here) == 1 and here[0].is_fixed and not here[0].keys:
            shared[here[0]] = (*shared.get(here[0], ()), axis)
        else:
            spelled += [((axis,), bare) for bare in here]
    spelled += [(axes, bare) for bare, axes in shared.items()]
    spelled.sort(key=lambda item: item[0][0])
    return [on_axes(bare, freedom, axes) for axes, bare in spelled]


def acting(drive: Drive) -> Drive:
    """Return a drive as it acts: no strength without a target, and a speed of zero said.

    The damping of a spring without a speed slows it down, so zero is its target.
    """
    sprung, speed = drive.position_target is not None, drive.velocity_target
    damps = drive.damping > 0.0 or any(keys.field == "damping" for keys in drive.keys)
    if sprung and damps and speed is None:
        speed = 0.0
    strong = {"stiffness": sprung, "damping": speed is not None}
    return replace(
        drive,
        velocity_target=speed,
        stiffness=drive.stiffness if sprung else 0.0,
        damping=0.0 if speed is None else drive.damping,
        keys=tuple(keys for keys in drive.keys if strong.get(keys.field, True)),
    )
