# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the special cases: weld, pin, hinge and slider."""

from __future__ import annotations

from math import inf

from ..joint import AXES, Freedom, JointSettings, Limit, on_axes


def weld() -> JointSettings:
    """Return a joint that holds everything."""
    return JointSettings("Weld", (_held(Freedom.LINEAR), _held(Freedom.ANGULAR)))


def pin() -> JointSettings:
    """Return a joint that holds the place and lets every turn be."""
    return JointSettings("Pin", (_held(Freedom.LINEAR),))


def hinge(axis: int, low: float = -inf, high: float = inf) -> JointSettings:
    """Return a joint that turns about one axis, from low to high in rad."""
    limits = [_held(Freedom.LINEAR), _held(Freedom.ANGULAR, _others(axis))]
    if (low, high) != (-inf, inf):
        limits.append(Limit(angular_axes=(axis,), min=low, max=high))
    return JointSettings("Hinge", tuple(limits))


def slider(axis: int, low: float = -inf, high: float = inf) -> JointSettings:
    """Return a joint that slides along one axis, from low to high in m, and does not turn."""
    limits = [_held(Freedom.LINEAR, _others(axis)), _held(Freedom.ANGULAR)]
    if (low, high) != (-inf, inf):
        limits.insert(0, Limit(linear_axes=(axis,), min=low, max=high))
    return JointSettings("Slider", tuple(limits))


def _others(axis: int) -> tuple[int, ...]:
    return tuple(a for a in AXES if a != axis)


def _held(freedom: Freedom, axes: tuple[int, ...] = AXES) -> Limit:
    return on_axes(Limit(min=0.0, max=0.0), freedom, axes)
