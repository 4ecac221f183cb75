# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies and joints on bones of a skin arrive as objects that follow the bones."""

from __future__ import annotations

import base64
import json
import struct
from math import pi
from pathlib import Path
from typing import Any

import bpy
import pytest
from mathutils import Matrix
from omi_documents import FIXED, body
from omi_export import BODY, JOINT, export, import_file, issues

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.poses.second_frames import second_world
from omi_physics_joint.blender.check.diagnosis import bodies_on_bones
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.geometry.transform import difference
from omi_physics_joint.model.mechanism import Mechanism

ON_BONES = {"body-on-bone": ["Rig"]}
"""What is said of the file: nothing moves the skin with the bodies."""
TURN = [0.0, 0.0, 0.38268343, 0.92387953]


def ragdoll() -> dict[str, Any]:
    """Return a skin of three bones; hips and head are bodies, the neck between holds a joint.

    The joint's node is a bone below the hips' bone, its other side an empty below the head's; the
    chest, a bone without a motion, is a collider of the hips.
    """
    data = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    data += struct.pack("<12B", *[0, 1, 2, 4] * 3)
    data += struct.pack("<12f", *[1, 0, 0, 0] * 3)
    views = [(0, 36), (36, 12), (48, 48)]
    accessors = [(5126, "VEC3"), (5121, "VEC4"), (5126, "VEC4")]
    joint = {"joint": 0, "connectedNode": 5}
    collider = {"collider": {"shape": 0}}
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": [BODY, JOINT, "OMI_physics_shape"],
        "extensions": {
            JOINT: {"physicsJoints": [{"name": "Neck", "limits": [FIXED]}]},
            "OMI_physics_shape": {"shapes": [{"type": "sphere", "sphere": {"radius": 0.25}}]},
        },
        "buffers": [
            {
                "byteLength": len(data),
                "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode(),
            }
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": start, "byteLength": size} for start, size in views
        ],
        "accessors": [
            {
                "bufferView": view,
                "componentType": component,
                "count": 3,
                "type": kind,
                **({"min": [0, 0, 0], "max": [1, 1, 0]} if view == 0 else {}),
            }
            for view, (component, kind) in enumerate(accessors)
        ],
        "meshes": [
            {"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}]}
        ],
        "skins": [{"joints": [1, 2, 3, 4, 6]}],
        "scenes": [{"nodes": [0, 7]}],
        "scene": 0,
        "nodes": [
            {"name": "Rig", "children": [1], "translation": [0.5, 1.0, 0.0]},
            {
                "name": "Hips",
                "children": [2, 6],
                "rotation": TURN,
                "extensions": body({"motion": {"type": "dynamic", "mass": 9.0}}),
            },
            {
                "name": "Neck",
                "children": [3],
                "translation": [0.0, 0.5, 0.0],
                "extensions": {JOINT: joint},
            },
            {
                "name": "Head",
                "children": [4, 5],
                "translation": [0.0, 0.25, 0.0],
                "extensions": body({"motion": {"type": "dynamic"}, **collider}),
            },
            {"name": "Tip", "translation": [0.0, 0.25, 0.0]},
            {"name": "Neck End", "translation": [0.0, -0.25, 0.0]},
            {"name": "Chest", "translation": [0.1, 0.3, 0.0], "extensions": body(collider)},
            {"name": "Skin", "mesh": 0, "skin": 0},
        ],
    }


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a ragdoll."""
    path = tmp_path / "ragdoll.gltf"
    path.write_text(json.dumps(ragdoll()))
    return path


def mechanism_in(path: Path) -> Mechanism:
    """Read a file, which must be sound."""
    reading = read(load(path).json)
    assert [issue for issue in reading.issues if issue.severity == "error"] == []
    return reading.mechanism


def same_physics(before: Mechanism, after: Mechanism) -> None:
    """Assert that two files have bodies and joints of one sort at the same places."""
    assert len(list(before.joints())) == len(list(after.joints())) == 1
    for (index, _, joint), (other, _, twin) in zip(before.joints(), after.joints(), strict=True):
        assert before.settings_of(joint).limits == after.settings_of(twin).limits
        ends = zip((index, joint.connected_node), (other, twin.connected_node), strict=True)
        for end, again in ends:
            assert difference(before.nodes[end].world, after.nodes[again].world) < 1e-5
            body, same = before.body_of(end), after.body_of(again)
            assert body is not None
            assert same is not None
            assert before.nodes[body].motion == after.nodes[same].motion
            assert difference(before.nodes[body].world, after.nodes[same].world) < 1e-5
            parts, theirs = parts_of(before, body), parts_of(after, same)
            assert len(parts) == len(theirs)
            for part, their in zip(parts, theirs, strict=True):
                assert difference(before.nodes[part].world, after.nodes[their].world) < 1e-5


def parts_of(mechanism: Mechanism, body: int) -> list[int]:
    """Return the colliders of a body."""
    nodes = enumerate(mechanism.nodes)
    return [i for i, node in nodes if node.collider and mechanism.body_of(i) == body]


def test_bodies_on_bones_become_objects_that_follow_them(path: Path) -> None:
    """All are there, at the nodes' places, and a posed bone takes them along.

    That the skin will not follow the bodies is said, once.
    """
    assert import_file(path) == ON_BONES
    rig, hips, head = (bpy.data.objects[name] for name in ("Rig", "Hips", "Head"))
    assert rig.type == "ARMATURE"
    assert [obj.omi_physics_body.is_body for obj in (hips, head)] == [True, True]
    assert hips.omi_physics_body.mass == 9.0
    joint = bpy.data.objects["Neck"]
    assert joint.omi_physics_joint.is_joint
    assert joint.omi_physics_joint.connected_body == head
    assert joint.omi_physics_joint.connected_name == "Neck End"
    file = mechanism_in(path)
    names = {node.name: node for node in file.nodes}
    turn = Matrix.Rotation(pi / 2, 4, "X")  # glTF's Y is Blender's Z
    for obj in (hips, head, joint, bpy.data.objects["Chest"]):
        there = turn @ Matrix(names[obj.name].world) @ turn.inverted()
        assert difference(list(map(list, there)), list(map(list, obj.matrix_world))) < 1e-5
    assert bpy.data.objects["Chest"].parent == hips
    assert (hips.parent, hips.parent_type, hips.parent_bone) == (rig, "BONE", "Hips")
    before = head.matrix_world.translation.copy()
    rig.pose.bones["Hips"].location.x += 0.5
    bpy.context.view_layer.update()
    assert (head.matrix_world.translation - before).length == pytest.approx(0.5, abs=1e-5)


def test_ragdoll_comes_back_from_a_round_trip(path: Path, tmp_path: Path) -> None:
    """Import, export and import again keep bodies, colliders and joints where they are."""
    before = mechanism_in(path)
    assert import_file(path) == ON_BONES
    for name in ("first.glb", "second.glb"):
        export(tmp_path / name)
        assert issues()["body-on-bone"] == ["Rig"]
        same_physics(before, mechanism_in(tmp_path / name))
        assert import_file(tmp_path / name) == ON_BONES


def test_what_follows_bones_and_what_has_no_skin_is_not_named(path: Path) -> None:
    """A kinematic body is led by its bone, and an armature without a skin leads nothing else."""
    import_file(path)
    skin = bpy.data.objects["Skin"]
    for name in ("Hips", "Head"):
        bpy.data.objects[name].omi_physics_body.type = "kinematic"
    assert list(bodies_on_bones(bpy.data.objects)) == []
    bpy.data.objects["Head"].omi_physics_body.type = "dynamic"
    assert [(one.where, one.loss) for one in bodies_on_bones(bpy.data.objects)] == [("Rig", True)]
    skin.modifiers.clear()
    assert list(bodies_on_bones(bpy.data.objects)) == []


def test_scene_in_other_units(path: Path) -> None:
    """In centimetres the bodies stand where the bones are, too."""
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.unit_settings.scale_length = 0.01
    assert bpy.ops.import_scene.gltf(filepath=str(path)) == {"FINISHED"}
    bpy.context.view_layer.update()
    rig, head = bpy.data.objects["Rig"], bpy.data.objects["Head"]
    bone = rig.matrix_world @ rig.pose.bones["Head"].head
    assert (head.matrix_world.translation - bone).length < 1e-3


def test_what_no_object_is_made_of_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Physics that has no object to be on is an error that names the node, and no silence."""
    from omi_physics_joint.blender.gltf_hooks.imported import importing

    monkeypatch.setattr(importing, "add_for_bones", lambda *_arguments: None)
    assert import_file(path) == {"node-not-imported": ["Hips", "Neck", "Head", "Chest"]}


def test_imported_ragdoll_plays_and_comes_back(path: Path) -> None:
    """Bodies on bones fall when they are played, their joint holds, and all is back at the end."""
    import_file(path)
    names = ("Hips", "Head", "Neck")
    before = [bpy.data.objects[name].matrix_world.copy() for name in names]
    session = play.start(bpy.context.scene)
    for _ in range(12):
        assert session.tick(STEP), session.reason
    hips, _, neck = (bpy.data.objects[name].matrix_world for name in names)
    assert hips.translation.z < before[0].translation.z - 0.1
    end = second_world(bpy.data.objects["Neck"])
    assert difference(list(map(list, neck)), list(map(list, end))) < 1e-3
    play.stop()
    assert [bpy.data.objects[name].matrix_world for name in names] == before
