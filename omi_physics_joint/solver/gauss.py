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

from .rotation import SKEW, Array, exponential_near, orthonormalized
from .state import State
from .system import System
from .trees import Trees, layouts_of

SETTLED = 1e-3
"""rad: change of the accelerations, times h^2 and the factor the next one would be smaller by, that
ends the sweeps, also of coarse steps."""
SETTLED_RATE = 3.6
"""rad/s^2: the same without h^2, so that finer steps are as much better as they are meant to be."""
SWEEPS = 9
LOST = 1e12
"""rad/s^2: change from which there is no return."""
ASTRAY = 0.004
"""Part of the kinetic energy by which a step may miss its energy before it is put right."""
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
        self.factor = float(factors[0]) if even else 1.0
        self.count = system.count

    def __bool__(self) -> bool:
        """Return whether the system is of the kind."""
        return bool(self.trees)

    def advance(self, state: State, h: float, count: int) -> bool:
        """Advance a state by count steps of h seconds; whether all settled.

        Rotations, positions, velocities, impulses and guesses of the state are set.
        """
        state.rotation, state.position = state.rotation.copy(), state.position.copy()
        velocity, impulse = np.empty_like(state.velocity), np.empty_like(state.impulse)
        guesses = np.empty((len(POINTS), self.count, 3))
        for trees in self.trees:
            part, shape = trees.bodies, (trees.islands, trees.n)
            turn = state.rotation[part].reshape(*shape, 3, 3)
            old = state.velocity[part].reshape(*shape, 6)
            spin = (turn @ (old[..., 3:] / trees.inertia_root)[..., None])[..., 0]
            guess, span = np.zeros((len(POINTS), *shape, 3)), state.guess_span
            if len(state.guess):
                guess = state.guess[:, part].reshape(guess.shape)
            for _ in range(count):
                done = step(trees, turn, spin, h, (guess, span))
                if done is None:
                    return False
                turn, spin, guess = done
                span = h
            place, speed = trees.places(turn, spin)
            new = velocity[part].reshape(*shape, 6)
            new[..., :3] = speed * trees.mass_root
            new[..., 3:] = (spin[..., None, :] @ turn)[..., 0, :] * trees.inertia_root
            fall = place - state.position[part].reshape(place.shape)
            if not trees.pulls and not _keep_energy(old, new, trees.work(fall)):
                return False
            state.rotation[part] = turn.reshape(-1, 3, 3)
            state.position[part] = place.reshape(-1, 3)
            guesses[:, part] = guess.reshape(len(POINTS), -1, 3)
            gain = new[..., :3] / trees.mass_root - old[..., :3] / trees.mass_root
            impulse[trees.rows] = trees.impulses(gain, count * h)
        state.velocity = velocity
        state.impulse = state.impulse + impulse
        state.multiplier = state.multiplier_before = impulse / (count * h)
        state.guess, state.guess_span = guesses, h
        state.last_step = 0.0
        state.time += count * h
        return True


def _keep_energy(old: Array, new: Array, work: Array) -> bool:
    """Scale the new velocities so that they have what weights have worked; False if by too much.

    What the sweeps leave over would add up over many steps to a drift (Hairer, Lubich and Wanner
    2006, section IV.4, on such projections).

    Args:
        old: (islands, n, 6) scaled velocities.
        new: the same some time later, changed in place.
        work: (islands,) of the weights since, J.
    """
    before = 0.5 * (old * old).sum((1, 2))
    after = 0.5 * (new * new).sum((1, 2))
    excess = after - before - work
    if not (np.abs(excess) <= ASTRAY * np.maximum(before, after) + 1e-9).all():
        return False
    scale = 1.0 - excess / np.maximum(after, 1e-300)
    new *= np.sqrt(np.minimum(np.maximum(scale, 0.9), 1.1))[:, None, None]
    return True


def step(
    trees: Trees, turn: Array, spin: Array, h: float, known: tuple[Array, float]
) -> tuple[Array, Array, Array] | None:
    """Advance rotations (islands, n, 3, 3) and spins (islands, n, 3) by h; None if unsettled.

    Args:
        trees: whose.
        turn: rotations.
        spin: world axes, rad/s.
        h: s.
        known: accelerations at the points of the step before, (points, islands, n, 3), and the
            length of that step, 0 if there was none.

    Returns:
        Rotations, spins, and accelerations at the points of this step.
    """
    count, shape = len(POINTS), known[0].shape
    weights = _weights_of(h)
    flat = np.empty((count + 1, spin.size))
    flat[0] = spin.reshape(-1)
    flat[1:] = _ahead(h / known[1] if known[1] > 0.0 else 0.0) @ known[0].reshape(count, -1)
    spinning = (spin.reshape(-1, 3) @ SKEW).reshape(*spin.shape, 3)
    bend = ((h * POINTS) ** 2 / 12.0)[:, None]
    change, settled = np.inf, min(SETTLED / (h * h), SETTLED_RATE)
    for sweep in range(SWEEPS):
        ahead = weights[: 2 * count] @ flat
        spins = ahead[:count].reshape(shape)
        angles = ahead[count:] - bend * (spinning @ spins[..., None]).reshape(count, -1)
        turns = exponential_near(angles.reshape(-1, 3)).reshape(*shape, 3) @ turn
        try:
            newer = trees.accelerations(turns, spins).reshape(count, -1)
        except np.linalg.LinAlgError:
            return None
        before, change = change, float(np.abs(newer - flat[1:]).max())
        flat[1:] = newer
        better = change / before if sweep else 0.3
        if min(better, 1.0) * change < settled:
            end = weights[2 * count :] @ flat
            final = end[0].reshape(spin.shape)
            angle = end[1] - (h * h / 12.0) * (spinning @ final[..., None]).reshape(-1)
            last = exponential_near(angle.reshape(-1, 3)) @ turn.reshape(-1, 3, 3)
            return orthonormalized(last).reshape(turn.shape), final, newer.reshape(shape)
        if not change < LOST or (sweep > 1 and better > STALLED):
            return None
    return None


@lru_cache(maxsize=256)
def _weights_of(h: float) -> Array:
    """Return what takes (w, a_1, a_2, a_3) to spins and angles at the points, then at the end."""
    count = len(POINTS)
    out = np.zeros((2 * count + 2, count + 1))
    out[:count, 0], out[:count, 1:] = 1.0, h * INSIDE
    out[count : 2 * count, 0] = h * POINTS
    out[count : 2 * count, 1:] = h * h * (INSIDE @ INSIDE)
    out[-2, 0], out[-2, 1:] = 1.0, h * END
    out[-1, 0], out[-1, 1:] = h, h * h * (END @ INSIDE)
    return out


@lru_cache(maxsize=256)
def _ahead(ratio: float) -> Array:
    """Return what continues accelerations at the points of the step before to those of this."""
    at = np.vander(1.0 + ratio * POINTS, len(POINTS), increasing=True)
    return np.asarray(at @ np.linalg.inv(np.vander(POINTS, increasing=True)))
