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
from math import sqrt

import numpy as np

from .loads import Loads
from .rotation import Array, exponential, skew
from .state import State
from .system import System
from .trees import Trees, layouts_of, products

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
    """Steps a state whose system is trees of ball joints."""

    def __init__(self, system: System) -> None:
        layouts = layouts_of(system)
        factors = system.bodies.gravity_factor[: system.count]
        even = layouts is not None and bool((factors == factors[0]).all())
        self.trees = (
            [Trees(system, layout, len(POINTS)) for layout in layouts or ()] if even else []
        )
        self.count = system.count

    def __bool__(self) -> bool:
        """Return whether the system is of the kind."""
        return bool(self.trees)

    def advance(self, state: State, loads: Loads, h: float, count: int) -> bool:
        """Advance a state by count steps of h seconds; whether all settled.

        Rotations, positions, velocities and guesses of the state are set, the time is not. If they
        did not settle, it is as it was.
        """
        rotation, position = state.rotation.copy(), state.position.copy()
        velocity = np.empty_like(state.velocity)
        guesses = np.empty((len(POINTS), self.count, 3))
        for trees in self.trees:
            part = trees.bodies
            trees.load(loads.gravity, loads.forces)
            turn, old = state.rotation[part], state.velocity[part]
            spin = (turn @ (old[:, 3:] * trees.inverse_inertia_root)[:, :, None])[:, :, 0]
            span = state.guess_span if len(state.guess) else 0.0
            guess = state.guess[:, part] if span else np.zeros((len(POINTS), *spin.shape))
            for _ in range(count):
                done = step(trees, turn, spin, h, (guess, span))
                if done is None:
                    return False
                turn, spin, guess = done
                span = h
            place, speed = trees.places(turn, spin)
            new = velocity[part]
            new[:, :3] = speed * trees.mass_root
            new[:, 3:] = (spin[:, None, :] @ turn)[:, 0] * trees.inertia_root
            if not trees.pulls:
                work = trees.work(place - position[part])
                if not _keep_energy(old, new, work):
                    return False
            rotation[part], position[part], guesses[:, part] = turn, place, guess
        state.velocity_before, state.span = state.velocity, count * h
        state.rotation, state.position, state.velocity = rotation, position, velocity
        state.guess, state.guess_span = guesses, h
        state.last_step = 0.0
        state.bare = True
        return True

    def bear(self, state: State) -> None:
        """Set the impulses and forces of the joints in the last step, while loads are as then."""
        impulse = np.zeros_like(state.impulse)
        for trees in self.trees:
            gain = state.velocity[trees.bodies, :3] - state.velocity_before[trees.bodies, :3]
            impulse[trees.rows] = trees.impulses(gain * trees.mass_root, state.span)
        state.impulse = impulse
        state.multiplier = state.multiplier_before = impulse / state.span


def _keep_energy(old: Array, new: Array, work: Array) -> bool:
    """Scale the new velocities so that they have what weights have worked; False if by too much.

    What the sweeps leave over would add up over many steps to a drift (Hairer, Lubich and Wanner
    2006, section IV.4, on such projections).

    Args:
        old: (bodies, 6) scaled velocities, island by island.
        new: the same some time later, changed in place.
        work: (islands,) of the weights since, J.
    """
    first, last = old.reshape(len(work), -1), new.reshape(len(work), -1)
    had, has = products(first, first).tolist(), products(last, last).tolist()
    scales = []
    for before, after, worked in zip(had, has, work.tolist(), strict=True):
        excess = 0.5 * (after - before) - worked
        if not abs(excess) <= ASTRAY * max(before, after) + 1e-9:
            return False
        scale = 1.0 - 2.0 * excess / max(after, 1e-300)
        scales.append(sqrt(min(max(scale, 0.9), 1.1)))
    last *= np.array(scales)[:, None]
    return True


def step(
    trees: Trees, turn: Array, spin: Array, h: float, known: tuple[Array, float]
) -> tuple[Array, Array, Array] | None:
    """Advance rotations (bodies, 3, 3) and spins (bodies, 3) by h; None if unsettled.

    Args:
        trees: whose.
        turn: rotations.
        spin: world axes, rad/s.
        h: s.
        known: accelerations at the points of the step before, (points, bodies, 3), and the
            length of that step, 0 if there was none.

    Returns:
        Rotations, spins, and accelerations at the points of this step.
    """
    guess, span = known
    inner, end, bend = _weights_of(h)
    count = len(POINTS)
    flat = np.empty((count + 1, spin.size))
    flat[0] = spin.reshape(-1)
    _ahead(h / span if span > 0.0 else 0.0).dot(guess.reshape(count, -1), flat[1:])
    spinning = skew(spin)
    change, settled = np.inf, min(SETTLED / (h * h), SETTLED_RATE)
    for sweep in range(SWEEPS):
        spins, angles = _turned(inner, flat, spinning, bend[:count])
        turns = exponential(angles).reshape(count, -1, 3, 3) @ turn
        try:
            newer = trees.accelerations(turns.reshape(-1, trees.n, 3, 3), spins)
        except np.linalg.LinAlgError:
            return None
        newer = newer.reshape(count, -1)
        before, change = change, float(np.abs(newer - flat[1:]).max())
        flat[1:] = newer
        better = change / before if sweep else FIRST
        if min(better, 1.0) * change < settled:
            final, angle = _turned(end, flat, spinning, bend[count:])
            return exponential(angle) @ turn, final[0], newer.reshape(guess.shape)
        if not change < LOST or (sweep > 1 and better > STALLED):
            return None
    return None


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
