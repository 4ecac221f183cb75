# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs, soft limits and drives: their laws, what they want, and how fast they are.

What an element does is its mode: 0 nothing, 1 its law or -1 that of a lower side, 3 or -3 its
largest force. How stiff one is shows in the inertia that it really moves, all locks enforced: with
its scaled gradient g and P the projection onto what locks allow, 1 / (g P g). It turns by
omega = sqrt(k g P g), or by d g P g if that is more. A drive that is to accelerate is times that
inertia, but what all but cannot move is not accelerated. Up to 20 rad in an output step an element
is followed; beyond that it is an implicit row, L-stable.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..dynamics.shape import Elements
from ..kinematics.rotation import Array
from .lanes import Lanes, Sides

MOST = 20.0
"""Steps in an output step, in each of which a spring turns by a radian."""
LEAST = 1e-6
"""Of what bodies yield that are alone: what yields less is held, and not accelerated."""


def law(elements: Elements, mode: Sides, value: Array, rate: Array) -> Array:
    """Return forces (L, S, e) at values and rates of that shape, by modes (L, 1, e) but 0."""
    side = np.where(mode > 0, elements.soft_high, elements.soft_low)
    rest = np.where(elements.one_sided, side, elements.target)
    speed = np.where(elements.one_sided, 0.0, elements.speed)
    force = -elements.stiffness * (value - rest) - elements.damping * (rate - speed)
    return np.where(np.abs(mode) == 3, np.copysign(elements.max_force, mode), force)


def wanted(
    elements: Elements, mode: Sides, at: tuple[Array, Array], then: tuple[Array, Array]
) -> Sides:
    """Return what elements, which were judged, do: a soft limit pushes only out of its range.

    Those that give way go by the values and rates (L, S, e) that there would be then; but a drive
    at its most stays there until its law asks for less where the coordinate is at present.
    """
    value = at[0]
    waits = np.abs(mode) == 3
    later = [np.where(waits, now, soon) for now, soon in zip(at, then, strict=True)]
    side = np.where(value > elements.soft_high, 1, np.where(value < elements.soft_low, -1, 0))
    force = law(elements, np.where(elements.one_sided, side, 1), *later)
    pushes = np.where(force * side < 0.0, side, 0)
    drives = np.where(force > elements.max_force, 3, np.where(force < -elements.max_force, -3, 1))
    return np.where(elements.on_lock, 0, np.where(elements.one_sided, pushes, drives))


def judge(lanes: Lanes, dt: float) -> Elements:
    """Return elements as they act, and how fast they are, for output steps of dt seconds."""
    shape, elements = lanes.shape, lanes.shape.elements
    if not len(elements.row):
        return elements
    pose = lanes.now()
    factor = lanes.factor(pose, np.broadcast_to(shape.lock, lanes.active.shape))
    moved, own = np.empty((2, *elements.stiffness.shape))
    for e, row in enumerate(elements.row):
        unit = np.zeros(pose.value.shape)
        unit[..., row] = pose.stretch[..., row]
        one = shape.algebra.push(pose.entry, unit)
        change, _ = factor.solve(one, np.zeros(unit.shape), shape.rounds)
        own[..., e], moved[..., e] = (one * one).sum((-1, -2)), (one * change).sum((-1, -2))
    moved, least = np.maximum(moved, 1e-12 * own), LEAST * own
    eases = moved / np.maximum(moved * moved + least * least, 1e-300)
    scale = np.where(elements.accelerates, eases, 1.0)
    stiffness, damping = elements.stiffness * scale, elements.damping * scale
    omega = np.maximum(np.sqrt(stiffness * moved), damping * moved)
    stiff = ~(omega * dt <= MOST)
    return replace(
        elements, stiffness=stiffness, damping=damping, omega=omega, scale=scale, stiff=stiff
    )


def stored_energy(elements: Elements, value: Array) -> Array:
    """Return what springs hold in J (L, 1, e), at rows (L, r); at its most one is that force."""
    at = value[:, None, elements.row]
    over = np.maximum(at - elements.soft_high, 0.0) + np.minimum(at - elements.soft_low, 0.0)
    stretch = np.abs(np.where(elements.one_sided, over, at - elements.target))
    k, most = elements.stiffness, elements.max_force
    with np.errstate(over="ignore", invalid="ignore"):
        reach = np.where(k > 0.0, most / np.maximum(k, 1e-300), np.inf)
        inside = np.minimum(stretch, reach)
        beyond = np.where(stretch > reach, most * (stretch - reach), 0.0)
        return np.where(k > 0.0, 0.5 * k * inside * inside + beyond, 0.0)
