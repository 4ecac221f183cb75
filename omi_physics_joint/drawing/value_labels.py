# SPDX-License-Identifier: GPL-3.0-or-later
"""Which numbers of a joint are worth writing, and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..model.geometry.axes import Z_UP_FROM_Y_UP
from ..model.joint import AXIS_NAMES, Freedom
from ..model.wording.words import capitalized
from .joint_table import SIX, JointTable
from .layout import BLENDER_FROM_GLTF, Floats, arc_offsets, directions, placed
from .marks.pointers import beyond_bounds

OUTSIDE = 1.25
"""Radius of a number on an arc, of the display size."""
ASIDE = 0.22
"""Distance of a number from its rail, of the display size."""

ROUNDING = 1e-6
"""rad, or a part of the display size: less is what single precision leaves of zero."""


@dataclass(frozen=True, slots=True)
class Label:
    """One number."""

    point: tuple[float, float, float]
    """In Blender's world."""
    freedom: Freedom
    axis: str
    """The name of Blender's axis; empty where the joint moves along or about no other. Of a bound
    on several axes together what it is on."""
    value: float
    """m or rad, along or about Blender's axis."""
    violated: bool


def value_labels(table: JointTable, frames: Floats, values: Floats, index: int) -> Iterator[Label]:
    """Yield the numbers of one joint: of what can move, and of what is out of its bounds."""
    held = table.held[index]
    sole = len({freedom % 3 for freedom in range(SIX) if not held[freedom]}) == 1
    outside = beyond_bounds(table, values, np.array([index]))[0]
    size = float(table.sizes[index])
    for freedom in range(SIX):
        if table.rounded[index, freedom] or (held[freedom] and outside[freedom] == 0.0):
            continue
        axis, value = freedom % 3, float(values[index, freedom])
        turning = freedom >= SIX // 2
        if abs(value) < ROUNDING * (1.0 if turning else size):
            value = 0.0
        if turning:
            offset = arc_offsets(axis, value, OUTSIDE * size)
        else:
            along, aside, _ = directions(axis)
            offset = ASIDE * size * aside + value * along
        yield Label(
            _in_blender(frames[index], offset),
            Freedom.ANGULAR if turning else Freedom.LINEAR,
            "" if sole and not held[freedom] else AXIS_NAMES[Z_UP_FROM_Y_UP.axis[axis]],
            Z_UP_FROM_Y_UP.sign[axis] * float(table.signs[index]) * value + 0.0,
            bool(outside[freedom] != 0.0),
        )
    # Those of bounds on several axes together, each where it stands.
    together = table.together.of(np.array([index]))
    at, outside = together.at(values), together.beyond(values)
    ends = together.path(values, at, at, np.full(len(at), OUTSIDE * size))[:, -1]
    ends[together.straight] += ASIDE * size * np.eye(3)[1]
    for one, offset, value, out in zip(together.bounds, ends, at.tolist(), outside, strict=True):
        yield Label(
            _in_blender(frames[index], offset),
            one.freedom,
            capitalized(one.measure),
            value if value > ROUNDING else 0.0,
            bool(out != 0.0),
        )


def _in_blender(frame: Floats, offset: Floats) -> tuple[float, float, float]:
    x, y, z = (BLENDER_FROM_GLTF @ placed(frame, offset)).tolist()
    return x, y, z
