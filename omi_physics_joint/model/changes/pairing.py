# SPDX-License-Identifier: GPL-3.0-or-later
"""Which node or mesh of one mechanism is which of another.

Nodes are the same by path, then by name, then by index; meshes of equal triangles are, whatever
they are called: files may have one mesh of what is several in others, or call it otherwise. So are
meshes of one name with as many points in a box alike, as others are packed or in another order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ..body import Vector3
from ..contents import Contents
from ..mechanism import PARTS, Mechanism, Node
from ..solid import Triangle
from ..wording.words import counted, number, one_line


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two mechanisms, and which of their nodes are the same.

    Attributes:
        before: the first.
        after: the second.
        forth: node of the second, by node of the first.
        names: what the nodes of both are called.
    """

    before: Mechanism
    after: Mechanism
    forth: dict[int, int]
    names: tuple[list[str], list[str]]


def paired(before: Mechanism, after: Mechanism) -> Pairing:
    """Return which nodes of two mechanisms are the same."""
    forth: dict[int, int] = {}
    for key in (_path, _name, _plain_name):
        _match(before, after, key, forth)
    taken = set(forth.values())
    for index, node in enumerate(before.nodes[: len(after.nodes)]):
        if index not in forth and index not in taken and _may_be(node, after.nodes[index]):
            forth[index] = index
    return Pairing(before, after, forth, (_subjects(before), _subjects(after)))


def _subjects(mechanism: Mechanism) -> list[str]:
    """Return what each node is called, with its index where names repeat or are none."""
    uses = Counter(node.name for node in mechanism.nodes)
    found = []
    for index, node in enumerate(mechanism.nodes):
        name, is_repeated = one_line(mechanism.name_of(index)), node.name and uses[node.name] > 1
        found.append(f"{name} (node {index})" if is_repeated else name)
    return found


Key = Callable[[Mechanism, int], Hashable]


def _path(mechanism: Mechanism, index: int) -> Hashable:
    """Return the names from a node up; nothing of a node without a name."""
    names = tuple(mechanism.nodes[one].name for one in mechanism.ancestry(index))
    return names if names[0] else None


def _name(mechanism: Mechanism, index: int) -> Hashable:
    return mechanism.nodes[index].name or None


def _plain_name(mechanism: Mechanism, index: int) -> Hashable:
    """Return a name as USD has it, whose names have letters, digits and underscores alone."""
    return re.sub(r"\W", "_", mechanism.nodes[index].name, flags=re.ASCII) or None


def _match(before: Mechanism, after: Mechanism, key: Key, forth: dict[int, int]) -> None:
    """Pair what has the same key: first those of the same index, then in their order."""
    taken = set(forth.values())
    waiting: dict[Hashable, list[int]] = {}
    for index in range(len(after.nodes)):
        if index not in taken and (its := key(after, index)) is not None:
            waiting.setdefault(its, []).append(index)
    ours = [
        (index, its)
        for index in range(len(before.nodes))
        if index not in forth and (its := key(before, index)) is not None and its in waiting
    ]
    for index, its in ours:
        if index in waiting[its]:
            waiting[its].remove(index)
            forth[index] = index
    for index, its in ours:
        if index not in forth and waiting[its]:
            forth[index] = waiting[its].pop(0)


def _may_be(one: Node, other: Node) -> bool:
    """Return whether a node may have become another one: it has no name, or the same parts."""
    kinds = [[getattr(node, part) is not None for part in PARTS] for node in (one, other)]
    return not (one.name and other.name) or (kinds[0] == kinds[1] and one.is_physical)


NEAR = 1e-5
"""Part of the size of a mesh that its points may be apart: files hold single precision."""
Points = Sequence[Vector3]
Known = dict[tuple[Triangle, ...], list[tuple[str, Points]]]


def with_same_names(several: Iterable[Contents]) -> list[Mechanism]:
    """Return mechanisms that call all meshes of equal triangles as the first of them is called."""
    known: Known = {}
    return [replace(one.mechanism, meshes=tuple(_names(one, known))) for one in several]


def _names(contents: Contents, known: Known) -> Iterator[str]:
    for index, name in enumerate(contents.mechanism.meshes):
        mesh = contents.meshes[index] if index < len(contents.meshes) else None
        if mesh is None or not mesh.triangles:
            yield name
            continue
        alike = known.setdefault(mesh.triangles, [])
        most, points = NEAR * max(map(abs, chain(*mesh.points)), default=0.0), mesh.points
        told = next((its for its, other in alike if is_near(points, other, most)), None)
        if told is None:
            told, (box, count) = name or f"mesh {index}", _room(points)
            others = [_room(one) for each in known.values() for its, one in each if its == told]
            same = (n == count and is_near(box, other, 100.0 * most) for other, n in others)
            if others and not any(same):
                sides = (number(b - a, 3) for a, b in zip(*box, strict=True))
                told += f" of {' × '.join(sides)} m and {counted(count, 'point')}"
            alike.append((told, points))
        yield told


def _room(points: Points) -> tuple[Points, int]:
    """Return both corners of the box around points, and how many there are, each once."""
    x, y, z = zip(*points, strict=True)
    return ((min(x), min(y), min(z)), (max(x), max(y), max(z))), len(set(points))


def is_near(one: Points, other: Points, most: float) -> bool:
    """Return whether all points are within so many m; unlike meshes end at their first."""
    if len(one) != len(other):
        return False
    pairs = zip(one, other, strict=True)
    return all(abs(a - b) <= most for p, q in pairs for a, b in zip(p, q, strict=True))
