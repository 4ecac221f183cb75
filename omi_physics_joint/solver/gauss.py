# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of ball joints by collocation at three Gauss points: sixth order, no separation at all.

With c the points in a step of h, and A, b the weights of Gauss and Legendre, the accelerations a at
the points satisfy

    w_i = w + h sum A_ij a_j,        R_i = exp(theta_i) R,
    theta_i = h c_i w + h^2 sum (A A)_ij a_j - (h c_i)^2 / 12 w x w_i,      a_i = a(R_i, w_i),

and the step ends with w + h sum b_j a_j, likewise turned. The last term is what Magnus' series
adds where axes turn: zero in the plane, and right to fourth order elsewhere (Iserles and
Norsett 1999). Collocation at Gauss points is symmetric and keeps energy in the mean (Hairer, Lubich
and Wanner 2006, chapter VI). The accelerations are found by sweeps over all points at once, from
those of the step before, continued: each sweep is one evaluation of three moments, which costs
half as much again as one of one. They get better by a factor of 3 to 20 a sweep where the step is
fine enough for the method, and not at all where it is not: whether they settle tells which.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .loads import Loads
from .rotation import Array, exponential, skew
from .state import State
from .system import System
from .trees import Layout, Trees, products

Mask = NDArray[np.bool_]
SETTLED = 1.5e-3
"""rad: change of the accelerations, times h^2 and the factor the next one would be smaller by, that
ends the sweeps, also of coarse steps."""
SETTLED_RATE = 5.0
"""rad/s^2: the same without h^2, so that finer steps are as much better as they are meant to be."""
FIRST = 0.1
"""What that factor counts as after the first sweep: it is 0.05 to 0.2 where steps are fine."""
SWEEPS = 9
LOST = 1e12
"""rad/s^2: change from which there is no return."""
ASTRAY = 0.002
"""Part of twice the kinetic energy by which a step may miss its energy before it is put right."""
STALLED = 0.75
"""Part of the change before that a change must be below, from the third sweep on."""


def _weights(points: Array) -> tuple[Array, Array]:
    """Return A and b of the collocation at points between 0 and 1."""
    powers = np.arange(1, len(points) + 1)
    inverse = np.linalg.inv(np.vander(points, increasing=True))
    return (points[:, None] ** powers / powers) @ inverse, (1.0 / powers) @ inverse


POINTS: Array = 0.5 + np.sqrt(0.15) * np.array([-1.0, 0.0, 1.0])
INSIDE, END = _weights(POINTS)


class Gauss:
    """Steps a state whose system is trees of ball joints, each as it would go alone."""

    def __init__(self, system: System, layout: Layout, loads: Loads) -> None:
        self.trees = Trees(system, layout, len(POINTS))
        self.trees.load(loads.gravity, loads.forces)

    def advance(self, state: State, h: float, count: int) -> Mask:
        """Advance a state by count steps of h seconds.

        Rotations, positions, velocities and guesses of the state are set, the time is not.

        Args:
            state: of which all islands have a guess of the same span.
            h: s.
            count: number of steps.

        Returns:
            (islands,) which settled; the state of others is worth nothing.
        """
        trees, n = self.trees, len(state.velocity)
        turn, old = state.rotation[:n], state.velocity
        spin = (turn @ (old[:, 3:] * trees.inverse_inertia_root)[:, :, None])[:, :, 0]
        guess, span = state.guess, float(state.guess_span[0])
        done = np.ones(trees.islands, bool)
        for _ in range(count):
            turn, spin, guess, settled = step(trees, turn, spin, h, (guess, span))
            done &= settled
            if not done.any():
                return done
            span = h
        place, speed = trees.places(turn, spin)
        velocity = np.empty_like(old)
        velocity[:, :3] = speed * trees.mass_root
        velocity[:, 3:] = (spin[:, None, :] @ turn)[:, 0] * trees.inertia_root
        done &= _keep_energy(trees, old, velocity, trees.work(place - state.position[:n]))
        state.velocity_before, state.velocity = old, velocity
        state.position, state.rotation = state.position.copy(), state.rotation.copy()
        state.position[:n], state.rotation[:n] = place, turn
        state.guess, state.guess_span = guess, np.full(trees.islands, h)
        state.span = np.full(trees.islands, count * h)
        state.last_step = np.zeros(trees.islands)
        state.bare = np.ones(trees.islands, bool)
        return done

    def bear(self, state: State) -> None:
        """Set the impulses and forces of the joints in the last step, while loads are as then."""
        span = np.repeat(state.span, len(state.impulse) // self.trees.islands)
        gain = (state.velocity[:, :3] - state.velocity_before[:, :3]) * self.trees.mass_root
        state.impulse = self.trees.impulses(gain, state.span)
        state.multiplier = state.multiplier_before = state.impulse / span


def _keep_energy(trees: Trees, old: Array, new: Array, work: Array) -> Mask:
    """Scale the new velocities so that they have what weights have worked.

    What the sweeps leave over would add up over many steps to a drift (Hairer, Lubich and Wanner
    2006, section IV.4, on such projections).

    Args:
        trees: whose; those that the user pulls at have what they have.
        old: (bodies, 6) scaled velocities, island by island.
        new: the same some time later, changed in place.
        work: (islands,) of the weights since, J.

    Returns:
        (islands,) which had not missed it by too much.
    """
    first, last = old.reshape(len(work), -1), new.reshape(len(work), -1)
    before, after = products(first, first), products(last, last)
    excess = 0.5 * (after - before) - work
    near = np.abs(excess) <= ASTRAY * np.maximum(before, after) + 1e-9
    scale = np.sqrt(np.clip(1.0 - 2.0 * excess / np.maximum(after, 1e-300), 0.9, 1.1))
    pulled = [island for island, *_ in trees.pulls]
    near[pulled], scale[pulled] = True, 1.0
    last *= scale[:, None]
    return near


def step(
    trees: Trees, turn: Array, spin: Array, h: float, known: tuple[Array, float]
) -> tuple[Array, Array, Array, Mask]:
    """Advance rotations (bodies, 3, 3) and spins (bodies, 3) by h.

    Each island ends with the sweep in which it settles, whatever the others do.

    Args:
        trees: whose.
        turn: rotations.
        spin: world axes, rad/s.
        h: s.
        known: accelerations at the points of the step before, (points, bodies, 3), and the
            length of that step, 0 if there was none.

    Returns:
        Rotations, spins, accelerations at the points of this step, and (islands,) which settled.
    """
    guess, span = known
    inner, end, bend = _weights_of(h)
    count, islands = len(POINTS), trees.islands
    flat = np.empty((count + 1, spin.size))
    flat[0] = spin.reshape(-1)
    _ahead(h / span if span > 0.0 else 0.0).dot(guess.reshape(count, -1), flat[1:])
    spinning = skew(spin)
    settled = min(SETTLED / (h * h), SETTLED_RATE)
    change, ended = np.full(islands, np.inf), np.full((count, spin.size), np.nan)
    going, done = np.ones(islands, bool), np.zeros(islands, bool)
    for sweep in range(SWEEPS):
        spins, angles = _turned(inner, flat, spinning, bend[:count])
        turns = exponential(angles).reshape(count, -1, 3, 3) @ turn
        newer = trees.accelerations(turns.reshape(-1, trees.n, 3, 3), spins).reshape(count, -1)
        before = change
        change = np.abs(newer - flat[1:]).reshape(count, islands, -1).max((0, 2))
        flat[1:] = newer
        better = change / before if sweep else np.full(islands, FIRST)
        now = going & (np.minimum(better, 1.0) * change < settled)
        lost = ~now & (~(change < LOST) | ((sweep > 1) & (better > STALLED)))
        if now.any():
            shape = count, islands, -1
            which = now[None, :, None]
            ended = np.where(which, newer.reshape(shape), ended.reshape(shape)).reshape(count, -1)
            done |= now
        going &= ~(now | lost)
        if not going.any():
            break
    flat[1:] = ended
    final, angle = _turned(end, flat, spinning, bend[count:])
    return exponential(angle) @ turn, final[0], ended.reshape(guess.shape), done


def _turned(weights: Array, flat: Array, spinning: Array, bend: Array) -> tuple[Array, Array]:
    """Return spins (times, bodies, 3), and rotation vectors since the start (times * bodies, 3).

    Args:
        weights: rows for the spins, then for the angles.
        flat: (1 + points, bodies * 3) spins at the start, accelerations at the points.
        spinning: (bodies, 3, 3) the matrices of the first.
        bend: (times, 1, 1) what the cross product of spins counts.
    """
    times = len(bend)
    ahead = weights.dot(flat).reshape(2 * times, -1, 3)
    spins, angles = ahead[:times], ahead[times:]
    angles -= bend * (spinning @ spins[..., None])[..., 0]
    return spins, angles.reshape(-1, 3)


@lru_cache(maxsize=256)
def _weights_of(h: float) -> tuple[Array, Array, Array]:
    """Return what takes (w, a_1, a_2, a_3) to spins and angles at the points, and at the end.

    Third, what the cross products of spins count in the angles, (points + 1, 1, 1).
    """
    count = len(POINTS)
    inner, end = np.zeros((2 * count, count + 1)), np.zeros((2, count + 1))
    inner[:count, 0], inner[:count, 1:] = 1.0, h * INSIDE
    inner[count:, 0], inner[count:, 1:] = h * POINTS, h * h * (INSIDE @ INSIDE)
    end[0, 0], end[0, 1:] = 1.0, h * END
    end[1, 0], end[1, 1:] = h, h * h * (END @ INSIDE)
    return inner, end, ((h * np.append(POINTS, 1.0)) ** 2 / 12.0)[:, None, None]


@lru_cache(maxsize=256)
def _ahead(ratio: float) -> Array:
    """Return what continues accelerations at the points of the step before to those of this.

    Args:
        ratio: length of this step over that one.
    """
    at = np.vander(1.0 + ratio * POINTS, len(POINTS), increasing=True)
    return np.asarray(at @ np.linalg.inv(np.vander(POINTS, increasing=True)))
