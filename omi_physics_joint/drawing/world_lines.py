# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines and surfaces of many joints in the world, each with the joint that it belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .layout import Floats
from .strokes import Bytes, Sketch

Indices = NDArray[np.intp]


class WorldLines(NamedTuple):
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
    """Return sketches in their frames (n, 4, 4), world from frame, those of one sketch together.

    Many frames may share one; ``owners`` (n,) are the joints that they belong to.
    """
    groups: dict[Sketch, list[int]] = {}
    for index, sketch in enumerate(sketches):
        groups.setdefault(sketch, []).append(index)
    return [
        WorldLines(
            lines=moved(sketch.lines[None], frames[indices]).reshape(-1, 2, 3),
            roles=np.tile(sketch.roles, len(indices)),
            thick=np.tile(sketch.thick, len(indices)),
            owners=np.repeat(owners[indices], len(sketch.lines)),
            triangles=moved(sketch.triangles[None], frames[indices]).reshape(-1, 3, 3),
            fills=np.tile(sketch.fills, len(indices)),
            fill_owners=np.repeat(owners[indices], len(sketch.triangles)),
        )
        for sketch, indices in groups.items()
    ]


def moved(shapes: Floats, frames: Floats) -> Floats:
    """Return shapes (n, ..., 3), or one for all, in the world, each in its frame (n, 4, 4)."""
    points = shapes.reshape(len(shapes), prod(shapes.shape[1:-1]), 3)
    points = points @ frames[:, :3, :3].transpose(0, 2, 1)
    points += frames[:, None, :3, 3]
    return points.reshape(len(frames), *shapes.shape[1:])


def plain_lines(
    shapes: Floats, role: int | Bytes, owners: Indices, *, thick: bool = False
) -> WorldLines:
    """Return segments of the world (n, k, 2, 3) in m, k for each of n owners, without surfaces.

    The role is that of all, or of each owner.
    """
    total, each = shapes.shape[:2]
    roles = np.broadcast_to(np.asarray(role, np.uint8), (total,))
    return WorldLines(
        lines=shapes.reshape(-1, 2, 3),
        roles=np.repeat(roles, each),
        thick=np.full(total * each, thick),
        owners=np.repeat(owners, each),
        triangles=np.zeros((0, 3, 3)),
        fills=np.zeros(0, np.uint8),
        fill_owners=np.zeros(0, np.intp),
    )


def joined_lines(parts: Iterable[WorldLines]) -> WorldLines:
    """Return all parts as one."""
    nothing = plain_lines(np.zeros((0, 1, 2, 3)), 0, np.zeros(0, np.intp))
    return WorldLines(*map(np.concatenate, zip(*parts, nothing, strict=True)))
