# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a mechanism plays: the bodies that joints hold, all or those of some objects."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from math import inf, isfinite

from ...model.body import MotionType
from ...model.geometry.extent import box_around, boxes, diagonal
from ...model.mechanics import islands as connected
from ...model.mechanics.sagging import mass_of, weight_of
from ...model.mechanism import GRAVITY, Mechanism


@dataclass(frozen=True, slots=True)
class Islands:
    """Which dynamic bodies hang together through joints.

    Attributes:
        of: a number for each dynamic body that has a joint, or touches by itself; bodies with the
            same one are connected.
        ends: the bodies of each joint by its node, dynamic or not; None is the world.
    """

    of: dict[int, int]
    ends: dict[int, tuple[int | None, int | None]]

    def members(self, body: int) -> list[int]:
        """Return the dynamic bodies that are connected to one of them, itself included."""
        return [other for other, number in self.of.items() if number == self.of[body]]


def islands_of(mechanism: Mechanism, *, contacts: bool = False) -> Islands:
    """Find what hangs together. Bodies that are not dynamic do not connect.

    With contacts a body that has a collider moves without a joint too.
    """
    ends = {}
    for index, _, joint in mechanism.joints():
        pair = (mechanism.body_of(index), mechanism.body_of(joint.connected_node))
        if pair[0] != pair[1]:
            ends[index] = pair
    solid = solids(mechanism) if contacts else ()
    bodies = {body for pair in (*ends.values(), solid) for body in pair}
    movable = filter(mechanism.is_dynamic, bodies)
    found = connected.islands_of(sorted(b for b in movable if b is not None), list(ends.values()))
    return Islands({body: one.bodies[0] for one in found for body in one.bodies}, ends)


def solids(mechanism: Mechanism) -> set[int | None]:
    """Return the bodies that have a collider; None is what belongs to no body."""
    nodes = enumerate(mechanism.nodes)
    return {mechanism.body_of(index) for index, node in nodes if node.collider is not None}


def may_meet(mechanism: Mechanism, *, floor: bool) -> bool:
    """Return whether something solid that forces move could meet something, or a floor."""
    solid = solids(mechanism)
    return any(map(mechanism.is_dynamic, solid)) and (floor or len(solid) > 1)


def loose(mechanism: Mechanism, islands: Islands) -> list[int]:
    """Return the dynamic bodies that stay where they are."""
    nodes = range(len(mechanism.nodes))
    return [node for node in nodes if mechanism.is_dynamic(node) and node not in islands.of]


def playing(
    mechanism: Mechanism, islands: Islands, chosen: Collection[int] | None = None
) -> Mechanism:
    """Return the mechanism in which only some bodies move; the others stand still.

    What is in no island would fall for ever: it stands as well.
    The chosen nodes are of objects whose islands play; None is all.
    """
    numbers = set(islands.of.values()) if chosen is None else _chosen(mechanism, islands, chosen)
    motions = mechanism.motions()
    return mechanism.with_standing({b for b, _ in motions if islands.of.get(b) not in numbers})


def _chosen(mechanism: Mechanism, islands: Islands, chosen: Collection[int]) -> set[int]:
    """Return the numbers of the islands that objects belong to, also through a still body."""
    bodies = {mechanism.body_of(index) for index in chosen}
    bodies.update(*(islands.ends.get(index, ()) for index in chosen))
    for pair in islands.ends.values():
        if not all(map(mechanism.is_dynamic, bodies.intersection(pair))):
            bodies.update(filter(mechanism.is_dynamic, pair))
    return {islands.of[body] for body in bodies if body in islands.of}


def falling(mechanism: Mechanism, islands: Islands, pinned: Iterable[int] = ()) -> list[int]:
    """Return one body of each island that nothing holds, so that it falls as a whole.

    What holds is a body that forces do not move, or the world, to which bodies are ``pinned`` too.
    """
    held = {islands.of[body] for body in pinned if body in islands.of}
    for pair in islands.ends.values():
        if not all(
            body is not None and mechanism.is_dynamic(body) and mass_of(mechanism, body) < inf
            for body in pair
        ):
            held |= {islands.of[body] for body in pair if body in islands.of}
    first: dict[int, int] = {}
    for body, number in sorted(islands.of.items()):
        if number not in held and mechanism.is_dynamic(body) and weight_of(mechanism, body) > 0.0:
            first.setdefault(number, body)
    return list(first.values())


@dataclass(frozen=True, slots=True)
class UsualLoad:
    """How large a mechanism is, and what its joints usually bear: its weight."""

    length: float
    """m, from corner to corner."""
    force: float
    """N."""
    torque: float
    """N m."""


def usual_loads(mechanism: Mechanism, islands: Islands) -> dict[int, UsualLoad]:
    """Return what is usual in the mechanism of each joint and each body, by node."""
    around = boxes(mechanism)
    members: dict[int | None, list[int]] = {}
    for body, number in islands.of.items():
        members.setdefault(number, []).append(body)

    @cache
    def of_island(number: int | None) -> UsualLoad:
        bodies = members.get(number, ())
        found = [around[body] for body in bodies if body in around]
        length = (diagonal(box_around(found)) if found else 0.0) or 1.0
        loads = [weight_of(mechanism, body) for body in bodies]
        weight = sum(filter(isfinite, loads)) or GRAVITY
        return UsualLoad(length, weight, 0.5 * weight * length)

    return {body: of_island(number) for body, number in islands.of.items()} | {
        joint: of_island(next((islands.of[body] for body in pair if body in islands.of), None))
        for joint, pair in islands.ends.items()
    }


def held_along(mechanism: Mechanism, islands: Islands, animated: Collection[int]) -> set[int]:
    """Return bodies that are not dynamic and yet have to be shown where the solver has them.

    They are those that move by their own velocities, and those with a joint under a dynamic body,
    which Blender would move along with it; never ``animated`` ones, which Blender moves.
    """
    along = set()
    jointed = {body for pair in islands.ends.values() for body in pair}
    for index, motion in mechanism.motions():
        if mechanism.is_dynamic(index) or index in animated:
            continue
        goes = motion.type is MotionType.KINEMATIC and not motion.is_still
        above = any(mechanism.is_dynamic(one) for one in list(mechanism.ancestry(index))[1:])
        if goes or (above and index in jointed):
            along.add(index)
    return along
