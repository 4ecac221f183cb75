# SPDX-License-Identifier: GPL-3.0-or-later
"""What bodies weigh that leave it to be calculated, by the precedence of the schema.

A mass that a prim says is that of all below it. Else a collider weighs its volume times a density:
the nearest that a prim from it up to its body says, else its material's, else that of water. A body
without a volume weighs one unit. What belongs to a body nested below another counts for it alone.

Where all of a body has one density, its centre of mass and its inertia are left to be computed from
its shapes, which is the same; else they are said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from ....model.body import IDENTITY_QUATERNION, ZERO, Quaternion, Vector3
from ....model.contents import Contents
from ....model.geometry.frames import rigid_frame
from ....model.geometry.transform import quaternion_from_rotation
from ....model.mechanism import Mechanism, Node
from ....model.solid import Solid
from ....weighing.hull import Array
from ....weighing.inertia import body_solid
from ....weighing.measuring import measured_contents
from ... import table
from ...prim import Prim, above
from ..builder import StageReading
from .materials import density_of
from .motions import is_centred, is_weighed

SAME = 1e-6
"""Part by which densities differ that count as one."""


@dataclass(frozen=True, slots=True)
class WeighedPart:
    """One shape of a body."""

    solid: Solid
    """In the world."""
    density: float
    """kg/m^3."""

    @property
    def mass(self) -> float:
        """Its mass in kg."""
        return self.solid.volume * self.density


def weighed(reading: StageReading, contents: Contents, colliders: Mapping[int, Prim]) -> Contents:
    """Return contents whose bodies have the masses and centres that their stage means."""
    mechanism = contents.mechanism
    open_ones = {
        index: prim
        for index, prim in reading.prim_of.items()
        if mechanism.is_dynamic(index)
        and not (is_weighed(reading, prim) and is_centred(reading, prim))
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
        with np.errstate(all="ignore"):  # sizes beyond all numbers count as none
            parts = list(_parts(reading, measured_too, prim, owned[index]))
            nodes[index] = _weighed(reading, nodes[index], prim, parts)
    return replace(contents, mechanism=replace(mechanism, nodes=tuple(nodes)))


def _weighed(reading: StageReading, node: Node, prim: Prim, parts: list[WeighedPart]) -> Node:
    """Return a body with what it leaves to be calculated."""
    motion = node.motion
    if motion is None:
        return node
    says_mass = is_weighed(reading, prim)
    total = sum(part.mass for part in parts)
    if not 0.0 < total < inf:
        unit = motion.mass if says_mass else reading.units.kilograms
        return replace(node, motion=replace(motion, mass=unit))
    mass = motion.mass if says_mass else total
    frame = np.array(rigid_frame(node.world))
    turn, origin = frame[:3, :3], frame[:3, 3]
    centre = sum((part.mass * np.array(part.solid.centre) for part in parts), np.zeros(3)) / total
    if is_centred(reading, prim):
        centre = turn @ np.array(motion.center_of_mass) + origin
    place = turn.T @ (centre - origin)
    if not np.isfinite(place).all():
        return node
    size = max(part.solid.volume for part in parts) ** (1.0 / 3.0)
    # Without the last digits of what cancels to zero.
    x, y, z = (0.0 if abs(one) < 1e-12 * size else float(one) for one in place)
    densities = [part.density for part in parts]
    is_even = max(densities) - min(densities) <= SAME * max(densities)
    is_open = is_even and not is_centred(reading, prim)
    said = None if is_open else (x, y, z)
    motion = replace(motion, mass=mass, center_of_mass=said, found_center=(x, y, z))
    if motion.inertia_diagonal == ZERO and not is_even:
        (x, y, z), axes = _principal(parts, centre, turn)
        scale = mass / total
        inertia = (x * scale, y * scale, z * scale)
        motion = replace(motion, inertia_diagonal=inertia, inertia_orientation=axes)
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
        solid = body_solid(mechanism, [index])
        if solid is not None:
            said = list(_between(reading, prim, body))
            densities = [reading.amount(one, table.BODY_DENSITY) for one in said]
            nearest = next(filter(None, densities), 0.0)
            part = WeighedPart(solid, nearest or density_of(reading, prim) or table.WATER)
            below = [one for one in said if one.path != body.path]
            heavy = [one.path for one in below if reading.amount(one, table.BODY_MASS)]
            groups.setdefault(heavy[-1] if heavy else "", []).append(part)
    for path, parts in groups.items():
        total = sum(part.mass for part in parts)
        factor = 1.0
        if path and total > 0.0:
            factor = reading.amount(reading.prims[path], table.BODY_MASS) / total
        for part in parts:
            yield replace(part, density=factor * part.density)


def _between(reading: StageReading, prim: Prim, body: Prim) -> Iterator[Prim]:
    """Yield the prims with masses or densities from a collider up to its body."""
    for path in above(prim.path):
        one = reading.prims.get(path)
        if one is not None and table.MASS_API in one.schemas:
            yield one
        if path == body.path:
            return


def _principal(parts: list[WeighedPart], centre: Array, turn: Array) -> tuple[Vector3, Quaternion]:
    """Return the principal inertia of parts about a centre, and its axes in the body."""
    total = np.zeros((3, 3))
    for part in parts:
        arm = np.array(part.solid.centre) - centre
        spread = np.array(part.solid.spread) + part.solid.volume * np.outer(arm, arm)
        total += part.density * (np.trace(spread) * np.eye(3) - spread)
    if not np.isfinite(total).all():
        return ZERO, IDENTITY_QUATERNION
    values, vectors = np.linalg.eigh(turn.T @ total @ turn)
    if np.linalg.det(vectors) < 0.0:
        vectors[:, 2] *= -1.0
    axes = quaternion_from_rotation(tuple(tuple(float(x) for x in row) for row in vectors))
    first, second, third = (max(float(value), 0.0) for value in values)
    return (first, second, third), axes
