# SPDX-License-Identifier: GPL-3.0-or-later
"""Physics materials of colliders, bound to them or to what is above them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite

from ....model.body import Combine, PhysicsMaterial
from ... import table
from ...prim import Prim
from ..builder import StageReading, pooled

_COMBINES = {word: Combine(name) for name, word in table.COMBINE_WORDS.items()}


def read_materials(reading: StageReading, colliders: Mapping[int, Prim]) -> None:
    """Give colliders their materials."""
    subsets = {
        prim.parent
        for prim in reading.stage
        if prim.type == "GeomSubset" and material_of(reading, prim) is not None
    }
    for index, prim in colliders.items():
        collider, material = reading.nodes[index].collider, material_of(reading, prim)
        if prim.path in subsets and _differ(reading, prim):
            reading.note("usd-subset-materials", prim)
        if collider is not None and material is not None:
            surface = pooled(reading.materials, _surface(reading, material))
            reading.change(index, collider=replace(collider, physics_material=surface))


def material_of(reading: StageReading, prim: Prim) -> Prim | None:
    """Return the material that is bound to a prim, if it says anything of physics."""
    material = reading.prims.get(prim.physics_material)
    return material if material is not None and table.MATERIAL_API in material.schemas else None


def density_of(reading: StageReading, prim: Prim) -> float:
    """Return the density of the material of a prim in kg/m^3; 0 where it has none."""
    material = material_of(reading, prim)
    return 0.0 if material is None else _not_negative(reading, material, table.DENSITY_OF)


def _differ(reading: StageReading, mesh: Prim) -> bool:
    return any(
        prim.parent == mesh.path
        and prim.type == "GeomSubset"
        and prim.physics_material != mesh.physics_material
        for prim in reading.stage
    )


def _surface(reading: StageReading, prim: Prim) -> PhysicsMaterial:
    return PhysicsMaterial(
        prim.title,
        _not_negative(reading, prim, table.STATIC_FRICTION),
        _not_negative(reading, prim, table.DYNAMIC_FRICTION),
        _not_negative(reading, prim, table.RESTITUTION),
        _COMBINES.get(reading.token(prim, table.FRICTION_COMBINE), Combine.AVERAGE),
        _COMBINES.get(reading.token(prim, table.RESTITUTION_COMBINE), Combine.AVERAGE),
    )


def _not_negative(reading: StageReading, prim: Prim, attribute: table.Attribute) -> float:
    value = reading.number(prim, attribute)
    return value if isfinite(value) and value > 0.0 else 0.0
