# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be said of a mechanism without moving it: what drives move, and how islands are locked.

Joints of an island may contradict each other where they stand, or leave nothing to move. To first
order what their locks ask of the bodies is a linear system, and its rank tells both. Limits that
are met ask for one side of what is left. What is equal within rounding was made equal where joints
were read (``reading.mending``), so that what is left is out of line, or a loop of a kind that could
not be mended.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..model.issue import Issue, Severity
from ..model.joint import Freedom
from ..model.mechanics.islands import MOST_ROWS, with_loops_alone
from ..model.mechanics.rounding import PART, TURNED, rounding_of
from ..model.mechanism import Mechanism
from ..model.wording.shortcomings import cannot_hold, said_of
from ..model.wording.words import Say, listed, some
from .island_group import IslandGroup, Nodes
from .kinematics.island_rows import jacobian_of
from .kinematics.rotation import Array, Index
from .reading.assembly import SMALLEST
from .simulation import Options, Simulation
from .system import LINE, RowKind

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


SLANTED, ASIDE = 0.2, 0.1
"""rad, and a part of the size, up to which two hinges of the same bodies were to be in line."""
MOST_NAMES = 6
ALL = 6


class _Judged(NamedTuple):
    """An island that closes loops, where it stands at rest."""

    group: IslandGroup
    number: int
    """In its group."""
    bodies: list[str]
    joints: tuple[int, ...]
    """Their nodes."""
    names: list[str]
    rounded: float
    """m by which places may be off."""
    alike: float
    """Part of a row by which another must differ to ask for something else."""
    near: float
    """m or rad by which what is met may be off."""
    locks: IslandLocks
    pairs: list[frozenset[int | None]]
    """Bodies of each joint: all that stands still is one, None."""
    is_led: bool
    """Whether one that moves by itself may move the others."""


def lock_issues(mechanism: Mechanism, say: Say) -> list[Issue]:
    """Return a warning for each island whose joints contradict or lock each other at rest."""
    with np.errstate(all="ignore"):
        return [
            Issue(Severity.WARNING, code, one.names[at[0]], *words, one.joints[at[0]])
            for one in _islands(mechanism)
            for code, at, words in _finding(one, say)
        ]


def stopped_limits(mechanism: Mechanism) -> list[list[tuple[int, int]]]:
    """Return the limits that keep each other at their ends, those of each island together.

    That is the node of the joint, and the coordinate: 0 to 5 for a single axis.
    """
    with np.errstate(all="ignore"):
        return [[(one.joints[j], c) for j, c in one.locks.stopped] for one in _islands(mechanism)]


_Finding = tuple[str, list[int], tuple[str, str]]
"""What is wrong with an island: a code, its joints by number, and what is said of them."""


def _islands(mechanism: Mechanism) -> Iterator[_Judged]:
    """Yield the islands that can be judged."""
    closed, still = with_loops_alone(mechanism), Options(gravity=(0.0, 0.0, 0.0))
    for group in () if closed is None else Simulation(closed, still).groups:
        system = group.system
        locks = np.flatnonzero(system.kind == RowKind.LOCK)
        if not system.closed or not 0 < len(locks) <= MOST_ROWS:
            continue
        far_out = np.abs(group.state.position).max(axis=(1, 2), initial=0.0)
        rounded = np.array([rounding_of(mechanism, _places(mechanism, m)) for m in group.members])
        # Half of what is out of line is seen from the middle between.
        alike = 0.5 * np.maximum(rounded / system.size, PART)
        near = 2.0 * np.maximum(rounded, TURNED)
        every = zip(group.members, island_locks(group, alike, near), strict=True)
        for number, ((bodies, joints), locked) in enumerate(every):
            off = group.state.excess[number, locks]
            if np.isfinite(far_out[number]) and np.isfinite(off).all():
                moving, names = (list(map(mechanism.name_of, each)) for each in (bodies, joints))
                far, part, off = (float(each[number]) for each in (rounded, alike, near))
                pairs = [_pair(mechanism, node) for node in joints]
                held = {end for pair in pairs for end in pair} - {*bodies}
                asked = locked if len(held) < 2 else locked._replace(stopped=[])  # led apart
                led = bool(held - {None})
                yield _Judged(
                    group, number, moving, joints, names, far, part, off, asked, pairs, led
                )


def _finding(one: _Judged, say: Say) -> list[_Finding]:
    """Return the worst that is wrong with an island, if anything is."""
    found = _contradiction(one, say) if one.locks.conflicting else None
    found = found or _out_of_line(one, say)
    if found is not None:
        return [found]
    system = one.group.system
    code, which = "joints-barely-fit", sorted(one.locks.barely)
    if one.locks.stopped:
        code, which = "limits-lock", sorted({j for j, _ in one.locks.stopped})
    elif one.locks.rank == 6 * system.bodies and not one.is_led:
        count = np.bincount(system.joint_of_row, system.kind == RowKind.LOCK, len(one.names))
        # Each of them alone would move.
        code, which = "joints-lock", np.flatnonzero(count < ALL).tolist()
    if not which:
        return []
    who, moving = (some(e, MOST_NAMES) for e in ([one.names[j] for j in which], one.bodies))
    return [(code, which, said_of(code, who=who, moving=moving))]


def _contradiction(one: _Judged, say: Say) -> _Finding | None:
    """Return which joints cannot all hold: rows are alike, and off, by more than they may be."""
    system, state = one.group.system, one.group.state
    locks = np.flatnonzero(system.kind == RowKind.LOCK)
    off = state.excess[one.number, locks]
    matrix = jacobian_of(system, state)[one.number, locks]
    # What no small motion of the bodies can mend.
    left = np.abs(off - matrix @ np.linalg.lstsq(matrix, off, rcond=one.alike)[0])
    which = np.unique(system.joint_of_row[locks][left > one.near]).tolist()
    if not which:
        return None
    straight = system.straight[locks]
    far = (float(left[straight].max(initial=0.0)), float(left[~straight].max(initial=0.0)))
    names = [one.names[j] for j in which]
    message, fix = cannot_hold(names, far, say, when="in this pose", most=MOST_NAMES)
    return "joints-contradict", which, (f"{message}.", f"{fix}.")


def _places(mechanism: Mechanism, members: Nodes) -> list[int]:
    """Return the nodes whose places say where the bodies and joints of an island are."""
    bodies, joints = members
    ends = (mechanism.nodes[node].joint for node in joints)
    return [*bodies, *joints, *(end.connected_node for end in ends if end is not None)]


def _out_of_line(one: _Judged, say: Say) -> _Finding | None:
    """Return which hinges of the same two bodies are most out of line, by more than rounding."""
    system, state, island, near = one.group.system, one.group.state, one.number, one.rounded
    turns = state.rotation[island, system.ends[:, 0]]
    places = state.position[island, system.ends[:, 0]]
    places = places + (turns @ system.anchors[island, :, 0, :, None])[..., 0]
    axes = turns @ system.axes[island, :, 0]
    turning = [set(range(3)) for _ in range(system.joints)]
    locks = system.kind == RowKind.LOCK
    for j, c in zip(system.joint_of_row[locks], system.coordinate[locks].tolist(), strict=True):
        turning[j].discard(c - 3)
    hinges = [j for j in range(system.joints) if len(turning[j]) == 1]
    worst, found = 1.0, None
    for j, k in combinations(hinges, 2):
        if one.pairs[j] != one.pairs[k]:
            continue
        first, other = (axes[i][:, next(iter(turning[i]))] for i in (j, k))
        slant = float(np.linalg.norm(np.cross(first, other)))
        aside = float(np.linalg.norm(np.cross(places[k] - places[j], first)))
        far = max(slant / TURNED, aside / max(near, SMALLEST))
        if far > worst and slant < SLANTED and aside < ASIDE * system.size[island]:
            parts = ((slant, TURNED, Freedom.ANGULAR), (aside, near, Freedom.LINEAR))
            far_off = listed([say(off, kind) for off, least, kind in parts if off > least])
            words = said_of("joints-out-of-line", who=one.names[j], other=one.names[k], off=far_off)
            worst, found = far, ("joints-out-of-line", [j, k], words)
    return found


def _pair(mechanism: Mechanism, node: int) -> frozenset[int | None]:
    """Return the bodies of a joint: all that stands still is one, None."""
    joint = mechanism.nodes[node].joint
    assert joint is not None  # that is what makes it a joint node
    ends = (mechanism.body_of(one) for one in (node, joint.connected_node))
    return frozenset(
        one if one is not None and mechanism.nodes[one].moves else None for one in ends
    )
