# SPDX-License-Identifier: GPL-3.0-or-later
"""The two frames of a joint: solid arrows for the joint frame, hollow ones for its partner.

Where both coincide the solid arrows lie inside the hollow ones, as a key in its lock. Arrows point
along the axes that Blender shows of the objects; its Y is against Z of the frame in a file.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import tau

import numpy as np

from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.joint import AXES
from ..layout import Floats, arc_offsets, directions
from ..strokes import Pen, Role, Sketch, axis_role

SOLID = 0.36
HOLLOW = 0.42
"""Lengths of the arrows, of the display size."""
HEAD = 0.10
WIDTH = 0.035
BALL, BALL_SIDES = 0.16, 24
"""Radius of the ball of a free pin, of the display size, and the sides of its circles."""


@lru_cache(maxsize=512)
def joint_frame_mark(size: float) -> Sketch:
    """Return three solid arrows."""
    pen = Pen()
    for axis in AXES:
        along, aside, _ = size * _shown(axis)
        tip, barb = SOLID * along, 0.5 * HEAD * aside
        back = tip - HEAD * along
        pen.path([np.zeros(3), tip], axis_role(axis), thick=True)
        pen.barbs((back + barb, back - barb), tip, axis_role(axis))
    return pen.sketch()


@lru_cache(maxsize=512)
def partner_frame_mark(size: float) -> Sketch:
    """Return three hollow arrows around a hollow diamond."""
    pen = Pen()
    for axis in AXES:
        along, aside, other = size * _shown(axis)
        # Aslant, so that neither a main view nor one from above the front sees it edge-on.
        pen.path(_outline(along, (aside - other) / np.sqrt(2.0)), axis_role(axis))
    for axis in AXES:
        a, b, _ = 0.09 * size * directions(axis)
        pen.path([a, b, -a, -b, a], Role.BODY)
    return pen.sketch()


@lru_cache(maxsize=512)
def weld_mark(size: float) -> Sketch:
    """Return a small cube with crossed faces: nothing moves."""
    pen = Pen()
    half = 0.16 * size
    for axis in AXES:
        along, aside, other = half * directions(axis)
        for u, w in product((aside, -aside), (other, -other)):
            pen.path([u + w - along, u + w + along], Role.BODY, thick=True)
        for face in (along, -along):
            pen.path([face + aside + other, face - aside - other], Role.BODY)
            pen.path([face + aside - other, face - aside + other], Role.BODY)
    return pen.sketch()


@lru_cache(maxsize=512)
def pin_mark(size: float) -> Sketch:
    """Return a small ball: every turn is free, and none of them tells more than the others."""
    pen = Pen()
    for axis in AXES:
        angles = np.linspace(0.0, tau, BALL_SIDES + 1)
        pen.path(arc_offsets(axis, angles, BALL * size), Role.BODY, thick=True)
    return pen.sketch()


def _shown(axis: int) -> Floats:
    """Return what ``directions`` does, the way that Blender counts the axis."""
    return Z_UP_FROM_Y_UP.sign[axis] * directions(axis)


def _outline(along: Floats, width: Floats) -> Floats:
    """Return a hollow arrow in the plane of two directions, shape (n, 3)."""
    start, neck, tip = 0.09, HOLLOW - HEAD, HOLLOW
    side, barb = WIDTH * width, 2.0 * WIDTH * width
    one = [start * along + side, neck * along + side, neck * along + barb, tip * along]
    two = [neck * along - barb, neck * along - side, start * along - side, start * along + side]
    return np.array(one + two)
