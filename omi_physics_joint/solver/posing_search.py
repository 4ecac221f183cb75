# SPDX-License-Identifier: GPL-3.0-or-later
"""The pose nearest to a goal, over the joint values of a tree: loops closed, bounds kept.

Newton steps in the joint values, each within its bounds and along the closed loops, then the loops
are closed again. Where second derivatives help they are used: a target out of reach is then met as
fast as one in reach, and an arm that is straight at its goal knows that it can bend.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .posing_tree import Mask, Shape, Tree
from .rotation import Array, cross, rotation_vector

CLOSED = 1e-11
"""Gap of a loop, as a part of the island's size, at which there is nothing left to close."""
REDUNDANT = 1e-5
"""Singular values of a loop below this part of the largest say nothing new."""
LARGEST_TURN = 0.3
"""rad, or m by size, that one step may change: larger ones may land in another assembly."""
ROUNDS = 60
TRIES = 80
"""Steps that one search may try: tangles that fit nowhere must not keep a hand waiting."""
CLOSINGS = 10
"""Rounds in which loops are closed after each of them."""
FIRM, WEAK = 1e3, 1e-7
"""Damping at which a search gives up, and below which it does not go."""
STILL = 1e-13
"""Step, as a part of the size, that changes nothing."""
PIVOTS = 5
"""Rounds in which bounds are let go as well; more only go in circles."""
THERE = 1e-10
"""Part of the size by which a goal may be missed; a step that gains less is none."""
ROUNDING = 1e-14
"""Part of the cost that a step must be able to gain."""
GAP_WEIGHT = 100.0
KICKS = (0.05, 0.3, 0.005)
"""rad by which a search leaves a saddle."""


class Goal(Protocol):
    """What a search makes as small as it can: half the square of a residual."""

    def residual(self, tree: Tree) -> Array:
        """Return the residual, (m,), in m."""

    def slope(self, tree: Tree, spin: Array, velocity: Array) -> Array:
        """Return its derivative, (m, n)."""

    def bend(self, tree: Tree, spin: Array, velocity: Array, residual: Array) -> Array:
        """Return the residual times its second derivative, (n, n)."""


@dataclass(frozen=True, slots=True)
class ValueGoal:
    """One unknown at a value."""

    dof: int
    value: float

    def residual(self, tree: Tree) -> Array:
        """See ``Goal``."""
        now = tree.values[tree.dof_link[self.dof], tree.dof_coordinate[self.dof]]
        return np.array([(now - self.value) * self._scale(tree)])

    def slope(self, tree: Tree, spin: Array, velocity: Array) -> Array:
        """See ``Goal``."""
        row = np.zeros((1, len(tree)))
        row[0, self.dof] = self._scale(tree)
        return row

    def bend(self, tree: Tree, spin: Array, velocity: Array, residual: Array) -> Array:
        """See ``Goal``."""
        return np.zeros((len(tree), len(tree)))

    def _scale(self, tree: Tree) -> float:
        return tree.size if tree.angular[self.dof] else 1.0


@dataclass(frozen=True, slots=True)
class PointGoal:
    """A point of a body at a place, and maybe its turn as well."""

    slot: int
    point: Array
    """(3,) in the frame of the body."""
    place: Array
    """(3,) in the world."""
    turn: Array | None = None
    """(3, 3) world from body."""

    def where(self, tree: Tree) -> Array:
        """Return where the point is."""
        world = tree.world[self.slot]
        return np.asarray(world[:3, :3] @ self.point + world[:3, 3])

    def residual(self, tree: Tree) -> Array:
        """See ``Goal``."""
        off = self.where(tree) - self.place
        if self.turn is None:
            return off
        turned = tree.world[self.slot, :3, :3] @ self.turn.T
        return np.concatenate([off, tree.size * rotation_vector(turned[None])[0]])

    def slope(self, tree: Tree, spin: Array, velocity: Array) -> Array:
        """See ``Goal``."""
        columns = velocity + cross(spin, self.where(tree))
        if self.turn is not None:
            columns = np.concatenate([columns, tree.size * spin], 1)
        return np.where(tree.reach[self.slot][:, None], columns, 0.0).T

    def bend(self, tree: Tree, spin: Array, velocity: Array, residual: Array) -> Array:
        """See ``Goal``."""
        return bend_of_point(tree, self.slot, self.where(tree), residual[:3], (spin, velocity))


def bend_of_point(
    tree: Tree, slot: int, place: Array, weight: Array, twists: tuple[Array, Array]
) -> Array:
    """Return the second derivative of a point of a body along a vector: (n, n).

    The velocity v_j that unknown j gives to the point turns with every unknown i nearer to the
    root: d v_j / d q_i = w_i x v_j.
    """
    spin, velocity = twists
    on = tree.reach[slot][:, None]
    spin, at = np.where(on, spin, 0.0), np.where(on, velocity + cross(spin, place), 0.0)
    full = np.triu(spin @ cross(at, weight).T)
    return np.asarray(full + np.triu(full, 1).T)


def bounded_step(
    slope: Array, curvature: Array, rates: Array, gaps: Array, room: tuple[Array, Array]
) -> Array:
    """Return the x with least slope . x + x . curvature . x / 2 and rates x = -gaps, within bounds.

    Bounds are taken in and let go by the signs of their forces, all at once (block pivoting), and
    if that goes in circles taken in only.

    Args:
        slope: (n,).
        curvature: (n, n) positive definite.
        rates: (k, n), may be redundant.
        gaps: (k,).
        room: (n,) lower bounds, none above 0, and (n,) upper ones, none below.
    """
    low, high = room
    size = len(slope)
    at = np.zeros(size)
    held = high - low <= 0.0
    side = np.zeros(size)
    tolerance = 1e-12 * (1.0 + float(np.abs(slope).max(initial=0.0)))
    for turn in range(PIVOTS + size):
        x, force = _equality_step(slope, curvature, rates, gaps, (held, at))
        under, over = ~held & (x < low), ~held & (x > high)
        letting = (
            held & (side * force < -tolerance) if turn < PIVOTS else np.zeros(size, dtype=bool)
        )
        if not (under | over | letting).any():
            break
        held = (held | under | over) & ~letting
        side = np.where(under, 1.0, np.where(over, -1.0, np.where(letting, 0.0, side)))
        at = np.where(under, low, np.where(over, high, np.where(letting, 0.0, at)))
    return np.clip(x, low, high)


def _equality_step(
    slope: Array, curvature: Array, rates: Array, gaps: Array, held: tuple[Mask, Array]
) -> tuple[Array, Array]:
    """Return the step with some unknowns held, and the slope that is left at those."""
    mask, at = held
    free = np.flatnonzero(~mask)
    x = np.where(mask, at, 0.0)
    if not len(free):
        return x, slope + curvature @ x
    inner = curvature[np.ix_(free, free)] if len(free) < len(x) else curvature
    if not len(rates):
        x[free] = np.linalg.solve(inner, -(slope + curvature @ x)[free])
        return x, slope + curvature @ x
    left, sizes, right = np.linalg.svd(rates[:, free])
    rank = int((sizes > REDUNDANT * max(float(sizes.max(initial=0.0)), 1e-30)).sum())
    across, along = right[:rank].T, right[rank:].T
    wanted = -(gaps + rates @ x)
    x[free] = across @ ((left[:, :rank].T @ wanted) / sizes[:rank])
    if along.shape[1]:
        rest = (slope + curvature @ x)[free]
        x[free] += along @ np.linalg.solve(along.T @ inner @ along, -(along.T @ rest))
    left_over = slope + curvature @ x
    pull = left[:, :rank] @ ((across.T @ left_over[free]) / sizes[:rank])
    return x, left_over - rates.T @ pull


def shortened(tree: Tree, step: Array) -> Array:
    """Return a step that is not too long to be trusted."""
    length = float((np.abs(step) * np.where(tree.angular, 1.0, 1.0 / tree.size)).max(initial=0.0))
    return step if length <= LARGEST_TURN else step * (LARGEST_TURN / length)


def close(tree: Tree, hold: int | None = None, rounds: int = ROUNDS) -> float:
    """Close the loops with the least change of joint values; return the gap that is left, m.

    Args:
        tree: is moved.
        hold: an unknown that must not change.
        rounds: how often to try.
    """
    if not len(tree.copies):
        return 0.0
    metric = np.diag(tree.metric)
    gaps = tree.gaps()
    size, slow = float(np.abs(gaps).max()), 0
    for _ in range(rounds):
        if size <= CLOSED * tree.size or slow > 4:
            break
        rates = tree.gap_rates(*tree.twists())
        low, high = tree.room()
        if hold is not None:
            low[hold] = high[hold] = 0.0
        none = np.zeros(len(tree))
        step = shortened(tree, bounded_step(none, metric, rates, gaps, (low, high)))
        before, norm = tree.shape(), float(gaps @ gaps)
        for _ in range(6):
            tree.move(step)
            gaps = tree.gaps()
            if float(gaps @ gaps) < norm:
                break
            tree.take(before)
            step = 0.5 * step
        else:
            break
        new = float(np.abs(gaps).max())
        slow = slow + 1 if new > 0.7 * size else 0
        size = new
    return float(np.abs(tree.gaps()).max())


class Search:
    """One descent to a goal; the tree is left at the best pose that was found."""

    def __init__(self, tree: Tree, goal: Goal) -> None:
        self.tree = tree
        self.goal = goal
        self.damping = 1e-5
        self.kicks = 0
        self.tries = 0

    def run(self) -> None:
        """Search until nothing comes nearer."""
        close(self.tree)
        cost = self.cost()
        for _ in range(ROUNDS):
            residual = self.goal.residual(self.tree)
            if float(residual @ residual) <= (THERE * self.tree.size) ** 2:
                break
            better = self.step(residual, cost)
            if better is None:
                better = self.leave_saddle(residual, cost)
            if better is None:
                break
            cost = better

    def cost(self) -> float:
        """Return what is to become small: m^2."""
        residual, gaps = self.goal.residual(self.tree), self.tree.gaps()
        return float(0.5 * (residual @ residual) + GAP_WEIGHT * (gaps @ gaps))

    def step(self, residual: Array, cost: float) -> float | None:
        """Make one step; return the new cost, or None where none makes it smaller."""
        tree = self.tree
        twists = tree.twists()
        rates, gaps = tree.gap_rates(*twists), tree.gaps()
        slopes = self.goal.slope(tree, *twists)
        slope, plain = slopes.T @ residual, slopes.T @ slopes
        full = plain + self.goal.bend(tree, *twists, residual)
        metric, room, before = tree.metric, tree.room(), tree.shape()
        _leave_out(full, plain, _pressed(slope, room))
        while self.damping < FIRM and self.tries < TRIES:
            damped = np.diag(self.damping * metric)
            curvature = full + damped if _is_positive(full + damped) else plain + damped
            step = bounded_step(slope, curvature, rates, gaps, room)
            step = shortened(tree, step)
            if float((np.abs(step) * np.sqrt(metric)).max(initial=0.0)) <= STILL * tree.size:
                return None
            hope = -float(slope @ step + 0.5 * (step @ curvature @ step))
            least = max(ROUNDING * cost, (THERE * tree.size) ** 2)
            if not len(gaps) and hope <= least:
                return None
            self.tries += 1
            tree.move(step)
            close(tree, rounds=CLOSINGS)
            new = self.cost()
            if new < cost * (1.0 - 1e-12):
                self.damping = max(self.damping * 0.1, WEAK)
                return new
            tree.take(before)
            self.damping *= 10.0
        self.damping = 1e-5
        return None

    def leave_saddle(self, residual: Array, cost: float) -> float | None:
        """Where nothing pulls, look for a way to bend that comes nearer; see ``step``."""
        tree = self.tree
        self.kicks += 1
        if self.kicks > 4 or not len(tree):
            return None
        twists = tree.twists()
        slopes = self.goal.slope(tree, *twists)
        full = slopes.T @ slopes + self.goal.bend(tree, *twists, residual)
        full = full + self._bend_of_loops(twists, slopes.T @ residual)
        root = 1.0 / np.sqrt(tree.metric)
        full = full * root[:, None] * root[None, :]
        along = _null_space(tree.gap_rates(*twists) * root[None, :])
        values, vectors = np.linalg.eigh(along.T @ full @ along)
        if not len(values) or values[0] >= -1e-9 * max(1.0, float(np.abs(values).max())):
            return None
        way = (along @ vectors[:, 0]) * root
        way = way / float(np.abs(way * np.where(tree.angular, 1.0, 1.0 / tree.size)).max())
        return self._try_ways(way * _sign(way), cost)

    def _try_ways(self, way: Array, cost: float) -> float | None:
        """Go a little along a direction, either way, where that makes the cost smaller."""
        tree, before = self.tree, self.tree.shape()
        low, high = tree.room()
        best: tuple[float, Shape] | None = None
        for length in KICKS:
            for sign in (1.0, -1.0):
                tree.take(before)
                tree.move(np.clip(sign * length * way, low, high))
                close(tree, rounds=CLOSINGS)
                new = self.cost()
                if new < cost * (1.0 - 1e-9) and (best is None or new < best[0] * (1.0 - 1e-6)):
                    best = (new, tree.shape())
            if best is not None:
                tree.take(best[1])
                return best[0]
        tree.take(before)
        return None

    def _bend_of_loops(self, twists: tuple[Array, Array], slope: Array) -> Array:
        """Return what closed loops add to the curvature: their forces times how they bend."""
        tree = self.tree
        total = np.zeros((len(tree), len(tree)))
        if not len(tree.copies):
            return total
        rates = tree.gap_rates(*twists)
        forces = np.linalg.lstsq(rates.T, -slope, rcond=REDUNDANT)[0].reshape(-1, 6)
        for copy, original, force in zip(tree.copies, tree.originals, forces, strict=True):
            for slot, sign in ((copy, 1.0), (original, -1.0)):
                place = tree.world[slot, :3, 3]
                total += bend_of_point(
                    tree, int(slot), place, np.asarray(sign * force[:3], dtype=np.float64), twists
                )
        return total


def _pressed(slope: Array, room: tuple[Array, Array]) -> Mask:
    """Return which unknowns a slope presses on the bounds at which they are."""
    low, high = room
    return np.asarray(((low >= 0.0) & (slope > 0.0)) | ((high <= 0.0) & (slope < 0.0)))


def _leave_out(full: Array, plain: Array, which: Mask) -> None:
    """Take unknowns that will not move out of a curvature, lest they spoil it for the others."""
    full[which] = 0.0
    full[:, which] = 0.0
    at = np.flatnonzero(which)
    full[at, at] = plain[at, at]


def _is_positive(matrix: Array) -> bool:
    """Whether a symmetric matrix is positive definite."""
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


def _null_space(rows: Array) -> Array:
    """Return a basis, as columns, of what some rows do not see."""
    if not len(rows):
        return np.eye(rows.shape[1])
    _, sizes, right = np.linalg.svd(rows)
    rank = int((sizes > REDUNDANT * max(float(sizes.max(initial=0.0)), 1e-30)).sum())
    return np.asarray(right[rank:].T)


def _sign(way: Array) -> float:
    """Return the sign that makes a direction the same from call to call."""
    return 1.0 if way[int(np.abs(way).argmax())] >= 0.0 else -1.0
