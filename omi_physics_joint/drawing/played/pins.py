# SPDX-License-Identifier: GPL-3.0-or-later
"""Pins that hold bodies while they play: a needle at the pinned point, with a head to click on."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..layout import Floats
from ..strokes import Pen, Role
from .sight import Sight

LENGTH, RADIUS = 26.0, 7.0
"""Of the needle and of its head, pixels at a scale of 1; the same however far away it is."""
LEAN = 0.35
"""How far the head is to the right, as a part of the length."""
CORNERS = 13


def head_of(point: ArrayLike, sight: Sight, scale: float) -> Floats:
    """Return where the head of a pin at a point is, (3,) m, at a scale of the user's interface."""
    length = LENGTH * scale * sight.pixel(point)
    return np.asarray(point, np.float64) + length * (sight.up + LEAN * sight.right)


def draw_pin(pen: Pen, point: ArrayLike, sight: Sight, scale: float) -> None:
    """Draw one pin; see ``head_of``."""
    head, radius = head_of(point, sight, scale), RADIUS * scale * sight.pixel(point)
    angles = np.linspace(0.0, 2.0 * np.pi, CORNERS)[:, None]
    rim = radius * (np.cos(angles) * sight.right + np.sin(angles) * sight.up)
    pen.path([np.asarray(point, np.float64), head], Role.PIN, thick=True)
    for share in (1.0, 0.66, 0.33):
        pen.path(head + share * rim, Role.PIN, thick=True)
