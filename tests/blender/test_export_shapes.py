# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of collision shapes: the object's own, with and without modifiers, and mesh data alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from omi_export import (
    BODY,
    SHAPE,
    add_body,
    box_mesh,
    errors,
    export,
    extension,
    index_of,
)


def solid(
    name: str, mesh: bpy.types.Mesh | None, kind: str = "convex", shape_mesh: Any = None
) -> bpy.types.Object:
    """Return a body with a mesh shape."""
    obj = add_body(name, "static", data=mesh)
    obj.omi_physics_body.use_collider = True
    obj.omi_physics_body.collider.shape.type = kind
    obj.omi_physics_body.collider.shape.mesh = shape_mesh
    return obj


def shape_of(gltf: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the shape of a node's collider."""
    index = extension(gltf, name, BODY)["collider"]["shape"]
    found: dict[str, Any] = gltf["extensions"][SHAPE]["shapes"][index]
    return found


def size_of(gltf: dict[str, Any], mesh: int) -> list[float]:
    """Return the size of a mesh along X, Y and Z."""
    found = [
        gltf["accessors"][part["attributes"]["POSITION"]]
        for part in gltf["meshes"][mesh]["primitives"]
    ]
    return [
        max(one["max"][i] for one in found) - min(one["min"][i] for one in found) for i in range(3)
    ]


@pytest.mark.parametrize("kind", ["convex", "trimesh"])
def test_own_mesh_is_the_one_that_is_shown(kind: str, tmp_path: Path) -> None:
    """A shape of the object's own mesh names the mesh of its node, which is there once."""
    solid("Wall", box_mesh(), kind)
    gltf = export(tmp_path / "own.glb")
    node = gltf["nodes"][index_of(gltf, "Wall")]
    assert shape_of(gltf, "Wall") == {"type": kind, kind: {"mesh": node["mesh"]}}
    assert len(gltf["meshes"]) == 1
    assert not errors()


@pytest.mark.parametrize("applied", [False, True])
def test_modifiers_count_as_the_exporter_counts_them(applied: bool, tmp_path: Path) -> None:
    """Two objects share a mesh and one has a modifier: each shape is the mesh of its own node."""
    mesh = box_mesh()
    solid("Plain", mesh)
    wide = solid("Wide", mesh)
    modifier = wide.modifiers.new("Array", "ARRAY")
    modifier.count = 3
    gltf = export(tmp_path / "modified.glb", export_apply=applied)
    for name, width in (("Plain", 1.0), ("Wide", 3.0 if applied else 1.0)):
        own = gltf["nodes"][index_of(gltf, name)]["mesh"]
        assert shape_of(gltf, name)["convex"]["mesh"] == own
        assert size_of(gltf, own)[0] == pytest.approx(width)
    assert len(gltf["extensions"][SHAPE]["shapes"]) == (2 if applied else 1)


@pytest.mark.parametrize("suffix", ["glb", "gltf"])
def test_mesh_that_only_a_shape_uses(suffix: str, tmp_path: Path) -> None:
    """Mesh data that no object shows is in the file once, and no scene carries it."""
    proxy = box_mesh("Proxy", 5.0)
    solid("First", box_mesh("First"), "convex", proxy)
    solid("Second", None, "trimesh", proxy)
    gltf = export(tmp_path / f"proxy.{suffix}")
    found = {shape_of(gltf, name)["type"]: shape_of(gltf, name) for name in ("First", "Second")}
    (mesh,) = {found["convex"]["convex"]["mesh"], found["trimesh"]["trimesh"]["mesh"]}
    assert gltf["meshes"][mesh]["name"] == "Proxy"
    assert size_of(gltf, mesh) == pytest.approx([5.0] * 3)
    assert len(gltf["meshes"]) == 2
    assert all("extensions" not in scene for scene in gltf["scenes"])
    assert not errors()


def test_proxy_with_a_material(tmp_path: Path) -> None:
    """A mesh that only a shape uses may have materials, also empty slots."""
    proxy = box_mesh("Proxy", 5.0)
    proxy.materials.append(bpy.data.materials.new("Paint"))
    proxy.materials.append(None)
    for index, face in enumerate(proxy.polygons):
        face.material_index = index % 2
    solid("First", None, "convex", proxy)
    gltf = export(tmp_path / "painted.glb")
    mesh = shape_of(gltf, "First")["convex"]["mesh"]
    assert len(gltf["meshes"][mesh]["primitives"]) == 2
    assert size_of(gltf, mesh) == pytest.approx([5.0] * 3)


def test_shared_mesh_in_different_paint(tmp_path: Path) -> None:
    """Objects with one mesh and different materials in their slots share one shape."""
    mesh = box_mesh()
    mesh.materials.append(None)
    for name in ("Red", "Blue"):
        obj = solid(name, mesh)
        obj.material_slots[0].link = "OBJECT"
        obj.material_slots[0].material = bpy.data.materials.new(name)
    gltf = export(tmp_path / "paint.glb")
    assert len(gltf["meshes"]) == 2
    assert len(gltf["extensions"][SHAPE]["shapes"]) == 1
    shown = {gltf["nodes"][index_of(gltf, name)]["mesh"] for name in ("Red", "Blue")}
    assert shape_of(gltf, "Blue")["convex"]["mesh"] in shown


def test_mesh_of_another_object(tmp_path: Path) -> None:
    """A shape of a mesh that another object shows is right, whether or not that is exported."""
    other = add_body("Other", "static", data=box_mesh("Shared", 4.0))
    solid("Body", None, "convex", other.data)
    for hidden in (False, True):
        other.hide_set(hidden)
        gltf = export(tmp_path / "other.glb", use_visible=True)
        mesh = shape_of(gltf, "Body")["convex"]["mesh"]
        assert size_of(gltf, mesh) == pytest.approx([4.0] * 3)
        assert len(gltf["meshes"]) == 1


def test_shape_without_a_mesh_is_an_error(tmp_path: Path) -> None:
    """A mesh shape on an empty, or of a mesh without faces, is named; the rest is written."""
    solid("Empty", None)
    solid("No Faces", bpy.data.meshes.new("Nothing"))
    solid("No Faces of Another", None, "trimesh", bpy.data.meshes.new("Nothing Else"))
    gltf = export(tmp_path / "none.glb")
    assert sorted(errors()["shape-without-mesh"]) == ["Empty", "No Faces", "No Faces of Another"]
    assert extension(gltf, "Empty", BODY) == {"motion": {"type": "static"}}
    assert extension(gltf, "No Faces", BODY) == {"motion": {"type": "static"}}


@pytest.mark.parametrize("own", [False, True])
def test_fix_of_a_shape_without_faces_is_one(own: bool) -> None:
    """It gets a box whosever mesh lacks the faces; what the object does not use stays as it is."""
    nothing = bpy.data.meshes.new("Nothing")
    body = solid("Body", nothing if own else box_mesh(), "trimesh", None if own else nothing)
    bpy.ops.omi_joint.check()
    found = bpy.context.window_manager.omi_physics_joint.issues
    codes = [issue.code for issue in found]
    bpy.ops.omi_joint.issue_fix(index=codes.index("shape-without-mesh"))
    assert body.omi_physics_body.collider.shape.type == "box"
    assert body.omi_physics_body.trigger.shape.type == "convex"
    assert "shape-without-mesh" not in [issue.code for issue in found]


@pytest.mark.parametrize("strict", [False, True])
def test_modifier_that_leaves_nothing(strict: bool, tmp_path: Path) -> None:
    """A mesh that the exporter drops once modifiers are applied is a named error, strict or not."""
    masked = solid("Masked", box_mesh())
    masked.vertex_groups.new(name="None")
    modifier = masked.modifiers.new("Mask", "MASK")
    modifier.vertex_group = "None"
    bpy.context.scene.omi_physics_joint.strict = strict
    target = tmp_path / "masked.gltf"
    if strict:
        with pytest.raises(RuntimeError, match="Nothing was written: Masked: "):
            export(target, export_apply=True)
        assert list(tmp_path.iterdir()) == []
    else:
        gltf = export(target, export_apply=True)
        assert extension(gltf, "Masked", BODY) == {"motion": {"type": "static"}}
    assert errors() == {"mesh-not-exported": ["Masked"]}


@pytest.mark.parametrize("apply", [False, True])
def test_a_shape_without_its_modifiers_is_a_named_loss(apply: bool, tmp_path: Path) -> None:
    """Play and inertia have the bevel; a file that is not asked to apply it has other corners."""
    beveled = solid("Beveled", box_mesh())
    beveled.modifiers.new("Bevel", "BEVEL").width = 0.2
    hidden = solid("Plain", box_mesh()).modifiers.new("Bevel", "BEVEL")
    hidden.show_viewport = False
    export(tmp_path / "bevel.gltf", export_apply=apply)
    found = bpy.context.window_manager.omi_physics_joint.issues
    said = {one.code: one.message for one in found if one.code == "modifiers-left-out"}
    assert bool(said) is not apply
    assert all("1 shape is in the file without modifiers (Beveled)" in one for one in said.values())


def test_equal_shapes_and_settings_are_written_once(tmp_path: Path) -> None:
    """Shapes, materials and filters of equal value are one resource each in the file."""
    for index in range(4):
        body = solid(f"Body {index}", None, "box").omi_physics_body
        body.collider.shape.size = (1.0, 2.0, 3.0 + index // 2)
        body.collider.use_physics_material = body.collider.use_collision_filter = True
        body.collider.physics_material.restitution = 0.5 * (index % 2)
        body.collider.collision_filter.collision_systems = "cars, walls"
    gltf = export(tmp_path / "shared.glb")
    assert [shape["box"]["size"] for shape in gltf["extensions"][SHAPE]["shapes"]] == [
        [1, 3, 2],
        [1, 4, 2],
    ]
    document = gltf["extensions"][BODY]
    assert len(document["physicsMaterials"]) == 2
    assert document["collisionFilters"] == [{"collisionSystems": ["cars", "walls"]}]


def test_compound_trigger_names_its_parts(tmp_path: Path) -> None:
    """The parts of a compound trigger are named by their indices; a missing part is an error."""
    body = add_body("Body", "static")
    parts = [add_body(f"Part {i}", "static", parent=body) for i in range(2)]
    for part in parts:
        part.omi_physics_body.is_body = False
        part.omi_physics_body.use_trigger = True
        part.omi_physics_body.trigger.shape.type = "sphere"
    body.omi_physics_body.use_trigger = True
    for part in parts:
        body.omi_physics_body.trigger.nodes.add().object = part
    gltf = export(tmp_path / "trigger.glb")
    indices = [index_of(gltf, part.name) for part in parts]
    assert extension(gltf, "Body", BODY)["trigger"] == {"nodes": indices}
    parts[0].hide_set(True)
    gltf = export(tmp_path / "trigger.glb", use_visible=True)
    assert extension(gltf, "Body", BODY)["trigger"]["nodes"] == indices  # it goes along
    bpy.context.scene.omi_physics_joint.use_belonging = False
    gltf = export(tmp_path / "trigger.glb", use_visible=True)
    assert errors() == {"trigger-part-missing": ["Body"], "left-out-of-export": ["Part 0"]}
    assert extension(gltf, "Body", BODY)["trigger"] == {"nodes": [index_of(gltf, "Part 1")]}


def test_compound_collider_without_members_survives(tmp_path: Path) -> None:
    """A collider that says nothing but "compound" is not cleaned away by the exporter."""
    solid("Compound", None, "none")
    gltf = export(tmp_path / "compound.glb")
    assert "collider" in extension(gltf, "Compound", BODY)
    assert "shape" not in extension(gltf, "Compound", BODY)["collider"]
