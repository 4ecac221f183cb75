# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigid bodies: what moves, how it is led, and what it weighs, by the precedence of the schema.

A body that is switched off is none: what is below it belongs to the body above, as USD's own parser
has it. Where none is above, it is static.

A mass that a prim says is that of all below it; a centre and an inertia that a collider says are
its own, as ``pxr`` computes the whole. Else a collider weighs its volume times a density:
the nearest that a prim from it up to its body says, else its material's, else that of water. A body
without a volume weighs one unit. What belongs to a body nested below another counts for it alone.

Where all of a body has one density, its centre of mass and its inertia are left to be computed from
its shapes, which is the same; else they are said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import inf, isfinite
from typing import NamedTuple

from ....model.body import IDENTITY_QUATERNION, ZERO, Motion, MotionType, Vector3
from ....model.contents import Contents
from ....model.geometry.frames import rigid_frame
from ....model.geometry.transform import (
    Rotation,
    apply,
    linear_part,
    minus,
    multiply,
    plus,
    translation_of,
    transpose,
)
from ....model.mechanics.inertias import filling_of
from ....model.mechanics.masses import Mass, about, principal, summed, times, turned
from ....model.mechanism import Mechanism, Node
from ....weighing.inertia import measured_contents
from ... import table
from ...prim import Prim, above
from ...units import has_space, space_of
from ..builder import StageReading
from .shapes import density_of


def read_bodies(reading: StageReading) -> None:
    """Give the nodes of bodies their motion."""
    for path, index in tuple(reading.node_of.items()):
        prim = reading.prims[path]
        if table.BODY_API not in prim.schemas:
            continue
        is_on = reading.flag(prim, table.BODY_ENABLED)
        if not is_on and reading.body_of(reading.nodes[index].parent) is not None:
            continue
        if reading.is_flat(index):
            reading.note("usd-flat-body", prim)
            continue
        kind = MotionType.STATIC
        if is_on:
            is_led = reading.flag(prim, table.KINEMATIC)
            kind = MotionType.KINEMATIC if is_led else MotionType.DYNAMIC
        reading.change(index, motion=_motion(reading, index, prim, kind))


def _motion(reading: StageReading, index: int, prim: Prim, kind: MotionType) -> Motion:
    space = space_of(reading.nodes[index].world)
    motion = Motion(
        kind,
        linear_velocity=space.vector_meant(reading.vector(prim, table.VELOCITY) or ZERO),
        angular_velocity=space.vector_meant(reading.vector(prim, table.ANGULAR_VELOCITY) or ZERO),
        gravity_factor=0.0 if reading.flag(prim, table.GRAVITY_OFF) else 1.0,
        starts_asleep=reading.flag(prim, table.STARTS_ASLEEP),
        unknown=reading.extras(prim),
    )
    if table.MASS_API not in prim.schemas:
        return motion
    mass = reading.number(prim, table.BODY_MASS)
    inertia = reading.vector(prim, table.DIAGONAL_INERTIA) or ZERO
    centre = reading.vector(prim, table.CENTER_OF_MASS) or ZERO
    axes = reading.quaternion(prim, table.PRINCIPAL_AXES) or IDENTITY_QUATERNION
    motion = replace(
        motion, mass=mass if mass > 0.0 else 1.0, center_of_mass=space.centre_meant(centre)
    )
    is_found = inertia == reading.vector(prim, table.COLLIDER_INERTIA)
    if inertia == ZERO or min(inertia) < 0.0 or is_found:
        return motion
    return replace(motion, inertia_diagonal=inertia, inertia_orientation=space.turn_meant(axes))


def is_weighed(reading: StageReading, prim: Prim) -> bool:
    """Return whether a body says its mass itself."""
    return table.MASS_API in prim.schemas and 0.0 < reading.number(prim, table.BODY_MASS) <= inf


def is_centred(reading: StageReading, prim: Prim) -> bool:
    """Return whether a body says itself where its centre of mass is."""
    return table.MASS_API in prim.schemas and reading.vector(prim, table.CENTER_OF_MASS) is not None


SAME = 1e-6
"""Part by which densities differ that count as one."""


class WeighedPart(NamedTuple):
    """A shape of a body."""

    filling: Mass
    """At density one, in the world."""
    density: float
    """kg/m^3."""
    centre: Vector3 | None
    """Where its mass is in the world, m, if its prim says so; else where the solid's is."""
    inertia: Rotation | None
    """Its inertia about there, kg m^2, if its prim says so."""


def _mass(part: WeighedPart) -> Mass:
    """Return what a shape weighs.

    Where its mass is said to be elsewhere, the inertia of the solid is taken about there, as pxr
    does.
    """
    found = times(part.filling, part.density)
    if part.centre is not None:
        found = replace(found, centre=part.centre, inertia=about(found, part.centre))
    return found if part.inertia is None else replace(found, inertia=part.inertia)


def weighed(reading: StageReading, contents: Contents, colliders: Mapping[int, Prim]) -> Contents:
    """Return contents whose bodies have the masses and centres that their stage means."""
    mechanism = contents.mechanism
    open_ones = {
        index: prim
        for index, prim in reading.prim_of.items()
        if mechanism.is_dynamic(index) and not _says_all(reading, prim, mechanism.nodes[index])
    }
    if not open_ones:
        return contents
    owned: dict[int, dict[int, Prim]] = {index: {} for index in open_ones}
    for collider, prim in colliders.items():
        body = mechanism.body_of(collider)
        if body in owned:
            owned[body][collider] = prim
    nodes = list(mechanism.nodes)
    measured_too = measured_contents(contents, set(open_ones))
    for index, prim in open_ones.items():
        parts = list(_parts(reading, measured_too, prim, owned[index]))
        nodes[index] = _weighed(reading, nodes[index], prim, parts)
    return replace(contents, mechanism=replace(mechanism, nodes=tuple(nodes)))


def _says_all(reading: StageReading, prim: Prim, node: Node) -> bool:
    has_inertia = node.motion is not None and node.motion.inertia_diagonal != ZERO
    return has_inertia and is_weighed(reading, prim) and is_centred(reading, prim)


def _weighed(reading: StageReading, node: Node, prim: Prim, parts: list[WeighedPart]) -> Node:
    """Return a body with what it leaves to be calculated."""
    motion, whole = node.motion, summed(map(_mass, parts))
    if motion is None:
        return node
    says_mass, is_said = is_weighed(reading, prim), is_centred(reading, prim)
    if whole is None or not whole.mass < inf:
        unit = motion.mass if says_mass else reading.units.kilograms
        return replace(node, motion=replace(motion, mass=unit))
    mass = motion.mass if says_mass else whole.mass
    frame = rigid_frame(node.world)
    turn, origin = linear_part(frame), translation_of(frame)
    centre = plus(apply(turn, motion.center), origin) if is_said else whole.centre
    place = apply(transpose(turn), minus(centre, origin))
    if not all(map(isfinite, place)):
        return node
    size = max(part.filling.mass for part in parts) ** (1.0 / 3.0)
    # Without the last digits of what cancels to zero.
    x, y, z = (0.0 if abs(one) < 1e-12 * size else one for one in place)
    densities = [part.density for part in parts]
    is_even = max(densities) - min(densities) <= SAME * max(densities)
    is_even &= all(part.centre is None and part.inertia is None for part in parts)
    motion = replace(motion, mass=mass)
    if not is_said:
        said = None if is_even else (x, y, z)
        motion = replace(motion, center_of_mass=said, found_center=(x, y, z))
    if motion.inertia_diagonal == ZERO and not is_even:
        inertia = about(times(whole, mass / whole.mass), centre)
        moments, axes = principal(multiply(multiply(transpose(turn), inertia), turn))
        if all(map(isfinite, moments)):
            motion = replace(motion, inertia_diagonal=moments, inertia_orientation=axes)
    return replace(node, motion=motion)


def _parts(
    reading: StageReading, mechanism: Mechanism, body: Prim, owned: Mapping[int, Prim]
) -> Iterator[WeighedPart]:
    """Yield the shapes of a body that have a volume, with the densities that count.

    A prim between a body and its shapes that says a mass stands for what is below it: densities
    there are scaled to that mass.
    """
    groups: dict[str, list[WeighedPart]] = {}
    for index, prim in owned.items():
        filling = filling_of(mechanism, [index])
        if filling is not None:
            said = list(_between(reading, prim, body))
            densities = [reading.amount(one, table.BODY_DENSITY) for one in said]
            nearest = next(filter(None, densities), 0.0)
            density = nearest or density_of(reading, prim) or table.WATER
            below = [one for one in said if one.path != body.path]
            part = WeighedPart(filling, density, *_own(reading, prim, below))
            for one in below:
                amounts = (
                    reading.amount(one, each) for each in (table.BODY_MASS, table.BODY_DENSITY)
                )
                if one.path != prim.path and any(amounts):
                    reading.note("usd-mass-between", one)
            heavy = [one.path for one in below if reading.amount(one, table.BODY_MASS)]
            groups.setdefault(heavy[-1] if heavy else "", []).append(part)
    for path, parts in groups.items():
        total = sum(part.filling.mass * part.density for part in parts)
        factor = 1.0
        if path and total > 0.0:
            factor = reading.amount(reading.prims[path], table.BODY_MASS) / total
        for part in parts:
            yield part._replace(density=factor * part.density)


def _own(
    reading: StageReading, prim: Prim, weighing: list[Prim]
) -> tuple[Vector3 | None, Rotation | None]:
    """Return the centre and the inertia that a collider below a body says of itself.

    Both are in the world; None where it does not say so, or has no masses (``weighing`` have). The
    centre is scaled with its prim.
    """
    world = reading.units.pose_meant(prim.world)
    if prim.path not in [one.path for one in weighing] or not has_space(world):
        return None, None
    place = reading.vector(prim, table.CENTER_OF_MASS)
    moments = reading.vector(prim, table.DIAGONAL_INERTIA) or ZERO
    axes = reading.quaternion(prim, table.PRINCIPAL_AXES) or IDENTITY_QUATERNION
    frame = space_of(world).place_meant(place or ZERO, axes)
    says_inertia = min(moments) >= 0.0 < max(moments)
    inertia = turned(linear_part(frame), moments) if says_inertia else None
    return None if place is None else translation_of(frame), inertia


def _between(reading: StageReading, prim: Prim, body: Prim) -> Iterator[Prim]:
    """Yield the prims with masses or densities from a collider up to its body."""
    for path in above(prim.path):
        one = reading.prims.get(path)
        if one is not None and table.MASS_API in one.schemas:
            yield one
        if path == body.path:
            return
