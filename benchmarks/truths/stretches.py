# SPDX-License-Identifier: GPL-3.0-or-later
"""Integration in stretches between which soft stops are met or left, to the last digits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp

from .assembly import Array, Assembly, Spring

MOMENT = 1e-7
"""s."""
Pressed = tuple[int, ...]
"""Of each soft stop: -1 below its lower bound, 1 above its upper one, 0 between."""


def integrate(
    assembly: Assembly,
    rate: Callable[[Array, Pressed], Array],
    values: Callable[[Array], Array],
    start: Array,
    times: Array,
    *,
    tolerance: float = 1e-11,
    method: str = "DOP853",
) -> Array:
    """Return the states at all times, (times, size).

    Args:
        assembly: whose soft stops are met.
        rate: derivative of a state while stops are pressed.
        values: coordinates of the soft stops.
        start: state at the first time.
        times: s, rising.
        tolerance: relative; a tenth of it is absolute.
        method: of ``solve_ivp``.

    Raises:
        ArithmeticError: no step was short enough.
    """
    stops = [spring for _, spring in assembly.stops]
    now, state = float(times[0]), start
    pressed = tuple(_side(s, x) for s, x in zip(stops, values(state), strict=True))
    out = [start]
    while len(out) < len(times):
        left = times[len(out) :]
        events = [
            _event(values, i, bound, way)
            for i, (s, side) in enumerate(zip(stops, pressed, strict=True))
            for bound, way in _ahead(s, side)
        ]
        # A step that is tried too long may fly off to infinity: it is refused, and tried shorter.
        with np.errstate(over="ignore", invalid="ignore"):
            found = solve_ivp(
                lambda _, y, p=pressed: rate(y, p),
                (now, times[-1]),
                state,
                method,
                dense_output=bool(events),
                t_eval=None if events else left,
                events=events or None,
                rtol=tolerance,
                atol=0.1 * tolerance,
            )
        if not found.success or not np.isfinite(found.y).all():
            raise ArithmeticError(found.message)
        if not events:
            return np.vstack([*out, found.y.T])
        now = float(found.t[-1])
        out += [found.sol(t) for t in left if t <= now]
        state = found.y[:, -1]
        # A moment on, it is clear on which side of the bound each lies.
        here, before = values(state), values(found.sol(now - MOMENT))
        ahead = here + (here - before)
        pressed = tuple(_side(s, x) for s, x in zip(stops, ahead, strict=True))
    return np.array(out)


def push_of(spring: Spring, value: float, speed: float, pressed: int) -> float:
    """Return the force along a coordinate."""
    if not spring.is_stop:
        away = value - spring.target
        return -spring.stiffness * away - spring.damping * speed + spring.push
    if pressed == 0:
        return 0.0
    bound = spring.high if pressed > 0 else spring.low
    return -spring.stiffness * (value - bound) - spring.damping * speed


def stored(spring: Spring, value: float) -> float:
    """Return the energy of a spring in J."""
    if not spring.is_stop:
        return 0.5 * spring.stiffness * (value - spring.target) ** 2
    over = max(value - spring.high, spring.low - value, 0.0)
    return 0.5 * spring.stiffness * over**2


def _side(spring: Spring, value: float) -> int:
    return int(value > spring.high) - int(value < spring.low)


def _ahead(spring: Spring, side: int) -> list[tuple[float, float]]:
    """Return the bounds that may be passed next, and which way."""
    if side > 0:
        return [(spring.high, -1.0)]
    if side < 0:
        return [(spring.low, 1.0)]
    both = ((spring.high, 1.0), (spring.low, -1.0))
    return [(bound, way) for bound, way in both if np.isfinite(bound)]


def _event(
    values: Callable[[Array], Array], number: int, bound: float, way: float
) -> Callable[[float, Array], float]:
    def crossing(_: float, state: Array) -> float:
        return float(values(state)[number] - bound)

    crossing.terminal = True  # type: ignore[attr-defined]
    crossing.direction = way  # type: ignore[attr-defined]
    return crossing
