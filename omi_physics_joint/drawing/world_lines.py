# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines and surfaces of many joints in the world, each with the joint that it belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .layout import Floats
from .strokes import Bytes, Sketch

Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class WorldLines:
    """What ``Sketch`` says, in the world, in m."""

    lines: Floats
    """(n, 2, 3)."""
    roles: Bytes
    thick: NDArray[np.bool_]
    owners: Indices
    """(n,): which joint a segment belongs to."""
    triangles: Floats
    """(m, 3, 3)."""
    fills: Bytes
    fill_owners: Indices


def placed_sketches(
    sketches: Sequence[Sketch], frames: Floats, owners: Indices
) -> list[WorldLines]:
    """Return sketches in their frames, those of one sketch together.

    Args:
        sketches: one for each frame; many frames may share one.
        frames: world from frame, shape (n, 4, 4).
        owners: which joint each belongs to, shape (n,).
    """
    groups: dict[int, list[int]] = {}
    for index, sketch in enumerate(sketches):
        groups.setdefault(id(sketch), []).append(index)
    return [
        _placed(sketches[indices[0]], frames[indices], owners[indices])
        for indices in groups.values()
    ]


def _placed(sketch: Sketch, frames: Floats, owners: Indices) -> WorldLines:
    count = len(frames)
    return WorldLines(
        lines=_moved(sketch.lines, frames),
        roles=np.tile(sketch.roles, count),
        thick=np.tile(sketch.thick, count),
        owners=np.repeat(owners, len(sketch.lines)),
        triangles=_moved(sketch.triangles, frames),
        fills=np.tile(sketch.fills, count),
        fill_owners=np.repeat(owners, len(sketch.triangles)),
    )


def _moved(shapes: Floats, frames: Floats) -> Floats:
    """Return shapes (n, k, 3) in each of several frames: (frames x n, k, 3)."""
    points = shapes.reshape(1, -1, 3) @ frames[:, :3, :3].transpose(0, 2, 1)
    points += frames[:, None, :3, 3]
    return points.reshape(-1, *shapes.shape[1:])


def plain_lines(
    lines: Floats, role: int | Bytes, owners: Indices, *, thick: bool = False
) -> WorldLines:
    """Return segments of the world, shape (n, 2, 3), as lines without surfaces."""
    count = len(lines)
    return WorldLines(
        lines=lines,
        roles=np.broadcast_to(np.asarray(role, np.uint8), (count,)),
        thick=np.full(count, thick),
        owners=owners,
        triangles=np.zeros((0, 3, 3)),
        fills=np.zeros(0, np.uint8),
        fill_owners=np.zeros(0, np.intp),
    )


def joined_lines(parts: Iterable[WorldLines]) -> WorldLines:
    """Return all parts as one."""
    every = [*parts, plain_lines(np.zeros((0, 2, 3)), 0, np.zeros(0, np.intp))]
    return WorldLines(
        lines=np.concatenate([part.lines for part in every]),
        roles=np.concatenate([part.roles for part in every]),
        thick=np.concatenate([part.thick for part in every]),
        owners=np.concatenate([part.owners for part in every]),
        triangles=np.concatenate([part.triangles for part in every]),
        fills=np.concatenate([part.fills for part in every]),
        fill_owners=np.concatenate([part.fill_owners for part in every]),
    )
