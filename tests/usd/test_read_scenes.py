# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes of a stage, what stands on it, and what is seen and not kept."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import pytest
from usd_records import BODY, at, issues_of, mechanism_of, node_of, placed, prim

from omi_physics_joint.usd.prim import Prim


def scene(path: str = "/Scene", **said: Any) -> Prim:
    """Return a scene."""
    return Prim(
        path, "PhysicsScene", attributes={f"physics:{name}": value for name, value in said.items()}
    )


@pytest.mark.parametrize(
    ("said", "gravity"),
    [
        ({}, None),
        ({"gravityDirection": (0.0, 0.0, 0.0), "gravityMagnitude": -inf}, None),
        ({"gravityMagnitude": 981.0}, None),
        ({"gravityMagnitude": -1.0}, None),
        ({"gravityDirection": (0.0, 0.0, -1.0), "gravityMagnitude": 981.0}, None),
        ({"gravityMagnitude": 0.0}, (0.0, 0.0, 0.0)),
        ({"gravityMagnitude": 162.0}, (0.0, -1.62, 0.0)),
        ({"gravityDirection": (2.0, 0.0, 0.0)}, (9.81, 0.0, 0.0)),
        ({"gravityDirection": (0.0, 3.0, 0.0), "gravityMagnitude": 100.0}, (0.0, 0.0, -1.0)),
        ({"gravityMagnitude": nan, "gravityDirection": "down"}, None),
    ],
)
def test_gravity_and_its_sentinels(said: dict[str, Any], gravity: Any) -> None:
    """Of a stage in centimetres that stands along Z."""
    found = mechanism_of(placed(scene(**said), meters_per_unit=0.01, up_axis="Z")).gravity
    assert found == (gravity if gravity is None else pytest.approx(gravity))


def test_several_scenes_are_one_with_the_gravity_of_the_first_body() -> None:
    """Bodies of another one take a factor where they can; none falls that floats in its own."""

    def body(name: str, owner: str, *, floats: bool = False) -> Prim:
        return prim(
            f"/{name}",
            schemas=(BODY,),
            targets={"physics:simulationOwner": (owner,)},
            attributes={"physxRigidBody:disableGravity": floats},
        )

    stage = placed(
        scene("/Other", gravityMagnitude=4.0),
        scene("/First", gravityMagnitude=2.0),
        scene("/Aside", gravityDirection=(1.0, 0.0, 0.0)),
        body("A", "/First"),
        body("B", "/Other"),
        body("C", "/Aside"),
        body("D", "/Other", floats=True),
    )
    mechanism = mechanism_of(stage)
    assert mechanism.gravity == pytest.approx((0.0, -2.0, 0.0))
    factors = [motion.gravity_factor for motion in (n.motion for n in mechanism.nodes) if motion]
    assert factors == pytest.approx([1.0, 2.0, 1.0, 0.0])
    issues = issues_of(stage)
    assert set(issues) == {"usd-several-scenes", "usd-scene-gravity"}
    assert "C" in issues["usd-scene-gravity"].message


@pytest.mark.parametrize("owner", ["", "/First"])
@pytest.mark.parametrize("other", [2.0, 4.0])
def test_of_two_gravities_that_nobody_chooses_it_is_told(owner: str, other: float) -> None:
    """Which one counts is the order of the scenes."""
    targets = {"physics:simulationOwner": (owner,)} if owner else {}
    stage = placed(
        scene("/First", gravityMagnitude=2.0),
        scene("/Other", gravityMagnitude=other),
        prim("/A", schemas=(BODY,), targets=targets),
    )
    assert ("usd-several-scenes" in issues_of(stage)) is (not owner and other != 2.0)


def test_cameras_and_lights_stay_behind_unless_they_hold_something() -> None:
    """And prims that stand nowhere are no nodes."""
    stage = placed(
        prim("/Lamp", "SphereLight"),
        prim("/Camera", "Camera"),
        prim("/Camera/Crate", schemas=(BODY,)),
        prim("/Group", "Scope"),
        prim("/Group/Box", "Cube"),
    )
    mechanism = mechanism_of(stage)
    assert [node.name for node in mechanism.nodes] == ["Camera", "Crate", "Box"]
    assert node_of(mechanism, "Crate").parent == 0
    assert node_of(mechanism, "Box").parent is None


def test_the_prim_that_only_holds_the_world_is_no_node() -> None:
    """If it is called so, and stands at the origin; labels are the names that users see."""
    crate = prim("/World/Crate", label="Große Kiste")
    plain = placed(prim("/World"), crate, default_prim="World")
    unnamed = placed(prim("/World"), crate)
    for stage in (plain, unnamed):
        assert [node.name for node in mechanism_of(stage).nodes] == ["Große Kiste"]


@pytest.mark.parametrize(
    ("world", "more"),
    [
        (prim("/World", local=at(1.0)), {}),
        (prim("/World", is_animated=True, poses=((0.0, at(0.0)), (24.0, at(1.0)))), {}),
        (prim("/World", schemas=(BODY,)), {}),
        (prim("/World", "Cube"), {}),
        (prim("/World"), {"default_prim": "Other"}),
    ],
    ids=["moved", "animated", "body", "shown", "one of several"],
)
def test_a_world_that_does_more_is_a_node(world: Prim, more: dict[str, Any]) -> None:
    """It is what moves all that it holds, or is seen."""
    stage = placed(world, prim("/World/Crate"), **{"default_prim": "World", **more})
    mechanism = mechanism_of(stage)
    assert [node.name for node in mechanism.nodes] == ["World", "Crate"]
    assert mechanism.nodes[1].parent == 0


def test_what_engines_add_is_named_once_a_kind() -> None:
    """With the name of what adds it."""
    said = {"physxRigidBody:linearDamping": 1.0, "newton:armature": 2.0}
    stage = placed(*(prim(f"/B{i}", schemas=(BODY,), attributes=said) for i in range(9)))
    (issue,) = issues_of(stage).values()
    assert issue.code == "usd-foreign"
    assert "9 prims" in issue.message
    assert "physxRigidBody" in issue.message
    for spin_lost, codes in ((0.05, {"usd-foreign"}), (0.0, set())):
        drag = {"physxRigidBody:angularDamping": spin_lost}
        assert set(issues_of(placed(prim("/B", schemas=(BODY,), attributes=drag)))) == codes


def test_an_attribute_that_physics_does_not_have_is_named() -> None:
    """One vector of gravity, as older texts have it, and a name that is spelled wrong."""
    scene = prim("/S", "PhysicsScene", attributes={"gravity": (0.0, 0.0, -1000.0)})
    body = prim("/B", schemas=(BODY,), attributes={"physics:Velocity": (1.0, 0.0, 0.0)})
    driven = prim("/D", schemas=(BODY,), attributes={"drive:rotX:physics:Stiffness": 1.0})
    (issue,) = issues_of(placed(scene, body, driven)).values()
    assert (issue.code, issue.loss) == ("usd-not-physics", True)
    assert "S (gravity)" in issue.message
    assert "B (physics:Velocity)" in issue.message
    assert "D (drive:rotX:physics:Stiffness)" in issue.message


@pytest.mark.parametrize(
    ("name", "value", "schema", "default"),
    [
        ("drive:rotX:physics:targetPosition", 30.0, "PhysicsDriveAPI:rotX", 0.0),
        ("drive:rotX:physics:type", "acceleration", "PhysicsDriveAPI:rotX", "force"),
        ("limit:transY:physics:low", -1.0, "PhysicsLimitAPI:transY", -inf),
        ("physics:mass", 33.0, "PhysicsMassAPI", 0.0),
        ("physics:diagonalInertia", (1.0, 1.0, 1.0), "PhysicsMassAPI", (0.0, 0.0, 0.0)),
        ("physics:density", 500.0, "PhysicsMassAPI", 0.0),
        ("physics:density", 500.0, "PhysicsMaterialAPI", 0.0),
        ("physics:staticFriction", 0.5, "PhysicsMaterialAPI", 0.0),
        ("physics:velocity", (1.0, 0.0, 0.0), "PhysicsRigidBodyAPI", (0.0, 0.0, 0.0)),
    ],
)
def test_what_a_schema_says_that_is_not_applied_is_named(
    name: str, value: Any, schema: str, default: Any
) -> None:
    """Not where it is applied, nor a value that says nothing; another instance is none."""
    other = f"{schema.partition(':')[0]}:transX" if ":" in schema else "PhysicsCollisionAPI"
    for schemas, said, codes in (
        ((other,), value, {"usd-not-physics"}),
        ((schema,), value, set()),
        ((other,), default, set()),
    ):
        stage = placed(prim("/J", schemas=schemas, attributes={name: said}))
        assert set(issues_of(stage)) & {"usd-not-physics"} == codes


def test_a_type_that_physics_does_not_have_is_named() -> None:
    """Not those that it has."""
    stage = placed(prim("/S", "PhysicsScene"), prim("/H", "PhysicsHinge"))
    message = issues_of(stage)["usd-not-physics"].message
    assert "1 prim" in message
    assert "H (PhysicsHinge)" in message


def test_a_mass_below_zero_is_named() -> None:
    """It is weighed as if it said none; zero says that as well, and is no slip."""
    for mass, codes in ((-2.0, {"usd-number"}), (0.0, set())):
        body = prim("/B", schemas=(BODY, "PhysicsMassAPI"), attributes={"physics:mass": mass})
        assert set(issues_of(placed(body))) & {"usd-number"} == codes


def test_what_moves_by_keys_is_named() -> None:
    """Poses, and numbers that nothing here can key."""
    led = prim(
        "/A",
        schemas=(BODY,),
        attributes={"physics:kinematicEnabled": True},
        is_animated=True,
        samples={"physics:kinematicEnabled": ((0.0, True), (1.0, False))},
    )
    assert set(issues_of(placed(led))) == {"usd-animated-pose", "usd-keys-ignored"}


def test_instancers_and_articulation_roots_are_named() -> None:
    """They are seen and not kept."""
    stage = placed(
        prim("/Grass", "PointInstancer"),
        prim("/Arm", schemas=(BODY, "PhysicsArticulationRootAPI")),
    )
    assert set(issues_of(stage)) == {"usd-point-instancer", "usd-articulation-root"}
