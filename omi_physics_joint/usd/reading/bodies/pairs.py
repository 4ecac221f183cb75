# SPDX-License-Identifier: GPL-3.0-or-later
"""Filtered pairs: prims, or whole articulations, whose colliders do not meet.

A prim stands for all colliders at or below it. One with an articulation root stands for the
colliders of all bodies that joints of the articulation connect, wherever they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ....model.mechanics.islands import islands_of
from ... import table
from ...prim import Prim, above
from ..builder import StageReading

Pairs = set[tuple[str, str]]


def read_pairs(
    reading: StageReading, colliders: Mapping[int, Prim]
) -> tuple[Pairs, dict[int, frozenset[str]]]:
    """Return pairs of prims, both ways round, and which of them stand for each collider's node."""
    joints = [
        prim
        for prim in reading.stage
        if _is_joint(prim) and reading.flag(prim, table.JOINT_ENABLED)
    ]
    joined = {
        frozenset((prim.first(table.BODY0), prim.first(table.BODY1)))
        for prim in joints
        if not reading.flag(prim, table.JOINT_COLLIDES)
    }
    """Prims whose colliders a joint keeps from meeting, so that no filter need."""
    paired = {
        prim.path: [
            other
            for other in prim.targets.get(table.PAIRS, ())
            if not any(frozenset((a, b)) in joined for a in above(prim.path) for b in above(other))
        ]
        for prim in reading.stage
        if table.PAIRS_API in prim.schemas
    }
    named = {path for one, others in paired.items() for path in (one, *others) if others}
    roots = _roots(reading, named, joints)
    standing = {
        index: named.intersection(above(prim.path)).union(
            root for root, bodies in roots.items() if reading.body_of(index) in bodies
        )
        for index, prim in colliders.items()
    }
    solid = {path for paths in standing.values() for path in paths}
    found: Pairs = set()
    for path, others in paired.items():
        if others and path not in solid and table.ROOT_API in reading.prims[path].schemas:
            reading.note("usd-articulation-pairs", reading.prims[path])
        for other in others:
            if other in solid and path in solid:
                found |= {(path, other), (other, path)}
    kept = {path for pair in found for path in pair}
    return found, {index: frozenset(paths & kept) for index, paths in standing.items()}


def _roots(
    reading: StageReading, named: set[str], joints: Iterable[Prim]
) -> dict[str, frozenset[int]]:
    """Return the bodies of articulations that pairs name, by the path of the root."""
    prims = reading.prims
    roots = [path for path in named if path in prims and table.ROOT_API in prims[path].schemas]
    if not roots:
        return {}
    held = (prim for prim in joints if not reading.flag(prim, table.EXCLUDED))
    ends = [_ends(reading, prim) for prim in held]
    moving = [i for i, node in enumerate(reading.nodes) if node.motion and node.motion.is_movable]
    islands = [frozenset(island.bodies) for island in islands_of(moving, ends)]
    found = {}
    for path in roots:
        root = prims[path]
        on = _ends(reading, root) if _is_joint(root) else (reading.node_of.get(path),)
        found[path] = frozenset().union(*(one for one in islands if one.intersection(on)))
    return found


def _is_joint(prim: Prim) -> bool:
    return prim.type in table.JOINTS or table.JOINT in prim.kinds


def _ends(reading: StageReading, prim: Prim) -> tuple[int | None, int | None]:
    first, second = prim.first(table.BODY0), prim.first(table.BODY1)
    above = reading.node_at_or_above
    return reading.body_of(above(first)), reading.body_of(above(second))
