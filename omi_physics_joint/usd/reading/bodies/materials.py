# SPDX-License-Identifier: GPL-3.0-or-later
"""Physics materials of colliders, bound to them or to what is above them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ....model.body import Combine, PhysicsMaterial
from ... import table
from ...prim import Prim
from ..builder import StageReading, pooled

_COMBINES = {word: Combine(name) for name, word in table.COMBINE_WORDS.items()}


def read_materials(reading: StageReading, colliders: Mapping[int, Prim]) -> None:
    """Give colliders their materials."""
    subsets: dict[str, list[Prim]] = {}
    for prim in reading.stage:
        if prim.type == "GeomSubset":
            subsets.setdefault(prim.parent, []).append(prim)
    for index, prim in colliders.items():
        parts = subsets.get(prim.path, ())
        if any(_material_of(reading, one) for one in parts) and any(
            one.physics_material != prim.physics_material for one in parts
        ):
            reading.note("usd-subset-materials", prim)
        collider, material = reading.nodes[index].collider, _material_of(reading, prim)
        if collider is not None and material is not None:
            surface = pooled(reading.materials, _surface(reading, material))
            reading.change(index, collider=replace(collider, physics_material=surface))


def density_of(reading: StageReading, prim: Prim) -> float:
    """Return the density of the material of a prim in kg/m^3; 0 where it has none."""
    material = _material_of(reading, prim)
    return 0.0 if material is None else reading.amount(material, table.BODY_DENSITY)


def _material_of(reading: StageReading, prim: Prim) -> Prim | None:
    """Return the material that is bound to a prim, if it says anything of physics."""
    material = reading.prims.get(prim.physics_material)
    return material if material is not None and table.MATERIAL_API in material.schemas else None


def _surface(reading: StageReading, prim: Prim) -> PhysicsMaterial:
    return PhysicsMaterial(
        prim.title,
        reading.amount(prim, table.STATIC_FRICTION),
        reading.amount(prim, table.DYNAMIC_FRICTION),
        reading.amount(prim, table.RESTITUTION),
        _COMBINES.get(reading.token(prim, table.FRICTION_COMBINE), Combine.AVERAGE),
        _COMBINES.get(reading.token(prim, table.RESTITUTION_COMBINE), Combine.AVERAGE),
    )
