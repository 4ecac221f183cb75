# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of convex and trimesh shapes are imported once, whoever shows them."""

from __future__ import annotations

import json
from pathlib import Path

import bpy
import pytest
from omi_export import add, add_body, box_mesh, export, import_file, two_bodies

from omi_physics_joint.gltf.document.files import load


def solid(name: str, mesh: bpy.types.Mesh | None, kind: str) -> bpy.types.Object:
    """Add a static body that shows a mesh, with a shape of its own mesh."""
    obj = add_body(name, "static", data=mesh)
    obj.omi_physics_body.use_collider = True
    obj.omi_physics_body.collider.shape.type = kind
    return obj


def shape_mesh(name: str) -> bpy.types.Mesh | None:
    """Return the mesh that the shape of an imported object points at."""
    return bpy.data.objects[name].omi_physics_body.collider.shape.mesh


@pytest.mark.parametrize("keys", [False, True], ids=["plain", "shape keys"])
@pytest.mark.parametrize("kind", ["convex", "trimesh"])
def test_own_mesh_is_not_doubled(kind: str, keys: bool, tmp_path: Path) -> None:
    """A shape of its object's own mesh points at none, and no mesh is added by a round trip."""
    obj = solid("Own", box_mesh(), kind)
    if keys:
        obj.shape_key_add(name="Basis")
        obj.shape_key_add(name="Long").data[0].co = (4.0, 0.0, 0.0)
    first = export(tmp_path / "own.glb")
    assert import_file(tmp_path / "own.glb") == {}
    assert len(bpy.data.meshes) == 1
    assert shape_mesh("Own") is None
    assert bpy.data.objects["Own"].omi_physics_body.collider.shape.type == kind
    second = export(tmp_path / "again.glb")
    assert len(first["meshes"]) == len(second["meshes"]) == 1


@pytest.mark.parametrize("part", ["collider", "trigger"])
def test_a_mesh_with_other_weights_is_its_own(part: str, tmp_path: Path) -> None:
    """Blender has two of a mesh that two nodes bend otherwise; each shape is of its object's."""
    obj = add_body("First", "static", data=box_mesh())
    obj.shape_key_add(name="Basis")
    obj.shape_key_add(name="Long").data[0].co = (4.0, 0.0, 0.0)
    setattr(obj.omi_physics_body, f"use_{part}", True)
    getattr(obj.omi_physics_body, part).shape.type = "convex"
    gltf = export(tmp_path / "two.gltf")
    gltf["nodes"].append({**gltf["nodes"][0], "name": "Second", "weights": [0.5]})
    gltf["scenes"][0]["nodes"].append(len(gltf["nodes"]) - 1)
    (tmp_path / "two.gltf").write_text(json.dumps(gltf))
    assert import_file(tmp_path / "two.gltf") == {}
    found = [bpy.data.objects[name] for name in ("First", "Second")]
    assert found[0].data != found[1].data
    assert not any(getattr(one.omi_physics_body, part).shape.mesh for one in found)


def test_mesh_of_another_object_is_shared(tmp_path: Path) -> None:
    """A shape that uses what another object shows points at that mesh, and makes no second."""
    shown = add("Shown", data=box_mesh("Shared"))
    solid("User", None, "convex").omi_physics_body.collider.shape.mesh = shown.data
    export(tmp_path / "shared.glb")
    import_file(tmp_path / "shared.glb")
    assert shape_mesh("User") == bpy.data.objects["Shown"].data


def test_mesh_that_nothing_shows_is_made_once(tmp_path: Path) -> None:
    """Two shapes of one mesh that no object shows point at one new mesh."""
    mesh = box_mesh("Hull")
    for name in ("A", "B"):
        solid(name, None, "convex").omi_physics_body.collider.shape.mesh = mesh
    export(tmp_path / "loose.glb")
    import_file(tmp_path / "loose.glb")
    assert len(bpy.data.meshes) == 1
    assert shape_mesh("A") == shape_mesh("B") == bpy.data.meshes[0]


@pytest.mark.parametrize("kind", ["convex", "trimesh"])
def test_shape_example_keeps_its_one_mesh(kind: str, example_files: Path) -> None:
    """Examples of mesh shapes have as many meshes in Blender as in the file."""
    found = sorted(example_files.rglob(f"*{kind}*.gltf"))
    if not found:
        pytest.skip(f"no example of a {kind} beside this checkout")
    for path in found:
        import_file(path)
        assert len(bpy.data.meshes) == len(load(path).json["meshes"])


def test_damaged_mesh_of_a_shape_costs_only_itself(tmp_path: Path) -> None:
    """A shape whose mesh cannot be read has none, which is said; all else arrives."""
    still, _, _ = two_bodies()
    lone = bpy.data.objects.new("Lone", None)
    bpy.context.collection.objects.link(lone)
    for obj, mesh in ((still, None), (lone, box_mesh("Hull"))):
        obj.omi_physics_body.use_collider = True
        obj.omi_physics_body.collider.shape.type = "convex"
        obj.omi_physics_body.collider.shape.mesh = mesh
    lone.parent = still
    path = tmp_path / "scene.gltf"
    gltf = export(path)
    (hull,) = [mesh for mesh in gltf["meshes"] if mesh["name"] == "Hull"]
    gltf["accessors"][hull["primitives"][0]["attributes"]["POSITION"]]["bufferView"] = 1
    gltf["bufferViews"][1].update(buffer=1, byteOffset=0)
    gltf["buffers"].append({"uri": "missing.bin", "byteLength": 10_000})
    path.write_text(json.dumps(gltf))
    expected = {"file-missing": ["/buffers/1"], "shape-mesh-unreadable": ["Lone"]}
    assert import_file(path) == expected
    assert bpy.data.objects["Lone"].omi_physics_body.use_collider
    assert bpy.data.objects["Lone"].omi_physics_body.collider.shape.type == "convex"
    assert shape_mesh("Lone") is None
    assert all(bpy.data.objects[name].omi_physics_body.is_body for name in ("Still", "Moving"))
    joint = bpy.data.objects["Weld"].omi_physics_joint
    assert joint.is_joint
    assert joint.connected_body is not None
    assert "Hull" not in bpy.data.meshes


def test_fault_in_one_node_costs_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever fails with one node or settings block is named, and all others arrive."""
    from omi_physics_joint.blender.bridge import write

    two_bodies()
    path = tmp_path / "scene.glb"
    export(path)

    def broken(*_arguments: object) -> None:
        raise KeyError

    for part, where in (("_fill_motion", ["Moving", "Still"]), ("new_settings", ["Weld"])):
        with monkeypatch.context() as patch:
            patch.setattr(write, part, broken)
            found = import_file(path)
        assert sorted(found["import-failed"]) == where
        assert bpy.data.objects["Weld"].omi_physics_joint.is_joint
