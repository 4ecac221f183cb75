# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs, soft limits and drives: their laws, and what they do at a value and a rate.

What an element does is its mode: 0 nothing, 1 its law or -1 that of a lower side, 3 or -3 its
largest force.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kinematics.rotation import Array
from .system import RowKind, System

Modes = NDArray[np.integer[Any]]
AT_ITS_MOST = 3
"""Mode of a drive, or less than zero."""


def scaled(system: System, scale: Array) -> System:
    """Return a system whose elements have stiffness and damping times ``scale`` (N, e)."""
    return replace(system, stiffness=system.stiffness * scale, damping=system.damping * scale)


def law(system: System, mode: Modes, value: Array, rate: Array) -> Array:
    """Return forces (N, e) at values and rates of that shape, by modes but 0."""
    side = np.where(mode > 0, system.soft_high, system.soft_low)
    zero = np.where(system.one_sided, side, system.target)
    speed = np.where(system.one_sided, 0.0, system.speed)
    force = -system.stiffness * (value - zero) - system.damping * (rate - speed)
    return np.where(np.abs(mode) == AT_ITS_MOST, np.copysign(system.max_force, mode), force)


def wanted(system: System, value: Array, rate: Array) -> Modes:
    """Return what elements do at values and rates (N, e); a soft limit only pushes."""
    side = np.where(value > system.soft_high, 1, np.where(value < system.soft_low, -1, 0))
    force = law(system, np.where(system.one_sided, side, 1), value, rate)
    pushes = np.where(force * side < 0.0, side, 0)
    beyond = np.abs(force) > system.max_force
    drives = np.where(beyond, np.copysign(AT_ITS_MOST, force).astype(int), 1)
    on_lock = system.kind[system.element_row] == RowKind.LOCK
    return np.where(on_lock, 0, np.where(system.one_sided, pushes, drives))


def stored_energy(system: System, value: Array) -> Array:
    """Return what springs hold in J (N, e), at rows (N, r); at its most one is that force."""
    at = value[:, system.element_row]
    over = np.maximum(at - system.soft_high, 0.0) + np.minimum(at - system.soft_low, 0.0)
    stretch = np.abs(np.where(system.one_sided, over, at - system.target))
    k, most = system.stiffness, system.max_force
    with np.errstate(over="ignore", invalid="ignore"):
        reach = np.where(k > 0.0, most / np.maximum(k, 1e-300), np.inf)
        inside = np.minimum(stretch, reach)
        beyond = np.where(stretch > reach, most * (stretch - reach), 0.0)
        return np.where(k > 0.0, 0.5 * k * inside * inside + beyond, 0.0)
