# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot as URDF can say it: all joints at zero, balls as hinges, and what gets lost."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace

from ...model.geometry.transform import IDENTITY, UNITS, multiply, rotation_about
from ...model.geometry.transform import times as scaled
from ...model.mechanics.masses import through
from ...model.wording.findings import Findings
from ..importing.bases import WORLD_NAME
from ..masses import borrowed, lent
from ..remarks import mimic_of
from ..robot import WORLD, Axis, Robot, Way, seen_from
from ..turning import around, is_none, shifted


def at_zero(robot: Robot, findings: Findings) -> Robot:
    """Return a robot with all its joints at zero, balls as three hinges.

    A joint that turns back to zero carries the axes of those before it along.
    """
    links = []
    for link in robot.links:
        axes: list[Axis] = []
        back = IDENTITY
        for axis in reversed(link.axes):
            here = seen_from(axis, back)
            if axis.way is Way.BALL:
                axes[:0] = _three(here)
                findings.note("ball", axis.name)
            else:
                axes.insert(0, replace(here, rest=0.0, value=0.0))
            if axis.value or any(axis.turn[:3]):
                findings.note("start", axis.name)
            if axis.rest:
                own = shifted(scaled(axis.direction, -axis.rest))
                if axis.way is Way.HINGE:
                    own = around(axis.anchor, rotation_about(axis.direction, -axis.rest))
                back = multiply(own, back)
        placed = link.placed if is_none(back) else multiply(link.placed, back)
        links.append(replace(link, placed=placed, axes=tuple(axes)))
    return replace(robot, links=tuple(links))


def geoms_on_masses(robot: Robot) -> Robot:
    """Return a robot whose weightless fixed links have no geoms: readers would weigh them."""
    links = list(robot.links)
    for index in reversed(range(len(links))):
        link = links[index]
        is_frame = link.mass is None and not (link.axes or link.free) and link.parent != WORLD
        if is_frame and link.geoms:
            above = links[link.parent]
            moved = (replace(one, pose=multiply(link.placed, one.pose)) for one in link.geoms)
            links[link.parent] = replace(above, geoms=(*above.geoms, *moved))
            links[index] = replace(link, geoms=())
    return replace(robot, links=tuple(links))


def lent_masses(robot: Robot) -> Robot:
    """Return a robot whose links lack what links in between, one for each axis, have of them."""
    links = list(robot.links)
    for link in robot.links:
        above = None if link.parent == WORLD else links[link.parent].mass
        if above is not None and link.mass is not None:
            parts = borrowed([(axis,) for axis in link.axes[:-1]], link.mass)
            less = lent(above, (through(part, link.placed) for part in parts))
            links[link.parent] = replace(links[link.parent], mass=less)
    return replace(robot, links=tuple(links))


def _three(axis: Axis) -> list[Axis]:
    return [
        Axis(f"{axis.name} {name}", Way.HINGE, direction, axis.anchor)
        for name, direction in zip("xyz", UNITS, strict=True)
    ]


def note_losses(robot: Robot, findings: Findings) -> None:
    """Note what URDF has no words for."""
    for loop in robot.loops:
        findings.note("loop", loop.name)
    for one, other in robot.apart:
        names = [WORLD_NAME if i == WORLD else robot.links[i].name for i in (one, other)]
        findings.note("apart", " and ".join(names))
    if robot.gravity is not None:
        findings.note("scene-gravity", "")
    joints = {axis.name for link in robot.links for axis in link.axes}
    for link in robot.links:
        moves = any((*link.rates, *link.velocity, *link.spin))
        lost = {"kinematic": link.led, "gravity": link.gravity != 1.0, "velocity": moves}
        for code in (code for code, is_lost in lost.items() if is_lost):
            findings.note(code, link.name)
        for geom in link.geoms:
            if geom.friction is not None:
                findings.note("friction", geom.name)
        for axis in link.axes:
            for code in _lost(axis, joints):
                findings.note(code, axis.name)


def _lost(axis: Axis, joints: Container[str]) -> Iterator[str]:
    """Yield the codes of what URDF cannot say of one joint."""
    if axis.remarks.armature:
        yield "armature"
    if axis.remarks.actuators:
        yield "actuators"
    mimic = mimic_of(axis.remarks)
    if mimic is not None and mimic.joint not in joints:
        yield "follows-nothing"
    for spring in axis.springs:
        if spring.stiffness > 0.0:
            yield "spring"
        elif spring.rate:
            yield "motor"
