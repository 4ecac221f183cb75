# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of a stage, and what they weigh."""

from __future__ import annotations

from math import inf, nan, pi

import pytest
from usd_records import (
    BODY,
    COLLISION,
    MASS,
    SHADED,
    at,
    issues_of,
    mechanism_of,
    node_of,
    placed,
    prim,
)

from omi_physics_joint.model.body import ZERO, MotionType
from omi_physics_joint.model.geometry.transform import translation_of
from omi_physics_joint.model.issue import Severity
from omi_physics_joint.model.validate import check
from tests.model.building import codes

WATER = 1000.0


def cube(path: str, side: float = 1.0, *more: str, **attributes: float) -> object:
    """Return a solid cube."""
    said = {f"physics:{name}": value for name, value in attributes.items()}
    return prim(path, "Cube", (COLLISION, *more), attributes={"size": side, **said})


def test_a_body_in_centimetres_and_degrees_is_one_in_metres_and_radians() -> None:
    """Lengths, velocities, masses and inertia in SI; the stage stands up along Z."""
    body = prim(
        "/World/Crate",
        schemas=(BODY, MASS),
        local=at(0.0, 0.0, 250.0),
        attributes={
            "physics:velocity": (100.0, 0.0, 50.0),
            "physics:angularVelocity": (0.0, 0.0, 180.0),
            "physics:mass": 500.0,
            "physics:centerOfMass": (0.0, 0.0, 10.0),
            "physics:diagonalInertia": (1e6, 2e6, 3e6),
        },
    )
    stage = placed(
        prim("/World"), body, meters_per_unit=0.01, kilograms_per_unit=0.001, up_axis="Z"
    )
    node = node_of(mechanism_of(stage), "Crate")
    assert node.motion is not None
    assert translation_of(node.world) == pytest.approx((0.0, 2.5, 0.0))
    assert node.motion.linear_velocity == pytest.approx((1.0, 0.5, 0.0))
    assert node.motion.angular_velocity == pytest.approx((0.0, pi, 0.0))
    assert node.motion.mass == pytest.approx(0.5)
    assert node.motion.center == pytest.approx((0.0, 0.1, 0.0))
    assert node.motion.inertia_diagonal == pytest.approx((0.1, 0.3, 0.2))


def test_a_centre_of_mass_is_scaled_with_its_body_and_a_velocity_is_not() -> None:
    """As the calculation of USD itself has it."""
    body = prim(
        "/Bar",
        schemas=(BODY, MASS),
        local=at(scale=(1.0, 2.0, 3.0)),
        attributes={
            "physics:mass": 1.0,
            "physics:centerOfMass": (1.0, 2.0, 3.0),
            "physics:velocity": (0.0, 1.0, 0.0),
        },
    )
    motion = node_of(mechanism_of(placed(body)), "Bar").motion
    assert motion is not None
    assert motion.center == pytest.approx((1.0, 4.0, 9.0))
    assert motion.linear_velocity == pytest.approx((0.0, 1.0, 0.0))


@pytest.mark.parametrize("moment", [-1.0, -0.001])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_one_moment_below_zero_is_as_if_none_were_said(axis: int, moment: float) -> None:
    """USD's sentinel is all of them; what has one is not taken for a body that weighs less."""
    inertia = tuple(moment if i == axis else 2.0 for i in range(3))
    found = []
    for said in ({}, {"physics:diagonalInertia": inertia}):
        body = prim("/Bar", schemas=(BODY, MASS), attributes={"physics:mass": 1.0, **said})
        found.append(node_of(mechanism_of(placed(body, cube("/Bar/Solid"))), "Bar").motion)
    assert found[0] == found[1]


@pytest.mark.parametrize("mass", [-1.0, 0.0])
def test_a_led_body_that_says_no_mass_has_the_usual_one(mass: float) -> None:
    """Nobody calculates what forces do not move."""
    said = {"physics:mass": mass, "physics:kinematicEnabled": True}
    motion = node_of(mechanism_of(placed(prim("/A", "", (BODY, MASS), at(), attributes=said))), "A")
    assert motion.motion is not None
    assert motion.motion.mass == 1.0


def test_a_body_that_is_switched_off_is_none() -> None:
    """Its shapes are of the body above; by itself it is static."""
    off = {"physics:rigidBodyEnabled": False}
    stage = placed(
        prim("/Arm", schemas=(BODY,)),
        prim("/Arm/Off", schemas=(BODY,), attributes=off),
        cube("/Arm/Off/Shape"),
        prim("/Alone", schemas=(BODY,), attributes=off),
    )
    mechanism = mechanism_of(stage)
    assert node_of(mechanism, "Off").motion is None
    arm, alone = node_of(mechanism, "Arm").motion, node_of(mechanism, "Alone").motion
    assert arm is not None
    assert alone is not None
    assert arm.mass == pytest.approx(WATER)
    assert alone.type is MotionType.STATIC


def test_a_kinematic_body_below_a_dynamic_one_is_an_error() -> None:
    """No validator of USD says so: Check does, of whatever file."""
    led = {"physics:kinematicEnabled": True}
    wrong = placed(prim("/A", schemas=(BODY,)), prim("/A/B", schemas=(BODY,), attributes=led))
    right = placed(prim("/A", schemas=(BODY,), attributes=led), prim("/A/B", schemas=(BODY,)))
    code = "kinematic-below-dynamic"
    assert code in codes(check(mechanism_of(wrong)))
    assert code not in codes(check(mechanism_of(right)))
    assert not issues_of(right)
    motion = node_of(mechanism_of(right), "A").motion
    assert motion is not None
    assert motion.type is MotionType.KINEMATIC


def test_a_body_starting_asleep_does() -> None:
    """The model says so, and nothing is lost."""
    stage = placed(prim("/B", schemas=(BODY,), attributes={"physics:startsAsleep": True}))
    assert not issues_of(stage)
    motion = node_of(mechanism_of(stage), "B").motion
    assert motion is not None
    assert motion.starts_asleep


def test_one_kind_of_finding_is_one_sentence() -> None:
    """With a count, and the first names."""
    led = {"physics:mass": "heavy"}
    bodies = (prim(f"/B{i}", schemas=(BODY, MASS), attributes=led) for i in range(6))
    said = issues_of(placed(*bodies))["usd-number"].message
    assert "6 prims" in said
    assert "3 others" in said


@pytest.mark.parametrize(
    ("body", "part", "mass"),
    [
        ({}, {}, WATER),
        ({"density": 10.0}, {}, 10.0),
        ({"density": 10.0}, {"density": 3.0}, 3.0),
        ({"density": 10.0}, {"mass": 4.0}, 4.0),
        ({"mass": 7.0, "density": 10.0}, {"mass": 4.0}, 7.0),
        ({"mass": 7.0}, {"density": 3.0}, 7.0),
        ({"mass": 0.0, "density": 0.0}, {"mass": 0.0, "density": 0.0}, WATER),
        ({"mass": -1.0, "density": nan}, {}, WATER),
    ],
)
def test_masses_follow_the_precedence_of_the_schema(
    body: dict[str, float], part: dict[str, float], mass: float
) -> None:
    """Parent over child, mass over density, density of the child over that of the parent."""
    said = {f"physics:{name}": value for name, value in body.items()}
    stage = placed(
        prim("/Body", schemas=(BODY, MASS) if body else (BODY,), attributes=said),
        cube("/Body/Shape", 1.0, *((MASS,) if part else ()), **part),
    )
    motion = node_of(mechanism_of(stage), "Body").motion
    assert motion is not None
    assert motion.mass == pytest.approx(mass)
    assert motion.inertia_diagonal == ZERO


def test_a_density_of_a_mass_beats_one_of_a_material_also_from_above() -> None:
    """And a material beats water."""
    wood = prim("/Wood", "Material", (SHADED,), attributes={"physics:density": 600.0})
    shape = prim(
        "/Body/Shape", "Cube", (COLLISION,), attributes={"size": 1.0}, physics_material="/Wood"
    )
    plain = placed(wood, prim("/Body", schemas=(BODY,)), shape)
    dense = {"physics:density": 20.0}
    said = placed(wood, prim("/Body", schemas=(BODY, MASS), attributes=dense), shape)
    masses = [node_of(mechanism_of(one), "Body").motion for one in (plain, said)]
    assert [motion and motion.mass for motion in masses] == pytest.approx([600.0, 20.0])


def test_a_mass_between_body_and_shapes_stands_for_what_is_below() -> None:
    """Two shapes below a prim of 3 kg, and one of 1 kg beside it."""
    heavy = {"physics:mass": 3.0}
    stage = placed(
        prim("/Body", schemas=(BODY,)),
        prim("/Body/Part", schemas=(MASS,), local=at(1.0), attributes=heavy),
        cube("/Body/Part/A", 1.0, MASS, mass=50.0),
        cube("/Body/Part/B"),
        cube("/Body/C", 1.0, MASS, mass=1.0),
    )
    motion = node_of(mechanism_of(stage), "Body").motion
    assert motion is not None
    assert motion.mass == pytest.approx(4.0)
    assert motion.center == pytest.approx((0.75, 0.0, 0.0))
    assert "usd-mass-between" in issues_of(stage)
    plain = placed(prim("/Body", schemas=(BODY,)), cube("/Body/C", 1.0, MASS, mass=1.0))
    assert "usd-mass-between" not in issues_of(plain)


def test_nested_bodies_weigh_for_themselves() -> None:
    """What is below a body below a body is not the upper one's."""
    stage = placed(
        prim("/A", schemas=(BODY,)),
        cube("/A/Shape"),
        prim("/A/B", schemas=(BODY,), local=at(2.0)),
        cube("/A/B/Shape", 2.0),
    )
    mechanism = mechanism_of(stage)
    outer, inner = (node_of(mechanism, name).motion for name in "AB")
    assert outer is not None
    assert inner is not None
    assert (outer.mass, inner.mass) == pytest.approx((WATER, 8.0 * WATER))
    assert outer.center == ZERO


def test_a_body_without_a_volume_weighs_one_unit() -> None:
    """One of the stage."""
    stage = placed(prim("/A", schemas=(BODY,)), kilograms_per_unit=0.25)
    motion = node_of(mechanism_of(stage), "A").motion
    assert motion is not None
    assert motion.mass == 0.25


def test_shapes_of_different_densities_make_an_inertia_that_is_said() -> None:
    """Two cubes on a bar: the heavy one pulls the centre, and axes stay along the bar."""
    stage = placed(
        prim("/Body", schemas=(BODY,)),
        prim("/Body/L", local=at(-1.0)),
        cube("/Body/L/Shape", 1.0, MASS, mass=1.0),
        prim("/Body/R", local=at(1.0)),
        cube("/Body/R/Shape", 1.0, MASS, mass=3.0),
    )
    motion = node_of(mechanism_of(stage), "Body").motion
    assert motion is not None
    assert motion.center == pytest.approx((0.5, 0.0, 0.0))
    assert sorted(motion.inertia_diagonal) == pytest.approx([4.0 / 6.0, 11.0 / 3.0, 11.0 / 3.0])


def test_a_mass_of_the_body_scales_those_of_its_shapes() -> None:
    """Where the mass is follows from theirs, as the calculation of USD itself has it."""
    heavy = {"physics:mass": 8.0}
    stage = placed(
        prim("/Body", schemas=(BODY, MASS), attributes=heavy),
        prim("/Body/L", local=at(-1.0)),
        cube("/Body/L/Shape", 1.0, MASS, mass=1.0),
        prim("/Body/R", local=at(1.0)),
        cube("/Body/R/Shape", 1.0, MASS, mass=3.0),
    )
    motion = node_of(mechanism_of(stage), "Body").motion
    assert motion is not None
    assert motion.mass == 8.0
    assert motion.center == pytest.approx((0.5, 0.0, 0.0))


def test_sentinels_mean_that_it_is_calculated() -> None:
    """An infinite centre, an inertia of zero, axes of zero."""
    said = {
        "physics:mass": 2.0,
        "physics:centerOfMass": (-inf, -inf, -inf),
        "physics:diagonalInertia": (0.0, 0.0, 0.0),
        "physics:principalAxes": (0.0, 0.0, 0.0, 0.0),
    }
    shape = prim("/A/Shape", "Cube", (COLLISION,), local=at(0.5), attributes={"size": 1.0})
    motion = node_of(
        mechanism_of(placed(prim("/A", schemas=(BODY, MASS), attributes=said), shape)), "A"
    ).motion
    assert motion is not None
    assert motion.mass == 2.0
    assert motion.center == pytest.approx((0.5, 0.0, 0.0))
    assert motion.inertia_diagonal == ZERO
    assert motion.inertia_orientation == (0.0, 0.0, 0.0, 1.0)


def test_a_flat_body_is_none_and_numbers_that_are_none_are_defaults() -> None:
    """With an issue each, and nothing raised."""
    broken = {
        "physics:velocity": (nan, 0.0, 0.0),
        "physics:mass": "heavy",
        "physics:centerOfMass": (1.0, 2.0),
    }
    stage = placed(
        prim("/Flat", schemas=(BODY,), local=at(scale=(1.0, 0.0, 1.0))),
        prim("/Broken", schemas=(BODY, MASS), attributes=broken),
        prim("/Nowhere", schemas=(BODY,), local=at(nan)),
    )
    mechanism, issues = mechanism_of(stage), issues_of(stage)
    severe = {code: one.severity for code, one in issues.items()}
    assert severe.keys() == {"usd-flat-body", "usd-number", "usd-pose"}
    assert severe["usd-pose"] is Severity.ERROR
    assert node_of(mechanism, "Flat").motion is None
    motion = node_of(mechanism, "Broken").motion
    assert motion is not None
    assert (motion.mass, motion.linear_velocity, motion.center) == (1.0, ZERO, ZERO)
