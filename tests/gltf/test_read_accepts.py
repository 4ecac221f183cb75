# SPDX-License-Identifier: GPL-3.0-or-later
"""What other writers spell in their own way and is meant all the same."""

from __future__ import annotations

import json
from math import inf

from omi_documents import FIXED, body, codes, door, read_settings, settings_of

from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.body import Collider, Trigger
from omi_physics_joint.model.joint import Freedom, JointNode, Limit
from omi_physics_joint.model.shape import Box, Capsule, Cylinder

MOTOR = {"type": "linear", "mode": "force", "axis": 2, "velocityTarget": 2.0, "maxForce": 5.0}


def test_a_sound_file_has_no_issues() -> None:
    """The door that these tests start from is read whole and without a word."""
    reading = read(door())
    mechanism = reading.mechanism
    assert reading.issues == ()
    assert [node.name for node in mechanism.nodes] == [
        "Frame",
        "Frame Attachment",
        "Door",
        "Door Hinge",
    ]
    assert mechanism.nodes[3].joint == JointNode(0, 1)
    assert mechanism.nodes[3].parent == 2
    assert mechanism.nodes[3].world == mechanism.nodes[1].world
    assert mechanism.settings[0].limits[2] == Limit(angular_axes=(2,), min=0.0, max=1.5)


def test_attachment_nodes_may_come_before_their_bodies() -> None:
    """A connected node whose parent has a higher index is still found under it."""
    gltf = door()
    order = [1, 0, 3, 2]
    new = {old: at for at, old in enumerate(order)}
    gltf["nodes"] = [gltf["nodes"][old] for old in order]
    gltf["nodes"][1]["children"] = [new[1]]
    gltf["nodes"][3]["children"] = [new[3]]
    gltf["nodes"][2]["extensions"]["OMI_physics_joint"]["connectedNode"] = new[1]
    gltf["scenes"] = [{"nodes": [1, 3]}]
    reading = read(gltf)
    assert reading.issues == ()
    assert reading.mechanism.body_of(0) == 1
    assert reading.mechanism.nodes[2].joint == JointNode(0, 0)
    assert reading.mechanism.nodes[2].world == reading.mechanism.nodes[0].world


def test_infinite_numbers_mean_no_bound() -> None:
    """1e99999, as some writers spell infinity, is read as unbounded, rigid and unlimited."""
    text = json.dumps(
        settings_of(
            {"linearAxes": [0], "min": "LOW", "max": 1.0, "stiffness": "HIGH"},
            drives=[{**MOTOR, "maxForce": "HIGH"}],
        )
    )
    reading = read(json.loads(text.replace('"LOW"', "-1e99999").replace('"HIGH"', "1e99999")))
    settings = reading.mechanism.settings[0]
    assert settings.limits == (Limit(linear_axes=(0,), max=1.0),)
    assert settings.drives[0].max_force == inf
    assert codes(reading) == ["infinite-number"] * 3


def test_whole_numbers_beyond_double_precision_are_infinite() -> None:
    """An integer that no double can hold is judged like 1e99999, not a crash."""
    settings, reading = read_settings({**FIXED, "stiffness": 10**400})
    assert settings.limits[0].stiffness == inf
    assert codes(reading) == ["infinite-number"]


def test_negative_stiffness_and_force_are_infinite() -> None:
    """A negative stiffness of a limit or force of a drive is infinite, with a warning."""
    settings, reading = read_settings(
        {**FIXED, "stiffness": -1}, drives=[{**MOTOR, "type": "angular", "maxForce": -1.0}]
    )
    assert settings.limits[0].stiffness == inf
    assert settings.drives[0].max_force == inf
    assert codes(reading) == ["negative-is-infinite"] * 2


def test_indices_may_be_spelled_as_floats() -> None:
    """1.0 is an integer to JSON Schema, and some writers know only one kind of number."""
    gltf = door()
    gltf["nodes"][3]["extensions"]["OMI_physics_joint"] = {"joint": 0.0, "connectedNode": 1.0}
    gltf["nodes"][2]["children"] = [3.0]
    reading = read(gltf)
    assert reading.issues == ()
    assert reading.mechanism.nodes[3].joint == JointNode(0, 1)
    assert reading.mechanism.nodes[3].parent == 2


def test_minus_one_is_no_index() -> None:
    """The text of the body extension spells "none" as -1."""
    gltf = door()
    none = {"shape": -1, "physicsMaterial": -1, "collisionFilter": -1}
    gltf["nodes"][2]["extensions"]["OMI_physics_body"]["collider"] = none
    reading = read(gltf)
    assert reading.issues == ()
    assert reading.mechanism.nodes[2].collider == Collider()


def test_compound_colliders_and_triggers_have_no_shape() -> None:
    """An empty collider or trigger is sound, and so is null where the text has it as default."""
    gltf = door()
    gltf["nodes"][1]["extensions"] = body({"collider": {}, "trigger": {"extras": {}}})
    gltf["nodes"][0]["extensions"]["OMI_physics_body"]["collider"] = None
    reading = read(gltf)
    assert reading.issues == ()
    assert reading.mechanism.nodes[1].collider == Collider()
    assert reading.mechanism.nodes[1].trigger == Trigger()
    assert reading.mechanism.nodes[0].collider is None


def test_older_radius_counts_for_both_ends() -> None:
    """The single radius of older capsules and cylinders is both radii, unless one is given.

    The height of such a capsule is the whole height, of which its middle part is less.
    """
    gltf = door()
    gltf["extensions"]["OMI_physics_shape"]["shapes"] = [
        {"type": "capsule", "capsule": {"height": 2, "radius": 0.25}},
        {"type": "cylinder", "cylinder": {"radius": 0.125, "radiusTop": 0.0625}},
        {"type": "box"},
    ]
    reading = read(gltf)
    assert reading.issues == ()
    assert reading.mechanism.shapes == (
        Capsule(1.5, 0.25, 0.25),
        Cylinder(2.0, 0.125, 0.0625),
        Box(),
    )


def test_hinge_motors_of_godot_turn() -> None:
    """What Godot writes as a linear motor along a fixed Z is read as a motor about Z."""
    gltf = settings_of(FIXED, {"angularAxes": [0, 1], "min": 0, "max": 0}, drives=[dict(MOTOR)])
    assert read(gltf).mechanism.settings[0].drives[0].type is Freedom.LINEAR
    gltf["asset"]["generator"] = "Godot Engine v4.4.stable.official@4c311cbee"
    reading = read(gltf)
    assert reading.mechanism.settings[0].drives[0].type is Freedom.ANGULAR
    assert codes(reading) == ["godot-hinge-motor"]
    assert reading.issues[0].where == "/extensions/OMI_physics_joint/physicsJoints/0"


def test_motors_of_godot_that_can_slide_are_left_alone() -> None:
    """A linear motor of Godot along an axis that is free, or with a spring, is what it says."""
    for limit, extra in (({**FIXED, "linearAxes": [0, 1]}, {}), (FIXED, {"positionTarget": 1.0})):
        gltf = settings_of(limit, drives=[{**MOTOR, **extra}])
        gltf["asset"]["generator"] = "Godot Engine v4.4"
        reading = read(gltf)
        assert reading.mechanism.settings[0].drives[0].type is Freedom.LINEAR
        assert reading.issues == ()


def test_joints_are_read_beside_broken_siblings() -> None:
    """A wrong body extension on the same node, or a wrong other extension, hides no joint."""
    gltf = door()
    gltf["nodes"][3]["extensions"] |= {"OMI_physics_body": 3, "X_other": []}
    reading = read(gltf)
    assert reading.mechanism.nodes[3].joint == JointNode(0, 1)
    assert codes(reading) == ["wrong-type"]


def test_drives_of_other_extensions_are_kept_whole() -> None:
    """A drive whose type or mode nobody here knows is kept as it is, with a warning."""
    foreign = {"type": "X_muscle", "mode": "force", "axis": 7, "X_fibres": [1, 2]}
    settings, reading = read_settings(FIXED, drives=[foreign, {**MOTOR, "mode": "X_sleep"}])
    assert settings.drives == ()
    assert json.loads(settings.foreign_drives[0]) == foreign
    assert json.loads(settings.foreign_drives[1])["mode"] == "X_sleep"
    assert codes(reading) == ["foreign-drive"] * 2
