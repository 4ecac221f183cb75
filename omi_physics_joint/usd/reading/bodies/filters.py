# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision groups and filtered pairs, said as collision filters.

A group is a system of its name. What a group does not meet, its members name, and the members of
the other group likewise; an inverted group meets only what it names. Whatever is in a filtered pair
gets a system of its own. Filters that come out otherwise than groups and pairs ask are named.

A prim of a filtered pair stands for all colliders at or below it. One with an articulation root
stands for the colliders of all bodies that joints of the articulation connect, wherever they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement

from ....model.body import CollisionFilter
from ....model.mechanics.islands import islands_of
from ... import table
from ...prim import Prim, above
from ..builder import StageReading, pooled

MOST_KINDS = 300
"""So many different sets of groups and pairs are held against each other."""
NOTHING = "nothing at all"
"""System of no collider: the only one that those name who meet nothing."""
Rules = tuple[tuple[bool, frozenset[str]], ...]
"""Whether it is inverted, and the groups that it names."""


@dataclass(slots=True)
class Group:
    """One group, or several that are merged."""

    name: str
    members: set[str] = field(default_factory=set)
    rules: Rules = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """What colliders have in common that meet the same others."""

    groups: frozenset[str]
    pairs: frozenset[str]
    """Paths of prims in a pair that stand for it."""


def read_filters(reading: StageReading, colliders: Mapping[int, Prim]) -> None:
    """Give colliders and triggers their collision filters."""
    groups = _groups(reading)
    pairs, standing = read_pairs(reading, colliders)
    in_pairs = {path for pair in pairs for path in pair}
    kinds = {
        index: Kind(
            frozenset(key for key, group in groups.items() if prim.path in group.members),
            standing[index],
        )
        for index, prim in colliders.items()
    }
    names = _names(groups, in_pairs)
    filters = {kind: _filter(kind, groups, pairs, names) for kind in dict.fromkeys(kinds.values())}
    for index, kind in kinds.items():
        node, found = reading.nodes[index], filters[kind]
        if found is None:
            continue
        number = pooled(reading.filters, found)
        if node.collider is not None:
            reading.change(index, collider=replace(node.collider, collision_filter=number))
        elif node.trigger is not None:
            reading.change(index, trigger=replace(node.trigger, collision_filter=number))
    for kind in _said_wrong(filters, groups, pairs):
        which = next(index for index, one in kinds.items() if one == kind)
        reading.note("usd-filter", colliders[which])


def _groups(reading: StageReading) -> dict[str, Group]:
    """Return groups by their path, or by the name that merges them."""
    prims = [prim for prim in reading.stage if prim.type == table.GROUP]
    keys = {prim.path: reading.token(prim, table.MERGE_GROUP) or prim.path for prim in prims}
    found: dict[str, Group] = {}
    for prim in prims:
        key = keys[prim.path]
        group = found.setdefault(key, Group(prim.label or key.rpartition("/")[2]))
        group.members.update(prim.members)
        named = prim.targets.get(table.FILTERED_GROUPS, ())
        known = frozenset(keys[path] for path in named if path in keys)
        group.rules = (*group.rules, (reading.flag(prim, table.INVERTED), known))
    return found


def _names(groups: Mapping[str, Group], in_pairs: Iterable[str]) -> dict[str, str]:
    """Return the name of the system of each group and of each prim in a pair, all different."""
    found: dict[str, str] = {}
    for key in (*groups, *sorted(in_pairs)):
        short = groups[key].name if key in groups else key.rpartition("/")[2]
        found[key] = key if short in found.values() else short
    return found


def _filter(
    kind: Kind,
    groups: Mapping[str, Group],
    pairs: Iterable[tuple[str, str]],
    names: Mapping[str, str],
) -> CollisionFilter | None:
    """Return the filter of colliders of a kind; None where they meet everything."""
    rules = [rule for key in kind.groups for rule in groups[key].rules]
    meets = [named for is_inverted, named in rules if is_inverted]
    refused = {key for is_inverted, named in rules if not is_inverted for key in named}
    refused |= {other for one, other in pairs if one in kind.pairs}
    for key, group in groups.items():
        if any(not is_inverted and named & kind.groups for is_inverted, named in group.rules):
            refused.add(key)
    systems = tuple(sorted(names[key] for key in (*kind.groups, *kind.pairs)))
    if not systems and not refused:
        return None
    label = " ".join(sorted(groups[key].name for key in kind.groups)) or systems[0]
    if meets:
        met = frozenset.intersection(*meets) - refused
        left = tuple(sorted(names[key] for key in met)) or (NOTHING,)
        return CollisionFilter(label, systems, left)
    without = tuple(sorted(names[key] for key in refused)) or None
    return CollisionFilter(label, systems, None, without)


def _said_wrong(
    filters: Mapping[Kind, CollisionFilter | None],
    groups: Mapping[str, Group],
    pairs: Iterable[tuple[str, str]],
) -> list[Kind]:
    """Return kinds whose filters let them meet others than their groups and pairs do."""
    if len(filters) > MOST_KINDS:
        return []
    wrong: list[Kind] = []
    for one, other in combinations_with_replacement(filters, 2):
        is_paired = any(a in one.pairs and b in other.pairs for a, b in pairs)
        refused = is_paired or _refuses(one, other, groups) or _refuses(other, one, groups)
        ours, theirs = (filters[kind] or CollisionFilter() for kind in (one, other))
        if refused == ours.meets(theirs):
            wrong += [one, other]
    return wrong


def _refuses(one: Kind, other: Kind, groups: Mapping[str, Group]) -> bool:
    return any(
        bool(other.groups & named) != is_inverted
        for key in one.groups
        for is_inverted, named in groups[key].rules
    )


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
