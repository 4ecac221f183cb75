# SPDX-License-Identifier: GPL-3.0-or-later
"""Densities and inertias of a stage, in its own units and beyond all bounds."""

from __future__ import annotations

import pytest
from usd_records import BODY, COLLISION, MASS, at, mechanism_of, node_of, placed, prim

from omi_physics_joint.model.body import ZERO


@pytest.mark.parametrize(("kilograms", "density"), [(1.0, 0.001), (0.001, 1.0), (2.0, 0.0005)])
def test_a_density_counts_in_units_of_the_stage(kilograms: float, density: float) -> None:
    """A cubic metre of what weighs a gram per cubic centimetre weighs a tonne."""
    said = {"size": 100.0, "physics:density": density}
    cube = prim("/A", "Cube", (COLLISION, BODY, MASS), attributes=said)
    stage = placed(cube, meters_per_unit=0.01, kilograms_per_unit=kilograms)
    motion = node_of(mechanism_of(stage), "A").motion
    assert motion is not None
    assert motion.mass == pytest.approx(1000.0)


def test_an_inertia_beyond_all_numbers_is_none() -> None:
    """What shapes say of theirs may have no sum; the body is read all the same."""
    said = {"size": 1.0, "physics:mass": 1.0, "physics:diagonalInertia": (1.5e308,) * 3}
    parts = [
        prim(f"/A/{x}", "Cube", (COLLISION, MASS), local=at(float(x)), attributes=said)
        for x in range(2)
    ]
    motion = node_of(mechanism_of(placed(prim("/A", schemas=(BODY,)), *parts)), "A").motion
    assert motion is not None
    assert motion.inertia_diagonal == ZERO


@pytest.mark.parametrize("size", [0.0, -1.0])
def test_a_shape_without_an_inside_is_no_part_of_the_prim_above(size: float) -> None:
    """A cube that is flat or mirrored has a node of its own beside that prim."""
    local = (
        (size, 0.0, 0.0, 0.0),
        *((0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)),
        (0.0, 0.0, 0.0, 1.0),
    )
    for scaled, count in ((local, 1), (None, 0)):
        shape = prim(
            "/A/Shape", "Cube", (COLLISION,), local=scaled, attributes={"purpose": "guide"}
        )
        stage = placed(prim("/A", schemas=(BODY,)), shape)
        assert sum(one.name == "Shape" for one in mechanism_of(stage).nodes) == count
