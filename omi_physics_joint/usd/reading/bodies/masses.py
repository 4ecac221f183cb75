# SPDX-License-Identifier: GPL-3.0-or-later
"""What bodies weigh that leave it to be calculated, by the precedence of the schema.

A mass that a prim says is that of all below it; a centre and an inertia that a collider says are
its own, as ``pxr`` computes the whole. Else a collider weighs its volume times a density:
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
from ....model.mechanism import Mechanism, Node
from ....model.solid import Solid
from ....weighing.hull import Array
from ....weighing.inertia import body_solid, measured_contents, principal
from ... import table
from ...prim import Prim, above
from ...units import has_space, space_of
from ..builder import StageReading
from .motions import is_centred, is_weighed
from .shapes import density_of

SAME = 1e-6
"""Part by which densities differ that count as one."""


@dataclass(frozen=True, slots=True)
class WeighedPart:
    """One shape of a body."""

    solid: Solid
    """In the world."""
    density: float
    """kg/m^3."""
    centre: Array | None = None
    """Where its mass is in the world, (3,) in m, if its prim says so; else where the solid's is."""
    inertia: Array | None = None
    """Its inertia about there, (3, 3) in world axes and kg m^2, if its prim says so."""

    @property
    def mass(self) -> float:
        """Its mass in kg."""
        return self.solid.volume * self.density

    @property
    def middle(self) -> Array:
        """Where its mass is."""
        return np.array(self.solid.centre) if self.centre is None else self.centre

    def inertia_about(self, point: Array) -> Array:
        """Return its inertia about a point of the world (3,).

        Where its mass is said to be elsewhere, that of the solid is taken about there, as pxr does.
        """
        off, arm = self.middle - np.array(self.solid.centre), self.middle - point
        own = self.inertia
        if own is None:
            own = self.density * _turning(np.array(self.solid.spread))
            own = own + self.mass * _turning(np.outer(off, off))
        return np.asarray(own + self.mass * _turning(np.outer(arm, arm)))


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
        with np.errstate(all="ignore"):  # sizes beyond all numbers count as none
            parts = list(_parts(reading, measured_too, prim, owned[index]))
            nodes[index] = _weighed(reading, nodes[index], prim, parts)
    return replace(contents, mechanism=replace(mechanism, nodes=tuple(nodes)))


def _says_all(reading: StageReading, prim: Prim, node: Node) -> bool:
    has_inertia = node.motion is not None and node.motion.inertia_diagonal != ZERO
    return has_inertia and is_weighed(reading, prim) and is_centred(reading, prim)


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
    centre = sum((part.mass * part.middle for part in parts), np.zeros(3)) / total
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
    is_even &= all(part.centre is None and part.inertia is None for part in parts)
    motion = replace(motion, mass=mass)
    if not is_centred(reading, prim):
        said = None if is_even else (x, y, z)
        motion = replace(motion, center_of_mass=said, found_center=(x, y, z))
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
            density = nearest or density_of(reading, prim) or table.WATER
            below = [one for one in said if one.path != body.path]
            part = WeighedPart(solid, density, *_own(reading, prim, below))
            for one in below:
                amounts = (
                    reading.amount(one, each) for each in (table.BODY_MASS, table.BODY_DENSITY)
                )
                if one.path != prim.path and any(amounts):
                    reading.note("usd-mass-between", one)
            heavy = [one.path for one in below if reading.amount(one, table.BODY_MASS)]
            groups.setdefault(heavy[-1] if heavy else "", []).append(part)
    for path, parts in groups.items():
        total = sum(part.mass for part in parts)
        factor = 1.0
        if path and total > 0.0:
            factor = reading.amount(reading.prims[path], table.BODY_MASS) / total
        for part in parts:
            yield replace(part, density=factor * part.density)


def _own(
    reading: StageReading, prim: Prim, weighing: list[Prim]
) -> tuple[Array | None, Array | None]:
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
    frame = np.array(space_of(world).place_meant(place or ZERO, axes))
    turn = frame[:3, :3]
    inertia = turn @ np.diag(moments) @ turn.T if min(moments) >= 0.0 < max(moments) else None
    return None if place is None else frame[:3, 3], inertia


def _turning(spread: Array) -> Array:
    """Return the inertia that a spread r r^T makes, per mass or as a whole."""
    return np.asarray(np.trace(spread) * np.eye(3) - spread)


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
    total = sum((part.inertia_about(centre) for part in parts), np.zeros((3, 3)))
    if not np.isfinite(total).all():
        return ZERO, IDENTITY_QUATERNION
    return principal(turn.T @ total @ turn)
