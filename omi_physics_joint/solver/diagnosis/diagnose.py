# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be said of a mechanism without moving it: what joints hold, what drives move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...model.mechanism import Mechanism
from ..island_group import IslandGroup
from ..kinematics.readings import jacobian_of
from ..kinematics.rotation import Array, Index
from ..simulation import Options, Simulation
from ..system import LINE, RowKind

DEFAULT = Options()
EXACTLY = 1e-10
"""Part of a row that may be new where it repeats others. In single precision mended ones have 1e-13
at most, and loops that barely fit 5e-9 somewhere: 1e-13 and 1e-9 tell the same of all truths."""
SMALL = 1e-6
"""Part of rows of unit length that counts as none where bounds are searched. Of 400 random sets in
single precision 1e-7 to 1e-4 tell all right; 1e-8 calls whole sets stopped, 1e-3 misses some."""
BLOCK = 48
"""Rows that are made orthogonal together. With 5 or 480 the same is found; 900 rows take 0.8 s,
with 5 2.1 s."""


def drive_inertias(mechanism: Mechanism) -> dict[tuple[int, int], float]:
    """Return what each drive by acceleration moves at rest: kg, or kg m^2 about an axis.

    By the node of its joint and its coordinate, 0 to 2 distances, 3 to 5 angles.
    """
    found: dict[tuple[int, int], float] = {}
    for group in Simulation(mechanism, DEFAULT).groups:
        system = group.system
        if not system.accelerates.any():
            continue
        joints, scale = system.joint_of_row, group.state.scale
        does = (system.stiffness != 0.0) | (system.damping != 0.0)
        for e in np.flatnonzero(system.accelerates):
            row = system.element_row[e]
            for (_, nodes), acts, inertia in zip(group.members, does, scale, strict=True):
                if acts[e]:
                    found[nodes[joints[row]], int(system.coordinate[row])] = float(inertia[e])
    return found


class IslandLocks(NamedTuple):
    """What the locks of one island ask: how much at once, and which joints are too many."""

    rank: int
    redundant: set[int]
    conflicting: set[int]
    barely: set[int]
    """Redundant ones that are so within ``alike`` only, and not exactly."""
    stopped: list[tuple[int, int]]
    """Joints and coordinates at a bound that they cannot leave, since others are at theirs."""


def island_locks(group: IslandGroup, alike: Array, agree: Array) -> Iterator[IslandLocks]:
    """Yield what the locks of each island ask where it stands at rest; joints by number.

    Rows count that are new by more than a part of them, ``alike`` (N,); redundant ones are in
    conflict where they are off by more than ``agree`` (N,), m or rad.
    """
    system, state = group.system, group.state
    locked = np.flatnonzero(system.kind == RowKind.LOCK)
    joint, coordinate = system.joint_of_row, system.coordinate
    offs = state.excess[:, locked]
    every = zip(jacobian_of(system, state), offs, state.value, system.low, system.high, strict=True)
    limits = zip(alike.tolist(), agree.tolist(), strict=True)
    for (rows, off, value, low, high), (part, near) in zip(every, limits, strict=True):
        asked, basis = _search(rows[locked], joint[locked], off, part, near)
        side = np.where(value <= low + near, 1.0, 0.0) - (value >= high - near)
        # Several axes together have no direction where they are at zero.
        side[(coordinate >= LINE) & (value <= near)] = 0.0
        at = stopped_rows(rows * side[:, None], basis, part)
        stopped = zip(joint[at].tolist(), coordinate[at].tolist(), strict=True)
        yield asked._replace(stopped=list(stopped))


def stopped_rows(inwards: Array, basis: Array, alike: float) -> Index:
    """Return which rows no velocity raises that lowers none and has no part along a basis.

    To first order, so that what is found is stopped for sure. Rows count of which more than a part
    is left, ``alike``.
    """
    left = _without(inwards, inwards[:, 0], basis, basis[:, 0])[0]
    size, whole = (np.sqrt((rows * rows).sum(1)) for rows in (left, inwards))
    at = np.flatnonzero(size > alike * whole)
    left = left[at] / size[at, None]
    while (fast := float(np.linalg.norm(pull := _least_pull(left)))) > alike:
        stopped = left @ pull <= fast * alike / len(at)
        at, left = at[stopped], left[stopped]
    return at


def _least_pull(rows: Array) -> Array:
    """Return the least y rows over all y >= 1: zero if and only if no velocity raises any of them.

    Else rows that it raises are raised, and none is lowered (Stiemke's lemma). What is more than 1
    is found as Lawson and Hanson do.
    """
    more, taken = np.zeros(len(rows)), np.zeros(len(rows), dtype=bool)
    pull: Array = rows.sum(0)
    for _ in range(3 * len(rows)):
        lowered, least = np.where(taken, 0.0, -(rows @ pull)), SMALL * np.linalg.norm(pull)
        if least <= SMALL**2 or lowered.max() <= least:
            break
        taken[lowered.argmax()] = True
        while True:
            best = np.zeros(len(rows))
            best[taken] = np.linalg.lstsq(rows[taken].T, -rows.sum(0), rcond=None)[0]
            back = taken & (best <= 0.0)
            if not back.any():
                break
            part = (more[back] / (more[back] - best[back])).min()
            more += part * (best - more)
            taken &= more > SMALL
        more = best
        pull = rows.sum(0) + more @ rows
    return pull


def _search(
    matrix: Array, joint: Index, off: Array, alike: float, agree: float
) -> tuple[IslandLocks, Array]:
    """Take joints one by one; return what they ask, and a basis of it.

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
    return IslandLocks(rank, redundant, conflicting, barely, []), basis[:rank]


def _without(rows: Array, left: Array, basis: Array, offsets: Array) -> tuple[Array, Array]:
    """Return rows, and what belongs to them, without their parts along a basis."""
    for _ in range(2):
        part = rows @ basis.T
        rows, left = rows - part @ basis, left - part @ offsets
    return rows, left
