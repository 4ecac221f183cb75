# SPDX-License-Identifier: GPL-3.0-or-later
"""Which numbers of a joint are worth writing, and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..model.joint import AXIS_NAMES, Freedom
from ..model.wording.words import capitalized
from .joint_table import SIX, JointTable
from .layout import BLENDER_FROM_GLTF, Floats, arc_offsets, blender_axis, blender_sign, placed
from .marks.pointers import TOLERANCE, beyond_bounds

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
    sole = len({freedom % 3 for freedom in range(SIX) if not table.held[index, freedom]}) == 1
    outside = beyond_bounds(table, values, np.array([index]))[0]
    size = float(table.sizes[index])
    for freedom in range(SIX):
        if table.rounded[index, freedom]:
            continue
        if table.held[index, freedom] and outside[freedom] == 0.0:
            continue
        axis, value = freedom % 3, float(values[index, freedom])
        turning = freedom >= SIX // 2
        if abs(value) < ROUNDING * (1.0 if turning else size):
            value = 0.0
        if turning:
            offset = arc_offsets(axis, value, OUTSIDE * size)
        else:
            offset = ASIDE * size * np.eye(3)[(axis + 1) % 3] + value * np.eye(3)[axis]
        x, y, z = (BLENDER_FROM_GLTF @ placed(frames[index], offset)).tolist()
        yield Label(
            (x, y, z),
            Freedom.ANGULAR if turning else Freedom.LINEAR,
            "" if sole and not table.held[index, freedom] else AXIS_NAMES[blender_axis(axis)],
            blender_sign(axis) * float(table.signs[index]) * value + 0.0,
            bool(outside[freedom] != 0.0),
        )
    yield from _labels_together(table, frames, values, index)


def _labels_together(
    table: JointTable, frames: Floats, values: Floats, index: int
) -> Iterator[Label]:
    """Yield the numbers of bounds on several axes together, each where it stands."""
    rounds, size = table.rounds.of(np.array([index])), float(table.sizes[index])
    sizes = np.full(len(rounds.bounds), OUTSIDE * size)
    at, outside = rounds.at(values), rounds.beyond(values, TOLERANCE)
    ends = rounds.path(values, at, at, sizes)[:, -1]
    for row, one in enumerate(rounds.bounds):
        offset = ends[row]
        if one.freedom is Freedom.LINEAR:
            offset = offset + ASIDE * size * np.eye(3)[1]
        x, y, z = (BLENDER_FROM_GLTF @ placed(frames[index], offset)).tolist()
        value = float(at[row]) if at[row] > ROUNDING else 0.0
        yield Label(
            (x, y, z), one.freedom, capitalized(one.measure), value, bool(outside[row] != 0.0)
        )
