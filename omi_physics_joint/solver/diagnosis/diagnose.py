# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be said of a mechanism without moving it: joints too many, what drives move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...model.mechanism import Mechanism
from ..island_group import IslandGroup
from ..kinematics.readings import jacobian_of
from ..kinematics.rotation import Array, Index
from ..simulation import Options, Simulation
from ..system import RowKind

DEFAULT = Options()
EXACTLY = 1e-10
"""Part of a row that may be new where it repeats others: mended ones have 1e-12, rounded ones 1e-9
or more of them."""
BLOCK = 48
"""Rows that are made orthogonal together."""


def drive_inertias(mechanism: Mechanism) -> dict[tuple[int, int], float]:
    """Return what each drive by acceleration moves at rest: kg, or kg m^2 about an axis.

    By the node of its joint and its coordinate, 0 to 2 distances, 3 to 5 angles.
    """
    found: dict[tuple[int, int], float] = {}
    for group in Simulation(mechanism, DEFAULT).groups:
        system = group.system
        if not system.accelerates.any():
            continue
        judged, joints = group.judged(), system.joint_of_row
        for e in np.flatnonzero(system.accelerates):
            row = system.element_row[e]
            said = np.maximum(system.stiffness[:, e], system.damping[:, e])
            acts = np.maximum(judged.stiffness[:, 0, e], judged.damping[:, 0, e])
            for (_, nodes), old, new in zip(group.members, said, acts, strict=True):
                if old > 0.0:
                    at = nodes[joints[row]], int(system.coordinate[row])
                    found[at] = float(new / old)
    return found


class IslandLocks(NamedTuple):
    """What the locks of one island ask: how much at once, and which joints are too many."""

    rank: int
    redundant: set[int]
    conflicting: set[int]
    barely: set[int]
    """Redundant ones that are so within ``alike`` only, and not exactly."""


def island_locks(group: IslandGroup, alike: Array, agree: Array) -> Iterator[IslandLocks]:
    """Yield what the locks of each island ask where it stands at rest; joints by number.

    Rows count that are new by more than a part of them, ``alike`` (N,); redundant ones are in
    conflict where they are off by more than ``agree`` (N,), m or rad.
    """
    system = group.system
    locked = np.flatnonzero(system.kind == RowKind.LOCK)
    matrices = jacobian_of(system, group.state)[:, locked]
    offs, joint = group.state.excess[:, locked], system.joint_of_row[locked]
    for matrix, off, *least in zip(matrices, offs, alike.tolist(), agree.tolist(), strict=True):
        yield _search(matrix, joint, off, *least)


def _search(matrix: Array, joint: Index, off: Array, alike: float, agree: float) -> IslandLocks:
    """Take joints one by one.

    Rows are made orthogonal to those before them (Gram-Schmidt, twice), and the violations of the
    joints are carried along: what is left of a dependent row's violation is its conflict. Blocks of
    rows leave what came before them at once, then each row those of its block.
    """
    basis = np.zeros((min(matrix.shape), matrix.shape[1]))
    offsets = np.zeros(len(basis))
    rank, redundant, conflicting, barely = 0, set(), set(), set()
    for start in range(0, len(matrix), BLOCK):
        block = slice(start, start + BLOCK)
        lefts = off[block]
        parts, lefts = _without(matrix[block], lefts, basis[:rank], offsets[:rank])
        first = rank
        for number, (g, left) in enumerate(zip(parts, lefts, strict=True), start):
            one, rest = _without(g[None], left[None], basis[first:rank], offsets[first:rank])
            size, whole = (float(np.sqrt(v @ v)) for v in (one[0], matrix[number]))
            if rank < len(basis) and size > alike * whole:
                basis[rank], offsets[rank] = one[0] / size, rest[0] / size
                rank += 1
            else:
                redundant.add(int(joint[number]))
                if size > EXACTLY * whole:
                    barely.add(int(joint[number]))
                if abs(rest[0]) > agree:
                    conflicting.add(int(joint[number]))
    return IslandLocks(rank, redundant, conflicting, barely)


def _without(rows: Array, left: Array, basis: Array, offsets: Array) -> tuple[Array, Array]:
    """Return rows, and what belongs to them, without their parts along a basis."""
    for _ in range(2):
        part = rows @ basis.T
        rows, left = rows - part @ basis, left - part @ offsets
    return rows, left
