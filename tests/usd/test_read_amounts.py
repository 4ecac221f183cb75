# SPDX-License-Identifier: GPL-3.0-or-later
"""Densities and inertias of a stage, in its own units and beyond all bounds."""

from __future__ import annotations

from itertools import product
from math import inf

import pytest
from usd_records import BODY, COLLISION, MASS, at, joint, mechanism_of, node_of, placed, prim

from omi_physics_joint.model.body import ZERO
from omi_physics_joint.model.joint import Breaking


@pytest.mark.parametrize(("kilograms", "density"), [(1.0, 0.001), (0.001, 1.0), (2.0, 0.0005)])
def test_a_density_counts_in_units_of_the_stage(kilograms: float, density: float) -> None:
    """A cubic metre of what weighs a gram per cubic centimetre weighs a tonne."""
    said = {"size": 100.0, "physics:density": density}
    cube = prim("/A", "Cube", (COLLISION, BODY, MASS), attributes=said)
    stage = placed(cube, meters_per_unit=0.01, kilograms_per_unit=kilograms)
    motion = node_of(mechanism_of(stage), "A").motion
    assert motion is not None
    assert motion.mass == pytest.approx(1000.0)


AMOUNTS = {
    "DistanceJoint": {
        ("physics:minDistance", "physics:maxDistance"): (1, 0),
        tuple(f"physxPhysicsDistanceJoint:spring{one}" for one in ("Stiffness", "Damping")): (0, 1),
    },
    "PrismaticJoint": {
        ("physics:upperLimit", "drive:linear:physics:targetVelocity"): (1, 0),
        tuple(f"drive:linear:physics:{one}" for one in ("stiffness", "damping")): (0, 1),
        tuple(f"physxLimit:linear:{one}" for one in ("stiffness", "damping")): (0, 1),
        ("drive:linear:physics:maxForce", "physics:breakForce"): (1, 1),
    },
    "RevoluteJoint": {
        ("physics:upperLimit", "drive:angular:physics:targetVelocity"): (0, 0),
        tuple(f"drive:angular:physics:{one}" for one in ("stiffness", "damping")): (2, 1),
        tuple(f"physxLimit:angular:{one}" for one in ("stiffness", "damping")): (2, 1),
        ("drive:angular:physics:maxForce", "physics:breakTorque"): (2, 1),
    },
}
"""By the type of a joint, numbers of the powers of a length and of a mass."""


@pytest.mark.parametrize("kind", AMOUNTS)
def test_a_joint_is_the_same_in_whatever_units_it_is_said(kind: str) -> None:
    """Each number of springs, bounds, drives and of where it breaks, with its own dimension."""
    found = []
    for metre, kilogram in ((1.0, 1.0), (0.5, 1.0), (1.0, 0.25), (0.125, 2.0)):
        said = {
            name: (4.0 + number) / metre**length / kilogram**mass
            for names, (length, mass) in AMOUNTS[kind].items()
            for number, name in enumerate(names)
        }
        said["physxPhysicsDistanceJoint:springEnabled"] = True
        way = "angular" if kind == "RevoluteJoint" else "linear"
        schemas = (f"PhysicsDriveAPI:{way}", f"PhysxLimitAPI:{way}")
        one = joint("/J", kind, "/A", "/B", schemas=schemas, attributes=said)
        ends = (prim(path, schemas=(BODY,)) for path in ("/A", "/B"))
        stage = placed(*ends, one, meters_per_unit=metre, kilograms_per_unit=kilogram)
        mechanism = mechanism_of(stage)
        (made,) = (one.joint for one in mechanism.nodes if one.joint)
        found.append((mechanism.settings, made.breaking))
    assert found[1:] == found[:1] * 3
    assert any(one.is_soft for one in found[0][0][0].limits)


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


@pytest.mark.parametrize(("force", "torque"), [*product((-1.0, 0.0, 5.0, inf), repeat=2)])
def test_what_breaks_a_joint_is_two_numbers(force: float, torque: float) -> None:
    """Each is none by itself where it is negative, whatever the other is."""
    said = {"physics:breakForce": force, "physics:breakTorque": torque}
    ends = (prim(path, schemas=(BODY,)) for path in ("/A", "/B"))
    found = mechanism_of(placed(*ends, joint("/J", "FixedJoint", "/A", "/B", attributes=said)))
    ((_, _, one),) = found.all_joints()
    wanted = Breaking(*(inf if number < 0.0 else number for number in (force, torque)))
    assert (one.breaking or Breaking()) == wanted
