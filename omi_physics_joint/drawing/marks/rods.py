# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bound on the distance of two points is like, for small pictures: rod, rope or spring.

In the 3D view such a bound is a sphere at true size, which looks alike for all of them.
"""

from __future__ import annotations

from math import pi, tau

import numpy as np

from ...model.joint import AXES, Freedom
from ...model.settings.together import Together
from ..bounds import FARTHEST
from ..layout import Floats, arc_offsets
from ..strokes import Pen, Role, Sketch, zigzag
from .turning import arc_angles

END, TICK = 0.11, 0.14
"""Radius of the points, and half of the mark of a lower bound, of the distance."""
TURNS, WIDTH = 5, 0.13
"""Of a spring, and half its width as a part of the distance."""
SAG, SLACK = 0.45, 0.8
"""How deep a rope hangs, and how far apart its ends are, of its length."""
STEPS = 12


def is_rod(one: Together) -> bool:
    """Return whether a bound is one on the distance of two points, and not beyond all measure."""
    return one.freedom is Freedom.LINEAR and len(one.axes) == len(AXES) and one.high <= FARTHEST


def rod_sketch(one: Together) -> Sketch:
    """Return a bound on the distance of two points, the second one along X."""
    pen, far = Pen(), one.high
    soft, exact = one.limit.is_soft, one.low == one.high
    share = np.linspace(0.0, 1.0, STEPS)
    points: Floats = np.zeros((STEPS, 3))
    points[:, 0] = share * far
    if soft:
        aside = zigzag(TURNS)
        along = np.linspace(0.0, far, len(aside))
        points = np.stack((along, np.zeros_like(along), WIDTH * far * aside), axis=1)
    elif not exact:
        points[:, 0] *= SLACK
        points[:, 2] = -SAG * far * np.sin(pi * share)
    pen.path(points, Role.BODY, thick=not soft)
    for end in points[[0, -1]]:
        pen.path(end + arc_offsets(1, arc_angles(0.0, tau), END * far), Role.BODY, thick=True)
    if 0.0 < one.low < far:
        tick = np.array(((one.low, 0.0, -TICK * far), (one.low, 0.0, TICK * far)))
        pen.path(tick, Role.BODY, thick=True)
    return pen.sketch()
