# SPDX-License-Identifier: GPL-3.0-or-later
"""Which robots stand on the world and which float: as their file has it, or as the user says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from ...model.wording.findings import Findings
from ..robot import WORLD, Link, Robot

WORLD_NAME = "world"
"""A root link of this name is the world itself, as in Gazebo."""


class RootBase(StrEnum):
    """What holds the roots of robots."""

    SAID = "file"
    """Nothing or the world, as the file says."""
    FIXED = "fixed"
    FLOATING = "floating"


def based(robot: Robot, base: RootBase, findings: Findings) -> Robot:
    """Return a robot whose roots stand or float as is wanted; which of both is noted of each.

    A root that joints of its own tie to the world does neither.
    """
    links, carrying = list(robot.links), _carrying(robot.links)
    ends = [{loop.one, loop.other} for loop in robot.loops]
    tied = {link for pair in ends if WORLD in pair for link in pair}
    for index, link in enumerate(links):
        above = link.parent
        if not _is_on_world(links, link) or link.axes or link.led or link.name == WORLD_NAME:
            continue
        free = base is RootBase.FLOATING or (base is RootBase.SAID and link.free)
        if free and above != WORLD:
            link = replace(link, parent=WORLD)  # noqa: PLW2901 - the world's link stands at zero
        links[index] = replace(link, free=free)
        if index not in tied if free else index in carrying:
            findings.note("floating" if free else "standing", link.name)
    return replace(robot, links=tuple(links))


def _is_on_world(links: Sequence[Link], link: Link) -> bool:
    if link.parent == WORLD:
        return True
    above = links[link.parent]
    return above.name == WORLD_NAME and above.parent == WORLD and not above.moves


def _carrying(links: Sequence[Link]) -> set[int]:
    """Return the roots on which, or on what is rigid with them, something moves."""
    root = list(range(len(links)))
    found: set[int] = set()
    for index, link in enumerate(links):
        if not _is_on_world(links, link):
            if link.moves:
                found.add(root[link.parent])
            else:
                root[index] = root[link.parent]
    return found
