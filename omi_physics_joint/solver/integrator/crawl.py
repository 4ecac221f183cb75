# SPDX-License-Identifier: GPL-3.0-or-later
"""A step of first order that ends whatever the rows say.

Velocities at its end answer for everything in it: with V = V_n + h f + E^T l, springs are where
they will be then, bounds are not passed, l is the impulse of each row, and spins turn by the
implicit I w' + h w' x I w' = I w, to first order. Then bodies go as far as nothing rigid stands in
the way, and rows pull the pose back, as well as they allow: what contradicts itself is met in the
mean (Levenberg, Marquardt), and never worse than before. Velocities are those that lead there, so
what swings fast is damped and not thrown (implicit Euler). Where nothing but weights can give an
island energy it gains none: velocities lose it again, but for what momenta ask for.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..dynamics.momentum import Momenta, add_weight, given_back, momenta_of, with_centre
from ..dynamics.shape import Shape
from ..kinematics.coordinates import Rows
from ..kinematics.rotation import Array, Mask, orthonormalized, rotation_vector, skew
from ..state import BRINGING_IN, State
from .accelerations import FELT, joint_loads, wrenches
from .elements import law, wanted
from .fitting import PASSES, SURE, fit_well, onto_rows
from .lanes import Held, Lanes, Poses

MOST_DAMPED = 1e-2
TRIES = 12
_PULLS = 1e-12
BEYOND = 1e300
"""Inertia that nothing turns."""


def turned_freely(lanes: Lanes, velocity: Array, h: Array) -> Array:
    """Return scaled velocities (L, n, 6) after spinning h (L,) seconds without torque.

    w + h J^-1 (I w x w), J = I + h ([w] I - [I w]) the slope of I w + h w x I w.
    """
    root = 1.0 / lanes.shape.inverse[:, 0, :, 3:]
    inertia = root * root
    spin = velocity[..., 3:] / root
    momentum = inertia * spin
    of_spin, of_momentum = skew(spin), skew(momentum)
    torque = (of_momentum @ spin[..., None])[..., 0]
    step = h[:, None, None, None]
    slope = step * (of_spin * inertia[..., None, :] - of_momentum)
    slope += inertia[..., None] * np.eye(3)
    turns: Mask = np.all(inertia < BEYOND, -1)
    slope = np.where(turns[..., None, None], slope, np.eye(3))
    change = np.where(turns[..., None], (np.linalg.inv(slope) @ torque[..., None])[..., 0], 0.0)
    out = velocity.copy()
    out[..., 3:] += root * h[:, None, None] * change
    return out


class _Velocities:
    """The search for velocities at the end of the step."""

    def __init__(self, lanes: Lanes, h: Array, pose: Rows, velocity: Array, held: Held) -> None:
        shape = lanes.shape
        self.lanes, self.h, self.pose, self.held = lanes, h[:, None], pose, held
        self.value, self.rate = pose.value[:, 0], lanes.rate(pose, velocity)[:, 0]
        self.held_rate = held.rate[:, 0]
        self.mode = lanes.state.mode.copy()
        self.touched = np.where(lanes.comes_in, lanes.state.side, 0)
        times = np.zeros_like(self.h), self.h
        self.ends = [[bound[:, 0] for bound in lanes.bounds(time)] for time in times]
        self.change = np.zeros((lanes.count, 1, shape.bodies, 6))
        self.impulse, self.load = np.zeros((2, *self.value.shape))
        self.servo: Mask = np.zeros(self.value.shape, bool)
        self.force = np.zeros(self.mode.shape)
        later = np.maximum(self.h, lanes.give)
        self.give = np.where(lanes.elements.stiff[:, 0], later, self.h)

    def way_left(self, side: int) -> Array:
        """Return rates at which bounds would be reached just at the end of the step.

        What they have come over goes along with them.
        """
        start, end = (bounds[int(side > 0)] for bounds in self.ends)
        left = (end - self.value) / self.h
        along = np.where(np.isfinite(end), end - start, 0.0) / self.h
        return np.where(left * side < 0.0, along, left)

    def active(self) -> Mask:
        """Return which rows are rigid: (L, r)."""
        return np.asarray(self.lanes.shape.lock | (self.touched != 0))

    def missing(self) -> Array:
        """Return by how much the rates of rigid rows have to change."""
        left = np.where(self.touched > 0, self.way_left(1), self.way_left(-1))
        return np.asarray(np.where(self.touched != 0, left, self.held_rate) - self.rate)

    def falls(self, little: Array) -> Array:
        """Return by how much velocities (L, n, 6) change without what rigid rows make of the rest.

        That is with what elements make of them: where those lead to, rows pull back.
        """
        pushed = (self.servo | (self.load != 0.0)).any(-1)
        factor = self.lanes.factor(self.pose, self.active() & ~self.servo, little[:, None])
        rigid, _ = factor.solve(0.0, self.missing()[:, None], 1)
        return np.where(pushed[:, None, None], (self.change - rigid)[:, 0], 0.0)

    def run(self, little: Array) -> None:
        """Search."""
        self.reconsider(may_let_go=False)
        for number in range(TRIES):
            self.solve(little)
            if not self.reconsider(may_let_go=number < TRIES // 2):
                break

    def wrench(self, little: Array) -> Array:
        """Return impulses of joints (L, m, 6), less what brings in rows or moves next to nothing.

        All else is lost.
        """
        self.held_rate = self.lanes.held(0.0).rate[:, 0]
        self.solve(np.maximum(little, FELT))
        impulse = np.where(self.servo, 0.0, self.impulse)[:, None]
        loads = joint_loads(self.lanes, self.pose, impulse, (self.h * self.force)[:, None])
        return wrenches(self.lanes, self.pose, loads)[:, 0]

    def solve(self, little: Array) -> None:
        """Find the change of velocities, and the impulses of rows."""
        algebra, active = self.lanes.shape.algebra, self.active()
        soft, ahead = self._elements(active)
        rhs = np.where(self.servo, ahead * soft, self.missing())[:, None]
        force = algebra.push(self.pose.entry, self.load[:, None])
        rows, little = active | self.servo, little[:, None]
        factor = self.lanes.factor(self.pose, rows, little, soft[:, None])
        self.change, impulse = factor.solve(force, rhs, 1)
        self.impulse = (factor.least(impulse) if self.lanes.shape.closed else impulse)[:, 0]

    def _elements(self, active: Mask) -> tuple[Array, Array]:
        """Say what elements load rows with, and which rows are implicit.

        Return of those one over the compliance, and impulses (L, r) at the present rates.
        """
        elements, h, mode = self.lanes.elements, self.h, self.mode
        rows, at_most, on = elements.row, np.abs(mode) == 3, active.take(elements.row, 1)
        implicit = (mode != 0) & ~at_most & ~on
        most = elements.max_force[:, 0]
        held = self._law(self.value.take(rows, 1), self.held_rate.take(rows, 1))
        explicit = np.where(at_most, held, np.minimum(np.maximum(held, -most), most))
        explicit = h * np.where((mode != 0) & ~implicit, explicit, 0.0)
        hard = (elements.stiffness[:, 0] * self.give + elements.damping[:, 0]) * h
        rate = self.rate.take(rows, 1)
        ahead = h * self._law(self.value.take(rows, 1) + self.give * rate, rate)
        sums = np.zeros((4, len(h), 1, self.value.shape[1]))
        parts = (explicit, implicit, np.where(implicit, hard, 0.0), np.where(implicit, ahead, 0.0))
        for to, part in zip(sums, parts, strict=True):
            self.lanes.shape.on_rows.add(to, part[:, None])
        self.load, servo, compliance, out = sums[:, :, 0]
        self.servo = servo > 0.0
        return np.where(self.servo, 1.0 / np.maximum(compliance, 1e-300), 0.0), out

    def _law(self, value: Array, rate: Array) -> Array:
        """Return forces of elements (L, e)."""
        return law(self.lanes.elements, self.mode[:, None], value[:, None], rate[:, None])[:, 0]

    def reconsider(self, *, may_let_go: bool) -> bool:
        """Change bounds and elements that are otherwise than was assumed; say if there are any."""
        lanes, shape = self.lanes, self.lanes.shape
        free = ~shape.lock & ~lanes.comes_in
        new = self.rate + shape.algebra.pull(self.pose.entry, self.change)[:, 0]
        on = free & (self.touched != 0)
        pulls = on & (self.impulse * self.touched > _PULLS) & may_let_go
        touched = np.where(pulls, 0, self.touched)
        for side in (-1, 1):
            passes = (new - self.way_left(side)) * side > PASSES
            touched = np.where(free & ~on & passes, side, touched)
        changed = bool((touched != self.touched).any())
        self.touched = touched
        rows, mode = lanes.elements.row, self.mode
        rate = np.where(self.touched != 0, 0.0, new).take(rows, 1)
        value = self.value.take(rows, 1) + self.give * rate
        now = value[:, None], rate[:, None]
        want = wanted(lanes.elements, mode[:, None], now, now)[:, 0]
        self.force = np.where(mode != 0, self._law(value, rate), 0.0)
        turns = (want != mode) & (may_let_go | (want != 0))
        self.mode = np.where(turns, want, mode).astype(mode.dtype)
        return changed or bool(turns.any())


def _chord(lanes: Lanes, before: Poses, position: Array, rotation: Array, h: Array) -> Array:
    """Return the scaled velocities (L, 1, n, 6) that lead from one pose to another."""
    shape = lanes.shape
    n = shape.bodies
    turn = rotation_vector(before[1][:, :, :n].swapaxes(-1, -2) @ rotation[:, :, :n])
    way = np.concatenate([position[:, :, :n] - before[0][:, :, :n], turn], -1)
    return way / shape.inverse / h[:, None, None, None]


def _moving(velocity: Array) -> Array:
    """Return kinetic energies (L,) of scaled velocities."""
    return np.asarray(0.5 * np.square(velocity).reshape(len(velocity), -1).sum(-1))


def _energy(lanes: Lanes, position: Array, velocity: Array) -> Array:
    """Return energies (L,) in J, with what weights have not worked yet."""
    shape = lanes.shape
    weight = (shape.weight[:, 0] / shape.inverse[:, 0])[..., :3]
    worked = (weight * position[:, : shape.bodies]).reshape(lanes.count, -1).sum(-1)
    return np.asarray(_moving(velocity) - worked)


def _left_alone(lanes: Lanes) -> Mask:
    """Return (L,) whether nothing but weights can give an island energy."""
    state = lanes.state
    comes_in = (state.excess != 0.0).any(-1) & (state.span[:, 2] < BRINGING_IN)
    moved = lanes.other_velocity.any((1, 2)) | (len(lanes.elements.row) > 0)
    return np.asarray(~moved & ~comes_in)


def _with_momenta(shape: Shape, momenta: Momenta, pose: Poses, velocity: Array) -> Array:
    """Return velocities (L, n, 6), of islands that float with their momenta of before."""
    given = given_back(shape, momenta, *pose, velocity)
    return np.where(shape.floats[:, None, None], given, velocity)


def _bounded(lanes: Lanes, gives: Array, momenta: Momenta, pose: Poses, velocity: Array) -> Array:
    """Return velocities (L, n, 6) less energies (L,) that rows have given, as far as there are."""
    rest = _with_momenta(lanes.shape, momenta, pose, np.zeros(velocity.shape))
    inner = np.maximum(_moving(velocity) - _moving(rest), 1e-300)
    part = np.sqrt(np.maximum(1.0 - gives / inner, 0.0))[:, None, None]
    return np.where((gives > 0.0)[:, None, None], rest + part * (velocity - rest), velocity)


def crawl(lanes: Lanes, h: Array) -> tuple[State, Array]:
    """Return where h (L,) seconds lead, and the impulses of joints (L, m, 6).

    What the lanes hold is changed, their state is not.
    """
    shape, state = lanes.shape, lanes.state
    n, start = shape.bodies, (state.position[:, None], state.rotation[:, None])
    alone, energy = _left_alone(lanes), _energy(lanes, state.position, state.velocity)
    momenta = momenta_of(shape, state.position, state.rotation, state.velocity)
    *before, off = fit_well(lanes, *start, lanes.held(0.0))
    little = np.maximum(SURE, np.minimum(MOST_DAMPED, np.square(off / shape.size)))
    velocity = turned_freely(lanes, state.velocity, h)
    velocity = velocity + h[:, None, None] * shape.weight[:, 0]
    add_weight(shape, momenta, before[0][:, 0], h)
    lanes.set_sides(np.where(lanes.comes_in, state.side, 0))
    held = lanes.held(h[:, None])
    pose = lanes.pose(*before)
    search = _Velocities(lanes, h, pose, velocity[:, None], held)
    search.run(little)
    way = h[:, None, None] * (velocity + search.falls(little))
    wrench = search.wrench(little)
    position, rotation = lanes.displaced(*lanes.carried(h[:, None], *before), way[:, None])
    rotation[:, :, :n] = orthonormalized(rotation[:, :, :n])
    side = np.where(shape.lock, 0, search.touched).astype(np.int32)
    position, rotation, pose, held = onto_rows(lanes, position, rotation, side, h)
    newest = _chord(lanes, (before[0], before[1]), position, rotation, h)
    missing = held.rate - lanes.rate(pose, newest)
    newest = newest + lanes.factor(pose, little=little[:, None]).solve(0.0, missing, 1)[0]
    there = with_centre(shape, momenta, position[:, 0], h), rotation[:, 0]
    newest = _with_momenta(shape, momenta, there, newest[:, 0])
    gives = np.where(alone, _energy(lanes, there[0], newest) - energy, 0.0)
    end = replace(
        state,
        position=there[0],
        rotation=there[1],
        velocity=_bounded(lanes, gives, momenta, there, newest),
        value=pose.value[:, 0],
        half=pose.half[:, 0],
        side=side,
        mode=search.mode,
    )
    return end, wrench
