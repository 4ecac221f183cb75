# SPDX-License-Identifier: GPL-3.0-or-later
"""What bodies of robots weigh, and ours; light links in between are put back where they belong.

Inertias that nobody has said are those of shapes, as the solver has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import dist, inf, pi

import numpy as np

from ..model.body import Motion, MotionType, Vector3
from ..model.geometry.frames import rigid_frame
from ..model.geometry.transform import (
    Matrix,
    determinant,
    inverse,
    linear_part,
    multiply,
    rotation_from_quaternion,
    transpose,
)
from ..model.mechanics.inertias import filled_inertia, solid_of
from ..model.mechanics.masses import (
    Mass,
    about,
    added,
    diagonal,
    principal,
    summed,
    through,
    turned,
)
from ..model.mechanism import Mechanism
from ..model.shape import Box, Shape
from ..model.wording.findings import Findings
from ..weighing.inertia import sphere_inertia
from ..weighing.solids import enclosed
from .robot import WORLD, Axis, Link, Robot, Surface, Way, seen_from
from .turning import moved

UPRIGHT: Matrix = ((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, -1.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0,) * 4)
"""Turns what stands along Y so that it stands along Z."""


def without(mass: Mass, part: Mass) -> Mass | None:
    """Return what is left of a mass without a part; None where no body is like that."""
    left = mass.mass - part.mass
    if not left > 0.0:
        return None
    pairs = zip(mass.centre, part.centre, strict=True)
    x, y, z = ((mass.mass * a - part.mass * b) / left for a, b in pairs)
    inertia = added(about(mass, (x, y, z)), about(part, (x, y, z)), -1.0)
    (a, b, _), (c, d, _), _ = inertia
    if not (a > 0.0 and a * d > b * c and determinant(inertia) > 0.0):  # Sylvester's criterion
        return None
    low, middle, high = sorted(principal(inertia)[0])
    return Mass(left, (x, y, z), inertia) if low > 0.0 and low + middle >= high else None


def motion_of(mass: Mass) -> Motion:
    """Return a dynamic body of a mass."""
    moments, orientation = principal(mass.inertia)
    return Motion(
        MotionType.DYNAMIC,
        mass=mass.mass,
        center_of_mass=mass.centre,
        inertia_diagonal=moments,
        inertia_orientation=orientation,
    )


def mass_of(motion: Motion) -> Mass:
    """Return what a body weighs; its inertia is zero where the body does not say it."""
    turn = rotation_from_quaternion(motion.inertia_orientation)
    inertia = turned(turn, motion.inertia_diagonal)
    return Mass(motion.mass, motion.center, inertia)


def filled(shape: Shape, surface: Surface | None) -> Mass | None:
    """Return a shape, or what its surface encloses, at density one; None where that is nothing.

    It is about its own origin, upright along Z.
    """
    if surface is not None:
        return enclosed(np.array(surface.points), np.array(surface.triangles))
    found = solid_of(shape)
    return found if found is None or isinstance(shape, Box) else through(found, UPRIGHT)


def ellipsoidal(radii: Sequence[float]) -> Mass:
    """Return an ellipsoid of three radii in m at density one, not the mesh that shows it."""
    a, b, c = radii[:3]
    mass = 4.0 / 3.0 * pi * a * b * c
    x, y, z = (mass / 5.0 * radius * radius for radius in (a, b, c))
    return Mass(mass, inertia=diagonal(y + z, x + z, x + y))


def weighed(mechanism: Mechanism, index: int, parts: Iterable[int], findings: Findings) -> Mass:
    """Return what a body of a mechanism, Y up as shapes stand, weighs in axes that are Z up.

    A mass that is none is noted.
    """
    node = mechanism.nodes[index]
    motion, world = node.motion, rigid_frame(node.world)
    assert motion is not None
    kilograms = motion.mass
    if not 0.0 < kilograms < inf:
        findings.note("mass", mechanism.name_of(index))
        kilograms = 1.0
    if 0.0 not in motion.inertia_diagonal and inf not in motion.inertia_diagonal:
        return through(replace(mass_of(motion), mass=kilograms), UPRIGHT)
    found = filled_inertia(mechanism, parts, kilograms, moved(world, motion.center))
    if found is None:
        found = diagonal(*sphere_inertia(kilograms).tolist())
    turn = linear_part(world)
    local = multiply(multiply(transpose(turn), found), turn)
    return through(Mass(kilograms, motion.center, local), UPRIGHT)


LIGHT = 0.01
"""Part of a link's mass that each link in between has."""
TURNS = 0.01
"""Part of a link's mean inertia that it has, times that."""
SAME = 1e-6
"""m: anchors nearer than this are one."""
LIGHTEST = 0.05
"""Part of a link's mass up to which a link that carries its name is one in between."""


def light(mass: Mass, anchor: Vector3) -> Mass:
    """Return the mass of a link in between: a small ball where it turns."""
    around = TURNS * LIGHT * sum(mass.inertia[i][i] for i in range(3)) / 3.0
    return Mass(LIGHT * mass.mass, anchor, diagonal(around, around, around))


def borrowed(run: Sequence[Sequence[Axis]], mass: Mass) -> Iterator[Mass]:
    """Yield the masses in between that rest in the parent, in the link: they are taken from there.

    A ball that turns about its own centre, where that rests in the parent, moves as the parent
    does: so of what a link in between changes only its own inertia is left.
    """
    for stack in run:
        turns = all(axis.way is not Way.SLIDE for axis in stack)
        if not turns or stack[-1].anchor != run[0][-1].anchor:
            return
        yield light(mass, stack[-1].anchor)


def lent(above: Mass, parts: Iterable[Mass]) -> Mass:
    """Return a parent's mass without the parts, in its axes, that links in between have of it."""
    for part in parts:
        above = without(above, part) or above
    return above


def without_light(robot: Robot) -> Robot:
    """Return a robot whose links in between are joints of the link that they stand for."""
    links = list(robot.links)
    held = {end for loop in robot.loops for end in (loop.one, loop.other)}
    gone: set[int] = set()
    for index in range(len(links)):
        parts: list[Mass] = []
        """Of links in between, in the link, the outermost last."""
        while (between := links[index].parent) not in held and _is_between(links, index, gone):
            before, link = links[between], links[index]
            assert before.mass is not None
            parts.append(through(before.mass, inverse(link.placed)))
            links[index] = replace(
                link,
                parent=before.parent,
                placed=multiply(before.placed, link.placed),
                axes=(*(seen_from(axis, link.placed) for axis in before.axes), *link.axes),
                rates=tuple(chain(*before.rates_by_axis(), *link.rates_by_axis())),
                meets_parent=before.meets_parent,
            )
            gone.add(between)
        if parts:
            _give_back(links, links[index], parts)
    return _kept(robot, links, gone) if gone else robot


def _give_back(links: list[Link], link: Link, parts: Sequence[Mass]) -> None:
    """Give a parent back what links in between had of it: see ``borrowed``."""
    above = None if link.parent == WORLD else links[link.parent].mass
    if above is None or any(axis.way is Way.SLIDE for axis in link.axes):
        return
    mine = (part for part in parts if dist(part.centre, parts[-1].centre) <= SAME)
    whole = summed([above, *(through(part, link.placed) for part in mine)])
    links[link.parent] = replace(links[link.parent], mass=whole)


def _is_between(links: Sequence[Link], index: int, gone: set[int]) -> bool:
    """Return whether the parent of a link is a light one that stands for a joint of it."""
    link = links[index]
    if link.parent == WORLD or not link.axes:
        return False
    one = links[link.parent]
    if not one.axes or one.geoms or one.free or not one.name.startswith(f"{link.name} ("):
        return False
    if one.mass is None or link.mass is None or one.mass.mass > LIGHTEST * link.mass.mass:
        return False
    below = [i for i in range(len(links)) if links[i].parent == link.parent]
    return [i for i in below if i not in gone] == [index]


def _kept(robot: Robot, links: Sequence[Link], gone: set[int]) -> Robot:
    """Return a robot without some links, all numbers set anew."""
    kept = [index for index in range(len(links)) if index not in gone]
    numbers = {WORLD: WORLD} | {index: number for number, index in enumerate(kept)}
    return replace(
        robot,
        links=tuple(replace(links[i], parent=numbers[links[i].parent]) for i in kept),
        loops=tuple(
            replace(loop, one=numbers[loop.one], other=numbers[loop.other]) for loop in robot.loops
        ),
        apart=tuple(
            (numbers[a], numbers[b]) for a, b in robot.apart if a in numbers and b in numbers
        ),
    )
