# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong in a file is listed, by name and place, and the rest is read."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan, pi
from typing import Any

import pytest
from omi_documents import FIXED, body, codes, door, read_settings

from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.body import Collider, Motion, MotionType, PhysicsMaterial
from omi_physics_joint.model.issue import Severity
from omi_physics_joint.model.joint import Limit
from omi_physics_joint.model.shape import Box

Edit = Callable[[dict[str, Any]], None]
JOINT = "OMI_physics_joint"
DRIVE = {"type": "angular", "mode": "force", "axis": 2}


def joint_is(**members: object) -> Edit:
    """Return an edit that replaces the extension of the joint node."""

    def edit(gltf: dict[str, Any]) -> None:
        gltf["nodes"][3]["extensions"][JOINT] = members

    return edit


JOINTS = {
    "no-settings": (joint_is(connectedNode=1), "missing-member", "/joint"),
    "minus-one": (joint_is(joint=-1, connectedNode=1), "missing-member", "/joint"),
    "settings-range": (joint_is(joint=1, connectedNode=1), "index-out-of-range", "/joint"),
    "settings-huge": (joint_is(joint=10**30, connectedNode=1), "index-out-of-range", "/joint"),
    "settings-bool": (joint_is(joint=False, connectedNode=1), "wrong-type", "/joint"),
    "settings-text": (joint_is(joint="0", connectedNode=1), "wrong-type", "/joint"),
    "settings-half": (joint_is(joint=0.5, connectedNode=1), "wrong-type", "/joint"),
    "no-node": (joint_is(joint=0), "missing-member", "/connectedNode"),
    "node-range": (joint_is(joint=0, connectedNode=4), "index-out-of-range", "/connectedNode"),
    "node-negative": (joint_is(joint=0, connectedNode=-2), "index-out-of-range", "/connectedNode"),
    "itself": (joint_is(joint=0, connectedNode=3), "connected-to-itself", "/connectedNode"),
}


@pytest.mark.parametrize("case", JOINTS)
def test_a_joint_that_joins_nothing_is_left_out(case: str) -> None:
    """A joint without settings or without another node is one error, at its node."""
    edit, code, member = JOINTS[case]
    gltf = door()
    edit(gltf)
    reading = read(gltf)
    assert reading.mechanism.nodes[3].joint is None
    (issue,) = reading.issues
    assert issue.severity is Severity.ERROR
    assert issue.code == code
    assert issue.where == f'/nodes/3/extensions/OMI_physics_joint{member} "Door Hinge"'
    assert issue.node == 3


def test_enable_collision_must_be_a_boolean() -> None:
    """1 is not true; the joint stays with the default."""
    gltf = door()
    joint_is(joint=0, connectedNode=1, enableCollision=1)(gltf)
    reading = read(gltf)
    assert codes(reading) == ["wrong-type"]
    assert reading.mechanism.nodes[3].joint is not None
    assert reading.mechanism.nodes[3].joint.enable_collision is False


def test_settings_that_cannot_be_read_take_their_joints_along() -> None:
    """Settings that are no object are listed, and so is each joint that uses them."""
    gltf = door()
    gltf["extensions"][JOINT]["physicsJoints"].insert(0, [])
    gltf["nodes"][1]["extensions"] = {JOINT: {"joint": 1, "connectedNode": 3}}
    reading = read(gltf)
    assert codes(reading) == ["wrong-type", "unreadable-reference"]
    assert reading.mechanism.nodes[3].joint is None
    assert reading.mechanism.nodes[1].joint is not None
    assert reading.mechanism.settings[reading.mechanism.nodes[1].joint.settings].name == "Hinge"


LIMITS: dict[str, tuple[object, str, Limit | None]] = {
    "no-axis": ({"min": 0, "max": 0}, "limit-without-axes", None),
    "empty-axes": (
        {"linearAxes": [], "angularAxes": [], "min": 0, "max": 0},
        "limit-without-axes",
        None,
    ),
    "reversed": ({"linearAxes": [0], "min": 1, "max": -1}, "limit-reversed", None),
    "axis-range": ({**FIXED, "linearAxes": [0, 3]}, "index-out-of-range", Limit((0,), (), 0, 0)),
    "axis-twice": ({**FIXED, "linearAxes": [0, 0]}, "duplicate-item", Limit((0,), (), 0, 0)),
    "axis-bool": ({**FIXED, "linearAxes": [0, True]}, "wrong-type", Limit((0,), (), 0, 0)),
    "axes-type": (
        {"linearAxes": 0, "angularAxes": [1], "min": 0},
        "wrong-type",
        Limit((), (1,), 0),
    ),
    "min-text": ({"linearAxes": [0], "min": "0", "max": 1}, "wrong-type", Limit((0,), max=1)),
    "min-bool": ({"linearAxes": [0], "min": True, "max": 2}, "wrong-type", Limit((0,), max=2)),
    "min-null": ({"linearAxes": [0], "min": None, "max": 2}, "wrong-type", Limit((0,), max=2)),
    "max-nan": ({"linearAxes": [0], "min": 0, "max": nan}, "not-finite", Limit((0,), min=0)),
    "damping": ({**FIXED, "damping": -2}, "limit-negative", Limit((0, 1, 2), (), 0, 0)),
    "damping-inf": ({**FIXED, "damping": inf}, "not-finite", Limit((0, 1, 2), (), 0, 0)),
    "stiffness": ({**FIXED, "stiffness": []}, "wrong-type", Limit((0, 1, 2), (), 0, 0)),
    "number": (7, "wrong-type", None),
}


@pytest.mark.parametrize("case", LIMITS)
def test_what_is_wrong_with_a_limit_is_one_error(case: str) -> None:
    """Each fault of a limit is listed once, and what is sound of the limit is kept."""
    limit, code, expected = LIMITS[case]
    settings, reading = read_settings(limit, FIXED)
    assert [(issue.severity, issue.code) for issue in reading.issues] == [(Severity.ERROR, code)]
    assert "/extensions/OMI_physics_joint/physicsJoints/0/limits/0" in reading.issues[0].where
    assert settings.limits[:-1] == (() if expected is None else (expected,))


DRIVES = {
    "no-type": ({"mode": "force", "axis": 0}, "missing-member", 0),
    "empty-type": ({**DRIVE, "type": ""}, "missing-member", 0),
    "type-number": ({**DRIVE, "type": 1}, "wrong-type", 0),
    "no-mode": ({"type": "linear", "axis": 0}, "missing-member", 0),
    "mode-null": ({**DRIVE, "mode": None}, "wrong-type", 0),
    "no-axis": ({"type": "linear", "mode": "force"}, "missing-member", 0),
    "axis-range": ({**DRIVE, "axis": 3}, "index-out-of-range", 0),
    "axis-bool": ({**DRIVE, "axis": True}, "wrong-type", 0),
    "stiffness": ({**DRIVE, "stiffness": -1}, "drive-negative", 1),
    "damping": ({**DRIVE, "damping": -1}, "drive-negative", 1),
    "target": ({**DRIVE, "positionTarget": "x"}, "wrong-type", 1),
    "target-inf": ({**DRIVE, "velocityTarget": inf}, "not-finite", 1),
    "list": ([], "wrong-type", 0),
}


@pytest.mark.parametrize("case", DRIVES)
def test_what_is_wrong_with_a_drive_is_one_error(case: str) -> None:
    """Each fault of a drive is listed once; without its three required members it is left out."""
    drive, code, kept = DRIVES[case]
    settings, reading = read_settings(FIXED, drives=[drive])
    assert [(issue.severity, issue.code) for issue in reading.issues] == [(Severity.ERROR, code)]
    assert len(settings.drives) == kept
    for read_drive in settings.drives:
        assert read_drive.stiffness == read_drive.damping == 0.0
        assert read_drive.position_target is read_drive.velocity_target is None


MOTIONS: dict[str, tuple[object, str, Motion | None]] = {
    "no-type": ({}, "missing-member", None),
    "type": ({"type": "rigid"}, "wrong-type", None),
    "type-list": ({"type": ["static"]}, "wrong-type", None),
    "mass": ({"type": "static", "mass": "2"}, "wrong-type", Motion(MotionType.STATIC)),
    "mass-nan": ({"type": "static", "mass": nan}, "not-finite", Motion(MotionType.STATIC)),
    "center": ({"type": "static", "centerOfMass": [0, 0]}, "wrong-type", Motion(MotionType.STATIC)),
    "velocity": (
        {"type": "static", "linearVelocity": [0, inf, 0]},
        "not-finite",
        Motion(MotionType.STATIC),
    ),
    "turn": (
        {"type": "static", "angularVelocity": [0, True, 0]},
        "wrong-type",
        Motion(MotionType.STATIC),
    ),
    "orientation": (
        {"type": "static", "inertiaOrientation": [0, 0, 0, 0]},
        "zero-quaternion",
        Motion(MotionType.STATIC),
    ),
    "array": ([], "wrong-type", None),
}


@pytest.mark.parametrize("case", MOTIONS)
def test_what_is_wrong_with_a_motion_is_one_error(case: str) -> None:
    """Each fault of a motion is listed once, with the default in its place."""
    motion, code, expected = MOTIONS[case]
    gltf = door()
    gltf["nodes"][0]["extensions"] = body({"motion": motion})
    reading = read(gltf)
    assert [(issue.severity, issue.code) for issue in reading.issues] == [(Severity.ERROR, code)]
    assert reading.mechanism.nodes[0].motion == expected
    assert reading.issues[0].where.endswith('"Frame"')


SHAPES = {
    "no-type": ({"box": {}}, "missing-member"),
    "type-number": ({"type": 2}, "wrong-type"),
    "type": ({"type": "plane"}, "unknown-shape-type"),
    "no-mesh": ({"type": "convex", "convex": {}}, "missing-member"),
    "mesh-range": ({"type": "trimesh", "trimesh": {"mesh": 0}}, "index-out-of-range"),
    "mesh-bool": ({"type": "trimesh", "trimesh": {"mesh": False}}, "wrong-type"),
    "null": (None, "wrong-type"),
}


@pytest.mark.parametrize("case", SHAPES)
def test_a_shape_that_cannot_be_read_is_listed_with_its_users(case: str) -> None:
    """A shape of no known type, or without its mesh, is left out, and its collider says so."""
    shape, code = SHAPES[case]
    gltf = door()
    gltf["extensions"]["OMI_physics_shape"]["shapes"] = [shape, {"type": "box"}]
    reading = read(gltf)
    assert codes(reading) == [code, "unreadable-reference"]
    assert reading.mechanism.shapes == (Box(),)
    assert reading.mechanism.nodes[2].collider == Collider()


def test_a_block_of_the_wrong_type_leaves_the_default_size() -> None:
    """A box whose block is no object, or whose size is wrong, is a box all the same."""
    gltf = door()
    for shape in ({"type": "box", "box": 3}, {"type": "box", "box": {"size": [1, 2]}}):
        gltf["extensions"]["OMI_physics_shape"]["shapes"] = [shape]
        reading = read(gltf)
        assert codes(reading) == ["wrong-type"]
        assert reading.mechanism.shapes == (Box(),)


@pytest.mark.parametrize(
    ("owner", "key"),
    [
        ("collider", "shape"),
        ("collider", "physicsMaterial"),
        ("collider", "collisionFilter"),
        ("trigger", "shape"),
        ("trigger", "collisionFilter"),
    ],
)
def test_dangling_indices_of_bodies_are_listed(owner: str, key: str) -> None:
    """A collider or trigger that points beyond an array keeps its other members."""
    gltf = door()
    gltf["nodes"][1]["extensions"] = body({owner: {key: 9}})
    reading = read(gltf)
    assert codes(reading) == ["index-out-of-range"]
    assert reading.issues[0].where == (
        f'/nodes/1/extensions/OMI_physics_body/{owner}/{key} "Frame Attachment"'
    )
    assert getattr(reading.mechanism.nodes[1], owner) is not None


def test_an_index_that_is_too_large_is_told_of_how_many_there_are() -> None:
    """And of what."""
    gltf = door()
    joint = next(one for one in gltf["nodes"] if "OMI_physics_joint" in one.get("extensions", {}))
    joint["extensions"]["OMI_physics_joint"]["connectedNode"] = 99
    shapes = gltf["extensions"]["OMI_physics_shape"]["shapes"]
    shapes.append({"type": "convex", "convex": {"mesh": 7}})
    gltf["meshes"] = [{"name": "One"}]
    said = " ".join(issue.message for issue in read(gltf).issues)
    assert f"is 99, but the file has only {len(gltf['nodes'])} nodes." in said
    assert "is 7, but the file has only 1 meshes." in said


def test_a_trigger_has_a_shape_or_nodes() -> None:
    """Of both, the shape counts; nodes out of range, twice or of a wrong type are listed."""
    gltf = door()
    gltf["nodes"][0]["extensions"] = body({"trigger": {"shape": 0, "nodes": [1]}})
    gltf["nodes"][1]["extensions"] = body({"trigger": {"nodes": [2, 2, 9, "x"]}})
    reading = read(gltf)
    assert codes(reading) == ["trigger-both", "duplicate-item", "index-out-of-range", "wrong-type"]
    first, second = reading.mechanism.nodes[0].trigger, reading.mechanism.nodes[1].trigger
    assert first is not None
    assert second is not None
    assert (first.shape, first.nodes) == (0, ())
    assert (second.shape, second.nodes) == (None, (2,))


def test_faults_of_materials_and_filters_are_listed() -> None:
    """Negative friction, unknown combinations, both lists and names that are none."""
    gltf = door()
    gltf["extensions"]["OMI_physics_body"] = {
        "physicsMaterials": [{"staticFriction": -1, "frictionCombine": "sum"}, "ice"],
        "collisionFilters": [
            {"name": "a", "collideWithSystems": ["b"], "notCollideWithSystems": ["c"]},
            {"collisionSystems": [1, "d"]},
        ],
    }
    reading = read(gltf)
    assert codes(reading) == [
        "material-negative",
        "wrong-type",
        "wrong-type",
        "filter-both-lists",
        "wrong-type",
    ]
    assert reading.mechanism.physics_materials == (PhysicsMaterial(static_friction=0.0),)
    first, second = reading.mechanism.collision_filters
    assert first.collide_with_systems == ("b",)
    assert first.not_collide_with_systems is None
    assert second.collision_systems == ("d",)


def test_extensions_that_are_not_declared_are_listed() -> None:
    """Each of our extensions that is used and not in extensionsUsed is one error."""
    gltf = door()
    gltf["extensionsUsed"] = ["OMI_physics_joint", 3]
    reading = read(gltf)
    assert codes(reading) == ["wrong-type", "extension-not-declared", "extension-not-declared"]
    del gltf["extensionsUsed"]
    assert codes(read(gltf)) == ["extension-not-declared"] * 3


@pytest.mark.parametrize("key", ["mesh", "camera", "skin"])
def test_a_joint_has_a_node_of_its_own(key: str) -> None:
    """A joint that shares its node with a mesh, a camera or a light is listed and read."""
    gltf = door()
    gltf["nodes"][3][key] = 0
    reading = read(gltf)
    assert codes(reading) == ["joint-not-alone"]
    assert key in reading.issues[0].message
    assert reading.mechanism.nodes[3].joint is not None
    gltf = door()
    gltf["nodes"][3]["extensions"]["KHR_lights_punctual"] = {"light": 0}
    assert codes(read(gltf)) == ["joint-not-alone"]


def test_what_several_readers_meet_is_said_once() -> None:
    """Both dialects and gravity look for the extensions of a document and of a node."""
    gltf = door()
    gltf["extensions"] = gltf["nodes"][1]["extensions"] = 5
    said = [issue.where for issue in read(gltf).issues if issue.code == "wrong-type"]
    assert said == ["/extensions", '/nodes/1/extensions "Frame Attachment"']


@pytest.mark.parametrize(
    ("scenes", "told"),
    [
        ([[0, 2]], ""),
        (None, ""),
        ([[0], [2]], ""),
        ([[0]], "Door, Door Hinge"),
        ([[2]], "Frame"),
        ([[], []], "Frame, Door"),
    ],
)
def test_physics_in_no_scene_is_told_of(scenes: list[list[int]] | None, told: str) -> None:
    """Readers show scenes; a file without any is for those who take nodes out of it."""
    gltf = door()
    del gltf["scenes"]
    if scenes is not None:
        gltf["scenes"] = [{"nodes": nodes} for nodes in scenes]
    found = [one for one in read(gltf).issues if one.code == "node-in-no-scene"]
    assert len(found) == bool(told)
    names = told.replace(", Door Hinge", " and Door Hinge")
    assert all(f"are {names}" in one.message for one in found)


@pytest.mark.parametrize(
    ("name", "is_told"),
    [
        ("EXT_unknown", True),
        ("ACME_parts", True),
        ("KHR_draco_mesh_compression", False),
        ("KHR_mesh_quantization", False),
        ("EXT_meshopt_compression", False),
        ("EXT_mesh_gpu_instancing", False),
        ("OMI_physics_body", False),
    ],
)
def test_an_extension_that_nobody_has_and_that_is_required_is_told_of(
    name: str, is_told: bool
) -> None:
    """A reader without it refuses the whole file; one that is only used costs nothing."""
    gltf = door()
    gltf["extensionsUsed"].append(name)
    assert read(gltf).issues == ()
    gltf["extensionsRequired"] = [name]
    assert codes(read(gltf)) == ["extension-required"] * is_told


@pytest.mark.parametrize(
    ("angles", "is_told"),
    [
        ((-90.0, 45.0), True),
        ((-90.0, 5.0), True),
        ((-5.0, 90.0), True),
        ((0.0, 30.0), True),
        ((0.0, 4.0 * pi), False),
        ((-3.0, 6.0), False),
        ((-1e6, 1e6), False),
        ((-inf, 12.5), False),
    ],
)
def test_an_angle_as_if_in_degrees_is_a_hint(angles: tuple[float, float], *, is_told: bool) -> None:
    """Of a bound and of a target, whole and beyond a full turn; lengths are as long as they are."""
    low, high = angles
    bounds = {} if low == -inf else {"min": low}
    target = [{**DRIVE, "positionTarget": high if low == -inf else max(low, high, key=abs)}]
    turn = {"angularAxes": [2], "max": high, **bounds}
    slide = {"linearAxes": [2], "max": high, **bounds}
    for limits, drives in (((turn,), ()), ((FIXED,), target)):
        _, reading = read_settings(*limits, drives=drives)
        assert codes(reading).count("angle-in-degrees") == is_told
    _, reading = read_settings(slide, drives=[{**target[0], "type": "linear"}])
    assert "angle-in-degrees" not in codes(reading)
