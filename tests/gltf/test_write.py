# SPDX-License-Identifier: GPL-3.0-or-later
"""How a mechanism is written: shared things once, defaults omitted, nothing a reader trips over."""

from __future__ import annotations

import json
from dataclasses import replace
from math import inf, nan

from omi_documents import door
from omi_schema import schema_errors

from omi_physics_joint.gltf.document.new_nodes import Numbering
from omi_physics_joint.gltf.document.numbers import LARGEST, infinite_if_negative, magnitude, number
from omi_physics_joint.gltf.omi.names import BODY, JOINT, SHAPE
from omi_physics_joint.gltf.shared.spell_settings import spell_settings
from omi_physics_joint.gltf.write import Spelling, patched, spell
from omi_physics_joint.model.body import (
    Collider,
    CollisionFilter,
    Motion,
    MotionType,
    PhysicsMaterial,
    Trigger,
)
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, weld
from omi_physics_joint.model.shape import Box, Convex, Sphere

TWO = (Node("A", motion=Motion(MotionType.DYNAMIC)), Node("B"))
DRIVE = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2)


def spelled(mechanism: Mechanism) -> Spelling:
    """Return the spelling for a file that numbers nodes and meshes as the mechanism does."""
    return spell(
        mechanism,
        Numbering(
            {i: i for i in range(len(mechanism.nodes))},
            {i: i for i in range(len(mechanism.meshes))},
        ),
    )


def joined(*settings: JointSettings) -> Mechanism:
    """Return one joint node per settings, all connected to the last node."""
    count = len(settings)
    nodes = tuple(Node(f"J{i}", joint=JointNode(i, count)) for i in range(count))
    return Mechanism((*nodes, Node("End")), settings)


def test_equal_settings_are_written_once_under_the_first_name() -> None:
    """Neither spelling nor a missing name keeps equal settings apart, nor Blender's numbers.

    What the user calls otherwise stays apart. Order is that of first use.
    """
    split = JointSettings(
        "Other",
        (
            Limit(angular_axes=(2, 0), min=0.0, max=0.0),
            Limit(linear_axes=(1,), angular_axes=(1,), min=-0.0, max=0.0),
            Limit(linear_axes=(0, 2), min=0.0, max=0.0, stiffness=-1.0),
        ),
    )
    unnamed = replace(weld(), name="")
    again = replace(weld(), name="First.001")
    spelling = spelled(joined(unnamed, hinge(2), replace(weld(), name="First"), split, again))
    joints = spelling.document[JOINT]["physicsJoints"]
    assert isinstance(joints, list)
    assert [joint.get("name") for joint in joints if isinstance(joint, dict)] == [
        "First",
        "Hinge",
        "Other",
    ]
    used = [spelling.nodes[i][JOINT]["joint"] for i in range(5)]
    assert used == [0, 1, 0, 2, 0]


def test_only_what_is_used_is_written() -> None:
    """Resources that no node of the file uses leave no trace, nor do their extensions."""
    mechanism = Mechanism(
        (Node("A"), Node("B", collider=Collider(0))),
        (weld(),),
        (Box(),),
        (PhysicsMaterial("Ice"),),
        (CollisionFilter("All"),),
    )
    spelling = spell(mechanism, Numbering({0: 7}, {}))
    assert spelling == Spelling({}, {}, ())


def test_nodes_are_numbered_as_in_the_file() -> None:
    """Joints, triggers and spelled nodes carry indices of the file, not of the mechanism."""
    mechanism = Mechanism(
        (
            Node("J", joint=JointNode(0, 2)),
            Node("T", trigger=Trigger(nodes=(2, 1))),
            Node("End"),
        ),
        (weld(),),
    )
    spelling = spell(mechanism, Numbering({0: 30, 1: 10, 2: 20}, {}))
    assert spelling.nodes[30][JOINT] == {"joint": 0, "connectedNode": 20}
    assert spelling.nodes[10][BODY] == {"trigger": {"nodes": [20, 10]}}


def test_joints_to_what_is_not_in_the_file_are_left_out() -> None:
    """A joint whose other end has no place in the file is not written, nor are its settings."""
    spelling = spell(joined(weld()), Numbering({0: 0}, {}))
    assert spelling == Spelling({}, {}, ())


def test_a_shape_without_its_mesh_takes_its_collider_along() -> None:
    """A convex collider whose mesh is missing does not turn into a compound."""
    node = Node("A", collider=Collider(0), trigger=Trigger(0), motion=Motion(MotionType.STATIC))
    mechanism = Mechanism((node,), shapes=(Convex(0),), meshes=("M",))
    without = spell(mechanism, Numbering({0: 0}, {}))
    assert without.nodes[0] == {BODY: {"motion": {"type": "static"}}}
    with_mesh = spell(mechanism, Numbering({0: 0}, {0: 4}))
    assert with_mesh.document[SHAPE] == {"shapes": [{"type": "convex", "convex": {"mesh": 4}}]}


def test_defaults_are_omitted_except_in_shapes() -> None:
    """A plain body is two words; a shape has all its numbers, since empty blocks get lost."""
    node = Node("A", motion=Motion(MotionType.DYNAMIC), collider=Collider(0, 0))
    mechanism = Mechanism((node,), shapes=(Sphere(),), physics_materials=(PhysicsMaterial(),))
    spelling = spelled(mechanism)
    assert spelling.nodes[0][BODY] == {
        "motion": {"type": "dynamic"},
        "collider": {"shape": 0, "physicsMaterial": 0},
    }
    assert spelling.document == {
        BODY: {"physicsMaterials": [{}]},
        SHAPE: {"shapes": [{"type": "sphere", "sphere": {"radius": 0.5}}]},
    }


def test_colliders_and_triggers_of_parts_are_empty() -> None:
    """What says nothing of its own is still there: a collider or trigger of those below it."""
    spelling = spelled(Mechanism((Node("A", collider=Collider(), trigger=Trigger()),)))
    assert spelling.nodes[0][BODY] == {"collider": {}, "trigger": {}}


def test_enable_collision_is_written_only_when_true() -> None:
    """False is the default and is left out."""
    nodes = (
        Node("J", joint=JointNode(0, 2, enable_collision=True)),
        Node("K", joint=JointNode(0, 2)),
        Node("End"),
    )
    spelling = spelled(Mechanism(nodes, (weld(),)))
    assert spelling.nodes[0][JOINT] == {"joint": 0, "connectedNode": 2, "enableCollision": True}
    assert "enableCollision" not in spelling.nodes[1][JOINT]


def test_targets_and_their_strengths_are_written_together() -> None:
    """KHR's schema wants the pairs; a strength without a target is written only when it is one."""
    spring = spell_settings(JointSettings(drives=(replace(DRIVE, position_target=0.0),)))
    motor = spell_settings(JointSettings(drives=(replace(DRIVE, velocity_target=-0.0),)))
    bare = spell_settings(JointSettings(drives=(replace(DRIVE, damping=2.0),)))
    start = {"type": "angular", "mode": "force", "axis": 2}
    assert spring == {"drives": [{**start, "positionTarget": 0.0, "stiffness": 0.0}]}
    assert motor == {"drives": [{**start, "velocityTarget": 0.0, "damping": 0.0}]}
    assert bare == {"drives": [{**start, "damping": 2.0}]}


def test_what_json_cannot_hold_is_never_written() -> None:
    """No infinity, NaN, -0.0, negative strength or reversed limit reaches a file."""
    settings = JointSettings(
        limits=(
            Limit((0,), (), 1.0, -1.0),
            Limit((1,), (), nan, 1.0),
            Limit((2,), (), -0.0, inf, -5.0, -5.0),
        ),
        drives=(replace(DRIVE, max_force=-1.0, position_target=nan, stiffness=-1.0, damping=inf),),
    )
    motion = Motion(MotionType.DYNAMIC, inf, (-0.0, nan, -inf))
    nodes = (Node("J", joint=JointNode(0, 1)), Node("A", motion=motion))
    spelling = spelled(Mechanism(nodes, (settings,)))
    joint = {
        "limits": [{"linearAxes": [2], "min": 0.0}],
        "drives": [{"type": "angular", "mode": "force", "axis": 2, "damping": LARGEST}],
    }
    assert json.dumps(spelling.document, allow_nan=False) == json.dumps(
        {JOINT: {"physicsJoints": [joint]}}
    )
    assert json.dumps(spelling.nodes[1], allow_nan=False) == json.dumps(
        {
            BODY: {
                "motion": {
                    "type": "dynamic",
                    "mass": LARGEST,
                    "centerOfMass": [0.0, 0.0, -LARGEST],
                }
            }
        }
    )


def test_numbers_keep_what_json_can_hold() -> None:
    """Ordinary numbers pass through; the three rules only catch what has no spelling."""
    assert [number(x) for x in (1.5, -2.0, 1e300)] == [1.5, -2.0, LARGEST]
    assert [magnitude(x) for x in (1.5, -2.0, nan)] == [1.5, 0.0, 0.0]
    assert [infinite_if_negative(x) for x in (0.0, 2.0, -1.0, nan)] == [0.0, 2.0, inf, inf]


def test_patching_replaces_our_extensions_and_nothing_else() -> None:
    """What others put into the file stays, what we said before goes, the original is untouched."""
    gltf = door()
    gltf["extensions"]["X_other"] = {"a": 1}
    gltf["extensionsUsed"].append("X_other")
    gltf["extensionsRequired"] = ["X_other", JOINT]
    gltf["nodes"][2]["extensions"]["X_other"] = {}
    before = json.dumps(gltf)
    result = patched(gltf, spelled(Mechanism(TWO)))
    assert json.dumps(gltf) == before
    assert result["extensions"] == {"X_other": {"a": 1}}
    assert result["extensionsUsed"] == [BODY, "X_other"]
    assert result["extensionsRequired"] == ["X_other"]
    nodes = result["nodes"]
    assert isinstance(nodes, list)
    assert nodes[0] == {
        "name": "Frame",
        "children": [1],
        "extensions": {BODY: {"motion": {"type": "dynamic"}}},
    }
    assert nodes[2] == {**door()["nodes"][2], "extensions": {"X_other": {}}}
    assert "extensions" not in (nodes[3] if isinstance(nodes[3], dict) else {"extensions": 0})
    assert schema_errors(result) == []
