# SPDX-License-Identifier: GPL-3.0-or-later
"""The stiff flyball governor of the IFToMM benchmark, about the Y axis.

Shaft and rods of 1 x 0.01 x 0.01 m, a slider of 0.1 m, all of 3000 kg/m^3, balls of 5 kg; instead
of couplers springs of 800,000 N/m with dampers of 40,000 N s/m, which a light guide each aims.
Published: the height of the slider goes from 0.5 to 0.7435 m and is 0.62 m after 10 s.
"""

from __future__ import annotations

import numpy as np

from .assembly import (
    EYE,
    GROUND,
    HINGE,
    SLIDER,
    SLOT,
    Array,
    Assembly,
    Spring,
    about,
    along,
    turned,
)
from .taylor import Taylor, columns, cos, inverse, products, root, rotation, sin

STIFFNESS, DAMPING, SPRING_LENGTH = 8e5, 4e4, 0.5
BAR, BLOCK, BALL, GUIDE = 0.3, 3.0, 5.0, 0.01
"""kg."""
OFFSET = 0.05
"""m from the axis to the hinges."""
LOW, LEAN = 0.5, np.radians(30.0)
"""Height of the slider, and angle of the rods below the horizontal, at rest."""
CENTRE = (BAR * 0.5 + BALL) / (BAR + BALL)
"""m from a rod's hinge to its centre of mass, with the ball."""
SHAFT, SLIDE, RODS, GUIDES = 0, 1, (2, 3), (4, 5)
ANGLE, DOWN, HEIGHT = 0, 1, 2


def governor() -> Assembly:
    """Return the governor, turning at 2 pi rad/s."""
    made = Assembly()
    spin = np.array([0.0, 2.0 * np.pi, 0.0])
    bar = BAR * (1.0 + 1e-4) / 12.0
    thin = BAR * 1e-4 / 6.0
    made.body(BAR, (bar, thin, bar), (0.0, 0.5, 0.0), spin=spin, mark=(0.005, 0.5, 0.005))
    made.body(BLOCK, np.full(3, BLOCK * 0.01 / 6.0), (0.0, LOW, 0.0), spin=spin, mark=(0.05, 0, 0))
    across = bar + BAR * (CENTRE - 0.5) ** 2 + BALL * (1.0 - CENTRE) ** 2
    sides = [EYE, turned(EYE[1], np.pi)]
    arm = np.array([np.cos(LEAN), -np.sin(LEAN), 0.0])
    top, low = np.array([OFFSET, 1.0, 0.0]), np.array([OFFSET, LOW, 0.0])
    middle = top + 0.5 * arm
    aim = along(middle - low)
    for side in sides:
        centre = side @ (top + CENTRE * arm)
        made.body(
            BAR + BALL,
            (thin, across, across),
            centre,
            turn=side @ along(arm),
            spin=spin,
            velocity=np.cross(spin, centre),
            mark=(1.0 - CENTRE, 0.0, 0.0),
        )
    slim = GUIDE * SPRING_LENGTH**2 / 12.0
    for side in sides:
        centre = side @ ((low + middle) / 2.0)
        made.body(
            GUIDE,
            (0.02 * slim, slim, slim),
            centre,
            turn=side @ aim,
            spin=spin,
            velocity=np.cross(spin, centre),
            mark=(SPRING_LENGTH / 2.0, 0.0, 0.0),
        )
    made.joint(GROUND, SHAFT, (0.0, 0.0, 0.0), HINGE, about(EYE[1]))
    made.joint(SHAFT, SLIDE, (0.0, LOW, 0.0), SLIDER, about(EYE[1]))
    for rod, side in zip(RODS, sides, strict=True):
        made.joint(SHAFT, rod, side @ top, HINGE, side)
    for guide, side in zip(GUIDES, sides, strict=True):
        made.joint(SLIDE, guide, side @ low, HINGE, side)
    spring = Spring(0, STIFFNESS, DAMPING)
    for guide, rod, side in zip(GUIDES, RODS, sides, strict=True):
        made.joint(guide, rod, side @ middle, SLOT, side @ aim, (spring,))
    return made


class Symmetric:
    """Three coordinates: the turn of the shaft, the lean of both rods, the height of the slider."""

    size = 3

    def start(self) -> Array:
        """Return how it stands at rest."""
        return np.array([0.0, LEAN, LOW])

    def rates(self, values: Array, speeds: Array) -> Array:
        """Return the speeds."""
        del values
        return speeds

    def poses(self, values: Array, directions: Array) -> tuple[list[Taylor], list[Taylor]]:
        """Return where shaft, slider, rods and guides are."""
        nothing = np.zeros(len(directions))
        angle, down, height = (
            Taylor(values[i : i + 1], directions[:, i], nothing) for i in (ANGLE, DOWN, HEIGHT)
        )
        shaft = rotation(1, cos(angle), sin(angle))
        lift = height.spread(1) * Taylor.still(EYE[1])
        x, y = cos(down), sin(down).times(-1.0)
        rod = rotation(2, x, y)
        # From the slider's hinge to the middle of the rod.
        reach_x = x.times(0.5)
        reach_y = Taylor.still(1.0) + y.times(0.5) - height
        length = inverse(root(reach_x * reach_x + reach_y * reach_y))
        guide = rotation(2, reach_x * length, reach_y * length)
        places = [Taylor.still(0.5 * EYE[1]), lift]
        turns = [shaft, shaft]
        for arm, own, origin in (
            (rod, CENTRE, Taylor.still([OFFSET, 1.0, 0.0])),
            (guide, SPRING_LENGTH / 2.0, lift + Taylor.still([OFFSET, 0.0, 0.0])),
        ):
            for side in (EYE, turned(EYE[1], np.pi)):
                turn = products(shaft, side)
                here = origin + columns(arm, own * EYE[0])
                places.append(products(turn, here.spread(1)).at(np.s_[..., 0]))
                turns.append(products(turn, arm))
        return places, turns
