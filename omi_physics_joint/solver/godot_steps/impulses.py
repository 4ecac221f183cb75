# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints by impulses one after the other, as Jolt does it: sequential impulses (Catto 2005).

With scaled velocities V, the entries E of some rows of one joint and the bias c of their rates, the
impulse l changes by

    dl = -(E E^T + g)^-1 (E V + c + g l),    V += E^T dl,

then l is cut to what the rows may bear, and the next rows see the new V. A pass over all rows is
repeated VELOCITY_PASSES times and begins with the impulses of the step before (warm start). What
has not settled by then stays: it is why heavy bodies stretch light chains, and why a stop throws
back. There the impulse that has just stopped a body comes once more, and a pass takes away no more
of it than other rows of the joint leave.

A spring of stiffness k and damping d that is implicit over h seconds is such a row with
g = 1 / (h (d + h k)) and c = g h (k y - d s), y how far it is from its rest, s its speed; without
bounds of its damping it is a motor.

Poses are pulled back onto rows likewise, POSE_PASSES times by the part PULLED_BACK of what they are
off; velocities learn nothing of it.

Many rows are solved at once where nothing is cut off in between: they stay one after the other.
Rows b = 1, 2, ... each take x_b = p W_b y_b, W_b = (E_b E_b^T + g)^-1, where y_b has learnt of all
x before it: y_b = y - E_b (E_1^T x_1 + ... ). That is one linear system for all of them,

    (strictly lower blocks of E E^T + blocks on its diagonal / p) x = y,

so a run of locks is solved by one product with its inverse, to the same numbers. What has bounds is
cut off before the next rows see it, so it is a run of its own. Runs depend on what islands are and
not on where they are: no island learns of its neighbours, to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..kinematics.coordinates import Rows
from ..kinematics.island_rows import IslandRows, Poses
from ..kinematics.rotation import Array, Index
from ..system import RowKind, System

MOST = 48
"""Rows of a run: more take longer to be inverted than to be gone through."""
NOTHING = 1e-200
"""Squared length of rows that move nothing; any that is next to zero would do."""
_SURE = 1e-12
"""Part of it that is added, so that rows which say the same can be solved. From 1e-15 to
1e-11 forces of a weld on a body that turns about one axis alone are the same to nine digits."""

_Step = tuple[Index, bool]
"""What is solved at once: numbers of impulses, and whether nothing bounds them."""


@dataclass(frozen=True, slots=True)
class Solving:
    """A run where islands stand: (N, k, ...) for k rows and c velocities."""

    entries: Array
    """(N, k, c)."""
    push: Array
    """(N, c, k) the same, transposed."""
    weights: Array
    """(N, k, k) what makes impulses of rates."""
    pull: Array
    """(N, k, c) weights times entries."""


class RowRun:
    """Rows that are solved by one product.

    Attributes:
        at: (k,) numbers of their impulses: rows, then elements.
        of_ends: (c,) numbers of the velocities of their bodies.
        is_free: whether nothing bounds their impulses.
        is_soft: whether it is an element.
    """

    def __init__(self, system: System, steps: Sequence[_Step]) -> None:
        """Take over what is solved, step by step."""
        self.at: Index = np.concatenate([at for at, _ in steps])
        self.is_free, self.is_soft = steps[0][1], bool(self.at[0] >= system.rows)
        rows = np.concatenate([np.arange(system.rows), system.element_row])
        self._row: Index = rows[self.at].astype(np.intp)
        bodies = system.ends[system.joint_of_row[self._row]]
        own, place = np.unique(bodies, return_inverse=True)
        six = np.arange(6)
        self.of_ends: Index = (6 * own[:, None] + six).reshape(-1)
        k, c = len(self.at), len(self.of_ends)
        to = 6 * place.reshape(k, 2, 1) + six + c * np.arange(k)[:, None, None]
        self._shape, self._to = (k, c), to.reshape(-1)
        step = np.repeat(np.arange(len(steps)), [len(at) for at, _ in steps])
        self._together: Array = np.asarray(step[:, None] == step, np.float64)
        self._before: Array = np.asarray(step[:, None] > step, np.float64)

    def solving(self, every: Array, soft: Array, part: float = 1.0) -> Solving:
        """Return what solves it.

        Args:
            every: (N, r, 12) entries of all rows.
            soft: (N, r + e) compliances of all impulses, which elements have.
            part: of what is off that impulses take away.
        """
        lanes, (k, c) = len(every), self._shape
        flat: Array = np.zeros((lanes, k * c))
        flat[:, self._to] = every.take(self._row, 1).reshape(lanes, -1)
        entries: Array = flat.reshape(lanes, k, c)
        push = np.ascontiguousarray(entries.swapaxes(-1, -2))
        moves = entries @ push
        square = np.diagonal(moves, axis1=-2, axis2=-1)
        size = square @ self._together
        least = soft.take(self.at, 1) if self.is_soft else _SURE * size
        root = 1.0 / np.sqrt(square + np.maximum(least, NOTHING))
        root *= size > NOTHING
        # Rows of length one: what is light beside what is heavy loses no digits.
        weights: Array
        if k == 1:
            weights = part * (root * root)[..., None]
        else:
            moves *= self._before + self._together / part
            moves *= root[..., None]
            moves *= root[:, None]
            moves[:, range(k), range(k)] = 1.0 / part
            weights = np.asarray(np.linalg.inv(moves), np.float64)
            weights *= root[..., None]
            weights *= root[:, None]
        return Solving(entries, push, weights, weights @ entries)


class Runs:
    """All rows of equal islands in Jolt's order: drives, rotations, distances; last joint first.

    Three locks of a kind are solved at once, others one by one.
    """

    def __init__(self, system: System) -> None:
        """Find what is solved together."""
        self._system = system
        self.turning = system.twisting[system.element_row]
        """(e,) which springs and motors turn."""

    @cached_property
    def pushed(self) -> list[RowRun]:
        """What finds velocities: drives too."""
        return list(self._runs(driven=True))

    @cached_property
    def pulled(self) -> list[RowRun]:
        """What pulls poses back onto rows."""
        return list(self._runs(driven=False))

    def _runs(self, *, driven: bool) -> Iterator[RowRun]:
        """Yield runs: steps that nothing cuts off, as many as follow each other."""
        gathered: list[_Step] = []
        for step in self._steps(driven=driven):
            count = sum(len(at) for at, _ in gathered) + len(step[0])
            if gathered and (not step[1] or not gathered[0][1] or count > MOST):
                yield RowRun(self._system, gathered)
                gathered = []
            gathered.append(step)
        if gathered:
            yield RowRun(self._system, gathered)

    def _steps(self, *, driven: bool) -> Iterator[_Step]:
        """Yield what is solved at once, one after the other."""
        system = self._system
        joint, straight, lock = system.joint_of_row, system.straight, system.kind == RowKind.LOCK
        for j in reversed(range(system.joints)):
            if driven:
                for e in np.flatnonzero(joint[system.element_row] == j):
                    yield np.array([system.rows + e]), False
            own = np.flatnonzero(joint == j)
            for part in (own[~straight[own]], own[straight[own]]):
                whole = len(part) == 3 and bool(lock[part].all())
                for at in [part] if whole else part[:, None]:
                    yield at, bool(lock[at].all())


VELOCITY_PASSES, POSE_PASSES, PULLED_BACK = 10, 2, 0.2
"""Jolt's defaults in Godot's project settings."""


class Impulses:
    """The rows of joints at one moment.

    Attributes:
        total: (N, r + e) impulses of rows, then of elements.
        velocity: (N, 6 (n + o), 1) scaled; those of what moves by itself stay zero.
    """

    def __init__(
        self,
        runs: Runs,
        system: System,
        rows: IslandRows,
        h: float,
        velocity: Array,
        total: Array,
    ) -> None:
        """Take over a moment.

        Args:
            runs: rows of the islands, in the order in which they are solved.
            system: islands.
            rows: of them, at this moment.
            h: s, length of the step.
            velocity: (N, n, 6) scaled, with what free bodies would gain in the step.
            total: (N, r + e) impulses of the step before.
        """
        self.runs, self.system, self.rows, self.h = runs, system, rows, h
        n, r, lanes = system.bodies, system.rows, system.islands
        self.pose = rows.now()
        self.value = self.pose.value[:, 0]
        self.entries = self.pose.entry[:, 0].reshape(lanes, -1, 12)
        self.velocity = np.zeros((lanes, 6 * (n + system.others), 1))
        self.velocities[:] = velocity
        self.low, self.high = np.full((2, lanes, r + system.elements), np.inf)
        self.low *= -1.0
        self.bias, self.soft = np.zeros((2, *self.low.shape))
        self.bias[:, :r] = rows.motion(self.pose, np.zeros((lanes, 1, n, 6)))[0][:, 0]
        below, above = self.value <= system.low, self.value >= system.high
        lock = system.kind == RowKind.LOCK
        self.low[:, :r] = np.where(lock | above, -np.inf, 0.0)
        self.high[:, :r] = np.where(lock | below, np.inf, 0.0)
        self._soften()
        self.total = np.clip(total, self.low, self.high)

    def _soften(self) -> None:
        """Fill in the numbers of springs and motors."""
        system, h, rows = self.system, self.h, self.system.rows
        k, d, row = system.stiffness, system.damping, system.element_row  # see ``godot.settings``
        soft = 1.0 / np.maximum(h * (d + h * k), NOTHING)
        off = self.value.take(row, -1) - system.target
        off = np.where(self.runs.turning, 2.0 * np.sin(0.5 * off), off)  # as Jolt takes a turn
        self.soft[:, rows:] = soft
        self.bias[:, rows:] = self.bias[:, row] + soft * h * (k * off - d * system.speed)
        most = h * system.max_force
        self.low[:, rows:], self.high[:, rows:] = -most, most

    def solve(self) -> None:
        """Change velocities and impulses."""
        velocity = self.velocity
        rows = []
        for run in self.runs.pushed:
            at = run.at
            bias, low, high, total = (
                part.take(at, 1)[..., None] for part in (self.bias, self.low, self.high, self.total)
            )
            if not (run.is_free or low.any() or high.any()):
                continue  # a bound that nothing touches
            one = run.solving(self.entries, self.soft)
            soft = one.weights * self.soft.take(at, 1)[..., None] if run.is_soft else None
            rows.append((run, one, one.weights @ bias, soft, low, high))
            velocity[:, run.of_ends] += one.push @ total
        totals = [self.total.take(row[0].at, 1)[..., None] for row in rows]
        for _ in range(VELOCITY_PASSES):
            for number, (run, one, bias, soft, low, high) in enumerate(rows):
                total = totals[number]
                new = total - bias - one.pull @ velocity.take(run.of_ends, 1)
                if soft is not None:
                    new -= soft * total
                if not run.is_free:
                    np.minimum(np.maximum(new, low, out=new), high, out=new)
                velocity[:, run.of_ends] += one.push @ (new - total)
                totals[number] = new
        for (run, *_), total in zip(rows, totals, strict=True):
            self.total[:, run.at] = total[..., 0]

    @property
    def velocities(self) -> Array:
        """(N, n, 6) scaled, of what forces move."""
        return self.velocity.reshape(len(self.velocity), -1, 6)[:, : self.system.bodies]

    def pulled_back(self, poses: Poses) -> tuple[Poses, Rows]:
        """Return poses nearer to the rows, and the rows there; velocities are lost."""
        rows, system, way = self.rows, self.system, self.velocity
        pose = rows.at(poses)
        for _ in range(POSE_PASSES):
            way[:] = 0.0
            entries, value = pose.entry[:, 0].reshape(len(way), -1, 12), pose.value[:, 0]
            length = np.sqrt(np.square(entries).sum(-1))
            for run in self.runs.pulled:
                at = run.at
                if not run.is_free:
                    # No row goes farther than its own length times that of the way.
                    reach = length.take(at, 1) * np.sqrt(np.square(way).sum(1))
                    there, low, high = value.take(at, 1), system.low[:, at], system.high[:, at]
                    if not ((there + reach > high) | (there - reach < low)).any():
                        continue
                one = run.solving(entries, self.soft, PULLED_BACK)
                off = value.take(at, 1)[..., None] + one.entries @ way.take(run.of_ends, 1)
                if not run.is_free:
                    low, high = system.low[:, at, None], system.high[:, at, None]
                    off = np.maximum(off - high, 0.0) + np.minimum(off - low, 0.0)
                way[:, run.of_ends] -= one.push @ (one.weights @ off)
            poses = rows.displaced(poses, self.velocities[:, None])
            rows.near, rows.half = pose.value, pose.half
            pose = rows.at(poses)
        return poses, pose
