# SPDX-License-Identifier: GPL-3.0-or-later
"""A small picture of what joint settings leave, for buttons: the lines of the 3D view."""

from __future__ import annotations

from math import cos, isfinite, radians, sin

import numpy as np
from numpy.typing import NDArray

from ...drawing.layout import Floats
from ...drawing.marks.rods import is_rod, rod_sketch
from ...drawing.palette import Theme, palette
from ...drawing.picture import drives_sketch, limits_sketch
from ...model.joint import JointSettings
from ...model.settings.spans import spans_of
from ...model.settings.together import together_in

SIDE = 32
"""Pixels."""
ACTIVE = 2
"""The emphasis in whose colours it is drawn."""
WIDTHS = (1.1, 2.0)
"""Pixels of a thin and of a thick line."""
SIZE = 0.6
"""Display radius, of the farthest bound of sliding."""
YAW, PITCH = radians(25.0), radians(30.0)
"""How far it is looked at from the side and from above; the axis of hinges, Z, is upright."""
RIGHT = np.array((cos(YAW), sin(YAW), 0.0))
UP = np.array((-sin(YAW) * sin(PITCH), cos(YAW) * sin(PITCH), cos(PITCH)))


def thumbnail(settings: JointSettings) -> NDArray[np.float32]:
    """Return settings in glTF's axes as RGBA, (SIDE, SIDE, 4), the lowest row first.

    All are from 0 to 1, and colours are multiplied by the opacity, as Blender has them in icons.
    """
    bounds = [end for span in spans_of(settings.limits)[:3] for end in (span.low, span.high)]
    bounds += [end for one in together_in(settings.limits) for end in (one.low, one.high)]
    farthest = max((abs(end) for end in bounds if isfinite(end)), default=0.0)
    size = SIZE * farthest or 1.0
    rods = [one for one in together_in(settings.limits) if is_rod(one)]
    limits = rod_sketch(rods[0]) if rods else limits_sketch(settings, size)
    sketches = limits, drives_sketch(settings, size)
    lines = np.concatenate([one.lines for one in sketches])
    roles = np.concatenate([one.roles for one in sketches])
    widths = np.where(np.concatenate([one.thick for one in sketches]), *WIDTHS[::-1])
    flat = lines @ np.stack((RIGHT, UP), axis=1)
    low, high = flat.min(axis=(0, 1)), flat.max(axis=(0, 1))
    scale = (SIDE - WIDTHS[1]) / max(*(high - low), 1e-9)
    flat = (flat - 0.5 * (low + high)) * scale + 0.5 * SIDE
    cover = np.clip(0.5 * widths + 0.5 - _distances(flat), 0.0, 1.0)
    nearest = cover.argmax(axis=1)
    pixels: NDArray[np.float32] = palette(Theme())[ACTIVE][roles[nearest]]
    pixels[:, 3] = 1.0
    pixels *= cover.max(axis=1, keepdims=True)
    return pixels.reshape(SIDE, SIDE, 4)


def _distances(lines: Floats) -> Floats:
    """Return how far the middle of each pixel is from segments (n, 2, 2): (SIDE * SIDE, n)."""
    middles = np.stack(np.meshgrid(*[np.arange(SIDE) + 0.5] * 2), axis=-1).reshape(-1, 1, 2)
    start, way = lines[:, 0], lines[:, 1] - lines[:, 0]
    length = np.maximum((way**2).sum(axis=1), 1e-12)
    share = np.clip(((middles - start) * way).sum(axis=2) / length, 0.0, 1.0)
    away = middles - start - share[..., None] * way
    found: Floats = np.hypot(away[..., 0], away[..., 1])
    return found
