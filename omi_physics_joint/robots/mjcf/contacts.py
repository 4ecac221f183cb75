# SPDX-License-Identifier: GPL-3.0-or-later
"""Which geoms meet: kinds of contact, and pairs of bodies that are excluded, as filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

from ...model.body import CollisionFilter
from ...model.wording.findings import Findings
from ..element import Element
from ..importing.stacks import stacks
from ..robot import WORLD, Geom, Link
from .geoms import ReadGeom

Pair = frozenset[int]
Kind = tuple[int, int, int | None]
"""Contype, conaffinity, and the link where its pairs matter."""


def excluded_pairs(root: Element, names: Mapping[str, int], findings: Findings) -> set[Pair]:
    """Return the pairs of links that never meet."""
    found: set[Pair] = set()
    for pair in root.inside("contact", "pair"):
        findings.note("pair", pair.text("name") or pair.text("geom1"))
    for one in root.inside("contact", "exclude"):
        first, second = one.text("body1"), one.text("body2")
        if first in names and second in names:
            found.add(frozenset((names[first], names[second])))
    return found


def parents_met(root: Element, links: Sequence[Link], excluded: set[Pair]) -> list[bool]:
    """Return of each link whether it meets its parent; MuJoCo has one met that stands still."""
    filtered = all(flag.text("filterparent") != "disable" for flag in root.inside("option", "flag"))
    tops = _tops(links)
    return [
        (not filtered or tops[link.parent] == WORLD)
        and frozenset((index, link.parent)) not in excluded
        for index, link in enumerate(links)
    ]


def _tops(links: Sequence[Link]) -> dict[int, int]:
    """Return of each link and the world the outermost one that is rigid with it."""
    tops = {WORLD: WORLD}
    for index, link in enumerate(links):
        tops[index] = index if link.moves else tops[link.parent]
    return tops


def filtered_geoms(
    geoms: Mapping[int, Sequence[ReadGeom]], links: Sequence[Link], excluded: set[Pair]
) -> tuple[dict[int, tuple[Geom, ...]], tuple[CollisionFilter, ...]]:
    """Return the geoms of each link with their filters, and the filters; none where all meet.

    A joint keeps the two links apart that it joins; what it cannot keep apart filters do.
    """
    apart = {pair for pair in excluded if not _is_joined(pair, links)}
    rigid = _rigid_with(links)
    for index, one in enumerate(links):
        if len(stacks(one.axes)) > 1 and not one.meets_parent:
            apart |= {frozenset(pair) for pair in product(rigid[index], rigid[one.parent])}
    special = {link for pair in apart for link in pair}
    kinds: dict[Kind, int] = {}

    def kind_of(part: ReadGeom, link: int) -> Kind:
        return (*part.kinds, link if link in special else None)

    for link, own in geoms.items():
        for part in own:
            if part.geom.shape is not None:
                kinds.setdefault(kind_of(part, link), len(kinds))

    def meet(a: Kind, b: Kind) -> bool:
        together = bool((a[0] & b[1]) | (b[0] & a[1]))
        return together and (a[2] is None or b[2] is None or frozenset((a[2], b[2])) not in apart)

    if all(meet(a, b) for a in kinds for b in kinds):
        kinds.clear()
    names = {kind: _name(kind, links) for kind in kinds}
    filters = tuple(
        CollisionFilter(name, (name,), tuple(names[one] for one in kinds if meet(kind, one)))
        for kind, name in names.items()
    )
    found: dict[int, tuple[Geom, ...]] = {}
    for link, own in geoms.items():  # what is shown only has no kind
        found[link] = tuple(replace(one.geom, filter=kinds.get(kind_of(one, link))) for one in own)
    return found, filters


def _rigid_with(links: Sequence[Link]) -> dict[int, list[int]]:
    """Return of each link all that are rigid with it; parts of the world are the world."""
    tops = _tops(links)
    groups: dict[int, list[int]] = {}
    for index, top in tops.items():
        groups.setdefault(top, []).append(index)
    return {index: groups[top] for index, top in tops.items()}


def _is_joined(pair: Pair, links: Sequence[Link]) -> bool:
    """Return whether one joint of ours joins two links."""
    return any(
        links[one].parent == other and len(stacks(links[one].axes)) == 1
        for one in pair
        for other in pair
        if WORLD != one != other
    )


def _name(kind: Kind, links: Sequence[Link]) -> str:
    contype, conaffinity, link = kind
    if link is None:
        return f"{contype}/{conaffinity}"
    body = "world" if link == WORLD else links[link].name
    return body if (contype, conaffinity) == (1, 1) else f"{body} {contype}/{conaffinity}"
