# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints of a stage: types, limits, drives, frames and what they hang on."""

from __future__ import annotations

from math import inf, nan, pi, radians
from typing import Any

import pytest
from usd_records import BODY, at, issues_of, joint, mechanism_of, node_of, placed, prim

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.geometry.transform import rotation_angle, translation_of
from omi_physics_joint.model.joint import (
    AXES,
    Breaking,
    DriveMode,
    JointSettings,
    Limit,
)
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.canonical import canonical
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld
from omi_physics_joint.usd.prim import Prim, Stage

POINT = pin().limits


def bodies(kind: str, *schemas: str, **attributes: Any) -> Stage:
    """Return two bodies with a joint of a type."""
    said = {name.replace("__", ":"): value for name, value in attributes.items()}
    return placed(
        prim("/A", schemas=(BODY,)),
        prim("/B", schemas=(BODY,), local=at(1.0)),
        joint("/J", kind, "/A", "/B", schemas=schemas, attributes=said),
    )


def settings_in(stage: Stage) -> JointSettings:
    """Return the settings of the one joint, without their name."""
    (found,) = mechanism_of(stage).settings
    return JointSettings(limits=found.limits, drives=found.drives)


def same(stage: Stage, wanted: JointSettings) -> None:
    """Hold that the one joint has these settings."""
    found, plain = settings_in(stage), canonical(wanted)
    assert len(found.limits) == len(plain.limits)
    for one, other in zip(found.limits, plain.limits, strict=True):
        assert (one.linear_axes, one.angular_axes) == (other.linear_axes, other.angular_axes)
        assert one.together is other.together
        assert (one.min, one.max) == pytest.approx((other.min, other.max))
        assert (one.stiffness, one.damping) == pytest.approx((other.stiffness, other.damping))


@pytest.mark.parametrize(
    ("kind", "said", "wanted"),
    [
        ("FixedJoint", {}, weld()),
        ("RevoluteJoint", {}, hinge(0)),
        (
            "RevoluteJoint",
            {"physics__axis": "Z", "physics__lowerLimit": -30.0, "physics__upperLimit": 90.0},
            hinge(2, -pi / 6.0, pi / 2.0),
        ),
        ("RevoluteJoint", {"physics__lowerLimit": 1.0, "physics__upperLimit": -1.0}, weld()),
        (
            "PrismaticJoint",
            {"physics__axis": "Y", "physics__lowerLimit": -1.5},
            slider(1, -1.5),
        ),
        ("SphericalJoint", {}, pin()),
        (
            "SphericalJoint",
            {"physics__coneAngle0Limit": 40.0, "physics__coneAngle1Limit": 40.0},
            JointSettings(limits=(*POINT, Limit((), (1, 2), max=radians(40.0), together=True))),
        ),
        (
            "SphericalJoint",
            {"physics__coneAngle0Limit": 40.0, "physics__coneAngle1Limit": 10.0},
            JointSettings(
                limits=(
                    *POINT,
                    Limit((), (1, 2), max=radians(40.0), together=True),
                    Limit((), (2,), -radians(10.0), radians(10.0)),
                )
            ),
        ),
        (
            "DistanceJoint",
            {"physics__maxDistance": 2.0, "physxPhysicsDistanceJoint__springStiffness": 50.0},
            JointSettings(limits=(Limit(AXES, max=2.0, together=True),)),
        ),
        (
            "DistanceJoint",
            {
                "physics__minDistance": 1.0,
                "physics__maxDistance": 2.0,
                "physxPhysicsDistanceJoint__springEnabled": True,
                "physxPhysicsDistanceJoint__springStiffness": 50.0,
            },
            JointSettings(limits=(Limit(AXES, (), 1.0, 2.0, 50.0, together=True),)),
        ),
        ("Joint", {}, JointSettings()),
    ],
)
def test_each_type_of_joint(kind: str, said: dict[str, Any], wanted: JointSettings) -> None:
    """What is locked, what is bounded, what is free; a spring that is off is none."""
    same(bodies(kind, **said), wanted)


def test_a_generic_joint_is_locked_where_low_is_above_high_and_free_where_nothing_is_said() -> None:
    """Six degrees of freedom, and soft ones by the attributes of PhysX."""
    schemas = ("transX", "transZ", "rotX", "rotZ")
    said = {
        "limit__transX__physics__low": 1.0,
        "limit__transX__physics__high": -1.0,
        "limit__transZ__physics__low": 0.25,
        "limit__transZ__physics__high": 0.25,
        "limit__rotX__physics__low": -90.0,
        "limit__rotX__physics__high": 45.0,
        "physxLimit__rotX__stiffness": 2.0,
        "physxLimit__rotX__damping": 0.5,
        "limit__rotZ__physics__high": 10.0,
    }
    wanted = JointSettings(
        limits=(
            Limit((0,), (), 0.0, 0.0),
            Limit((2,), (), 0.25, 0.25),
            Limit((), (0,), -pi / 2.0, pi / 4.0, 2.0, 0.5),
            Limit((), (2,), -inf, radians(10.0)),
        )
    )
    same(bodies("Joint", *(f"PhysicsLimitAPI:{one}" for one in schemas), **said), wanted)


def test_limits_are_as_soft_as_newton_is_told_where_physx_is_not() -> None:
    """Per degree, for all degrees of freedom; what is infinite is rigid, and PhysX counts first."""
    said = {"limit__rotX__physics__low": -90.0, "limit__rotX__physics__high": 90.0}
    schemas = ("PhysicsLimitAPI:rotX", "NewtonJointAPI")
    for stiffness, damping, wanted in (
        (2.0, 0.5, (360.0 / pi, 90.0 / pi)),
        (2.0, -inf, (360.0 / pi, 0.0)),
        (inf, 3.0, (inf, 0.0)),
        (-inf, -inf, (inf, 0.0)),
    ):
        said |= {"newton__limitStiffness": stiffness, "newton__limitDamping": damping}
        limit = Limit((), (0,), -pi / 2.0, pi / 2.0, *wanted)
        same(bodies("Joint", *schemas, **said), JointSettings(limits=(limit,)))
    said |= {"physxLimit__rotX__stiffness": 7.0}
    limit = Limit((), (0,), -pi / 2.0, pi / 2.0, 7.0)
    same(bodies("Joint", *schemas, **said), JointSettings(limits=(limit,)))


def test_drives_have_the_defaults_of_the_schema() -> None:
    """Per degree, in N m; a target of zero only where something pulls towards it."""
    spring = bodies(
        "RevoluteJoint",
        "PhysicsDriveAPI:angular",
        drive__angular__physics__stiffness=10.0,
        drive__angular__physics__maxForce=7.0,
    )
    (drive,) = settings_in(spring).drives
    assert drive.stiffness == pytest.approx(10.0 * 180.0 / pi)
    assert (drive.position_target, drive.velocity_target, drive.max_force) == (0.0, None, 7.0)
    for damping in (3.0, 0.0):  # a target that is named is one, whatever pulls
        motor = bodies(
            "Joint",
            "PhysicsDriveAPI:transY",
            drive__transY__physics__type="acceleration",
            drive__transY__physics__targetVelocity=2.0,
            drive__transY__physics__damping=damping,
        )
        (drive,) = settings_in(motor).drives
        assert (drive.velocity_target, drive.damping) == (2.0, damping)
        assert (drive.mode, drive.position_target) == (DriveMode.ACCELERATION, None)


def test_stiffness_of_a_stage_in_centimetres_and_grams() -> None:
    """N/m from g/s^2, N m/rad from g cm^2/s^2 per degree; accelerations know no mass."""
    scale = {"meters_per_unit": 0.01, "kilograms_per_unit": 0.001}
    stage = bodies(
        "Joint",
        "PhysicsDriveAPI:transX",
        "PhysicsDriveAPI:rotX",
        "PhysicsDriveAPI:rotY",
        drive__transX__physics__stiffness=1000.0,
        drive__transX__physics__targetPosition=50.0,
        drive__rotX__physics__stiffness=1e7,
        drive__rotX__physics__targetPosition=90.0,
        drive__rotY__physics__type="acceleration",
        drive__rotY__physics__stiffness=pi,
    )
    drives = settings_in(Stage(stage.prims, **scale)).drives
    assert [drive.stiffness for drive in drives] == pytest.approx([1.0, 180.0 / pi, 180.0])
    assert [drive.position_target for drive in drives] == pytest.approx([0.5, pi / 2.0, 0.0])


def test_keys_of_targets_and_bounds() -> None:
    """Time samples, in seconds since the stage begins."""
    samples = {
        "drive:linear:physics:targetPosition": ((100.0, 0.0), (112.0, 100.0)),
        "physics:upperLimit": ((124.0, 10.0), (148.0, 20.0)),
    }
    stage = placed(
        prim("/A", schemas=(BODY,)),
        prim("/B", schemas=(BODY,)),
        joint(
            "/J",
            "PrismaticJoint",
            "/A",
            "/B",
            schemas=("PhysicsDriveAPI:linear",),
            attributes={"drive:linear:physics:stiffness": 1.0, "physics:upperLimit": 10.0},
            samples=samples,
        ),
        meters_per_unit=0.01,
        times=(100.0, 148.0),
    )
    found = settings_in(stage)
    (keys,) = found.drives[0].keys
    assert (keys.field, keys.times, keys.values) == ("position_target", (0.0, 0.5), (0.0, 1.0))
    (bound,) = (limit for limit in found.limits if limit.keys)
    assert (bound.keys[0].field, bound.keys[0].times) == ("max", (1.0, 2.0))
    assert bound.keys[0].values == pytest.approx((0.1, 0.2))


def frames(mechanism: Mechanism) -> tuple[Any, Any]:
    """Return where the two frames of the one joint are."""
    ((_, node, held),) = mechanism.joints()
    return node.world, mechanism.nodes[held.connected_node].world


def test_frames_are_in_the_scaled_space_of_their_prim() -> None:
    """A body that is scaled by 2 along Y, a place at 0.75: 1.5 m away."""
    stage = placed(
        prim("/A", schemas=(BODY,), local=at(1.0, scale=(1.0, 2.0, 1.0))),
        prim("/B", schemas=(BODY,)),
        joint(
            "/J",
            "FixedJoint",
            "/A",
            "/B",
            attributes={
                "physics:localPos0": (0.0, 0.75, 0.0),
                "physics:localRot0": (0.0, 0.0, 1.0, 1.0),
                "physics:localPos1": (1.0, 1.5, 0.0),
            },
        ),
    )
    first, second = frames(mechanism_of(stage))
    assert translation_of(first) == pytest.approx((1.0, 1.5, 0.0))
    assert translation_of(second) == pytest.approx((1.0, 1.5, 0.0))
    assert rotation_angle(tuple(row[:3] for row in first[:3])) == pytest.approx(pi / 2.0)


def test_a_relation_to_a_child_means_the_body_above() -> None:
    """And the frame is where the child has it."""
    stage = placed(
        prim("/A", schemas=(BODY,), local=at(1.0)),
        prim("/A/Knob", "Cube", local=at(0.0, 2.0)),
        prim("/B", schemas=(BODY,)),
        joint(
            "/J", "FixedJoint", "/A/Knob", "/B", attributes={"physics:localPos0": (0.5, 0.0, 0.0)}
        ),
    )
    mechanism = mechanism_of(stage)
    ((index, node, _),) = mechanism.joints()
    assert translation_of(node.world) == pytest.approx((1.5, 2.0, 0.0))
    body = mechanism.body_of(index)
    assert body is not None
    assert mechanism.nodes[body].name == "A"


def test_a_relation_to_nothing_is_the_world() -> None:
    """One static node at the origin stands for it; the joint is below the body that moves."""
    place = {"physics:localPos0": (0.0, 3.0, 0.0), "physics:lowerLimit": 0.0}
    stage = placed(
        prim("/A", schemas=(BODY,)),
        joint("/J", "RevoluteJoint", "", "/A", attributes={**place, "physics:upperLimit": 90.0}),
        joint("/K", "FixedJoint", "", "/A"),
    )
    mechanism = mechanism_of(stage)
    world = node_of(mechanism, "Static World")
    assert world.motion is not None
    assert world.motion.type is MotionType.STATIC
    held = [mechanism.nodes[one.connected_node] for _, _, one in mechanism.joints()]
    assert {mechanism.nodes[one.parent or 0].name for one in held} == {"Static World"}
    turned = next(one for one in mechanism.settings if one.name == "J")
    assert [limit.min for limit in turned.limits if not limit.is_fixed] == pytest.approx([-pi / 2])


def test_a_relation_to_what_does_not_move_makes_it_static() -> None:
    """A collider without a body, or an empty."""
    stage = placed(
        prim("/Post", "Cube", ("PhysicsCollisionAPI",)),
        prim("/A", schemas=(BODY,)),
        joint("/J", "FixedJoint", "/A", "/Post"),
    )
    post = node_of(mechanism_of(stage), "Post").motion
    assert post is not None
    assert post.type is MotionType.STATIC


def test_what_breaks_a_joint_and_whether_its_bodies_collide() -> None:
    """The model says both."""
    stage = bodies("FixedJoint", physics__breakForce=100.0, physics__collisionEnabled=True)
    ((_, _, found),) = mechanism_of(stage).joints()
    assert found.breaking == Breaking(100.0, inf)
    assert found.enable_collision


def test_a_joint_that_is_switched_off_is_muted() -> None:
    """It is there, and does not count among those that hold; nothing has to be said of it."""
    stage = bodies("FixedJoint", physics__jointEnabled=False)
    assert not issues_of(stage)
    assert not list(mechanism_of(stage).joints())
    ((_, node, joint),) = mechanism_of(stage).all_joints()
    assert (node.name, joint.enabled) == ("J", False)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"physics__excludeFromArticulation": True}, "usd-excluded-from-articulation"),
        ({"physics__localPos0": (nan, 0.0, 0.0)}, "usd-number"),
        ({"physics__localRot0": "turned"}, "usd-number"),
        ({"physics__axis": "W"}, "usd-number"),
        ({"physxJoint__armature": 1.0}, "usd-joint-resistance"),
        ({"newton__friction": 0.5}, "usd-joint-resistance"),
        ({"physxJoint__other": 1.0}, "usd-foreign"),
    ],
)
def test_what_is_not_kept_is_named(said: dict[str, Any], code: str) -> None:
    """Once a kind, with the name of the joint."""
    stage = bodies("RevoluteJoint" if "physics__axis" in said else "FixedJoint", **said)
    assert "J" in issues_of(stage)[code].message
    assert list(mechanism_of(stage).joints())


def test_friction_of_nothing_is_none() -> None:
    """Defaults that exporters write say nothing, and a largest speed beyond all is none."""
    said = {"physxJoint__jointFriction": 0.0, "physxJoint__maxJointVelocity": 1e6}
    assert not issues_of(bodies("FixedJoint", **said))
    slow = bodies("FixedJoint", physxJoint__jointFriction=0.1, physxJoint__maxJointVelocity=90.0)
    (issue,) = issues_of(slow).values()
    assert "J (friction, largest speed)" in issue.message


def hung(**targets: tuple[str, ...]) -> Stage:
    """Return a stage with a joint that hangs on what it should not."""
    named = {f"physics:{name}": paths for name, paths in targets.items()}
    flat = prim("/Flat", schemas=(BODY,), local=at(scale=(0.0, 1.0, 1.0)))
    one = Prim("/J", "PhysicsFixedJoint", targets=named, kinds=("PhysicsJoint",))
    return placed(
        prim("/A", schemas=(BODY,)), prim("/A/Part"), prim("/B", schemas=(BODY,)), flat, one
    )


@pytest.mark.parametrize(
    ("stage", "codes"),
    [
        (hung(body0=("/A",), body1=("/Gone",)), {"usd-target-missing", "usd-flat-body"}),
        (hung(body0=("/A",), body1=("/J",)), {"usd-flat-body"}),
        (hung(body0=("/A",), body1=("/A/Part",)), {"usd-no-bodies-joined", "usd-flat-body"}),
        (hung(), {"usd-no-bodies-joined", "usd-flat-body"}),
        (hung(body0=("/A",), body1=("/Flat",)), {"usd-flat-joint", "usd-flat-body"}),
        (hung(body0=("/A", "/B"), body1=()), {"usd-several-targets", "usd-flat-body"}),
    ],
)
def test_damaged_relations_are_named(stage: Stage, codes: set[str]) -> None:
    """Missing targets, cycles, one body twice, flat bodies."""
    assert set(issues_of(stage)) == codes


def test_a_type_by_its_older_name_and_one_of_somebody_else() -> None:
    """Both are joints."""
    ends = {"physics:body0": ("/A",), "physics:body1": ("/B",)}
    old = Prim(
        "/Old", "DistancePhysicsJoint", targets=ends, attributes={"physics:maxDistance": 1.0}
    )
    own = Prim("/Own", "GearJoint", targets=ends, kinds=("PhysicsJoint",))
    stage = placed(prim("/A", schemas=(BODY,)), prim("/B", schemas=(BODY,)), old, own)
    assert set(issues_of(stage)) == {"usd-joint-type"}
    assert [node.name for _, node, _ in mechanism_of(stage).joints()] == ["Old", "Own"]


def test_joints_of_a_stage_that_stands_along_z_turn_about_the_same_lines() -> None:
    """Axis Z of the stage is Y here, and its Y is -Z: there bounds change sides."""
    bounds = {"physics:lowerLimit": -10.0, "physics:upperLimit": 20.0}
    parts = [prim("/A", schemas=(BODY,)), prim("/B", schemas=(BODY,))]
    found = {}
    for axis in "XYZ":
        said = {**bounds, "physics:axis": axis}
        stage = placed(
            *parts, joint("/J", "RevoluteJoint", "/A", "/B", attributes=said), up_axis="Z"
        )
        (limit,) = (one for one in settings_in(stage).limits if not one.is_fixed)
        found[axis] = (limit.angular_axes[0], round(limit.min * 180.0 / pi))
    assert found == {"X": (0, -10), "Y": (2, -20), "Z": (1, -10)}
