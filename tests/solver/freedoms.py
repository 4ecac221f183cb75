# SPDX-License-Identifier: GPL-3.0-or-later
"""How freely mechanisms move where they stand, for tests that know it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.diagnosis import EXACTLY, island_locks
from omi_physics_joint.solver.system import RowKind

DEFAULT = Options()
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
        locks_of = island_locks(group, EXACTLY * every, CONFLICT_TOLERANCE * every)
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
