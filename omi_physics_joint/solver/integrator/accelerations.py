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
from ..kinematics.coordinates import Pose
from ..kinematics.rotation import Array
from ..linalg.blocks import BlockFactor
from ..linalg.dense import LITTLE, DenseFactor
from .elements import law
from .lanes import HOLDS, Held, Lanes, Mask

FELT = 1e-4
"""Where rows are off, the square of the singular value below which nothing bears."""
_NEXT, _AFTER = np.array([1, 2, 0]), np.array([2, 0, 1])


@dataclass(slots=True)
class Accelerations:
    """What is known at (L, S) moments.

    Attributes:
        pose: rows there.
        rate, drift: (L, S, r) of them.
        acceleration: (L, S, n, 6) scaled.
        force: (L, S, r) of rigid rows.
        element_force: (L, S, e), or None.
        multiplier: (L, S, r) of all active rows.
        factor: of them, at this moment or at one nearby.
    """

    pose: Pose
    rate: Array
    drift: Array
    acceleration: Array
    force: Array
    element_force: Array | None
    multiplier: Array
    factor: DenseFactor | BlockFactor


@dataclass(slots=True)
class _Loads:
    """Forces of elements: explicit ones on rows, and the implicit rows (L, S, r)."""

    force: Array
    load: Array
    servo: Mask
    compliance: Array
    rhs: Array


def accelerations(
    lanes: Lanes, pose: Pose, velocity: Array, held: Held, near: Accelerations | None = None
) -> Accelerations:
    """Return accelerations at poses and scaled velocities (L, S, n, 6).

    Args:
        lanes: islands.
        pose: rows.
        velocity: is made to fit the rows where loops are closed.
        held: what rows are held at.
        near: those at poses nearby, of trees.
    """
    shape, algebra = lanes.shape, lanes.shape.algebra
    entries = algebra.entries(pose.jacobian)
    factor: DenseFactor | BlockFactor | None = None
    if shape.closed:
        velocity, factor = _fitting(lanes, pose, entries, velocity, held)
    rate, drift = lanes.motion(pose, velocity)
    force = _free_forces(shape, velocity)
    rhs = held.acceleration - drift
    loads = _elements(lanes, pose, rate)
    implicit = loads is not None and bool(loads.servo.any())
    soft: Array | None = None
    if loads is not None:
        force += algebra.push(entries, loads.load)
    if loads is not None and implicit:
        k = np.maximum(loads.compliance, 1e-300)
        rhs = np.where(loads.servo, loads.rhs / k - drift, rhs)
        soft = np.where(loads.servo, 1.0 / k, 0.0)
    if near is not None:
        factor, multiplier = near.factor, near.multiplier
        acceleration = force + algebra.push(entries, multiplier)
        missing = rhs - algebra.pull(entries, acceleration)
        if soft is not None:
            missing -= soft * multiplier
        _, change = factor.solve(None, missing, 0)
        acceleration += algebra.push(entries, change)
        multiplier = multiplier + change
    else:
        if loads is not None and implicit:
            on = loads.servo[:, 0] if lanes.active is None else lanes.active | loads.servo[:, 0]
            factor = algebra.factor(entries, on, soft, shape.little)
        elif factor is None:
            factor = algebra.factor(entries, lanes.active, None, shape.little)
        acceleration, multiplier = factor.solve(force, rhs, shape.rounds)
        if shape.closed:
            multiplier = factor.least(multiplier)
    row_force = multiplier
    if loads is not None and implicit:
        _follow_up(lanes, pose, (rate, drift), algebra.pull(entries, acceleration), loads)
        row_force = np.where(loads.servo, 0.0, row_force)
    return Accelerations(
        pose,
        rate,
        drift,
        acceleration.reshape(velocity.shape),
        row_force,
        None if loads is None else loads.force,
        multiplier,
        factor,
    )


def borne(lanes: Lanes, now: Accelerations, held: Held) -> Array:
    """Return the forces (L, S, r) of rigid rows that are loads: what brings in rows is none."""
    if not isinstance(held.acceleration, np.ndarray) or not held.acceleration.any():
        return now.force
    brings = np.broadcast_to(held.acceleration, now.force.shape)
    _, force = now.factor.solve(None, brings, lanes.shape.rounds)
    return now.force - np.where(now.force == 0.0, 0.0, force)


def _fitting(
    lanes: Lanes, pose: Pose, entries: Array, velocity: Array, held: Held
) -> tuple[Array, DenseFactor | BlockFactor | None]:
    """Return velocities that fit the rows, and the factor if it was needed."""
    missing = held.rate - lanes.rate(pose, velocity)
    fits = lanes.worst(missing) <= HOLDS
    if fits.all():
        return velocity, None
    shape = lanes.shape
    factor = shape.algebra.factor(entries, lanes.active, None, shape.little)
    by, _ = factor.solve(None, missing, 0)
    by[fits] = 0.0
    return velocity + by.reshape(velocity.shape), factor


def _free_forces(shape: Shape, velocity: Array) -> Array:
    """Return weights and gyroscopic torques (L, S, 6 n)."""
    force = np.empty(velocity.shape)
    force[...] = shape.weight
    spin = velocity[..., 3:]
    gyration = spin.take(_NEXT, -1)
    gyration *= spin.take(_AFTER, -1)
    gyration *= shape.gyration
    force[..., 3:] += gyration
    return force.reshape(*velocity.shape[:2], -1)


def _elements(lanes: Lanes, pose: Pose, rates: Array) -> _Loads | None:
    """Return forces of elements, and implicit rows."""
    elements, judged = lanes.shape.elements, lanes.judged
    if elements is None or judged is None:
        return None
    mode = lanes.state.mode[:, None]
    scale, stiff = judged.scale[:, None], judged.stiff[:, None]
    value, rate = pose.value.take(elements.row, -1), rates.take(elements.row, -1)
    force = law(elements, scale, mode, value, rate)
    at_most = np.abs(mode) == 3
    if at_most.any():
        force = np.where(at_most, np.where(mode > 0, elements.most, -elements.most), force)
    force = np.where(mode != 0, force, 0.0)
    stretch = np.ones(rates.shape) if pose.stretch is None else pose.stretch
    implicit = stiff & ~at_most & (mode != 0)
    if lanes.active is not None:
        implicit &= ~lanes.active.take(elements.row, -1)[:, None]
    load = np.zeros(rates.shape)
    servo = np.zeros((lanes.count, 1, lanes.shape.rows), bool)
    if not implicit.any():
        for e, row in enumerate(elements.row):
            load[..., row] += force[..., e] * stretch[..., row]
        return _Loads(force, load, servo, load, load)
    time = lanes.give
    force = np.where(implicit, 0.0, force)
    compliance = (elements.stiffness * time * time + elements.damping * time) * scale
    ahead = law(elements, scale, mode, value + time * rate, rate)
    soft, rhs = np.zeros(servo.shape), np.zeros(load.shape)
    for e, row in enumerate(elements.row):
        load[..., row] += force[..., e] * stretch[..., row]
        servo[..., row] |= implicit[..., e]
        soft[..., row] += np.where(implicit[..., e], compliance[..., e], 0.0)
        rhs[..., row] += np.where(implicit[..., e], ahead[..., e], 0.0)
    return _Loads(force, load, servo, soft, rhs)


def _follow_up(
    lanes: Lanes,
    pose: Pose,
    now: tuple[Array, Array],
    pulled: Array,
    loads: _Loads,
) -> None:
    """Fill in the forces of implicit elements, now that accelerations are known."""
    elements, judged = lanes.shape.elements, lanes.judged
    if elements is None or judged is None:
        return
    rates, drift = now
    rows, mode = elements.row, lanes.state.mode[:, None]
    bent = pulled + drift
    time = lanes.give
    rate = rates.take(rows, -1) + time * bent.take(rows, -1)
    value = pose.value.take(rows, -1) + time * rate
    force = law(elements, judged.scale[:, None], mode, value, rate)
    implicit = loads.servo.take(rows, -1) & judged.stiff[:, None] & (np.abs(mode) == 1)
    loads.force = np.where(implicit, force, loads.force)


def shared_evenly(lanes: Lanes, pose: Pose, force: Array, off: Array | float) -> Array:
    """Return the forces (L, S, r) of least norm that do the same, whatever rows act on.

    Where rows are off, ``off`` (L, S) of ``Held``, what next to nothing follows from is no load.
    """
    shape = lanes.shape
    if not shape.closed:
        return force
    entries = shape.algebra.entries(pose.jacobian)
    off = np.broadcast_to(off, force.shape[:2])
    if (off > LITTLE).any():
        sure = np.maximum(np.minimum(off, FELT), LITTLE)
        damped = shape.algebra.factor(entries, lanes.active, None, sure).least(force)
        force = np.where((off > LITTLE)[..., None], damped, force)
    factor = shape.algebra.factor(entries, lanes.active, None, shape.little, evenly=True)
    return factor.least(force)


def joint_loads(lanes: Lanes, pose: Pose, force: Array, element_force: Array | None) -> Array:
    """Return forces of joints on rows, without those of drives: (L, S, r)."""
    elements = lanes.shape.elements
    if elements is None or element_force is None or elements.is_drive.all():
        return force
    out = force.copy()
    for e in np.flatnonzero(~elements.is_drive):
        row = elements.row[e]
        out[..., row] += element_force[..., e] * (
            1.0 if pose.stretch is None else pose.stretch[..., row]
        )
    return out


def wrenches(lanes: Lanes, pose: Pose, force: Array) -> Array:
    """Return the wrenches (L, S, m, 6) of forces on rows (L, S, r) on the connected bodies.

    N and N m about the joint frame's origin, world axes: a distance pulls at the connected origin.
    """
    shape = lanes.shape
    lead = force.shape[:2]
    m = shape.joints
    padded = np.concatenate([force, np.zeros((*lead, 1))], -1)
    every = padded.take(shape.of_slot, -1)
    parts = every[..., : 6 * m].reshape(*lead, m, 6, 1)
    out = np.empty((*lead, m, 6))
    world = pose.own.swapaxes(-1, -2)
    along, about = parts[..., :3, :], pose.slopes.swapaxes(-1, -2) @ parts[..., 3:, :]
    together = shape.kinematics.together
    if together is not None and pose.together is not None:
        along = along.copy()
        for i, joint in enumerate(together.joint):
            force = every[..., 6 * m + i, None] * pose.together.normal[..., i, :]
            (along if i in together.straight else about)[:, :, joint, :, 0] += force
    push, turn = world @ along, world @ about
    out[..., :3] = push[..., 0]
    gap, way = pose.gap[..., 0], push[..., 0]
    cross = gap.take(_NEXT, -1) * way.take(_AFTER, -1) - gap.take(_AFTER, -1) * way.take(_NEXT, -1)
    out[..., 3:] = turn[..., 0] + cross
    return out
