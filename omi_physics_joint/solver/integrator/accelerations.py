# SPDX-License-Identifier: GPL-3.0-or-later
"""Accelerations at moments, and the forces that come with them.

    a = f + E^T (l + F),    E a = b - drift

with weights and gyroscopic torques f, forces F of elements and those of active rows l. An element
that is too stiff to be followed is a row with compliance: its force is where the row would be after
the time T to come, F(y + T y' + T^2 y'', y' + T y''), so with K = k T^2 + d T

    y'' + l / K = F(y + T y', y') / K:

nothing in it is faster than T, and it only ever takes energy away.

Where loops are closed velocities are made to fit the rows first: sweeps would diverge otherwise.

In trees E changes little from sweep to sweep. With the multipliers l and the factor S of the first
one, whatever E and f are by now,

    r = b - drift - E (f + E^T (l + F)) - c l,    S dl = r,    l + dl

leaves of r the part by which S has changed since, and the first equation holds as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..dynamics.shape import Shape
from ..kinematics.coordinates import Rows
from ..kinematics.rotation import Array, Mask, cross
from ..linalg.elimination import LITTLE, Factor
from .elements import law
from .lanes import HOLDS, Held, Lanes

FELT = 1e-4
"""Where rows are off, the square of the singular value below which nothing bears."""


@dataclass(slots=True)
class Accelerations:
    """What is known at (L, S) moments.

    Attributes:
        pose: rows there.
        rate, drift: (L, S, r) of them.
        acceleration: (L, S, n, 6) scaled.
        force: (L, S, r) of rigid rows.
        element_force: (L, S, e).
        multiplier: (L, S, r) of all active rows.
        factor: of them, at this moment or at one nearby.
    """

    pose: Rows
    rate: Array
    drift: Array
    acceleration: Array
    force: Array
    element_force: Array
    multiplier: Array
    factor: Factor


def accelerations(
    lanes: Lanes, pose: Rows, velocity: Array, held: Held, near: Accelerations | None = None
) -> Accelerations:
    """Return accelerations at poses and scaled velocities (L, S, n, 6); rows are held as told.

    Where loops are closed velocities are made to fit the rows; in trees those nearby are enough.
    """
    shape, algebra, entry = lanes.shape, lanes.shape.algebra, pose.entry
    here: Factor | None = None
    if shape.closed:
        here = lanes.factor(pose)
        velocity = velocity + _fitting(lanes, pose, here, velocity, held)
    rate, drift = lanes.motion(pose, velocity)
    loads = _loads(lanes, pose, rate)
    on, soft = lanes.active | (loads.soft[:, 0] > 0.0), loads.soft
    force = _free_forces(shape, velocity) + algebra.push(entry, loads.load)
    rhs = np.where(soft > 0.0, loads.ahead * soft, held.acceleration) - drift
    if near is None:
        factor = lanes.factor(pose, on, soft=soft) if here is None or soft.any() else here
        acceleration, multiplier = factor.solve(force, rhs, shape.rounds)
        if shape.closed:
            multiplier = factor.least(multiplier)
    else:
        factor = near.factor
        acceleration = force + algebra.push(entry, near.multiplier)
        missing = rhs - algebra.pull(entry, acceleration) - soft * near.multiplier
        change = factor.once(0.0, missing)
        acceleration += algebra.push(entry, change)
        multiplier = near.multiplier + change
    bears = np.where(soft > 0.0, 0.0, multiplier)
    bent = algebra.pull(entry, acceleration) + drift
    element_force = _followed_up(lanes, pose, rate, bent, loads)
    return Accelerations(pose, rate, drift, acceleration, bears, element_force, multiplier, factor)


@dataclass(slots=True)
class _Loads:
    """What elements do: forces (L, S, e) of those that are followed, and of rows (L, S, r).

    Attributes:
        force, implicit: (L, S, e) and (L, 1, e) of elements.
        load: of those that are followed.
        soft: one over the compliance of implicit rows, else 0.
        ahead: of implicit ones, where rates are what they are.
    """

    force: Array
    implicit: Mask
    load: Array
    soft: Array
    ahead: Array


def _loads(lanes: Lanes, pose: Rows, rates: Array) -> _Loads:
    """Return what elements do at rows and rates (L, S, r)."""
    elements, mode, time = lanes.elements, lanes.state.mode[:, None], lanes.give
    if not len(elements.row):
        no_force, none = np.zeros((*rates.shape[:2], 0)), np.zeros(rates.shape)
        return _Loads(no_force, no_force > 0.0, none, none, none)
    value, rate = pose.value.take(elements.row, -1), rates.take(elements.row, -1)
    implicit = elements.stiff & (np.abs(mode) == 1)
    implicit &= ~lanes.active.take(elements.row, -1)[:, None]
    force = np.where(implicit | (mode == 0), 0.0, law(elements, mode, value, rate))
    ahead = np.where(implicit, law(elements, mode, value + time * rate, rate), 0.0)
    compliance = np.where(implicit, (elements.stiffness * time + elements.damping) * time, 0.0)
    parts = force * pose.stretch.take(elements.row, -1), ahead, compliance, implicit
    load, soft_load, soft, gives = np.zeros((4, *rates.shape))
    for to, part in zip((load, soft_load, soft, gives), parts, strict=True):
        lanes.shape.on_rows.add(to, part)
    soft = np.where(gives > 0.0, 1.0 / np.maximum(soft, 1e-300), 0.0)
    return _Loads(force, implicit, load, soft, soft_load)


def _followed_up(lanes: Lanes, pose: Rows, rates: Array, bent: Array, loads: _Loads) -> Array:
    """Return forces of elements (L, S, e), now that accelerations of rows (L, S, r) are known."""
    elements, mode, time = lanes.elements, lanes.state.mode[:, None], lanes.give
    if not len(elements.row):
        return loads.force
    rate = rates.take(elements.row, -1) + time * bent.take(elements.row, -1)
    value = pose.value.take(elements.row, -1) + time * rate
    return np.where(loads.implicit, law(elements, mode, value, rate), loads.force)


def borne(lanes: Lanes, now: Accelerations, held: Held) -> Array:
    """Return the forces (L, S, r) of rigid rows that are loads: what brings in rows is none."""
    if not held.acceleration.any():
        return now.force
    _, force = now.factor.solve(0.0, held.acceleration, lanes.shape.rounds)
    return now.force - np.where(now.force == 0.0, 0.0, force)


def _fitting(lanes: Lanes, pose: Rows, factor: Factor, velocity: Array, held: Held) -> Array:
    """Return what velocities (L, S, n, 6) lack to fit the rows."""
    missing = held.rate - lanes.rate(pose, velocity)
    by, _ = factor.solve(0.0, missing, 0)
    by[lanes.worst(missing) <= HOLDS] = 0.0
    return by


def _free_forces(shape: Shape, velocity: Array) -> Array:
    """Return weights and gyroscopic torques (L, S, n, 6)."""
    spin = velocity[..., 3:]
    gyration = shape.gyration * spin[..., [1, 2, 0]] * spin[..., [2, 0, 1]]
    return np.asarray(shape.weight + np.concatenate([np.zeros(spin.shape), gyration], -1))


def shared_evenly(lanes: Lanes, pose: Rows, force: Array, off: Array) -> Array:
    """Return the forces (L, S, r) of least norm that do the same, whatever rows act on.

    Where rows are off, ``off`` (L, S) of ``Held``, what next to nothing follows from is no load.
    """
    shape = lanes.shape
    if not shape.closed:
        return force
    if (off > LITTLE).any():
        sure = np.maximum(np.minimum(off, FELT), LITTLE)
        damped = lanes.factor(pose, little=sure).least(force)
        force = np.where((off > LITTLE)[..., None], damped, force)
    little = shape.little
    return shape.algebra.factor(pose.entry, lanes.active, 0.0, little, evenly=True).least(force)


def joint_loads(lanes: Lanes, pose: Rows, force: Array, element_force: Array) -> Array:
    """Return forces of joints on rows, without those of drives: (L, S, r)."""
    elements, out = lanes.elements, force.copy()
    own = np.where(elements.is_drive, 0.0, element_force)
    lanes.shape.on_rows.add(out, own * pose.stretch.take(elements.row, -1))
    return out


def wrenches(lanes: Lanes, pose: Rows, force: Array) -> Array:
    """Return the wrenches (L, S, m, 6) of forces on rows (L, S, r) on the connected bodies.

    N and N m about the joint frame's origin, world axes: a distance pulls at the connected origin.
    """
    shape, rows = lanes.shape, lanes.shape.kinematics
    along = (force[..., None] * pose.direction)[..., None, :] @ pose.own.take(rows.joint, 2)
    along, straight = along[..., 0, :], rows.straight[:, None]
    about = np.where(straight, cross(pose.gap.take(rows.joint, 2), along), along)
    out = np.zeros((*force.shape[:2], shape.joints, 6))
    shape.on_joints.add(out, np.concatenate([along * straight, about], -1))
    return out
