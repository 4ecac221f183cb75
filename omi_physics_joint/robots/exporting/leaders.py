# SPDX-License-Identifier: GPL-3.0-or-later
"""Which joint of a robot another one follows, whatever both are called by now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from ...model.wording.findings import Findings
from ..element import unique
from ..remarks import mimic_of
from ..robot import WORLD, Link, axes_by_name, with_axes


def with_leaders(links: Sequence[Link], findings: Findings) -> tuple[Link, ...]:
    """Return links whose joints have a name each, and follow others by those names.

    Robots are copied, placed as instances and read twice, and joints are renamed. So whom a joint
    follows is sought by the name in its file, as near in its tree as can be; of several that are as
    near the second copy takes the second. In another tree it is sought where no copy is at home.
    """

    @cache
    def place(link: int) -> tuple[int, ...]:
        """Return a link and those above it; the last one hangs from the world."""
        found = [link]
        while (above := links[found[-1]].parent) != WORLD:
            found.append(above)
        return tuple(found)

    taken: set[str] = set()
    named: list[Link] = []
    leaders: dict[str, list[tuple[str, int]]] = {}
    for index, link in enumerate(links):
        axes = tuple(replace(axis, name=unique(axis.name, taken)) for axis in link.axes)
        named.append(replace(link, axes=axes))
        for before, axis in zip(link.axes, axes, strict=True):
            leaders.setdefault(before.remarks.name or before.name, []).append((axis.name, index))
    followers = [
        (axis, index, mimic, (axis.remarks.number, mimic))
        for index, link in enumerate(named)
        for axis in link.axes
        if (mimic := mimic_of(axis.remarks))
    ]
    homes = {(copies, place(index)[-1]) for _, index, _, copies in followers}
    turns = Counter[tuple[object, ...]]()
    found = axes_by_name(named)
    for axis, index, mimic, copies in followers:
        near = {
            name: how
            for name, other in leaders.get(mimic.joint, ())
            if (how := len({*place(index)} & {*place(other)}))
            or (copies, place(other)[-1]) not in homes
        }
        best = [name for name, how in near.items() if how == max(near.values())]
        leader = best[turns[copies, *best] % len(best)] if best else ""
        turns[copies, *best] += 1
        if not leader:
            findings.note("follows-nothing", axis.name)
        remarks = replace(axis.remarks, mimic={**(axis.remarks.mimic or {}), "joint": leader})
        found[axis.name] = replace(axis, remarks=remarks)
    return tuple(with_axes(named, found))
