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

import numpy as np

from ..dynamics.shape import Elements
from ..kinematics.jacobian import LEAST
from ..kinematics.rotation import Array
from .lanes import Judged, Lanes, Sides

MOST = 20.0
"""Steps in an output step, in each of which a spring turns by a radian."""


def law(elements: Elements, scale: Array, mode: Sides, value: Array, rate: Array) -> Array:
    """Return forces (L, S, e) at values and rates of that shape, without regard to the largest."""
    k, d = elements.stiffness * scale, elements.damping * scale
    side = np.where(mode > 0, elements.high, elements.low)
    rest = np.where(elements.one_sided, side, elements.target)
    speed = np.where(elements.one_sided, 0.0, elements.speed)
    return np.asarray(-k * (value - rest) - d * (rate - speed))


def wanted(elements: Elements, scale: Array, value: Array, rate: Array) -> Sides:
    """Return what elements do there. A soft limit pushes only out of its range, and never pulls."""
    side = _sides(elements, value)
    mode = np.where(elements.one_sided, side, 1)
    force = law(elements, scale, mode, value, rate)
    pushes = np.where(force * side < 0.0, side, 0)
    mode = np.where(elements.one_sided, pushes, capped(elements, force))
    return np.where(elements.on_lock, 0, mode)


def wanted_then(
    elements: Elements,
    scale: Array,
    mode: Sides,
    value: Array,
    rate: Array,
    then: tuple[Array, Array],
) -> Sides:
    """Return what those that give way want, by the values and rates that there would be then.

    A drive at its most stays there until its law asks for less where the coordinate is.
    """
    now = wanted(elements, scale, value, rate)
    force = law(elements, scale, np.where(elements.one_sided, _sides(elements, value), 1), *then)
    side = _sides(elements, value)
    pushes = np.where(force * side < 0.0, side, 0)
    later = np.where(elements.one_sided, pushes, capped(elements, force))
    later = np.where(elements.on_lock, 0, later)
    return np.where(np.abs(mode) == 3, now, later)


def _sides(elements: Elements, value: Array) -> Sides:
    return np.where(value > elements.high, 1, np.where(value < elements.low, -1, 0))


def capped(elements: Elements, force: Array) -> Sides:
    """Return 1 where a force can be had, 3 or -3 where it is more than the largest."""
    return np.where(force > elements.most, 3, np.where(force < -elements.most, -3, 1))


def judge(lanes: Lanes, dt: float) -> Judged | None:
    """Return how fast elements are, for output steps of dt seconds."""
    shape, state = lanes.shape, lanes.state
    elements = shape.elements
    if elements is None:
        return None
    pose = lanes.pose(state.position[:, None], state.rotation[:, None])
    locked = None if shape.all_locks else np.broadcast_to(shape.lock, (lanes.count, shape.rows))
    algebra = shape.algebra
    every = algebra.entries(pose.jacobian)
    factor = algebra.factor(every, locked, None, shape.little)
    moved = np.empty((lanes.count, len(elements.row)))
    own = np.empty_like(moved)
    nothing = np.zeros((lanes.count, 1, shape.rows))
    units = np.eye(shape.rows)[elements.row]
    for e in range(len(elements.row)):
        unit = units[e] if pose.stretch is None else units[e] * pose.stretch
        one = algebra.push(every, np.broadcast_to(unit, nothing.shape))
        own[:, e] = (one * one)[:, 0].sum(-1)
        change, _ = factor.solve(one, nothing, shape.rounds)
        moved[:, e] = (one * change)[:, 0].sum(-1)
    moved = np.maximum(moved, 1e-12 * own)
    least = LEAST * own
    eases = moved / np.maximum(moved * moved + least * least, 1e-300)
    scale = np.where(elements.accelerates, eases, 1.0)
    stiffness = elements.stiffness[:, 0] * scale
    damping = elements.damping[:, 0] * scale
    omega = np.maximum(np.sqrt(stiffness * moved), damping * moved)
    return Judged(omega, scale, ~(omega * dt <= MOST))
