# SPDX-License-Identifier: GPL-3.0-or-later
"""Import of sound and odd files: all of it arrives, in the scene's own units."""

from __future__ import annotations

import base64
import inspect
import json
import struct
from copy import deepcopy
from math import inf
from pathlib import Path
from typing import Any

import bpy
import pytest
from omi_documents import door, glb, joint_of, settings_in, settings_of, shapes_of
from omi_export import (
    BODY,
    JOINT,
    SHAPE,
    break_joint,
    export,
    extension,
    import_file,
    issues,
    two_bodies,
)

import omi_physics_joint
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.library import guarded
from tests.layouts import Layout


def imported(gltf: dict[str, Any], folder: Path) -> dict[str, list[str]]:
    """Import a document and return the issues."""
    path = folder / "document.gltf"
    path.write_text(json.dumps(gltf))
    return import_file(path)


def joint_object(name: str = "Door Hinge") -> bpy.types.Object:
    """Return the object of the joint, which must be one."""
    found = bpy.data.objects[name]
    assert found.omi_physics_joint.is_joint
    return found


@pytest.mark.parametrize("as_glb", [False, True], ids=["gltf", "glb"])
def test_sound_file_arrives_whole(as_glb: bool, tmp_path: Path) -> None:
    """Bodies, shapes, frames and settings of a sound file are there, in Blender's axes."""
    if as_glb:
        path = tmp_path / "door.glb"
        path.write_bytes(glb(door()))
        assert import_file(path) == {}
    else:
        assert imported(door(), tmp_path) == {}
    joint = joint_object()
    assert joint.parent.name == "Door"
    data = joint.omi_physics_joint
    assert (data.connected_body.name, data.connected_name) == ("Frame", "Frame Attachment")
    assert "Frame Attachment" not in bpy.data.objects, "one joint is one object"
    leaf = bpy.data.objects["Door"].omi_physics_body
    assert (leaf.is_body, leaf.type, leaf.use_collider) == (True, "dynamic", True)
    assert tuple(leaf.collider.shape.size) == pytest.approx((1.0, 0.1, 2.0))
    (ranged,) = [item for item in joint.omi_physics_joint.settings.limits if item.angular_min]
    assert list(ranged.axes) == [False, True, False]
    assert (ranged.angular_min, ranged.angular_max) == pytest.approx((-1.5, 0.0))


def test_settings_that_joints_share_stay_shared(tmp_path: Path) -> None:
    """Two joints with one entry in the file have one settings block in Blender."""
    gltf = door()
    twin = deepcopy(gltf["nodes"][3])
    gltf["nodes"].append({**twin, "name": "Second Hinge"})
    gltf["nodes"][2]["children"].append(4)
    assert set(imported(gltf, tmp_path)) <= {"joint-twice"}
    settings = {
        joint_object(name).omi_physics_joint.settings for name in ("Door Hinge", "Second Hinge")
    }
    assert len(settings) == 1
    (block,) = settings
    assert (block.name, block.users) == ("Hinge", 2)


def test_required_extensions_are_known(tmp_path: Path) -> None:
    """A file that demands our extensions is imported; one that demands others is not."""
    gltf = {**door(), "extensionsRequired": [BODY, JOINT, SHAPE]}
    assert imported(gltf, tmp_path) == {}
    assert joint_object()
    gltf["extensionsRequired"].append("X_unheard_of")
    gltf["extensionsUsed"].append("X_unheard_of")
    with pytest.raises(RuntimeError, match="X_unheard_of"):
        imported(gltf, tmp_path)


def test_unknown_members_survive(tmp_path: Path) -> None:
    """Members that the specification does not name come out as they went in, empty ones too."""
    odd: dict[str, Any] = {
        "X_a": {},
        "X_b": [],
        "X_c": {"deep": None, "list": [[], {}]},
        "X_d": 1.5,
    }
    gltf = door()
    document = gltf["extensions"]
    document[BODY] = {
        "physicsMaterials": [{"restitution": 0.5, **odd}],
        "collisionFilters": [{"collisionSystems": ["cars"], **odd}],
        **odd,
    }
    gltf["extensionsUsed"].append(BODY)
    settings = settings_in(gltf)[0]
    settings.update(odd)
    settings["limits"][2].update(odd)
    settings["drives"] = [
        {
            "type": "angular",
            "mode": "force",
            "axis": 2,
            "positionTarget": 1.0,
            "stiffness": 2.0,
            **odd,
        },
        {"type": "X_muscle", "mode": "X_pull", **odd},
    ]
    shapes_of(gltf)[0].update(odd)
    joint_of(gltf).update(odd)
    body = gltf["nodes"][2]["extensions"][BODY]
    body.update(odd)
    body["motion"].update(odd)
    body["collider"].update({"physicsMaterial": 0, "collisionFilter": 0, **odd})
    assert set(imported(gltf, tmp_path)) <= {"foreign-drive"}
    again = export(tmp_path / "again.gltf")

    def has_odd(members: dict[str, Any]) -> bool:
        return {key: members.get(key) for key in odd} == odd

    found = again["extensions"]
    leaf = extension(again, "Door", BODY)
    (limit,) = [one for one in found[JOINT]["physicsJoints"][0]["limits"] if "X_d" in one]
    places = {
        "document": found[BODY],
        "material": found[BODY]["physicsMaterials"][0],
        "filter": found[BODY]["collisionFilters"][0],
        "settings": found[JOINT]["physicsJoints"][0],
        "limit": limit,
        "drive": found[JOINT]["physicsJoints"][0]["drives"][0],
        "foreign drive": found[JOINT]["physicsJoints"][0]["drives"][1],
        "shape": found[SHAPE]["shapes"][0],
        "joint": extension(again, "Door Hinge"),
        "body": leaf,
        "motion": leaf["motion"],
        "collider": leaf["collider"],
    }
    assert [where for where, members in places.items() if not has_odd(members)] == []


def test_the_import_dialog_of_gltf_says_that_joints_come_along() -> None:
    """Blender looks for it by name in each add-on that has a part in imports."""
    offered = inspect.getsource(bpy.types.IMPORT_SCENE_OT_gltf.invoke)
    names = {one for one in ("glTF2ImportUserExtension", "draw_import") if one in offered}
    assert len(names) == 2
    layout = Layout()
    hooks = {name: getattr(omi_physics_joint, name) for name in names}
    hooks["draw_import"](bpy.context, layout)
    assert any("Physics joints" in one for one in layout.labels)


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_older_forms_are_understood(scale: float, tmp_path: Path) -> None:
    """The older spelling of joints, two nodes and constraints, becomes a joint with its frames.

    It is seen as large in a scene of any unit, though its bodies are of no size.
    """
    gltf = door()
    gltf["extensions"][JOINT] = {
        "constraints": [
            {"linearAxes": [0, 1, 2], "min": 0.0, "max": 0.0},
            {"angularAxes": [0, 1], "min": 0.0, "max": 0.0},
        ]
    }
    gltf["nodes"][3]["extensions"][JOINT] = {"constraints": [0, 1], "nodeA": 0, "nodeB": 2}
    path = tmp_path / "older.gltf"
    path.write_text(json.dumps(gltf))
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.unit_settings.scale_length = scale
    bpy.ops.import_scene.gltf(filepath=str(path))
    joints = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    assert len(joints) == 1
    settings = joints[0].omi_physics_joint.settings
    assert sum(sum(item.axes) for item in settings.limits) == 5
    bodies = {joints[0].parent.name, joints[0].omi_physics_joint.connected_body.name}
    assert bodies == {"Frame", "Door"}
    assert joints[0].empty_display_size * scale == pytest.approx(0.5)


def test_odd_numbers_are_accepted(tmp_path: Path) -> None:
    """Negative stiffness and maxForce, and numbers beyond all numbers, mean without bound."""
    text = json.dumps(
        settings_of(
            {"linearAxes": [0], "min": "LOW", "max": 2.0, "stiffness": -1.0},
            drives=[
                {
                    "type": "linear",
                    "mode": "force",
                    "axis": 0,
                    "maxForce": -1.0,
                    "velocityTarget": 1.0,
                }
            ],
        )
    ).replace('"LOW"', "-1e99999")
    path = tmp_path / "odd.gltf"
    path.write_text(text)
    import_file(path)
    settings = joint_object().omi_physics_joint.settings
    assert not settings.limits[0].use_min
    assert settings.limits[0].linear_max == 2.0
    assert not settings.limits[0].use_stiffness
    assert not settings.drives[0].use_max_force
    assert inf not in (settings.limits[0].linear_min, settings.drives[0].max_force)


def test_attachment_may_come_before_its_body(tmp_path: Path) -> None:
    """The order of nodes in a file does not matter."""
    gltf = door()
    gltf["nodes"].reverse()
    last = len(gltf["nodes"]) - 1
    for node in gltf["nodes"]:
        if "children" in node:
            node["children"] = [last - child for child in node["children"]]
    gltf["nodes"][0]["extensions"][JOINT]["connectedNode"] = last - 1
    gltf["scenes"][0]["nodes"] = [last - node for node in gltf["scenes"][0]["nodes"]]
    assert imported(gltf, tmp_path) == {}
    assert joint_object().omi_physics_joint.connected_name == "Frame Attachment"


@pytest.mark.parametrize("scale", [0.01, 1.0, 2.5])
def test_scene_in_other_units(scale: float, tmp_path: Path) -> None:
    """Lengths of joints, shapes and bodies go with the positions into the scene's unit."""
    gltf = settings_of(
        {"linearAxes": [0], "min": -1.0, "max": 2.0},
        {"angularAxes": [0], "min": -1.0, "max": 2.0},
        drives=[
            {"type": "linear", "mode": "force", "axis": 1, "positionTarget": 3.0, "stiffness": 1.0}
        ],
    )
    gltf["nodes"][2]["extensions"][BODY]["motion"].update(centerOfMass=[1.0, 0.0, 0.0], mass=5.0)
    path = tmp_path / "units.gltf"
    path.write_text(json.dumps(gltf))
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.unit_settings.scale_length = scale
    bpy.ops.import_scene.gltf(filepath=str(path))
    settings = joint_object().omi_physics_joint.settings
    assert bpy.data.objects["Door"].location.x == pytest.approx(1.0 / scale)
    assert settings.limits[0].linear_max == pytest.approx(2.0 / scale)
    assert settings.limits[1].angular_max == pytest.approx(2.0)
    assert settings.drives[0].linear_position_target == pytest.approx(3.0 / scale)
    body = bpy.data.objects["Door"].omi_physics_body
    assert body.center_of_mass[0] == pytest.approx(1.0 / scale)
    assert body.mass == pytest.approx(5.0)
    assert body.collider.shape.size[0] == pytest.approx(1.0 / scale)


@pytest.mark.parametrize(("apart", "is_spared"), [(0.0, True), (0.0005, False)])
def test_a_frame_a_little_aside_stays_an_object(
    apart: float, is_spared: bool, tmp_path: Path
) -> None:
    """In a scene of centimetres half a millimetre is seen; what coincides is one object."""
    gltf = door()
    gltf["nodes"][1]["translation"][0] += apart
    path = tmp_path / "aside.gltf"
    path.write_text(json.dumps(gltf))
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.unit_settings.scale_length = 0.01
    bpy.ops.import_scene.gltf(filepath=str(path))
    assert ("Frame Attachment" not in bpy.data.objects) is is_spared


@pytest.mark.parametrize("node", ["joint", "second frame", "body"])
def test_a_frame_that_an_animation_moves_stays_an_object(
    node: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What moves one of two frames leaves the other; else none is made of the second."""
    gltf = door()
    joint = next(i for i, one in enumerate(gltf["nodes"]) if JOINT in one.get("extensions", {}))
    other = gltf["nodes"][joint]["extensions"][JOINT]["connectedNode"]
    moved = {"joint": joint, "second frame": other, "body": 2}[node]
    place = gltf["nodes"][moved].get("translation", [0.0, 0.0, 0.0])
    data = struct.pack("<8f", 0.0, 1.0, *place, 0.0, 0.5, 0.0)
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    gltf["buffers"] = [{"byteLength": len(data), "uri": uri}]
    gltf["bufferViews"] = [
        {"buffer": 0, "byteLength": 8},
        {"buffer": 0, "byteOffset": 8, "byteLength": 24},
    ]
    times = {"bufferView": 0, "type": "SCALAR", "min": [0.0], "max": [1.0]}
    gltf["accessors"] = [
        {"componentType": 5126, "count": 2, **one}
        for one in (times, {"bufferView": 1, "type": "VEC3"})
    ]
    target = {"node": moved, "path": "translation"}
    gltf["animations"] = [
        {
            "channels": [{"sampler": 0, "target": target}],
            "samplers": [{"input": 0, "output": 1}],
        }
    ]
    from omi_physics_joint.blender.gltf_hooks.imported import importing
    from omi_physics_joint.blender.gltf_hooks.imported.nodes import spare_frames

    spared: list[set[int]] = []

    def spare(*words: Any) -> set[int]:
        spared.append(spare_frames(*words))
        return spared[-1]

    monkeypatch.setattr(importing, "spare_frames", spare)
    imported(gltf, tmp_path)
    assert spared == [{other} if node == "body" else set()]


def test_import_into_a_full_scene_keeps_what_is_there(tmp_path: Path) -> None:
    """A second import of the same file has joints between its own objects."""
    imported(door(), tmp_path)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "document.gltf"))
    joints = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    assert len(joints) == 2
    assert len({joint.omi_physics_joint.connected_body for joint in joints}) == 2
    for joint in joints:
        suffix = joint.name.removeprefix("Door Hinge")
        assert joint.omi_physics_joint.connected_body.name == f"Frame{suffix}"
        assert joint.omi_physics_joint.connected_name == "Frame Attachment"


def test_import_of_a_plain_file_lists_nothing_old(tmp_path: Path) -> None:
    """A file without physics leaves the scene's own joints alone."""
    _, _, joint = two_bodies()
    path = tmp_path / "plain.gltf"
    path.write_text(
        json.dumps(
            {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"name": "Plain"}]}
        )
    )
    bpy.ops.import_scene.gltf(filepath=str(path))
    assert joint.omi_physics_joint.settings is not None
    assert not bpy.data.objects["Plain"].omi_physics_body.is_body
    assert issues() == {}


def test_fault_of_ours_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If our part of an import breaks, the user hears where, and the objects arrive anyway."""
    from omi_physics_joint.blender.gltf_hooks.imported import importing

    monkeypatch.setattr(guarded, "faults_pass", False)

    def broken(*_arguments: object) -> None:
        message = "a fault of ours"
        raise KeyError(message)

    path = tmp_path / "door.gltf"
    path.write_text(json.dumps(door()))
    for part in ("apply_mechanism", "read_document", "spare_frames", "absorb"):
        bpy.ops.wm.read_homefile(use_empty=True)
        with monkeypatch.context() as patch:
            patch.setattr(importing, part, broken)
            with pytest.raises(RuntimeError, match=r"a fault of ours.*importing\.py line \d"):
                bpy.ops.import_scene.gltf(filepath=str(path))
        assert "Door" in bpy.data.objects, part


def test_what_strict_refused_is_not_what_import_lists(tmp_path: Path) -> None:
    """The list shows the last thing that happened: an import replaces what an export found."""
    _, _, joint = two_bodies()
    good = tmp_path / "good.glb"
    export(good)
    break_joint(joint)
    export(tmp_path / "bad.glb")
    assert "joint-without-settings" in issues()
    assert load(good).json
    bpy.ops.import_scene.gltf(filepath=str(good))
    assert "joint-without-settings" not in issues()
