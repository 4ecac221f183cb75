# SPDX-License-Identifier: GPL-3.0-or-later
"""Two dialects of one file as one mechanism.

What both say alike is said once, by whichever says more; where they disagree the first counts, and
that is an issue. Two parts of a node are alike if either dialect would spell them alike: what a
dialect cannot say is no disagreement.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import product
from operator import is_
from typing import Any

from ..model.body import ZERO
from ..model.issue import Issue
from ..model.mechanism import PARTS, SHARED, Mechanism, Node
from .dialect_writer import Speller
from .document.json_text import Json, text_of
from .document.members import Place
from .document.new_nodes import Numbering
from .shared.kept import both

WORDS = ("name", "unknown", "keys")
"""Attributes without which parts may still be alike."""
PLAIN = {bool, float, int, str, type(None)}
"""Types of values that hold no others."""
NOTHING = Node("")
POOLS = {
    "joint": "physicsJoints",
    "shape": "shapes",
    "physicsMaterial": "physicsMaterials",
    "collisionFilter": "collisionFilters",
}
"""Member of a file that is an index -> the array of the document that it points into."""


@dataclass(frozen=True, slots=True)
class Account:
    """What a document says in one dialect, and how that dialect spells."""

    name: str
    mechanism: Mechanism
    spell: Speller


def agreed(first: Account, second: Account, issues: list[Issue]) -> Mechanism:
    """Return one mechanism of two accounts of the same nodes; disagreements are issues."""
    first = replace(first, mechanism=_with_open_centres(first.mechanism, second.mechanism))
    union = _Union(first.mechanism, second.mechanism)
    for part in PARTS:
        sides = _told_apart(part, first.mechanism, second.mechanism)
        in_first, in_second = (_others(sides, one.spell) for one in (first, second))
        for index, node in enumerate(second.mechanism.nodes):
            if getattr(node, part) is None:
                continue
            ours = getattr(first.mechanism.nodes[index], part)
            if ours is None or (index in in_second and index not in in_first):
                union.take(index, part)
            elif index in in_second:
                place = Place(f"/nodes/{index}", first.mechanism.nodes[index].name, index)
                said = (
                    f"The {part} is another in {second.name} extensions than in {first.name} ones."
                )
                fix = f"What {first.name} says counts; convert writes both anew."
                issues.append(place.warning("dialects-disagree", said, fix))
            else:
                union.join(index, part)
    return union.mechanism()


def _with_open_centres(first: Mechanism, second: Mechanism) -> Mechanism:
    """Return the first mechanism with those centres of mass open that are so in the second.

    OMI's extensions cannot leave one open, so the number there is what somebody has computed.
    """
    nodes = list(first.nodes)
    for index, node in enumerate(second.nodes):
        own = nodes[index].motion
        if own is not None and node.motion is not None and node.motion.center_of_mass is None:
            found = own.center_of_mass if own.center_of_mass != ZERO else None
            own = replace(own, center_of_mass=None, found_center=found)
            nodes[index] = replace(nodes[index], motion=own)
    return replace(first, nodes=tuple(nodes))


def _told_apart(part: str, *sides: Mechanism) -> list[Mechanism]:
    """Return both sides with a part of those nodes that have it on both and not the same.

    There is nothing else in them, for nothing of other nodes is in what a dialect spells of one.
    """
    bare: list[Mechanism] = [_without_words(replace(one, nodes=())) for one in sides]
    alike, nodes = bare[0] == bare[1], [[NOTHING] * len(one.nodes) for one in sides]
    for index, pair in enumerate(zip(*(one.nodes for one in sides), strict=False)):
        told = [getattr(node, part) for node in pair]
        if None in told or (told[0] == told[1] and alike):
            continue
        told = [_without_words(value) for value in told]
        if _meant(told[0], bare[0]) != _meant(told[1], bare[1]):
            for side, value in zip(nodes, told, strict=True):
                side[index] = replace(NOTHING, **{part: value})
    return [replace(one, nodes=tuple(said)) for one, said in zip(bare, nodes, strict=True)]


def _meant(value: Any, bare: Mechanism) -> list[Any]:  # noqa: ANN401 - any part of a node
    """Return a part of a node and what it points at, wherever that stands."""
    at = {name: at for name in SHARED if (at := getattr(value, name, None)) is not None}
    pointed = [getattr(bare, SHARED[name])[index] for name, index in at.items()]
    return [replace(value, **dict.fromkeys(at)), *pointed]


def _others(sides: list[Mechanism], spell: Speller) -> set[int]:
    """Return the nodes that a dialect would spell otherwise for one of two than for the other."""
    one, other = sides
    if all(node is NOTHING for node in one.nodes):
        return set()
    ours, theirs = _texts(one, spell), _texts(other, spell)
    return {index for index in ours | theirs if ours.get(index) != theirs.get(index)}


def _without_words(value: Any) -> Any:  # noqa: ANN401 - any value of the model
    """Return a value without names, keys and unknown members, in it and in what is in it."""
    if isinstance(value, tuple):
        items = tuple([item if type(item) in PLAIN else _without_words(item) for item in value])
        return value if all(map(is_, items, value)) else items
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changed = {}
    for name in value.__dataclass_fields__:
        before = getattr(value, name)
        after = type(before)() if name in WORDS else _without_words(before)
        if after is not before:
            changed[name] = after
    return replace(value, **changed) if changed else value


def _texts(mechanism: Mechanism, spell: Speller) -> dict[int, str]:
    """Return the text of each node in a dialect, with what it shares in place of indices."""
    counts = (len(mechanism.nodes), len(mechanism.meshes))
    nodes_at, meshes_at = (dict(enumerate(range(count))) for count in counts)
    document, nodes = spell(mechanism, Numbering(nodes_at, meshes_at))
    pools = {key: pool for extension in document.values() for key, pool in extension.items()}
    return {index: text_of(_inlined(dict(said), pools)) for index, said in nodes.items()}


def _inlined(value: Json, pools: dict[str, Json], key: str = "") -> Json:
    if isinstance(value, dict):
        return {name: _inlined(item, pools, name) for name, item in value.items()}
    pool = pools.get(POOLS.get(key, ""))
    if isinstance(value, int) and isinstance(pool, list) and value < len(pool):
        return pool[value]
    return value


class _Union:
    """The first mechanism, into which parts of the second are put."""

    def __init__(self, first: Mechanism, second: Mechanism) -> None:
        self._first, self._second = first, second
        self._nodes = list(first.nodes)
        self._shared: dict[str, list[Any]] = {
            name: list(getattr(first, name)) for name in SHARED.values()
        }
        for index, node in enumerate(second.nodes):
            own = self._nodes[index]
            if node.unknown != own.unknown:
                self._nodes[index] = replace(own, unknown=both(own.unknown, node.unknown))

    def take(self, index: int, part: str) -> None:
        """Take a part of a node from the second, with what both know of unknown members."""
        theirs = getattr(self._second.nodes[index], part)
        moved = {
            name: self._moved(resources, getattr(theirs, name))
            for name, resources in SHARED.items()
            if getattr(theirs, name, None) is not None
        }
        ours = getattr(self._nodes[index], part)
        self._put(index, part, _joined(replace(theirs, **moved), ours))

    def join(self, index: int, part: str) -> None:
        """Keep a part of the first, and add the unknown members of the second."""
        ours, theirs = (getattr(one.nodes[index], part) for one in (self._first, self._second))
        for name, resources in SHARED.items():
            at, other = getattr(ours, name, None), getattr(theirs, name, None)
            if at is None or other is None:
                continue
            pool = self._shared[resources]
            pool[at] = _joined(pool[at], getattr(self._second, resources)[other])
        self._put(index, part, _joined(ours, theirs))

    def mechanism(self) -> Mechanism:
        """Return the whole, without what only parts used that were taken from the second."""
        shared: dict[str, Any] = {}
        for name, resources in SHARED.items():
            pool = self._shared[resources]
            left = _uses(self._first.nodes, name) - _uses(self._nodes, name)
            stays = [index for index in range(len(pool)) if index not in left]
            shared[resources] = tuple(pool[index] for index in stays)
            if len(stays) == len(pool):
                continue
            now = {before: after for after, before in enumerate(stays)}
            for index, part in product(range(len(self._nodes)), PARTS):
                value: Any = getattr(self._nodes[index], part)
                at = getattr(value, name, None)
                if at is not None and now.get(at, at) != at:
                    self._put(index, part, replace(value, **{name: now[at]}))
        unknown = {**self._second.unknown, **self._first.unknown}
        return replace(self._first, nodes=tuple(self._nodes), unknown=unknown, **shared)

    def _moved(self, resources: str, index: int) -> int:
        resource, pool = getattr(self._second, resources)[index], self._shared[resources]
        if resource not in pool:
            pool.append(resource)
        return pool.index(resource)

    def _put(self, index: int, part: str, value: Any) -> None:  # noqa: ANN401
        if value is not getattr(self._nodes[index], part):
            changed: Any = {part: value}
            node: Node = replace(self._nodes[index], **changed)
            self._nodes[index] = node


def _uses(nodes: Iterable[Node], name: str) -> set[int]:
    """Return the indices that parts of nodes have in an attribute."""
    parts = (getattr(node, part) for node in nodes for part in PARTS)
    return {at for part in parts if (at := getattr(part, name, None)) is not None}


def _joined(value: Any, other: Any) -> Any:  # noqa: ANN401 - any value of the model
    """Return a value with the unknown members of another too, as far as they are built alike."""
    if value == other:
        return value
    if isinstance(value, tuple) and isinstance(other, tuple) and len(value) == len(other):
        return tuple(_joined(one, two) for one, two in zip(value, other, strict=True))
    if not is_dataclass(value) or type(value) is not type(other) or isinstance(value, type):
        return value
    changed = {
        f.name: both(getattr(value, f.name), getattr(other, f.name))
        if f.name == "unknown"
        else _joined(getattr(value, f.name), getattr(other, f.name))
        for f in fields(value)
    }
    if "keys" in changed:
        changed["keys"] = getattr(value, "keys") or getattr(other, "keys")  # noqa: B009
    return replace(value, **changed)
