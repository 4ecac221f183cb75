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

from dataclasses import dataclass

import numpy as np

from ..dynamics.momentum import Momenta, add_weight, given_back, momenta_of
from ..dynamics.shape import Shape
from ..kinematics.coordinates import Pose
from ..kinematics.rotation import Array, orthonormalized, rotation_vector, skew
from ..state import BRINGING_IN
from .accelerations import FELT, joint_loads, wrenches
from .elements import law, wanted
from .fitting import PASSES, SURE, fit_well, onto_rows
from .lanes import Held, Lanes, Mask, Sides

MOST_DAMPED = 1e-2
TRIES = 12
_PULLS = 1e-12
BEYOND = 1e300
"""Inertia that nothing turns."""


@dataclass(slots=True)
class Crawled:
    """Where a step led: as in a state; and the impulses of joints (L, m, 6)."""

    position: Array
    rotation: Array
    velocity: Array
    value: Array
    half: Array
    side: Sides
    mode: Sides
    wrench: Array


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

    def __init__(self, lanes: Lanes, h: Array, pose: Pose, velocity: Array, held: Held) -> None:
        shape = lanes.shape
        self.lanes, self.h, self.pose, self.held = lanes, h[:, None], pose, held
        self.value, self.rate = pose.value[:, 0], lanes.rate(pose, velocity)[:, 0]
        self.held_rate = np.broadcast_to(held.rate, (lanes.count, 1, shape.rows))[:, 0]
        self.entries = shape.algebra.entries(pose.jacobian)
        self.mode = lanes.state.mode.copy()
        none = np.zeros(self.value.shape, bool)
        self.sticky: Mask = none if lanes.sticky is None else lanes.sticky
        self.touched = np.where(self.sticky, lanes.state.side, 0)
        self.change = np.zeros((lanes.count, 6 * shape.bodies))
        self.impulse = np.zeros(self.value.shape)
        self.servo, self.load = none, np.zeros(self.value.shape)
        elements = shape.elements
        count = 0 if elements is None else len(elements.row)
        self.force = np.zeros((lanes.count, count))
        if elements is not None and lanes.judged is not None:
            stiff = lanes.judged.stiff
            self.give = np.where(stiff, np.maximum(self.h, lanes.give), self.h)

    def way_left(self, side: int) -> Array:
        """Return rates at which bounds would be reached just at the end of the step."""
        shape = self.lanes.shape
        bound = shape.high if side > 0 else shape.low
        left = (bound - self.value) / self.h
        return np.where(left * side < 0.0, 0.0, left)

    def missing(self) -> Array:
        """Return by how much the rates of rigid rows have to change."""
        left = np.where(self.touched > 0, self.way_left(1), self.way_left(-1))
        wanted_rate = np.where((self.touched != 0) & ~self.sticky, left, self.held_rate)
        return np.asarray(wanted_rate - self.rate)

    def falls(self, little: Array) -> Array:
        """Return by how much velocities (L, 6 n) change without what rigid rows make of the rest.

        That is with what elements make of them: where those lead to, rows pull back.
        """
        shape = self.lanes.shape
        pushed = (self.servo | (self.load != 0.0)).any(-1)
        if not pushed.any():
            return np.zeros(self.change.shape)
        active = (shape.lock | (self.touched != 0) | self.sticky) & ~self.servo
        factor = shape.algebra.factor(self.entries, active, None, little[:, None])
        rigid, _ = factor.solve(None, self.missing()[:, None], 1)
        return np.where(pushed[:, None], self.change - rigid[:, 0], 0.0)

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
        held = self.lanes.held(0.0)
        self.held_rate = np.broadcast_to(held.rate, (len(self.rate), 1, self.rate.shape[1]))[:, 0]
        self.solve(np.maximum(little, FELT))
        impulse = np.where(self.servo, 0.0, self.impulse)[:, None]
        force = (self.h * self.force)[:, None]
        loads = joint_loads(self.lanes, self.pose, impulse, force)
        return wrenches(self.lanes, self.pose, loads)[:, 0]

    def solve(self, little: Array) -> None:
        """Find the change of velocities, and the impulses of rows."""
        lanes, shape = self.lanes, self.lanes.shape
        active = shape.lock | (self.touched != 0) | self.sticky
        rhs = self.missing()
        load, soft = self.load, None
        self.servo = np.zeros(rhs.shape, bool)
        elements, judged = shape.elements, lanes.judged
        if elements is not None and judged is not None:
            self.load, compliance, ahead = self._elements(active)
            load = self.load
            soft = np.where(self.servo, 1.0 / np.maximum(compliance, 1e-300), 0.0)
            rhs = np.where(self.servo, ahead * soft, rhs)
            soft = soft[:, None]
        force = shape.algebra.push(self.entries, load[:, None])
        factor = shape.algebra.factor(self.entries, active | self.servo, soft, little[:, None])
        change, impulse = factor.solve(force, rhs[:, None], 1)
        if shape.closed:
            impulse = factor.least(impulse)
        self.change, self.impulse = change[:, 0], impulse[:, 0]

    def _elements(self, active: Mask) -> tuple[Array, Array, Array]:
        """Return impulses on rows, and of implicit rows compliance and impulse at these rates."""
        lanes = self.lanes
        elements, judged = lanes.shape.elements, lanes.judged
        assert elements is not None
        assert judged is not None
        rows, h = elements.row, self.h
        value, rate = self.value.take(rows, 1), self.rate.take(rows, 1)
        on, at_most = active.take(rows, 1), np.abs(self.mode) == 3
        most = elements.most[:, 0]
        implicit = (self.mode != 0) & ~at_most & ~on
        lies = (self.mode != 0) & ~at_most & on

        def by_law(values: Array, rates: Array) -> Array:
            mode, scale = self.mode[:, None], judged.scale[:, None]
            return law(elements, scale, mode, values[:, None], rates[:, None])[:, 0]

        fixed = np.minimum(np.maximum(by_law(value, self.held_rate.take(rows, 1)), -most), most)
        explicit = np.where(at_most, np.where(self.mode > 0, most, -most), 0.0)
        explicit = h * np.where(lies, fixed, explicit)
        hard = (elements.stiffness[:, 0] * self.give + elements.damping[:, 0]) * h * judged.scale
        ahead = h * by_law(value + self.give * rate, rate)
        load, compliance, out = (np.zeros(self.value.shape) for _ in range(3))
        for e, row in enumerate(rows):
            load[:, row] += explicit[:, e]
            self.servo[:, row] |= implicit[:, e]
            compliance[:, row] += np.where(implicit[:, e], hard[:, e], 0.0)
            out[:, row] += np.where(implicit[:, e], ahead[:, e], 0.0)
        return load, compliance, out

    def reconsider(self, *, may_let_go: bool) -> bool:
        """Change bounds and elements that are otherwise than was assumed; say if there are any."""
        lanes, shape = self.lanes, self.lanes.shape
        free = ~shape.lock & ~self.sticky
        new = self.rate + shape.algebra.pull(self.entries, self.change[:, None])[:, 0]
        on = free & (self.touched != 0)
        pulls = on & (self.impulse * self.touched > _PULLS) & may_let_go
        touched = np.where(pulls, 0, self.touched)
        for side in (-1, 1):
            passes = (new - self.way_left(side)) * side > PASSES
            touched = np.where(free & ~on & passes, side, touched)
        changed = bool((touched != self.touched).any())
        self.touched = touched
        elements, judged = shape.elements, lanes.judged
        if elements is None or judged is None:
            return changed
        rows = elements.row
        rate = np.where(self.touched != 0, 0.0, new).take(rows, 1)
        value = (self.value.take(rows, 1) + self.give * rate)[:, None]
        scale, mode = judged.scale[:, None], self.mode
        want = wanted(elements, scale, value, rate[:, None])[:, 0]
        force = law(elements, scale, mode[:, None], value, rate[:, None])[:, 0]
        most = elements.most[:, 0]
        force = np.where(mode == 3, most, np.where(mode == -3, -most, force))
        self.force = np.where(mode != 0, force, 0.0)
        turns = (want != mode) & (may_let_go | (want != 0))
        self.mode = np.where(turns, want, mode).astype(mode.dtype)
        return changed or bool(turns.any())


def _chord(
    lanes: Lanes, before: tuple[Array, Array], position: Array, rotation: Array, h: Array
) -> Array:
    """Return the scaled velocities (L, 1, n, 6) that lead from one pose to another."""
    shape = lanes.shape
    n = shape.bodies
    turn = rotation_vector(before[1][:, :, :n].swapaxes(-1, -2) @ rotation[:, :, :n])
    way = np.concatenate([position[:, :, :n] - before[0][:, :, :n], turn], -1)
    return way / shape.inverse / h[:, None, None, None]


def _along_rows(lanes: Lanes, pose: Pose, held: Held, velocity: Array, little: Array) -> Array:
    """Return velocities (L, 1, n, 6) with the rates at which rows are held."""
    factor = lanes.factor(pose, lanes.active, little[:, None])
    by, _ = factor.solve(None, held.rate - lanes.rate(pose, velocity), 1)
    return np.asarray(velocity + by.reshape(velocity.shape))


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
    state, count = lanes.state, lanes.count
    if lanes.shape.elements is not None:
        return np.zeros(count, bool)
    comes_in = (state.excess != 0.0).any(-1) & (state.span[:, 2] < BRINGING_IN)
    return np.asarray(~lanes.other_velocity.reshape(count, -1).any(-1) & ~comes_in)


def _with_momenta(
    shape: Shape, momenta: Momenta | None, pose: tuple[Array, Array], velocity: Array
) -> Array:
    """Return velocities (L, n, 6), of islands that float with their momenta of before."""
    if momenta is None:
        return velocity
    given = given_back(shape, momenta, *pose, velocity)
    return np.where(shape.floats[:, None, None], given, velocity)


def _bounded(
    lanes: Lanes,
    gives: Array,
    momenta: Momenta | None,
    pose: tuple[Array, Array],
    velocity: Array,
) -> Array:
    """Return velocities (L, n, 6) less energies (L,) that rows have given, as far as there are."""
    rest = _with_momenta(lanes.shape, momenta, pose, np.zeros(velocity.shape))
    inner = np.maximum(_moving(velocity) - _moving(rest), 1e-300)
    part = np.sqrt(np.maximum(1.0 - gives / inner, 0.0))[:, None, None]
    return np.where((gives > 0.0)[:, None, None], rest + part * (velocity - rest), velocity)


def crawl(lanes: Lanes, h: Array) -> Crawled:
    """Return where h (L,) seconds lead; what the lanes hold is changed, their state is not."""
    shape, state = lanes.shape, lanes.state
    n = shape.bodies
    start = state.position[:, None], state.rotation[:, None]
    alone, energy = _left_alone(lanes), _energy(lanes, state.position, state.velocity)
    momenta: Momenta | None = None
    if shape.floats.any():
        momenta = momenta_of(shape, state.position, state.rotation, state.velocity)
    *before, pose, off = fit_well(lanes, *start, lanes.held(0.0))
    little = np.maximum(SURE, np.minimum(MOST_DAMPED, np.square(off / shape.size)))
    velocity = turned_freely(lanes, state.velocity, h)
    velocity = velocity + h[:, None, None] * shape.weight[:, 0]
    if momenta is not None:
        add_weight(shape, momenta, before[0][:, 0], h)
    lanes.set_sides(np.where(False if lanes.sticky is None else lanes.sticky, state.side, 0))
    held = lanes.held(h[:, None])
    pose = lanes.pose(*before)
    search = _Velocities(lanes, h, pose, velocity[:, None], held)
    search.run(little)
    fall = search.falls(little).reshape(velocity.shape)
    wrench = search.wrench(little)
    way = h[:, None, None] * (velocity + fall)
    position, rotation = before[0].copy(), before[1].copy()
    lanes.carry(h[:, None], position, rotation)
    position, rotation = lanes.displaced(position, rotation, way[:, None])
    rotation[:, :, :n] = orthonormalized(rotation[:, :, :n])
    side = np.where(shape.lock, 0, search.touched).astype(np.int32)
    position, rotation, pose, held = onto_rows(lanes, position, rotation, side, h)
    newer = _chord(lanes, (before[0], before[1]), position, rotation, h)
    newest = _along_rows(lanes, pose, held, newer, little)[:, 0]
    there = position[:, 0], rotation[:, 0]
    newest = _with_momenta(shape, momenta, there, newest)
    if alone.any():
        gives = np.where(alone, _energy(lanes, there[0], newest) - energy, 0.0)
        newest = _bounded(lanes, gives, momenta, there, newest)
    return Crawled(
        position[:, 0],
        rotation[:, 0],
        newest,
        pose.value[:, 0],
        pose.half[:, 0],
        side,
        search.mode,
        wrench,
    )
