# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in one another at rest, and hulls that are not as their meshes are: found, and said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...model.issue import Issue, Severity
from ...model.joint import Freedom
from ...model.mechanism import Mechanism
from ...model.wording.words import Say, some
from ..kinematics.rotation import Array, Index
from .cores import Numbers
from .surfaces import Surfaces

ENTERS, OF_SIZE = 1e-3, 0.01
"""m, and of how far the smaller one reaches: what is deeper in one another at rest is inside."""
LACKS = 0.02
"""Of how far a hull reaches: if it lacks less, nobody need know."""
HOLE, BETWEEN = 0.1, 48
"""Of how far a hull reaches: what touches it so far from its mesh is in a hole, not at a dent; and
how many frames go by until pairs that go on touching are looked at again."""
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
        hulls = "its hull" if len(names) == 1 else f"these hulls ({some(names)})"
        yield Issue(
            Severity.HINT,
            "hull-simplified",
            mechanism.name_of(worst.node),
            f"What touches {hulls} meets {worst.core.corners} corners, "
            f"up to {inside} inside of the mesh.",
            "A sphere, capsule or cylinder is exact, where it looks like one.",
            worst.node,
        )


def hole_issues(mechanism: Mechanism, found: Iterable[tuple[int, int]]) -> Iterator[Issue]:
    """Yield once that hulls were touched where their meshes are hollow, as ``Holes`` has them."""
    pairs = list(found)
    if pairs:
        named = [
            " touched ".join(FLOOR if node < 0 else mechanism.name_of(node) for node in pair)
            for pair in pairs
        ]
        yield Issue(
            Severity.HINT,
            "hull-fills-hole",
            mechanism.name_of(pairs[0][0]),
            f"Convex hulls have no holes, so {some(named)} where the mesh is hollow.",
            "Make it of several colliders, an object below it for each part, or let what stands be "
            "a Triangle Mesh.",
            pairs[0][0],
        )


def deepest(found: Iterable[Overlap]) -> Mapping[frozenset[int], Overlap]:
    """Return the deepest of each two bodies."""
    out: dict[frozenset[int], Overlap] = {}
    for one in found:
        before = out.get(one.bodies)
        if before is None or before.depth < one.depth:
            out[one.bodies] = one
    return out


class Holes:
    """Finds hulls that others touch where their mesh is far off, as hulls fill what is hollow.

    Attributes:
        found: nodes of a hull and of what has touched it so, each two once.
    """

    def __init__(self, surfaces: Surfaces) -> None:
        """Begin with none."""
        self.found: dict[tuple[int, int], None] = {}
        self._surfaces = surfaces
        self._of_mesh = np.array([one.mesh is not None for one in surfaces.every], bool)
        self._before: set[tuple[int, int]] = set()
        self._looks = 0

    def look(self, touched: NDArray[np.void], place: tuple[Array, Array]) -> None:
        """Look at the points of a frame, of pairs that touch now and did not in the one before.

        Args:
            touched: points as the kernel tells them.
            place: frames of all bodies.
        """
        touched = touched[self._of_mesh[touched["shape"]].any(axis=1)]
        shapes: list[tuple[int, int]] = [*map(tuple, touched["shape"].tolist())]
        new = {*shapes} - (self._before if self._looks % BETWEEN else set())
        self._before, self._looks = {*shapes}, self._looks + 1
        if not new:
            return
        poses, every = self._surfaces.placed(*place), self._surfaces.every
        for pair, point in zip(shapes, touched["point"], strict=True):
            for own, other in (pair, pair[::-1]) if pair in new else ():
                shape, nodes = every[own], (every[own].node, every[other].node)
                if shape.mesh is None or nodes in self.found:
                    continue
                local = poses[own, 3:].reshape(3, 3).T @ (point - poses[own, :3])
                if not _is_near(local, *shape.mesh, HOLE * shape.core.reach):
                    self.found[nodes] = None


def _is_near(point: Array, points: Array, triangles: Index, most: float) -> bool:
    """Return whether any of triangles (k, 3) of points (n, 3) is so near to a point, m."""
    corners = points[triangles] - point
    corners = corners[(corners.min(1) <= most).all(1) & (corners.max(1) >= -most).all(1)]
    sides = np.roll(corners, -1, axis=1) - corners
    along = -(corners * sides).sum(2) / np.maximum((sides * sides).sum(2), np.finfo(float).tiny)
    ends = corners + np.clip(along, 0.0, 1.0)[..., None] * sides
    normal = np.cross(sides[:, :1], sides[:, 1:2])
    is_over = ((np.cross(corners, sides) * normal).sum(2) >= 0.0).all(1)
    away = np.abs((corners[:, 0] * normal[:, 0]).sum(1))
    flat = away <= most * np.linalg.norm(normal[:, 0], axis=1)
    return bool((is_over & flat).any() or (np.linalg.norm(ends, axis=2) <= most).any())
