# SPDX-License-Identifier: GPL-3.0-or-later
"""What follows the pose: marks of the values, what lies beyond a bound, arrows to targets.

All joints at once. A mark is a template in the three directions (zero direction, across, axis) of
a degree of freedom; it is turned about the axis or moved along it to where the value is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..bounds import TOLERANCE, beyond
from ..joint_table import SIX, JointTable, Poses
from ..layout import Floats
from ..strokes import Role, pieces_of
from ..world_lines import Indices, WorldLines, moved, plain_lines
from .motors import TARGET_ASIDE, TARGET_RADIUS
from .together import SWEEP

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
    poses: Poses,
    which: Indices,
    *,
    show_values: bool = True,
    show_drives: bool = True,
) -> Iterator[WorldLines]:
    """Yield what follows the pose of some joints, in the world; see ``_Stands``."""
    stands = _Stands(table, poses, which)
    if show_values:
        yield from stands.value_marks()
        yield from stands.cone_pointers()
    yield from stands.violations()
    yield from stands.violations_together()
    if show_drives:
        yield from stands.target_arrows()


def beyond_bounds(table: JointTable, values: Floats, which: Indices) -> Floats:
    """Return how far values of some joints lie above (+) or below (-) their bounds; 0 is inside.

    What single precision may have moved does not count. The shape is (len(which), 6).
    """
    bounds = table.bounds[which]
    return beyond(values[which], bounds[:, 0], bounds[:, 1])


@dataclass(frozen=True, slots=True)
class _Stands:
    """Where joints stand, and which of them are drawn."""

    table: JointTable
    poses: Poses
    """Of all joints; their frames are those that they are drawn in, their values as drawn."""
    which: Indices

    def value_marks(self) -> Iterator[WorldLines]:
        moving = ~self.table.held[self.which] & ~self.table.rounded[self.which]
        rows, freedoms = np.nonzero(moving)
        owners = self.which[rows]
        turning = freedoms >= SIX // 2
        slides, turns = moving[:, :3].sum(axis=1)[rows], moving[:, 3:].sum(axis=1)[rows]
        for template, chosen, thick in (
            (TICK, turning, True),
            (POINTER, turning & (turns == 1), False),
            (DIAMOND, ~turning & (slides == 1), True),
            (0.6 * DIAMOND, ~turning & (slides > 1), True),
        ):
            own, freedom = owners[chosen], freedoms[chosen]
            marks = self._marks(template, own, freedom, self.poses.values[own, freedom])
            yield plain_lines(marks, Role.VALUE, own, thick=thick)

    def cone_pointers(self) -> Iterator[WorldLines]:
        """Yield where the connected frame points to, in a cone: a line that ends in a cross."""
        table, owners = self.table, self.which[self.table.pointing[self.which] >= 0]
        start, sizes = self.poses.joints[owners, :3, 3], table.sizes[owners, None]
        way, one, two = (
            self.poses.partners[owners, :3, (table.pointing[owners] + turn) % 3] * sizes
            for turn in range(3)
        )
        end = start + way
        cross = [(start, end), *((end - 0.06 * side, end + 0.06 * side) for side in (one, two))]
        lines = np.array(cross).transpose(0, 2, 1, 3).reshape(-1, 1, 2, 3)
        yield plain_lines(lines, Role.VALUE, np.tile(owners, 3), thick=True)

    def violations(self) -> Iterator[WorldLines]:
        """Yield lines from broken bounds to the values, and stars where a bound is rigid."""
        outside = beyond_bounds(self.table, self.poses.values, self.which)
        rows, freedoms = np.nonzero(outside)
        owners = self.which[rows]
        at = self.poses.values[owners, freedoms]
        bound = at - outside[rows, freedoms]
        yield self._sweeps(Role.VIOLATED, owners, freedoms, (bound, at), (1.0, 0.0))
        low, high = self.table.bounds[owners, 2:, freedoms].T
        rigid = (at > high + TOLERANCE) | (at < low - TOLERANCE)
        owners, freedoms, at = owners[rigid], freedoms[rigid], at[rigid]
        stars = np.tile(STAR, (len(owners), 1, 1, 1))
        stars[freedoms >= SIX // 2, ..., 0] += 1.0
        marks = self._marks(stars, owners, freedoms, at)
        yield plain_lines(marks, Role.VIOLATED, owners, thick=True)

    def violations_together(self) -> Iterator[WorldLines]:
        """Yield the same of bounds on several axes together."""
        together = self.table.together.of(self.which)
        outside = together.beyond(self.poses.values)
        together, outside = together.part(outside != 0.0), outside[outside != 0.0]
        if not together.bounds:
            return
        at, sizes = together.at(self.poses.values), self.table.sizes[together.owners]
        path = together.path(self.poses.values, at - outside, at, sizes)
        stars = path[:, -1, None, None] + STAR * sizes[:, None, None, None]
        every = np.ones_like(together.rigid)
        for shapes, own in ((pieces_of(path), every), (stars, together.rigid)):
            owners = together.owners[own]
            lines = moved(shapes[own], self.poses.joints[owners])
            yield plain_lines(lines, Role.VIOLATED, owners, thick=True)

    def target_arrows(self) -> Iterator[WorldLines]:
        table, chosen = self.table, np.isin(self.table.target_owners, self.which)
        owners, freedoms = table.target_owners[chosen], table.target_freedoms[chosen]
        at, target = self.poses.values[owners, freedoms], table.targets[chosen]
        far = np.abs(target - at) > TOLERANCE
        owners, freedoms, at, target = owners[far], freedoms[far], at[far], target[far]
        place = (TARGET_RADIUS, TARGET_ASIDE)
        yield self._sweeps(Role.DRIVE, owners, freedoms, (at, target), place)
        turning, way = freedoms >= SIX // 2, np.sign(target - at)
        # Arrow heads: barbs back along the arc, or back along the rail.
        heads = np.zeros((len(owners), 2, 2, 3))
        heads[..., 0] = np.where(turning, *place)[:, None, None]
        heads[:, :, 0, 0] += (-0.06, 0.06)
        heads[:, :, 0, 1] = np.where(turning, -0.12 * way, 0.0)[:, None]
        heads[:, :, 0, 2] = np.where(turning, 0.0, -0.14 * way)[:, None]
        marks = self._marks(heads, owners, freedoms, target)
        yield plain_lines(marks, Role.DRIVE, owners, thick=True)

    def _marks(
        self, template: Floats, owners: Indices, freedoms: Indices, values: Floats
    ) -> Floats:
        """Return templates where k values (m or rad) of freedoms 0 to 5 are, in the world.

        From (strokes, 2, 3) of the display size, or one for each value, to (k, strokes, 2, 3) in m.
        """
        strokes = template.shape[-3]
        shapes = template.reshape(-1, 2 * strokes, 3) * self.table.sizes[owners, None, None]
        points = self._placed(shapes, owners, freedoms, values[:, None])
        return points.reshape(-1, strokes, 2, 3)

    def _sweeps(
        self,
        role: Role,
        owners: Indices,
        freedoms: Indices,
        ends: tuple[Floats, Floats],
        aside: tuple[float, float],
    ) -> WorldLines:
        """Return lines from k values to others, in the world: along the arc, or along the rail.

        ``aside`` is how far from the axis: of what turns, and of what slides, in display sizes.
        """
        start, end = ends
        steps = np.linspace(0.0, 1.0, SWEEP + 1)
        values = start[:, None] + steps * np.clip(end - start, -1e6, 1e6)[:, None]
        points = np.zeros((*values.shape, 3))
        out = np.where(freedoms >= SIX // 2, *aside) * self.table.sizes[owners]
        points[..., 0] = out[:, None]
        lines = pieces_of(self._placed(points, owners, freedoms, values))
        return plain_lines(lines, role, owners, thick=True)

    def _placed(self, points: Floats, owners: Indices, freedoms: Indices, values: Floats) -> Floats:
        """Return points (k, m, 3) in the world, given in the three directions of a freedom.

        They are turned about the third direction or moved along it, by values (k, m or 1).
        """
        turning = freedoms[:, None] >= SIX // 2
        angles = np.where(turning, values, 0.0)
        c, s = np.cos(angles), np.sin(angles)
        x, y, z = np.moveaxis(points, -1, 0)
        z = z + np.where(turning, 0.0, values)
        stood = np.stack((c * x - s * y, s * x + c * y, z), axis=-1)
        frames = self.poses.joints[owners]
        directions: Floats = frames[:, :3, :3] @ AXES_OF[freedoms % 3]
        found: Floats = stood @ directions.transpose(0, 2, 1) + frames[:, None, :3, 3]
        return found
