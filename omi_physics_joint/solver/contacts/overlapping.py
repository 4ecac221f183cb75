# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in one another at rest, and hulls that are others: found, and said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...model.issue import Issue, Severity
from ...model.joint import Freedom
from ...model.mechanism import Mechanism
from ...model.wording.words import Say, some
from ..kinematics.rotation import Array
from .cores import Numbers
from .surfaces import Surfaces

ENTERS, OF_SIZE = 1e-3, 0.01
"""m, and of how far the smaller one reaches: what is deeper in one another at rest is inside."""
LACKS = 0.02
"""Of how far a hull reaches: if it lacks less, nobody need know."""
FLOOR = "the floor"
HELD = (
    "Joints hold it there, so these shapes do not touch each other: move them apart, or make what "
    "is hollow a Triangle Mesh that stands, or several colliders."
)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two shapes that are in one another.

    Attributes:
        depth: m.
        shapes: their numbers.
        bodies: the numbers of theirs.
    """

    depth: float
    shapes: tuple[int, int]
    bodies: frozenset[int]


def overlaps_of(surfaces: Surfaces, poses: Array, pairs: Numbers) -> Iterator[Overlap]:
    """Yield those of pairs of shapes that are deeper in one another than they touch."""
    for i, j in pairs.tolist():
        depth = -float(surfaces.collision.collide(i, poses[i], j, poses[j], 0.0)["gap"])
        reach = min(size for k in (i, j) if (size := surfaces.every[k].core.reach) > 0.0)
        if depth > min(ENTERS, OF_SIZE * reach):
            bodies = frozenset((int(surfaces.body[i]), int(surfaces.body[j])))
            yield Overlap(depth, (i, j), bodies)


def overlap_issue(
    mechanism: Mechanism, bodies: Sequence[int], owners: Sequence[int], depth: str, *, held: bool
) -> Issue:
    """Return that something begins so deep in something else, of what forces move where it can be.

    Of both, the nodes of the body, less than 0 where there is none, and of the collider, less than
    0 of the floor; and whether joints hold them there.
    """
    nodes = [
        (body >= 0 and mechanism.is_dynamic(body), body if body >= 0 else own)
        for body, own in zip(bodies, owners, strict=True)
    ]
    (_, first), (_, second) = sorted(nodes, reverse=True)
    beside = mechanism.name_of(second) if second >= 0 else FLOOR
    message = f"It begins in {beside}, {depth} deep."
    fix = HELD if held else "It is pushed out slowly: move it out."
    return Issue(Severity.WARNING, "begins-inside", mechanism.name_of(first), message, fix, first)


def joint_issue(mechanism: Mechanism, joint: int, depth: float, say: Say) -> Issue:
    """Return that the bodies of a joint are to collide and begin in one another."""
    return Issue(
        Severity.WARNING,
        "joint-overlaps",
        mechanism.name_of(joint),
        f"Its bodies are to collide, and begin {say(depth, Freedom.LINEAR)} in one another.",
        "These shapes do not touch each other here: move them apart.",
        joint,
    )


def hull_issues(mechanism: Mechanism, surfaces: Surfaces, say: Say) -> Iterator[Issue]:
    """Yield which hulls have so many corners that they are others by more than a little: once."""
    solid = surfaces.every[: surfaces.solid]
    poor = [one for one in solid if one.core.lacks > LACKS * one.core.reach]
    if poor:
        worst = max(poor, key=lambda one: one.core.lacks)
        inside = say(worst.core.lacks, Freedom.LINEAR)
        names = list(dict.fromkeys(mechanism.name_of(one.node) for one in poor))
        hulls = "Its hull touches" if len(names) == 1 else f"Hulls touch ({some(names)})"
        yield Issue(
            Severity.HINT,
            "hull-simplified",
            mechanism.name_of(worst.node),
            f"{hulls} with {worst.core.corners} corners, up to {inside} inside of the mesh.",
            "A sphere, capsule or cylinder is exact, where it looks like one.",
            worst.node,
        )


def deepest(found: Iterable[Overlap]) -> Mapping[frozenset[int], Overlap]:
    """Return the deepest of each two bodies."""
    out: dict[frozenset[int], Overlap] = {}
    for one in found:
        before = out.get(one.bodies)
        if before is None or before.depth < one.depth:
            out[one.bodies] = one
    return out
