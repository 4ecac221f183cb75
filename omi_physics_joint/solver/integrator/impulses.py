# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints by impulses one after the other, as Jolt does it: sequential impulses (Catto 2005).

With scaled velocities V, the entries E of some rows of one joint and the gap c of their rates, the
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
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kinematics.coordinates import Pose
from ..kinematics.rotation import Array
from ..system import System
from .lanes import Lanes

VELOCITY_PASSES, POSE_PASSES, PULLED_BACK = 10, 2, 0.2
"""Jolt's defaults in Godot's project settings."""
_NOTHING = 1e-200
"""Squared length of rows that move nothing."""
_SURE = 1e-12
"""Part of it that is added, so that rows which say the same can be solved."""

Index = NDArray[np.intp]


@dataclass(slots=True)
class _Block:
    """Rows that are solved at once: (L, k, 1) for numbers."""

    at: Index
    """(k,) numbers of their impulses: rows, then elements."""
    of_ends: Index
    """(12,) numbers of the velocities of both bodies."""
    push: Array
    """(L, 12, k) entries, transposed."""
    pull: Array
    """(L, k, 12) weights times entries."""
    weights: Array
    """(L, k, k) inverse of what they move."""
    is_lock: bool


class Impulses:
    """The rows of joints at one moment.

    Attributes:
        total: (L, r + e) impulses of rows, then of elements.
        velocity: (L, 6 (n + o), 1) scaled; those of what moves by itself stay zero.
    """

    def __init__(
        self, system: System, lanes: Lanes, h: float, velocity: Array, total: Array
    ) -> None:
        """Take over a moment.

        Args:
            system: of the islands.
            lanes: islands.
            h: s, length of the step.
            velocity: (L, n, 6) scaled, with what free bodies would gain in the step.
            total: impulses of the step before.
        """
        self.system, self.lanes, self.h = system, lanes, h
        shape, state = lanes.shape, lanes.state
        self.pose = lanes.pose(state.position[:, None], state.rotation[:, None])
        self.value = self.pose.value[:, 0]
        self.velocity = np.zeros((lanes.count, 6 * (shape.bodies + shape.others), 1))
        self.velocities[:] = velocity
        rest = np.zeros((lanes.count, 1, shape.bodies, 6))
        carried = lanes.rate(self.pose, rest)[:, 0] if lanes.others_move else 0.0
        rows, elements = shape.rows, shape.elements
        count = rows + (0 if elements is None else len(elements.row))
        self.low, self.high = np.full((2, lanes.count, count), np.inf)
        self.low *= -1.0
        self.gap, self.soft = np.zeros((2, lanes.count, count))
        self.gap[:, :rows] = carried
        below, above = self.value <= shape.low, self.value >= shape.high
        self.low[:, :rows] = np.where(shape.lock | above, -np.inf, 0.0)
        self.high[:, :rows] = np.where(shape.lock | below, np.inf, 0.0)
        if elements is not None:
            self._soften(rows)
        self.total = np.clip(total, self.low, self.high)

    def _soften(self, rows: int) -> None:
        """Fill in the numbers of springs and motors."""
        elements, h = self.lanes.shape.elements, self.h
        assert elements is not None
        entries = self._entries(self.pose)[:, elements.row]
        moves = np.maximum(np.square(entries).sum(-1), _NOTHING)
        scale = np.where(elements.accelerates, 1.0 / moves, 1.0)
        k, d = elements.stiffness[:, 0] * scale, elements.damping[:, 0] * scale
        soft = 1.0 / np.maximum(h * (d + h * k), _NOTHING)
        off = self.value.take(elements.row, -1) - elements.target[:, 0]
        self.soft[:, rows:] = soft
        self.gap[:, rows:] = self.gap[:, elements.row]
        self.gap[:, rows:] += soft * h * (k * off - d * elements.speed[:, 0])
        most = h * elements.most[:, 0]
        self.low[:, rows:], self.high[:, rows:] = -most, most

    def _blocks(self, pose: Pose, *, pushed: bool) -> list[_Block]:
        """Return what is solved at once, in Jolt's order: drives, rotations, distances.

        The last joint comes first. Three locks of a kind are one block, others go one by one.

        Args:
            pose: where the bodies are.
            pushed: whether drives count too, and bounds only where they are touched.
        """
        shape, kinematics = self.lanes.shape, self.lanes.shape.kinematics
        entries = self._entries(pose)
        joint, straight = self.system.joint_of_row, self.system.straight
        driven = np.zeros(0, np.intp)
        if pushed and shape.elements is not None:
            driven = shape.elements.row
        touched = np.asarray((self.low < 0.0).any(0) | (self.high > 0.0).any(0))
        blocks = []
        for j in reversed(range(shape.joints)):
            ends = kinematics.pairs[j]
            for e in np.flatnonzero(joint[driven] == j):
                at = np.array([shape.rows + e])
                blocks.append(_block(at, ends, entries[:, driven[[e]]], self.soft[:, at]))
            own = np.flatnonzero(joint == j)
            for part in (own[~straight[own]], own[straight[own]]):
                whole = len(part) == 3 and bool(shape.lock[part].all())
                for at in [part] if whole else part[:, None]:
                    if touched[at].any() or not pushed:
                        lock = bool(shape.lock[at].all())
                        blocks.append(_block(at, ends, entries[:, at], None, is_lock=lock))
        return blocks

    def _entries(self, pose: Pose) -> Array:
        """Return entries (L, r, 12) of rows, zero for bodies that no force moves."""
        shape, rows = self.lanes.shape, self.lanes.shape.kinematics.rows
        parts = pose.jacobian[:, 0, :-1].reshape(self.lanes.count, -1, 2, 6)[:, rows]
        still = self.system.ends[self.system.joint_of_row] >= shape.bodies
        parts = np.where(still[..., None], 0.0, parts)
        return np.asarray(parts.reshape(self.lanes.count, -1, 12))

    def solve(self) -> None:
        """Change velocities and impulses."""
        velocity = self.velocity
        rows = []
        for block in self._blocks(self.pose, pushed=True):
            at = block.at
            gap, low, high, total = (
                part[:, at, None] for part in (self.gap, self.low, self.high, self.total)
            )
            soft = self.soft[:, at, None] if at[0] >= self.lanes.shape.rows else None
            gap = block.weights @ gap
            rows.append((block, gap, None if soft is None else block.weights * soft, low, high))
            velocity[:, block.of_ends] += block.push @ total
        totals = [self.total[:, row[0].at, None] for row in rows]
        for _ in range(VELOCITY_PASSES):
            for number, (block, gap, soft, low, high) in enumerate(rows):
                total = totals[number]
                new = total - gap - block.pull @ velocity.take(block.of_ends, 1)
                if soft is not None:
                    new -= soft * total
                if not block.is_lock:
                    np.minimum(np.maximum(new, low, out=new), high, out=new)
                velocity[:, block.of_ends] += block.push @ (new - total)
                totals[number] = new
        for (block, *_), total in zip(rows, totals, strict=True):
            self.total[:, block.at] = total[..., 0]

    @property
    def velocities(self) -> Array:
        """(L, n, 6) scaled, of what forces move."""
        shape = self.lanes.shape
        every = self.velocity.reshape(self.lanes.count, -1, 6)
        return every[:, : shape.bodies]

    def pulled_back(self, position: Array, rotation: Array) -> tuple[Array, Array, Pose]:
        """Return poses (L, 1, ...) nearer to the rows, and the rows there; velocities are lost."""
        lanes, shape, way = self.lanes, self.lanes.shape, self.velocity
        pose = lanes.pose(position, rotation)
        for _ in range(POSE_PASSES):
            way[:] = 0.0
            for block in self._blocks(pose, pushed=False):
                at = block.at
                moved = block.push.swapaxes(-1, -2) @ way.take(block.of_ends, 1)
                off = pose.value[:, 0, at, None] + moved
                if not block.is_lock:
                    low, high = shape.low[:, at, None], shape.high[:, at, None]
                    off = np.maximum(off - high, 0.0) + np.minimum(off - low, 0.0)
                way[:, block.of_ends] -= PULLED_BACK * (block.push @ (block.weights @ off))
            position, rotation = lanes.displaced(position, rotation, self.velocities[:, None])
            lanes.near, lanes.half = pose.value, pose.half
            pose = lanes.pose(position, rotation)
        return position, rotation, pose


def _block(
    at: Index, ends: Index, entries: Array, soft: Array | None, *, is_lock: bool = False
) -> _Block:
    moves = entries @ entries.swapaxes(-1, -2)
    size = np.trace(moves, axis1=-2, axis2=-1)
    least = _SURE * size if soft is None else soft[:, 0]
    moves += np.maximum(least, _NOTHING)[:, None, None] * np.eye(len(at))
    weights = np.where(size[:, None, None] > _NOTHING, np.linalg.inv(moves), 0.0)
    of_ends = (6 * ends[:, None] + np.arange(6)).reshape(-1)
    push = np.ascontiguousarray(entries.swapaxes(-1, -2))
    return _Block(at, of_ends, push, weights @ entries, weights, is_lock)
