# SPDX-License-Identifier: GPL-3.0-or-later
"""What bodies weigh that leave it to be calculated, by the precedence of the schema.

A mass that a prim says is that of all below it. Else a collider weighs its volume times a density:
the nearest that a prim from it up to its body says, else its material's, else that of water. A body
without a volume weighs one unit. What belongs to a body nested below another counts for it alone.

Where all of a body has one density, its inertia is left to be calculated from its shapes, which is
the same; else it is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np

from ....model.body import IDENTITY_QUATERNION, ZERO, Motion, MotionType, Quaternion, Vector3
from ....model.contents import Contents
from ....model.geometry.frames import rigid_frame
from ....model.geometry.transform import quaternion_from_rotation
from ....model.mechanism import Mechanism
from ....model.solid import MeshSolids, Solid
from ....weighing.hull import Array
from ....weighing.inertia import body_solid
from ....weighing.solids import measured, meshes_of, with_solids
from ... import table
from ...prim import Prim, above
from ..builder import StageReading
from ..values import Values
from .materials import density_of
from .motions import is_centred, is_weighed

SAME = 1e-6
"""Part by which densities differ that count as one."""


@dataclass(frozen=True, slots=True)
class WeighedPart:
    """One shape of a body.

    Attributes:
        solid: in the world.
        density: kg/m^3.
    """

    solid: Solid
    density: float

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
        if (motion := reading.nodes[index].motion) is not None
        and motion.type is MotionType.DYNAMIC
        and not (is_weighed(reading, prim) and is_centred(reading, prim))
    }
    if not open_ones:
        return contents
    measured_too = _measured(contents, set(open_ones))
    nodes = list(mechanism.nodes)
    shapes: dict[int, list[int]] = {}
    for collider in colliders:
        body = mechanism.body_of(collider)
        if body in open_ones:
            shapes.setdefault(body, []).append(collider)
    for index, prim in open_ones.items():
        owned = {one: colliders[one] for one in shapes.get(index, ())}
        with np.errstate(all="ignore"):  # sizes beyond all numbers count as none
            motion = _weighed(reading, measured_too, index, prim, owned)
        nodes[index] = replace(nodes[index], motion=motion)
    return replace(contents, mechanism=replace(mechanism, nodes=tuple(nodes)))


def _measured(contents: Contents, bodies: set[int]) -> Mechanism:
    """Return the mechanism with what the meshes of these bodies hold."""

    def measure(index: int) -> MeshSolids | None:
        mesh = contents.meshes[index]
        if mesh is None:
            return None
        return measured(np.array(mesh.points), np.array(mesh.triangles, dtype=np.intp))

    mechanism = contents.mechanism
    return with_solids(mechanism, meshes_of(mechanism, bodies), measure)


def _weighed(
    reading: StageReading, mechanism: Mechanism, index: int, prim: Prim, owned: Mapping[int, Prim]
) -> Motion | None:
    """Return the motion of a body with what it leaves to be calculated."""
    motion = mechanism.nodes[index].motion
    if motion is None:
        return None
    says_mass = is_weighed(reading, prim)
    parts = list(_parts(reading, mechanism, prim, owned))
    total = sum(part.mass for part in parts)
    if not (isfinite(total) and total > 0.0):
        unit = motion.mass if says_mass else reading.units.kilograms
        return replace(motion, mass=unit)
    mass = motion.mass if says_mass else total
    frame = np.array(rigid_frame(mechanism.nodes[index].world))
    centre = sum((part.mass * np.array(part.solid.centre) for part in parts), np.zeros(3)) / total
    if is_centred(reading, prim):
        centre = frame[:3, :3] @ np.array(motion.center_of_mass) + frame[:3, 3]
    place = _rounded(frame[:3, :3].T @ (centre - frame[:3, 3]), _size(parts))
    if not all(map(isfinite, place)):
        return motion
    motion = replace(motion, mass=mass, center_of_mass=place)
    if motion.inertia_diagonal != ZERO or _are_even([part.density for part in parts]):
        return motion
    diagonal, axes = _principal(parts, centre, frame[:3, :3])
    scale = mass / total
    return replace(
        motion,
        inertia_diagonal=(diagonal[0] * scale, diagonal[1] * scale, diagonal[2] * scale),
        inertia_orientation=axes,
    )


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
            holder = _weight_holder(reading, prim, body)
            density = _density(reading, prim, body)
            groups.setdefault(holder, []).append(WeighedPart(solid, density))
    for path, parts in groups.items():
        total = sum(part.mass for part in parts)
        factor = 1.0
        if path and total > 0.0:
            factor = _said(reading, reading.prims[path], is_mass=True) / total
        for part in parts:
            yield replace(part, density=factor * part.density)


def _between(values: Values, prim: Prim, body: Prim) -> Iterator[Prim]:
    """Yield the prims with masses or densities from a collider up to its body."""
    for path in above(prim.path):
        one = values.prims.get(path)
        if one is not None and table.MASS_API in one.schemas:
            yield one
        if path == body.path:
            return


def _weight_holder(values: Values, prim: Prim, body: Prim) -> str:
    """Return the highest prim below a body that says the mass of a collider; empty if none does."""
    found = [
        one.path
        for one in _between(values, prim, body)
        if one.path != body.path and _said(values, one, is_mass=True) > 0.0
    ]
    return found[-1] if found else ""


def _density(reading: StageReading, prim: Prim, body: Prim) -> float:
    for one in _between(reading, prim, body):
        density = _said(reading, one, is_mass=False)
        if density > 0.0:
            return density
    return density_of(reading, prim) or table.WATER


def _said(values: Values, prim: Prim, *, is_mass: bool) -> float:
    value = values.number(prim, table.BODY_MASS if is_mass else table.BODY_DENSITY)
    return value if isfinite(value) and value > 0.0 else 0.0


def _are_even(densities: list[float]) -> bool:
    return max(densities) - min(densities) <= SAME * max(densities)


def _size(parts: list[WeighedPart]) -> float:
    return float(max(part.solid.volume for part in parts) ** (1.0 / 3.0))


def _rounded(place: Array, size: float) -> Vector3:
    """Return a place without the last digits of what cancels to zero."""
    x, y, z = (0.0 if abs(one) < 1e-12 * size else float(one) for one in place)
    return (x, y, z)


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
