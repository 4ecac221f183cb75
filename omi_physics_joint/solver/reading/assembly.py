# SPDX-License-Identifier: GPL-3.0-or-later
"""The arrays of equal islands, from bodies and joints."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...model.mechanics.islands import Island, islands_of
from ..kinematics.rotation import Array, Index
from ..system import LINE, Integers, RowKind, System
from .bodies import Bodies, KinematicBodies
from .joints import Joint, JointRow, elements_of, is_crowded, rows_of
from .ordering import ordering_of

SMALLEST = 1e-6
"""m: an island is never taken to be smaller. Any number does that nothing is as small as."""


@dataclass(frozen=True, slots=True)
class IslandMembers:
    """Which bodies and joints equal islands are made of, as numbers of ``Bodies`` and joints.

    Attributes:
        bodies: (N, n) that forces move.
        others: (N, o).
        joints: (N, m).
        ends: (m, 2) in the numbers of one island.
        closed: whether joints close loops.
    """

    bodies: Index
    others: Index
    joints: Index
    ends: list[tuple[int, int]]
    closed: bool


Links = Sequence[tuple[int, int]]
"""Pairs of bodies that touch, or may soon, at least one of which forces move."""


def alike(
    dynamic: Sequence[int],
    ends: Sequence[tuple[int, int]],
    build: Callable[[int], Hashable],
    touching: Links = (),
) -> list[list[Island[int]]]:
    """Sort dynamic bodies and joints into groups of islands that have the same build.

    Args:
        dynamic: indices of the bodies that forces move; others do not connect.
        ends: the two bodies of each joint.
        build: what must be the same of two joints for their islands to be alike.
        touching: bodies that touch; islands that touch anything are like no other.

    Returns:
        Groups in the order of their first bodies; bodies and joints match across a group's islands.
    """
    groups: dict[Hashable, list[Island[int]]] = {}
    touched = {body for pair in touching for body in pair}
    for island in islands_of(dynamic, ends, touching):
        local = numbered(island, ends, touching)
        joints = tuple((local[ends[j][0]], local[ends[j][1]], build(j)) for j in island.joints)
        own = island.bodies[0] if touched.intersection(island.bodies) else None
        groups.setdefault((len(island.bodies), joints, own), []).append(island)
    return list(groups.values())


def numbered(
    island: Island[int], ends: Sequence[tuple[int, int]], touching: Links = ()
) -> dict[int, int]:
    """Return numbers of an island's bodies, then of what else its joints are on or it touches."""
    local = {body: number for number, body in enumerate(island.bodies)}
    own = set(local)
    for joint in island.joints:
        for body in ends[joint]:
            local.setdefault(body, len(local))
    for pair in touching:
        if own.intersection(pair):
            for body in pair:
                local.setdefault(body, len(local))
    return local


def members_of(
    islands: Sequence[Island[int]], ends: Sequence[tuple[int, int]], touching: Links = ()
) -> IslandMembers:
    """Return the members of equal islands; ends are the bodies of all joints."""
    count, first = len(islands), islands[0]
    local = numbered(first, ends, touching)
    all_bodies = [list(numbered(island, ends, touching)) for island in islands]
    bodies = np.array(all_bodies, dtype=np.intp).reshape(count, len(local))
    n = len(first.bodies)
    return IslandMembers(
        bodies[:, :n],
        bodies[:, n:],
        np.array([island.joints for island in islands], dtype=np.intp).reshape(count, -1),
        [(local[ends[j][0]], local[ends[j][1]]) for j in first.joints],
        first.closes(ends),
    )


def system_of(
    members: IslandMembers,
    joints: Sequence[Joint],
    bodies: Bodies,
    movers: KinematicBodies,
    gravity: Array,
) -> System:
    """Return the system of equal islands, from all joints and bodies at rest; gravity in m/s^2."""
    own = [[joints[j] for j in row] for row in members.joints.tolist()]
    count, n, m = len(own), members.bodies.shape[1], len(members.ends)
    rows = [[[*rows_of(joint)] for joint in island] for island in own]
    flat = [[row for joint in island for row in joint] for island in rows]
    start = np.cumsum([0, *(len(joint) for joint in rows[0])])
    place = {
        (j, row.coordinate): start[j] + i for j in range(m) for i, row in enumerate(rows[0][j])
    }
    elements = [
        [(j, e) for j, one in enumerate(island) for e in elements_of(one)] for island in own
    ]

    def of_rows(name: str) -> Array:
        return np.array([[getattr(row, name) for row in one] for one in flat], dtype=np.float64)

    def of_elements(name: str) -> Array:
        values = [[getattr(e, name) for _, e in one] for one in elements]
        return np.array(values, dtype=np.float64).reshape(count, -1)

    def shared(name: str) -> Integers:
        return _integers([getattr(e, name) for _, e in elements[0]])

    roots = np.empty((count, n, 6))
    roots[:, :, :3] = np.sqrt(bodies.mass[members.bodies])[:, :, None]
    roots[:, :, 3:] = np.sqrt(bodies.inertia[members.bodies])
    position, rotation = frames_of(members, bodies, movers)
    ends = np.array(members.ends, dtype=np.intp).reshape(m, 2)
    frames = np.array([[one.frames for one in island] for island in own]).reshape(count, m, 2, 4, 4)
    origins, axes = frames[..., :3, 3].copy(), frames[..., :3, :3].copy()
    back = rotation[:, ends].swapaxes(-1, -2)
    ordering = ordering_of(n, members.ends)
    return System(
        bodies=n,
        others=members.others.shape[1],
        joints=m,
        rows=len(flat[0]),
        elements=len(elements[0]),
        closed=int(members.closed or any(map(is_crowded, own[0]))),
        size=_size(position[:, :n], origins, roots),
        roots=roots,
        weight=weight_of(members, bodies, roots, gravity),
        ends=_integers(ends),
        anchors=(back @ (origins - position[:, ends])[..., None])[..., 0].copy(),
        axes=np.ascontiguousarray(back @ axes),
        axle=_integers([axle_of(one) for one in rows[0]]),
        row_start=_integers(start),
        coordinate=_integers([row.coordinate for row in flat[0]]),
        kind=_integers([row.kind for row in flat[0]]),
        hold=of_rows("hold"),
        low=of_rows("low"),
        high=of_rows("high"),
        element_row=_integers([place[j, e.coordinate] for j, e in elements[0]]),
        is_drive=shared("is_drive"),
        one_sided=shared("is_one_sided"),
        accelerates=shared("accelerates"),
        stiffness=of_elements("spring"),
        damping=of_elements("damper"),
        soft_low=of_elements("low"),
        soft_high=of_elements("high"),
        target=of_elements("neutral"),
        speed=of_elements("speed"),
        max_force=of_elements("max_force"),
        nodes=n + m,
        blocks=len(ordering.later_node),
        order=_integers(ordering.order),
        later_start=_integers(ordering.later_start),
        later_node=_integers(ordering.later_node),
        update=_integers(ordering.update),
    )


def axle_of(rows: Sequence[JointRow]) -> int:
    """Return the axis, 0 to 2, without a row of a joint whose other angles are held, or -1."""
    turning = {row.coordinate - 3: row.kind for row in rows if 3 <= row.coordinate < LINE}
    if len(turning) == 2 and RowKind.FREE not in turning.values():
        return 3 - sum(turning)
    return -1


def weight_of(members: IslandMembers, bodies: Bodies, roots: Array, gravity: Array) -> Array:
    """Return the scaled weights of the bodies of islands: (N, n, 6)."""
    out = np.zeros_like(roots)
    factor = bodies.gravity_factor[members.bodies][:, :, None]
    out[:, :, :3] = factor * roots[:, :, :3] * gravity
    return out


def frames_of(
    members: IslandMembers, bodies: Bodies, movers: KinematicBodies
) -> tuple[Array, Array]:
    """Return frames of an island's bodies at rest, (N, n + o, 3) and (N, n + o, 3, 3).

    Those of what no force moves are their nodes'.
    """
    position = (bodies.position[members.bodies], movers.origins[members.others])
    rotation = (bodies.rotation[members.bodies], movers.turns[members.others])
    return np.concatenate(position, 1), np.concatenate(rotation, 1)


def _size(centres: Array, origins: Array, roots: Array) -> Array:
    """Return how large islands are, in m: what their points span, or their bodies."""
    count = len(centres)
    points = np.concatenate([centres, origins.reshape(count, -1, 3)], 1)
    span = np.linalg.norm(points.max(1) - points.min(1), axis=-1)
    gyration = 2.0 * (roots[:, :, 3:] / roots[:, :, :3]).max((1, 2))
    return np.asarray(np.maximum(np.maximum(span, gyration), SMALLEST))


def _integers(values: ArrayLike) -> Integers:
    return np.ascontiguousarray(values, dtype=np.int32)
