# SPDX-License-Identifier: GPL-3.0-or-later
"""Masses on springs and struts."""

from __future__ import annotations

import numpy as np

from .assembly import EYE, GRAVITY, GROUND, HINGE, SLIDER, Array, Assembly, Spring, about, along

AMPLITUDE = 0.1
"""m by which a sprung mass is let go from its rest."""
SPRUNG, STRUT, SAG = 301.0, 30000.0, 0.05
"""kg, N/m, m."""


def oscillator(frequency: float) -> Assembly:
    """Return 1 kg on a level spring of a frequency in Hz, let go ``AMPLITUDE`` from its rest."""
    made = Assembly()
    made.body(1.0, (0.01, 0.01, 0.01), (0.0, 0.0, 0.0))
    spring = Spring(2, (2.0 * np.pi * frequency) ** 2, target=AMPLITUDE)
    made.joint(GROUND, 0, (0.0, 0.0, 0.0), SLIDER, about(EYE[0]), (spring,))
    return made


def strut(mass: float, lean: float = 0.0) -> Assembly:
    """Return 301 kg on a vertical rail, carried by a sprung strut whose halves weigh much less.

    Args:
        mass: of each half in kg.
        lean: of the strut's foot from the vertical in m.
    """
    made, top, foot = Assembly(), np.array([0.0, 1.0, 0.0]), np.array([lean, 0.0, 0.0])
    made.body(SPRUNG, (10.0, 10.0, 10.0), top)
    middle, aim = (top + foot) / 2.0, along(top - foot)
    for end in (foot, top):
        arm = aim.T @ (middle - end)
        made.body(
            mass, np.full(3, 0.01 * mass), end + 0.25 * (top - foot) * (1 - 2 * (end is top)),
            turn=aim, mark=0.5 * np.abs(arm),
        )  # fmt: skip
    made.joint(GROUND, 0, top, SLIDER, about(EYE[1]))
    made.joint(GROUND, 1, foot, HINGE)
    load = (SPRUNG + mass) * GRAVITY / STRUT
    spring = Spring(2, STRUT, target=load - SAG)
    made.joint(1, 2, middle, SLIDER, about(top - foot), (spring,))
    made.joint(2, 0, top, HINGE)
    return made


def swing(frequency: float, times: Array) -> tuple[Array, Array]:
    """Return where the mass of ``oscillator`` is, (times, 1, 3), and its energies, (2, times)."""
    rate = 2.0 * np.pi * frequency
    marks = np.zeros((len(times), 1, 3))
    marks[:, 0, 0] = AMPLITUDE * (1.0 - np.cos(rate * times))
    kinetic = 0.5 * (rate * AMPLITUDE * np.sin(rate * times)) ** 2
    potential = 0.5 * (rate * AMPLITUDE * np.cos(rate * times)) ** 2
    return marks, np.stack([kinetic, potential])
