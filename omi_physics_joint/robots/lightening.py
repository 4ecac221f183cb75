# SPDX-License-Identifier: GPL-3.0-or-later
"""Light links in between, as reading makes them, put back into the links that they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..model.transform import multiply
from .masses import summed
from .motion import seen_from
from .robot import WORLD, Link, Robot

LIGHT = 0.05
"""Part of a link's mass up to which a link that carries its name is one in between."""


def without_light(robot: Robot) -> Robot:
    """Return a robot whose links in between are joints of the link that they stand for."""
    links = list(robot.links)
    held = {end for loop in robot.loops for end in (loop.one, loop.other)}
    gone: set[int] = set()
    for index in range(len(links)):
        while (between := links[index].parent) not in held and _is_between(links, index, gone):
            light, link = links[between], links[index]
            masses = [part for part in (light.mass, link.mass) if part is not None]
            links[index] = replace(
                link,
                parent=light.parent,
                placed=multiply(light.placed, link.placed),
                axes=(*(seen_from(axis, link.placed) for axis in light.axes), *link.axes),
                rates=(*light.rates, *link.rates),
                mass=summed(masses),
                meets_parent=light.meets_parent,
            )
            gone.add(between)
    return _kept(robot, links, gone) if gone else robot


def _is_between(links: Sequence[Link], index: int, gone: set[int]) -> bool:
    """Return whether the parent of a link is a light one that stands for a joint of it."""
    link = links[index]
    if link.parent == WORLD or not link.axes:
        return False
    light = links[link.parent]
    if not light.axes or light.geoms or light.free or not light.name.startswith(f"{link.name} ("):
        return False
    if light.mass is None or link.mass is None or light.mass.mass > LIGHT * link.mass.mass:
        return False
    below = [one for one in range(len(links)) if links[one].parent == link.parent]
    return [one for one in below if one not in gone] == [index]


def _kept(robot: Robot, links: Sequence[Link], gone: set[int]) -> Robot:
    """Return a robot without some links, all numbers set anew."""
    numbers = {WORLD: WORLD}
    for index in range(len(links)):
        if index not in gone:
            numbers[index] = len(numbers) - 1
    return replace(
        robot,
        links=tuple(
            replace(link, parent=numbers[link.parent])
            for index, link in enumerate(links)
            if index not in gone
        ),
        loops=tuple(
            replace(loop, one=numbers[loop.one], other=numbers[loop.other]) for loop in robot.loops
        ),
        apart=tuple(
            (numbers[a], numbers[b]) for a, b in robot.apart if a in numbers and b in numbers
        ),
    )
