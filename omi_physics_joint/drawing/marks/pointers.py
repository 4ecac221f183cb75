# SPDX-License-Identifier: GPL-3.0-or-later
"""What follows the pose: marks of the values, what lies beyond a bound, arrows to targets.

All joints at once. A mark is a template in the three directions (zero direction, across, axis) of
a degree of freedom; it is turned about the axis or moved along it to where the value is.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..joint_table import SIX, JointTable
from ..layout import BLENDER_FROM_GLTF, Floats
from ..strokes import Role
from ..world_lines import Indices, WorldLines, plain_lines
from .motors import TARGET_ASIDE, TARGET_RADIUS

TOLERANCE = 1e-4
"""m or rad beyond a bound that count as on it: what single precision leaves of a pose."""
SWEEP = 24
"""Pieces of an arc between two values."""

AXES_OF = np.array([np.roll(np.eye(3), -axis - 1, axis=0).T for axis in range(3)])
"""(3, 3, 3): columns zero direction, across and axis, for each axis."""

POINTER = np.array([[(0.0, 0.0, 0.0), (0.88, 0.0, 0.0)]])
TICK = np.array(
    [
        [(0.88, 0.0, 0.0), (1.0, 0.0, 0.0)],
        [(1.0, 0.0, 0.0), (1.17, 0.06, 0.0)],
        [(1.17, 0.06, 0.0), (1.17, -0.06, 0.0)],
        [(1.17, -0.06, 0.0), (1.0, 0.0, 0.0)],
    ]
)
"""A triangle that stands on the arc with its tip at the value, and the end of the pointer."""
_CORNERS = np.array([(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0)])
DIAMOND = 0.10 * np.concatenate(
    (
        np.stack((_CORNERS, np.roll(_CORNERS, -1, axis=0)), axis=1),
        1.6 * np.stack((_CORNERS[:2], -_CORNERS[:2]), axis=1),
    )
)
"""A diamond around the rail with a cross in it."""
STAR = 0.10 * np.array(
    [[(-x, -y, -z), (x, y, z)] for x, y, z in ((1, 1, 1), (1, -1, 1), (1, 1, -1), (1, -1, -1))]
)
"""A cross from wherever it is seen: here a bound is broken."""


def pointers(
    table: JointTable,
    joints: Floats,
    partners: Floats,
    values: Floats,
    which: Indices,
    *,
    show_values: bool = True,
    show_drives: bool = True,
) -> Iterator[WorldLines]:
    """Yield what follows the pose of some joints, in the world.

    Args:
        table: all joints.
        joints: the frames that they are drawn in, rigid, shape (n, 4, 4).
        partners: their connected frames, likewise.
        values: their coordinates as drawn, shape (n, 6).
        which: the joints to draw.
        show_values: draw marks at the values.
        show_drives: draw arrows from the values to the targets of drives.
    """
    if show_values:
        yield from _value_marks(table, joints, values, which)
        yield from _cone_pointers(table, joints, partners, which)
    yield from _violations(table, joints, values, which)
    yield from _violations_together(table, joints, values, which)
    if show_drives:
        yield from _target_arrows(table, joints, values, which)


def beyond_bounds(table: JointTable, values: Floats, which: Indices) -> Floats:
    """Return how far values of some joints lie above (+) or below (-) their bounds; 0 is inside.

    What single precision may have moved does not count. The shape is (len(which), 6).
    """
    at, bounds = values[which], table.bounds[which]
    over, under = np.maximum(at - bounds[:, 1], 0.0), np.minimum(at - bounds[:, 0], 0.0)
    beyond = np.where(over > 0.0, over, under)
    return np.where(np.abs(beyond) > TOLERANCE, beyond, 0.0)


def _value_marks(
    table: JointTable, joints: Floats, values: Floats, which: Indices
) -> Iterator[WorldLines]:
    moving = ~table.held[which] & ~table.rounded[which]
    rows, freedoms = np.nonzero(moving)
    owners = which[rows]
    at, sizes = values[owners, freedoms], table.sizes[owners]
    alone = moving[:, 3:].sum(axis=1)[rows] == 1
    turning = freedoms >= SIX // 2
    few = moving[:, :3].sum(axis=1)[rows] == 1
    for template, chosen, thick in (
        (TICK, turning, True),
        (POINTER, turning & alone, False),
        (DIAMOND, ~turning & few, True),
        (0.6 * DIAMOND, ~turning & ~few, True),
    ):
        marks = _marks(
            template, joints[owners[chosen]], freedoms[chosen], at[chosen], sizes[chosen]
        )
        yield plain_lines(marks, Role.VALUE, np.repeat(owners[chosen], len(template)), thick=thick)


def _cone_pointers(
    table: JointTable, joints: Floats, partners: Floats, which: Indices
) -> Iterator[WorldLines]:
    """Yield where the connected frame points to, in a cone."""
    owners = which[table.pointing[which] >= 0]
    start = joints[owners, :3, 3]
    way = partners[owners, :3, table.pointing[owners]]
    end = start + table.sizes[owners, None] * way
    yield plain_lines(np.stack((start, end), axis=1), Role.VALUE, owners, thick=True)
    across = 0.06 * table.sizes[owners, None]
    for index in range(2):
        side = partners[owners, :3, (table.pointing[owners] + 1 + index) % 3] * across
        yield plain_lines(
            np.stack((end - side, end + side), axis=1), Role.VALUE, owners, thick=True
        )


def _violations(
    table: JointTable, joints: Floats, values: Floats, which: Indices
) -> Iterator[WorldLines]:
    """Yield lines from broken bounds to the values, and stars where a bound is rigid."""
    outside = beyond_bounds(table, values, which)
    rows, freedoms = np.nonzero(outside)
    owners = which[rows]
    at, sizes = values[owners, freedoms], table.sizes[owners]
    bound = at - outside[rows, freedoms]
    yield _sweeps(joints, owners, freedoms, bound, at, (sizes, np.zeros_like(sizes)), Role.VIOLATED)
    rigid = (at > table.bounds[owners, 3, freedoms] + TOLERANCE) | (
        at < table.bounds[owners, 2, freedoms] - TOLERANCE
    )
    turning = freedoms >= SIX // 2
    star = _marks(
        STAR + np.where(turning[rigid], 1.0, 0.0)[:, None, None, None] * (1.0, 0.0, 0.0),
        joints[owners[rigid]],
        freedoms[rigid],
        at[rigid],
        sizes[rigid],
    )
    yield plain_lines(star, Role.VIOLATED, np.repeat(owners[rigid], len(STAR)), thick=True)


def _violations_together(
    table: JointTable, joints: Floats, values: Floats, which: Indices
) -> Iterator[WorldLines]:
    """Yield the same of bounds on several axes together."""
    rounds = table.rounds.of(which)
    outside = rounds.beyond(values, TOLERANCE)
    rounds, outside = rounds.part(outside != 0.0), outside[outside != 0.0]
    if not rounds.bounds:
        return
    at, sizes = rounds.at(values), table.sizes[rounds.owners]
    path = rounds.path(values, at - outside, at, sizes)
    stars = path[:, -1, None, None] + STAR * sizes[:, None, None, None]
    for shapes, own in (
        (np.stack((path[:, :-1], path[:, 1:]), axis=2), np.ones_like(rounds.rigid)),
        (stars, rounds.rigid),
    ):
        owners, count = rounds.owners[own], shapes.shape[1]
        points = shapes[own].reshape(len(owners), 2 * count, 3)
        world = points @ joints[owners, :3, :3].transpose(0, 2, 1) + joints[owners, None, :3, 3]
        yield plain_lines(
            world.reshape(-1, 2, 3), Role.VIOLATED, np.repeat(owners, count), thick=True
        )


def _target_arrows(
    table: JointTable, joints: Floats, values: Floats, which: Indices
) -> Iterator[WorldLines]:
    chosen = np.isin(table.target_owners, which)
    owners, freedoms = table.target_owners[chosen], table.target_freedoms[chosen]
    at, target = values[owners, freedoms], table.targets[chosen]
    far = np.abs(target - at) > TOLERANCE
    owners, freedoms, at, target = owners[far], freedoms[far], at[far], target[far]
    sizes = table.sizes[owners]
    place = (TARGET_RADIUS * sizes, TARGET_ASIDE * sizes)
    yield _sweeps(joints, owners, freedoms, at, target, place, Role.DRIVE)
    turning = freedoms >= SIX // 2
    way = np.sign(target - at)
    # Arrow heads: barbs back along the arc, or back along the rail.
    heads = np.zeros((len(owners), 2, 2, 3))
    for barb, side in enumerate((-1.0, 1.0)):
        heads[:, barb, :, 0] = np.where(turning, TARGET_RADIUS, TARGET_ASIDE)[:, None]
        heads[:, barb, 0, 0] += 0.06 * side
        heads[:, barb, 0, 1] = np.where(turning, -0.12 * way, 0.0)
        heads[:, barb, 0, 2] = np.where(turning, 0.0, -0.14 * way)
    marks = _marks(heads, joints[owners], freedoms, target, sizes)
    yield plain_lines(marks, Role.DRIVE, np.repeat(owners, 2), thick=True)


def _marks(
    template: Floats, frames: Floats, freedoms: Indices, values: Floats, sizes: Floats
) -> Floats:
    """Return templates where the values are, in the world: (k x strokes, 2, 3).

    Args:
        template: (strokes, 2, 3) of the display size; or one for each value, (k, strokes, 2, 3).
        frames: joint frame of each value, (k, 4, 4).
        freedoms: 0 to 5, (k,).
        values: m or rad, (k,).
        sizes: display radius in m, (k,).
    """
    shapes = np.broadcast_to(template, (len(values), *template.shape[-3:]))
    count = shapes.shape[1] * 2
    axes, turned = freedoms % 3, np.where(freedoms >= SIX // 2, values, 0.0)
    points = _turned(shapes.reshape(-1, count, 3) * sizes[:, None, None], turned[:, None])
    points[..., 2] += np.where(freedoms >= SIX // 2, 0.0, values)[:, None]
    return _in_world(points, frames, axes).reshape(-1, 2, 3)


def _sweeps(
    joints: Floats,
    owners: Indices,
    freedoms: Indices,
    start: Floats,
    end: Floats,
    aside: tuple[Floats, Floats],
    role: Role,
) -> WorldLines:
    """Return lines from one value to another: along the arc, or along the rail.

    ``aside`` is how far from the axis: of what turns, and of what slides, both in m.
    """
    steps = np.linspace(0.0, 1.0, SWEEP + 1)
    values = start[:, None] + steps * np.clip(end - start, -1e6, 1e6)[:, None]
    turning = freedoms[:, None] >= SIX // 2
    points = np.zeros((*values.shape, 3))
    points[..., 0] = np.where(turning, aside[0][:, None], aside[1][:, None])
    points = _turned(points, np.where(turning, values, 0.0))
    points[..., 2] += np.where(turning, 0.0, values)
    world = _in_world(points, joints[owners], freedoms % 3)
    lines = np.stack((world[:, :-1], world[:, 1:]), axis=2).reshape(-1, 2, 3)
    return plain_lines(lines, role, np.repeat(owners, SWEEP), thick=True)


def _turned(points: Floats, angles: Floats) -> Floats:
    """Return points (k, m, 3) turned about the third direction by angles (k, m) or (k, 1)."""
    c, s = np.cos(angles), np.sin(angles)
    x, y = points[..., 0], points[..., 1]
    return np.stack((c * x - s * y, s * x + c * y, points[..., 2]), axis=-1)


def _in_world(points: Floats, frames: Floats, axes: Indices) -> Floats:
    """Return points (k, m, 3) in the three directions of an axis of a frame, in the world."""
    directions: NDArray[np.float64] = frames[:, :3, :3] @ AXES_OF[axes]
    moved: Floats = points @ directions.transpose(0, 2, 1) + frames[:, None, :3, 3]
    return moved


def to_blender(points: Floats) -> Floats:
    """Return points (..., 3) of glTF's world in Blender's."""
    return points @ BLENDER_FROM_GLTF.T
