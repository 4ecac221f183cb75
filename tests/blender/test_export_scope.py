# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export contains: instances, hidden things, scenes and collections, and right indices."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from omi_export import (
    JOINT,
    add,
    add_body,
    assert_same_frame,
    box_mesh,
    connect,
    errors,
    export,
    in_gltf_axes,
    index_of,
    joints,
    new_collection,
    pair,
    shown_frame,
    translation,
    two_bodies,
    worlds,
)

from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.settings.recipes import weld
from omi_physics_joint.model.validate import check


def only_instanced(collection: bpy.types.Collection) -> None:
    """Take a collection out of the scene, so that only its instances are seen."""
    bpy.context.scene.collection.children.unlink(collection)


def roots(gltf: dict[str, Any]) -> dict[int, int]:
    """Return the root above each node."""
    parents = {
        child: i for i, node in enumerate(gltf["nodes"]) for child in node.get("children", ())
    }
    found = {}
    for start in range(len(gltf["nodes"])):
        index = start
        while index in parents:
            index = parents[index]
        found[start] = index
    return found


def instance_of(
    collection: bpy.types.Collection, name: str, world: Matrix, home: Any = None
) -> bpy.types.Object:
    """Return an empty that instances a collection."""
    empty = add(name, collection=home)
    empty.instance_type, empty.instance_collection = "COLLECTION", collection
    empty.matrix_world = world
    bpy.context.view_layer.update()
    return empty


TURNED = translation(5.0, 2.0, -1.0) @ Matrix.Rotation(0.8, 4, "X")
AWAY = translation(-4.0) @ Matrix.Rotation(2.0, 4, "Z")


def test_two_instances_of_a_collection_have_joints_of_their_own(tmp_path: Path) -> None:
    """Each instance joins its own nodes, at its own place, the collection's offset included."""
    source = new_collection("Source")
    source.instance_offset = (1.0, 2.0, 3.0)
    joint = pair("Pin", source)
    only_instanced(source)
    instances = [instance_of(source, f"Copy {i}", world) for i, world in enumerate((TURNED, AWAY))]
    gltf = export(tmp_path / "instances.glb")
    found, above = worlds(gltf), roots(gltf)
    assert len(joints(gltf)) == 2
    assert len(gltf["extensions"][JOINT]["physicsJoints"]) == 1, "settings are shared"
    for first, second in joints(gltf):
        assert above[first] == above[second]
        name = gltf["nodes"][above[first]]["name"]
        (instance,) = [one for one in instances if one.name == name]
        base = instance.matrix_world @ translation(-1.0, -2.0, -3.0)
        assert_same_frame(found[first], shown_frame(joint, base=base))
        assert_same_frame(found[second], found[first])
    assert not errors()


def test_nested_instances(tmp_path: Path) -> None:
    """An instance inside an instance, both with offsets, has its joints at the right place."""
    inner = new_collection("Inner")
    inner.instance_offset = (0.5, 0.0, 0.0)
    joint = pair("Pin", inner)
    only_instanced(inner)
    outer = new_collection("Outer")
    outer.instance_offset = (0.0, 0.0, 2.0)
    nested = instance_of(inner, "Nested", AWAY, outer)
    only_instanced(outer)
    tops = [instance_of(outer, f"Top {i}", world) for i, world in enumerate((TURNED, Matrix()))]
    gltf = export(tmp_path / "nested.glb")
    found, above = worlds(gltf), roots(gltf)
    assert len(joints(gltf)) == 2
    for first, second in joints(gltf):
        (top,) = [one for one in tops if one.name == gltf["nodes"][above[first]]["name"]]
        base = top.matrix_world @ translation(0.0, 0.0, -2.0)
        base = base @ nested.matrix_world @ translation(-0.5)
        assert_same_frame(found[first], shown_frame(joint, base=base))
        assert_same_frame(found[second], found[first])


def test_instance_joined_to_the_scene(tmp_path: Path) -> None:
    """A joint in an instance whose partner is in the scene itself finds that partner."""
    post = add_body("Post", "static")
    source = new_collection("Source")
    arm = add_body("Arm", collection=source)
    connect(arm, post, weld(), Matrix())
    only_instanced(source)
    instance_of(source, "Copy", Matrix())
    gltf = export(tmp_path / "scene.glb")
    ((_, second),) = joints(gltf)
    assert gltf["nodes"][second]["name"] == "Joint Second Frame"
    assert not errors()


def test_flattened_hierarchy_names_what_it_breaks(tmp_path: Path) -> None:
    """To flatten the hierarchy takes frames from their bodies, which are named errors."""
    pair("Pin")
    gltf = export(tmp_path / "flat.glb", export_hierarchy_flatten_objs=True)
    assert errors() == {"body-lost-in-export": ["Pin", "Pin Second Frame"]}
    ((first, second),) = joints(gltf)
    assert_same_frame(worlds(gltf)[first], worlds(gltf)[second])


def test_full_collection_hierarchy(tmp_path: Path) -> None:
    """Collections as nodes leave joints right."""
    outer = new_collection("Outer")
    inner = bpy.data.collections.new("Inner")
    outer.children.link(inner)
    shown = [pair("Pin", inner), pair("Other", outer, x=4.0)]
    gltf = export(tmp_path / "full.glb", export_hierarchy_full_collections=True)
    assert "Inner" in {node["name"] for node in gltf["nodes"]}
    found = worlds(gltf)
    for joint in shown:
        first = index_of(gltf, joint.name)
        assert_same_frame(found[first], shown_frame(joint))
        assert_same_frame(found[dict(joints(gltf))[first]], found[first])
    assert not errors()


def test_body_and_frame_in_different_collections(tmp_path: Path) -> None:
    """With collections as nodes, a frame that is left outside its body is a named error."""
    one, other = new_collection("One"), new_collection("Other")
    still, moving = add_body("Still", collection=one), add_body("Moving", collection=one)
    joint = connect(moving, still, weld())
    one.objects.unlink(joint)
    other.objects.link(joint)
    bpy.context.scene.omi_physics_joint.use_belonging = False
    export(tmp_path / "apart.glb", export_hierarchy_full_collections=True)
    assert {"body-lost-in-export", "joint-without-body"} & set(errors())
    export(tmp_path / "together.glb")
    assert not errors()


def test_gpu_instances_name_what_they_would_melt(tmp_path: Path) -> None:
    """Bodies that "GPU Instances" would replace by instances are errors; without it all is well."""
    top, mesh = add("Top"), box_mesh()
    for index in range(3):
        add_body(f"Body {index}", parent=top, data=mesh, at=(index, 0.0, 0.0))
    export(tmp_path / "gpu.glb", export_gpu_instances=True)
    assert errors() == {"lost-to-gpu-instances": ["Body 0", "Body 1", "Body 2"]}
    export(tmp_path / "plain.glb")
    assert not errors()


def test_gpu_instances_beside_joints(tmp_path: Path) -> None:
    """Where "GPU Instances" melts only what is no physics, joints keep right indices."""
    leaves, mesh = add("A Leaves"), box_mesh()
    for index in range(3):
        add(f"Leaf {index}", leaves, data=mesh, at=(index, 0.0, 0.0))
    pair("Pin")
    gltf = export(tmp_path / "gpu.glb", export_gpu_instances=True)
    assert "EXT_mesh_gpu_instancing" in gltf["extensionsUsed"]
    ((first, second),) = joints(gltf)
    assert gltf["nodes"][first]["name"] == "Pin"
    assert gltf["nodes"][second]["name"] == "Pin Second Frame"
    assert not errors()


def test_several_scenes(tmp_path: Path) -> None:
    """All scenes of a file have joints between their own nodes, also where they share objects."""
    first_scene = bpy.context.scene
    pair("First")
    shared = pair("Shared", x=5.0)
    second_scene = bpy.data.scenes.new("Second")
    for obj in first_scene.objects:
        if obj.name.startswith("Shared"):
            second_scene.collection.objects.link(obj)
    gltf = export(tmp_path / "scenes.gltf", use_active_scene=False)
    assert len(gltf["scenes"]) == 2
    assert len(joints(gltf)) == 3
    above = roots(gltf)
    for first, second in joints(gltf):
        scenes = [
            {number for number, scene in enumerate(gltf["scenes"]) if above[node] in scene["nodes"]}
            for node in (first, second)
        ]
        assert scenes[0] == scenes[1], "a joint across scenes joins nothing"
    assert sum(gltf["nodes"][first]["name"] == shared.name for first, _ in joints(gltf)) == 2
    assert not errors()
    active = export(tmp_path / "active.gltf", use_active_scene=True)
    assert len(joints(active)) == 2


@pytest.mark.parametrize("centred", [False, True])
def test_export_of_a_collection(centred: bool, tmp_path: Path) -> None:
    """A collection's export holds its joints at their place, or about the collection's centre."""
    inside = new_collection("Inside")
    joint = pair("Pin", inside, x=10.0)
    pair("Elsewhere", x=-10.0)
    gltf = export(tmp_path / "one.glb", collection="Inside", at_collection_center=centred)
    ((first, second),) = joints(gltf)
    centre = (11.0 + 10.0) / 2.0 if centred else 0.0
    assert_same_frame(worlds(gltf)[first], shown_frame(joint, base=translation(-centre)))
    assert_same_frame(worlds(gltf)[second], worlds(gltf)[first])
    assert not errors()


def test_collection_without_the_partner(tmp_path: Path) -> None:
    """A joint out of the exported collection is a named error."""
    inside = new_collection("Inside")
    still, moving = add_body("Still", "static"), add_body("Moving", collection=inside)
    connect(moving, still, weld())
    export(tmp_path / "one.glb", collection="Inside")
    assert errors() == {"partner-left-out": ["Joint"]}


def test_exporter_of_a_collection(tmp_path: Path) -> None:
    """The exporter that is saved with a collection writes joints, and strict holds for it."""
    inside = new_collection("Inside")
    joint = pair("Pin", inside)
    layer = bpy.context.view_layer
    layer.active_layer_collection = layer.layer_collection.children["Inside"]
    bpy.ops.collection.exporter_add(name="IO_FH_gltf2")
    target = tmp_path / "saved.glb"
    inside.exporters[0].export_properties.filepath = str(target)
    bpy.ops.collection.exporter_export(index=0)
    assert target.stat().st_size > 0
    before = target.read_bytes()
    joint.omi_physics_joint.settings = None
    bpy.context.scene.omi_physics_joint.strict = True
    with suppress(RuntimeError):  # Blender 4.5 only reports it
        bpy.ops.collection.exporter_export(index=0)
    assert errors() == {"joint-without-settings": ["Pin"]}
    assert target.read_bytes() == before
    assert list(tmp_path.iterdir()) == [target]


def armature(pose: Matrix) -> bpy.types.Object:
    """Return an armature with one bone up Z, posed."""
    data = bpy.data.armatures.new("Rig")
    rig = add("Rig", data=data)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bone = data.edit_bones.new("Bone")
    bone.head, bone.tail = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.pose.bones["Bone"].matrix_basis = pose
    bpy.context.view_layer.update()
    return rig


@pytest.mark.parametrize("at_rest", [False, True])
def test_body_on_a_bone(at_rest: bool, tmp_path: Path) -> None:
    """Frames below a body that hangs on a bone are right in the pose and in the rest pose."""
    rig = armature(Matrix.Rotation(0.7, 4, "X"))
    still, moving = add_body("Still", "static"), add_body("Moving", scale=(1.0, 2.0, 3.0))
    moving.parent, moving.parent_type, moving.parent_bone = rig, "BONE", "Bone"
    bpy.context.view_layer.update()
    joint = connect(moving, still, weld(), translation(0.2, 0.3, 1.5))
    gltf = export(tmp_path / "bone.glb", export_rest_position_armature=at_rest)
    ((first, second),) = joints(gltf)
    if at_rest:
        rig.pose.bones["Bone"].matrix_basis = Matrix()
        bpy.context.view_layer.update()
    assert_same_frame(worlds(gltf)[first], shown_frame(joint))
    assert_same_frame(worlds(gltf)[second], shown_frame(joint.omi_physics_joint.connected_node))
    body = worlds(gltf)[index_of(gltf, "Moving")]
    assert np.abs(body - in_gltf_axes(moving.matrix_world)).max() < 1e-5


@pytest.mark.parametrize("led_by", ["bone", "vertex", "constraint"])
def test_an_excluded_joint_is_where_it_was(led_by: str, tmp_path: Path) -> None:
    """Where its collection is excluded Blender keeps its last place: the bone's, not the rig's."""
    rig = armature(Matrix.Rotation(0.7, 4, "X"))
    excluded = new_collection("Excluded")
    moving = add_body("Moving", collection=excluded)
    if led_by == "constraint":
        pull = moving.constraints.new("COPY_LOCATION")
        pull.target = add("Goal", at=(3.0, 1.0, 2.0))
    elif led_by == "vertex":
        moving.parent, moving.parent_type = add("Carrier", data=box_mesh()), "VERTEX"
        moving.parent_vertices = (3, 3, 3)
    else:
        moving.parent, moving.parent_type, moving.parent_bone = rig, "BONE", "Bone"
    bpy.context.view_layer.update()
    joint = connect(moving, add_body("Still", "static"), weld())
    before = shown_frame(joint)
    bpy.context.view_layer.layer_collection.children["Excluded"].exclude = True
    gltf = export(tmp_path / "excluded.glb", export_rest_position_armature=False)
    assert_same_frame(worlds(gltf)[index_of(gltf, joint.name)], before)


def test_instances_on_vertices(tmp_path: Path) -> None:
    """What is instanced on vertices comes once a vertex, and its joints stay within each."""
    parent = add("Carrier", data=box_mesh())
    body = add_body("Body", parent=parent)
    other = add_body("Other", parent=body, at=(0.0, 0.0, 1.0))
    connect(body, other, weld())
    parent.instance_type = "VERTS"
    bpy.context.view_layer.update()
    gltf = export(tmp_path / "verts.glb")
    above = {c: i for i, node in enumerate(gltf["nodes"]) for c in node.get("children", ())}
    for first, second in joints(gltf):
        assert second in above
        assert first in above


def test_nothing_physical_adds_nothing(tmp_path: Path) -> None:
    """A scene without physics has the same file with our part on and off, byte for byte."""
    add("Plain", data=box_mesh(), turned=(0.1, 0.2, 0.3))
    export(tmp_path / "on.glb")
    bpy.context.scene.omi_physics_joint.use_export = False
    export(tmp_path / "off.glb")
    assert (tmp_path / "on.glb").read_bytes() == (tmp_path / "off.glb").read_bytes()


def test_switched_off_writes_no_physics(tmp_path: Path) -> None:
    """With "Physics Joints" off the file has none of our extensions."""
    two_bodies()
    bpy.context.scene.omi_physics_joint.use_export = False
    assert "extensionsUsed" not in export(tmp_path / "off.glb")


@pytest.mark.parametrize("dialect", ["OMI", "KHR", "BOTH"])
@pytest.mark.parametrize("role", ["body", "collider"])
def test_extensions_of_others_stay_beside_physics(dialect: str, role: str, tmp_path: Path) -> None:
    """A lamp that is a body shines on, and so does one that is part of one; in the document too."""
    pair("Pin")
    lamp = add_body("Lamp", data=bpy.data.lights.new("Lamp", "POINT"), at=(0.0, 0.0, 4.0))
    if role == "collider":
        lamp.omi_physics_body.is_body = False
        lamp.omi_physics_body.use_collider = True
        lamp.omi_physics_body.collider.shape.type = "sphere"
        lamp.parent = add_body("Carrier")
    bpy.context.scene.omi_physics_joint.dialect = dialect
    gltf = export(tmp_path / "lamp.glb", export_lights=True)
    names = set(gltf["nodes"][index_of(gltf, "Lamp")]["extensions"])
    assert len(gltf["extensions"]["KHR_lights_punctual"]["lights"]) == 1
    assert "KHR_lights_punctual" in names
    assert len(names) > 1
    assert len(gltf["extensions"]) > 1


@pytest.mark.parametrize("copy", ["LINK_COPY", "FULL_COPY"])
def test_bodies_of_a_copied_scene_overlap_none_of_the_other(copy: str, tmp_path: Path) -> None:
    """A file of both scenes has each body twice in one place, and nothing is told of that."""
    bodies = [add_body(name, data=box_mesh()) for name in ("Arm", "Base")]
    for body in bodies:
        body.omi_physics_body.use_collider = True
    bodies[1].location.x = 5.0
    bpy.ops.scene.new(type=copy)
    gltf = export(tmp_path / "two.glb", use_active_scene=False)
    assert len(gltf["scenes"]) == 2
    found = bpy.context.window_manager.omi_physics_joint.issues
    assert "godot-overlap" not in {one.code for one in found}
    assert "godot-overlap" not in {one.code for one in check(read(gltf).mechanism)}
    bodies[1].location.x = 0.5
    export(tmp_path / "two.glb", use_active_scene=False)
    assert "godot-overlap" in {one.code for one in found}
