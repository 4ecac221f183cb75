# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs, soft limits and drives: their laws, and what they do at a value and a rate.

What an element does is its mode: 0 nothing, 1 its law or -1 that of a lower side, 3 or -3 its
largest force.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .kinematics.rotation import Array, Index, Mask
from .system import RowKind, System

Modes = NDArray[np.integer[Any]]


class Elements(NamedTuple):
    """Elements of equal islands: (e,), and (N, e) for numbers."""

    row: Index
    is_drive: Mask
    one_sided: Mask
    on_lock: Mask
    stiffness: Array
    damping: Array
    soft_low: Array
    soft_high: Array
    target: Array
    speed: Array
    max_force: Array


def elements_of(system: System, scale: Array | float = 1.0) -> Elements:
    """Return the elements of a system; stiffness and damping are times ``scale`` (N, e)."""
    row = np.asarray(system.element_row, np.intp)
    return Elements(
        row,
        system.is_drive != 0,
        system.one_sided != 0,
        system.kind[row] == RowKind.LOCK,
        system.stiffness * scale,
        system.damping * scale,
        system.soft_low,
        system.soft_high,
        system.target,
        system.speed,
        system.max_force,
    )


def law(elements: Elements, mode: Modes, value: Array, rate: Array) -> Array:
    """Return forces (N, e) at values and rates of that shape, by modes but 0."""
    side = np.where(mode > 0, elements.soft_high, elements.soft_low)
    rest = np.where(elements.one_sided, side, elements.target)
    speed = np.where(elements.one_sided, 0.0, elements.speed)
    force = -elements.stiffness * (value - rest) - elements.damping * (rate - speed)
    return np.where(np.abs(mode) == 3, np.copysign(elements.max_force, mode), force)


def wanted(elements: Elements, mode: Modes, value: Array, rate: Array) -> Modes:
    """Return what elements do at values and rates (N, e); a soft limit only pushes.

    A drive at its most stays there until its law asks for less.
    """
    side = np.where(value > elements.soft_high, 1, np.where(value < elements.soft_low, -1, 0))
    force = law(elements, np.where(elements.one_sided, side, 1), value, rate)
    pushes = np.where(force * side < 0.0, side, 0)
    drives = np.where(force > elements.max_force, 3, np.where(force < -elements.max_force, -3, 1))
    return np.where(elements.on_lock, 0, np.where(elements.one_sided, pushes, drives))


def stored_energy(elements: Elements, value: Array) -> Array:
    """Return what springs hold in J (N, e), at rows (N, r); at its most one is that force."""
    at = value[:, elements.row]
    over = np.maximum(at - elements.soft_high, 0.0) + np.minimum(at - elements.soft_low, 0.0)
    stretch = np.abs(np.where(elements.one_sided, over, at - elements.target))
    k, most = elements.stiffness, elements.max_force
    with np.errstate(over="ignore", invalid="ignore"):
        reach = np.where(k > 0.0, most / np.maximum(k, 1e-300), np.inf)
        inside = np.minimum(stretch, reach)
        beyond = np.where(stretch > reach, most * (stretch - reach), 0.0)
        return np.where(k > 0.0, 0.5 * k * inside * inside + beyond, 0.0)
