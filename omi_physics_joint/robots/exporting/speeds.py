# SPDX-License-Identifier: GPL-3.0-or-later
"""What joints leave of the speeds that bodies are given: as play begins, what they lock is lost.

Bodies that are thrown as no joint allows get an impulse from their joints, and what remains is the
motion that is nearest to the given one, weighed by mass and inertia (Gauss).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...model.articulation.kinematics import BodyMotion
from ...model.body import Vector3
from ...model.geometry.transform import UNITS, linear_part, translation_of
from ..robot import Frame, Link, Way, frames
from ..turning import moved, turned

Array = NDArray[np.float64]
Freeness = tuple[Vector3, Vector3 | None]
"""A direction, and the point that it is turned about; None is a way along it. In the world."""
NOTICED = 1e-6
"""Part of the fastest speed of a tree, in m/s and rad/s, that rounding makes."""


def allowed(links: Sequence[Link], said: Mapping[int, BodyMotion]) -> list[Link]:
    """Return links with what their joints leave of the motions that their bodies are given."""
    found, stops = list(links), frames(links)
    trees: dict[int, list[int]] = {}
    """Links that joints hang together, by each of them."""
    for index, link in enumerate(links):
        is_root = link.free or link.led or link.parent not in trees
        trees[index] = [] if is_root else trees[link.parent]
        trees[index] += [index] if index in said else []
    for tree in {id(tree): tree for tree in trees.values()}.values():
        if any(_is_other(links[index], stops[index][-1], said[index]) for index in tree):
            _solve(found, tree, stops, said)
    return found


def _is_other(link: Link, frame: Frame, said: BodyMotion) -> bool:
    """Return whether a body moves otherwise than as it is given."""
    here = BodyMotion(frame.velocity, frame.spin, translation_of(frame.world))
    away = np.subtract((*here.at(said.centre), *here.spin), (*said.velocity, *said.spin))
    fastest = np.abs((*said.velocity, *said.spin)).max()
    return link.mass is not None and bool(np.abs(away).max() > NOTICED * max(fastest, NOTICED))


def _solve(
    links: list[Link],
    tree: Sequence[int],
    stops: Mapping[int, Sequence[Frame]],
    said: Mapping[int, BodyMotion],
) -> None:
    """Give the links of a tree the motion that is nearest to the given one."""
    own = {index: list(_freenesses(links[index], stops[index])) for index in tree}
    first = dict(zip(tree, np.cumsum([0, *map(len, own.values())]).tolist(), strict=False))
    count = sum(map(len, own.values()))
    weights, pushes = np.zeros((count, count)), np.zeros(count)
    for index in tree:
        mass = links[index].mass
        if mass is None:
            continue
        columns, above = [], index
        places: list[int] = []
        while above in own:
            columns += own[above]
            places += range(first[above], first[above] + len(own[above]))
            above = links[above].parent
        motion, turn = said[index], np.array(linear_part(stops[index][-1].world))
        along, about = _of_centre(columns, motion.centre)
        inertia = turn @ np.array(mass.inertia) @ turn.T
        weights[np.ix_(places, places)] += mass.mass * along @ along.T + about @ inertia @ about.T
        pushes[places] += mass.mass * along @ motion.velocity + about @ inertia @ motion.spin
    speeds = np.linalg.lstsq(weights, pushes, rcond=None)[0].tolist()
    for index in tree:
        mine = speeds[first[index] : first[index] + len(own[index])]
        free = 6 * links[index].free
        a, b, c, d, e, f = mine[:free] or (*links[index].velocity, *links[index].spin)
        rates = tuple(mine[free:])
        links[index] = replace(links[index], velocity=(a, b, c), spin=(d, e, f), rates=rates)


def _freenesses(link: Link, stops: Sequence[Frame]) -> Iterator[Freeness]:
    """Yield the ways that a link can go against its parent, as its speeds count them."""
    origin = translation_of(stops[-1].world)
    if link.free:
        yield from ((unit, None) for unit in UNITS)
        yield from ((unit, origin) for unit in UNITS)
    for axis, before, after in zip(link.axes, stops[:-1], stops[1:], strict=True):
        anchor = moved(before.world, axis.anchor)
        if axis.way is Way.SLIDE:
            yield turned(before.world, axis.direction), None
        elif axis.way is Way.HINGE:
            yield turned(after.world, axis.direction), anchor
        else:
            yield from ((turned(after.world, unit), anchor) for unit in UNITS)


def _of_centre(ways: Sequence[Freeness], centre: Vector3) -> tuple[Array, Array]:
    """Return how fast a point of a body goes and the body turns by each of some ways, (n, 3)."""
    directions = np.array([way for way, _ in ways]).reshape(-1, 3)
    turns = np.array([point is not None for _, point in ways], dtype=bool)[:, None]
    arms = np.array([np.subtract(centre, point or centre) for _, point in ways]).reshape(-1, 3)
    along = np.where(turns, np.cross(directions, arms), directions)
    return along, np.where(turns, directions, 0.0)
