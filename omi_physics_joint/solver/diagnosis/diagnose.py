# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be said of a mechanism without moving it: freedoms, joints too many, equilibrium."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...model.issue import Issue
from ...model.mechanism import Mechanism
from ..island_group import IslandGroup
from ..kinematics.readings import jacobian_of
from ..kinematics.rotation import Array, Index
from ..simulation import Options, Simulation
from ..system import RowKind

DEFAULT = Options()
RANK_TOLERANCE = 1e-8
"""Part of a row that must be new for it to count."""
BLOCK = 48
"""Rows that are made orthogonal together."""
CONFLICT_TOLERANCE = 1e-6
"""m or rad by which a redundant row must be off at rest to be in conflict."""


@dataclass(frozen=True, slots=True)
class Freedoms:
    """How freely a mechanism moves where it stands.

    Attributes:
        degrees: independent motions that are left to the dynamic bodies.
        rows: rigid locks in all joints together.
        rank: how many of them say something new.
        redundant: names of joints some of whose locks others enforce already.
        conflicting: names of those whose superfluous locks want something else than the others.
        issues: of the mechanism, as a simulation finds them.
    """

    degrees: int
    rows: int
    rank: int
    redundant: tuple[str, ...]
    conflicting: tuple[str, ...]
    issues: tuple[Issue, ...] = ()


def freedoms(mechanism: Mechanism, options: Options = DEFAULT) -> Freedoms:
    """Count the free motions of a mechanism at rest, and name joints that are too many.

    Joints are taken in node order; one is redundant where a lock of it depends on locks of those
    before it (the rank does not grow by as much). It conflicts where the dependent locks cannot be
    met together with the others: the part of the violation outside of the range of the gradients.
    Drives and bounds that are not locks do not count.
    """
    simulation = Simulation(mechanism, options)
    degrees, locks, rank = 0, 0, 0
    redundant: set[int] = set()
    conflicting: set[int] = set()
    for group in simulation.groups:
        system = group.system
        locked = np.flatnonzero(system.kind == RowKind.LOCK)
        degrees += 6 * system.bodies * system.islands
        locks += len(locked) * system.islands
        if not system.closed:
            rank += len(locked) * system.islands
            continue
        every = np.ones(system.islands)
        locks_of = island_locks(group, RANK_TOLERANCE * every, CONFLICT_TOLERANCE * every)
        for (_, nodes), found in zip(group.members, locks_of, strict=True):
            rank += found.rank
            redundant |= {nodes[j] for j in found.redundant}
            conflicting |= {nodes[j] for j in found.conflicting}
    names = mechanism.nodes
    return Freedoms(
        degrees=degrees - rank,
        rows=locks,
        rank=rank,
        redundant=tuple(names[node].name for node in sorted(redundant)),
        conflicting=tuple(names[node].name for node in sorted(conflicting)),
        issues=simulation.issues,
    )


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
    rank, redundant, conflicting = 0, set(), set()
    for start in range(0, len(matrix), BLOCK):
        block = slice(start, start + BLOCK)
        lefts = off[block]
        parts, lefts = _without(matrix[block], lefts, basis[:rank], offsets[:rank])
        first = rank
        for number, (g, left) in enumerate(zip(parts, lefts, strict=True), start):
            one, rest = _without(g[None], left[None], basis[first:rank], offsets[first:rank])
            size = float(np.sqrt(one[0] @ one[0]))
            if rank < len(basis) and size > alike * float(np.sqrt(matrix[number] @ matrix[number])):
                basis[rank], offsets[rank] = one[0] / size, rest[0] / size
                rank += 1
            else:
                redundant.add(int(joint[number]))
                if abs(rest[0]) > agree:
                    conflicting.add(int(joint[number]))
    return IslandLocks(rank, redundant, conflicting)


def _without(rows: Array, left: Array, basis: Array, offsets: Array) -> tuple[Array, Array]:
    """Return rows, and what belongs to them, without their parts along a basis."""
    for _ in range(2):
        part = rows @ basis.T
        rows, left = rows - part @ basis, left - part @ offsets
    return rows, left
