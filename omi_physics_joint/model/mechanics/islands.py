# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands: bodies that joints connect move together, and islands do not know of one another.

What forces do not move connects nothing: a wall with a hundred doors has a hundred islands.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from ..mechanism import Mechanism
from ..settings.spans import spans_of

Body = TypeVar("Body", bound=Hashable)
Ends = Sequence[Body | None]
"""The two bodies of a joint; None is the world."""


@dataclass(frozen=True, slots=True)
class Island(Generic[Body]):
    """Bodies that move together, and the joints between them and to what stands still.

    Attributes:
        bodies: in the order in which they were given.
        joints: numbers of the joints, rising.
    """

    bodies: list[Body] = field(default_factory=list)
    joints: list[int] = field(default_factory=list)

    def is_held(self, ends: Sequence[Ends[Body]]) -> bool:
        """Return whether a joint leads to something that forces do not move."""
        own = set(self.bodies)
        return any(body not in own for joint in self.joints for body in ends[joint])

    def closes(self, ends: Sequence[Ends[Body]]) -> bool:
        """Return whether its joints close a loop, all that forces do not move being one thing."""
        return len(self.joints) >= len(self.bodies) + self.is_held(ends)


def islands_of(
    movable: Iterable[Body], ends: Sequence[Ends[Body]], touching: Iterable[Ends[Body]] = ()
) -> list[Island[Body]]:
    """Sort bodies that forces move and joints into islands, in the order of their first bodies.

    A joint that moves nothing belongs to no island. Bodies that touch are of one island.
    """
    bodies = dict.fromkeys(movable)
    number: dict[Body | None, int] = {body: i for i, body in enumerate(bodies)}
    root = list(range(len(number)))
    moved = [(number.get(first, -1), number.get(second, -1)) for first, second in ends]
    others = [(number.get(first, -1), number.get(second, -1)) for first, second in touching]
    for pair in (*moved, *others):
        one, other = pair  # asked often: no function
        if one < 0 or other < 0:
            continue
        while (above := root[one]) != one:
            root[one] = one = root[above]
        while (above := root[other]) != other:
            root[other] = other = root[above]
        root[max(one, other)] = min(one, other)
    islands: dict[int, Island[Body]] = {}
    for i, body in enumerate(bodies):
        root[i] = root[root[i]]  # what is above comes first, and is done
        islands.setdefault(root[i], Island()).bodies.append(body)
    for joint, (one, other) in enumerate(moved):
        if max(one, other) >= 0:
            islands[root[one if one >= 0 else other]].joints.append(joint)
    return list(islands.values())


def nearest_first(island: Island[Body], ends: Sequence[Ends[Body]], start: list[int]) -> list[int]:
    """Return the joints of an island, those to begin with first, then what they lead to."""
    own = set(island.bodies)
    at: dict[Body, list[int]] = {body: [] for body in island.bodies}
    for joint in island.joints:
        for body in ends[joint]:
            if body is not None and body in own:
                at[body].append(joint)
    found, seen = list(start), set(start)
    for joint in found:  # grows while it is walked
        for body in ends[joint]:
            if body is not None and body in own:
                new = [other for other in at[body] if other not in seen]
                seen.update(new)
                found += new
    return found


MOST_ROWS = 1000
"""Islands that have more locks are not looked at: 900 take a second, ten times as many minutes."""
LEAST_ROWS = 3
"""As many locks any joint counts for: to order joints of one pair of bodies is cubic in them."""


def with_loops_alone(mechanism: Mechanism) -> Mechanism | None:
    """Return the mechanism with the joints that close loops alone; None where there are none.

    Only there can joints contradict or lock each other.
    Islands of too many locks are left out here: to order their joints takes longer than to look.
    """
    dynamic = [index for index in range(len(mechanism.nodes)) if mechanism.is_dynamic(index)]
    joints = [(index, joint.connected_node) for index, _, joint in mechanism.joints()]
    ends = [(mechanism.body_of(one), mechanism.body_of(other)) for one, other in joints]
    held = [sum(x.is_locked for x in spans_of(one.limits)) for one in mechanism.settings]
    locks = [held[joint.settings] for _, _, joint in mechanism.joints()]
    kept = {
        joints[j][0]
        for island in islands_of(dynamic, ends)
        if len(island.joints) > 1 and island.closes(ends)
        if sum(max(locks[j], LEAST_ROWS) for j in island.joints) <= MOST_ROWS
        for j in island.joints
    }
    if not kept:
        return None
    nodes = (
        node if node.joint is None or i in kept else replace(node, joint=None)
        for i, node in enumerate(mechanism.nodes)
    )
    return replace(mechanism, nodes=tuple(nodes))
