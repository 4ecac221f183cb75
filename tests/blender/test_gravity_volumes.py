# SPDX-License-Identifier: GPL-3.0-or-later
"""Gravity of nodes that is shaped by a volume goes through Blender: with sizes, and with meshes."""

from __future__ import annotations

import json
import struct
from base64 import b64encode
from pathlib import Path
from typing import Any

import bpy
import pytest
from omi_export import add, box_mesh, errors, export, import_file
from scenes import select

from omi_physics_joint.blender.check.report import is_old
from omi_physics_joint.blender.check.scale_applying import apply_scale
from omi_physics_joint.blender.joints.authoring import AuthoringError
from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.changes.changes import changes
from omi_physics_joint.model.shape import Convex, Trimesh

GRAVITY, SHAPE, BODY = "OMI_physics_gravity", "OMI_physics_shape", "OMI_physics_body"
NOTE: dict[str, Any] = {"X_note": [1, {"a": 2.5}]}
MESHES = ("Unused", "Shown", "Hull", "Own")
UNUSED, SHOWN, HULL, OWN = range(4)


def shaped(shape: int) -> dict[str, Any]:
    """Return a gravity that is shaped by a shape."""
    return {"type": "shaped", "gravity": 2.5, "shaped": {"shape": shape, **NOTE}, **NOTE}


def scene(kind: str) -> dict[str, Any]:
    """Return a document with four tetrahedra of different sizes, and gravity within three of them.

    One mesh is nobody's, one is shown by another node, one by none, one by the node itself.
    """
    triangles = struct.pack("<12H", 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)
    data, views, accessors, meshes = triangles, [{"byteLength": 24}], [], []
    accessors.append({"bufferView": 0, "componentType": 5123, "count": 12, "type": "SCALAR"})
    for size, name in enumerate(MESHES, start=1):
        corners = [0.0] * 3 + [float(size) if i % 4 == 0 else 0.0 for i in range(9)]
        views.append({"byteOffset": len(data), "byteLength": 48})
        data += struct.pack("<12f", *corners)
        part = {"bufferView": size, "componentType": 5126, "count": 4, "type": "VEC3"}
        accessors.append({**part, "min": [0.0] * 3, "max": [float(size)] * 3})
        meshes.append({"name": name, "primitives": [corner_part(size)]})
    uri = f"data:application/octet-stream;base64,{b64encode(data).decode()}"
    shapes = [{"type": kind, kind: {"mesh": mesh, **NOTE}} for mesh in (SHOWN, HULL, OWN)]
    shapes[1]["name"] = "Well"
    nodes = [
        {"name": "Well", "extensions": {GRAVITY: shaped(1)}},
        {"name": "Star", "mesh": SHOWN},
        {"name": "Moon", "translation": [1.0, 2.0, 3.0], "extensions": {GRAVITY: shaped(0)}},
        {"name": "Planet", "mesh": OWN, "extensions": {GRAVITY: shaped(2)}},
        {"name": "Twin", "extensions": {GRAVITY: shaped(1), BODY: {"trigger": {"shape": 0}}}},
    ]
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": [GRAVITY, SHAPE, BODY],
        "extensions": {SHAPE: {"shapes": shapes}},
        "buffers": [{"byteLength": len(data), "uri": uri}],
        "bufferViews": [{"buffer": 0, **view} for view in views],
        "accessors": accessors,
        "meshes": meshes,
        "scene": 0,
        "scenes": [{"nodes": list(range(len(nodes)))}],
        "nodes": nodes,
    }


def corner_part(accessor: int) -> dict[str, Any]:
    """Return a primitive of a tetrahedron."""
    return {"attributes": {"POSITION": accessor}, "indices": 0}


def volumes(gltf: dict[str, Any]) -> dict[str, Any]:
    """Return what the JSON says of gravity, by node, with shapes and meshes in place of indices."""
    found: dict[str, Any] = {}
    for node in gltf["nodes"]:
        gravity = node.get("extensions", {}).get(GRAVITY)
        if gravity is None:
            continue
        shape = dict(gltf["extensions"][SHAPE]["shapes"][gravity["shaped"]["shape"]])
        mesh = gltf["meshes"][shape[shape["type"]]["mesh"]]
        (part,) = mesh["primitives"]
        size = gltf["accessors"][part["attributes"]["POSITION"]]["max"]
        shape[shape["type"]] = {**shape[shape["type"]], "mesh": (mesh["name"], size)}
        shape.pop("name", None)
        rest = {**gravity["shaped"], "shape": shape}
        found[node["name"]] = {**gravity, "shaped": rest}
    return found


def written(path: Path, gltf: dict[str, Any]) -> Path:
    """Write a document and return its path."""
    path.write_text(json.dumps(gltf))
    return path


def well() -> bpy.types.Object:
    """Return the imported object whose gravity is within a mesh that nobody shows."""
    return bpy.data.objects["Well"]


@pytest.mark.parametrize("kind", ["convex", "trimesh"])
@pytest.mark.parametrize("dialect", ["BOTH", "OMI", "KHR"])
def test_a_volume_that_is_a_mesh_comes_back(kind: str, dialect: str, tmp_path: Path) -> None:
    """It is the same mesh in the new document, whatever number that has; and once more."""
    first = scene(kind)
    path = written(tmp_path / "first.gltf", first)
    expected = volumes(first)
    assert expected.keys() == {"Well", "Moon", "Planet", "Twin"}
    for number in range(2):
        assert import_file(path).keys() == {"gravity-of-nodes"}
        assert sorted(mesh.name for mesh in bpy.data.meshes) == ["Hull", "Own", "Shown"]
        bpy.context.scene.omi_physics_joint.dialect = dialect
        path = tmp_path / f"again {number}.glb"
        again = export(path)
        assert errors() == {}
        assert volumes(again) == expected
        assert sorted(mesh["name"] for mesh in again["meshes"]) == ["Hull", "Own", "Shown"]
        nodes = {node["name"]: node for node in again["nodes"]}
        shapes = again["extensions"][SHAPE]["shapes"]
        for holder, user in (("Star", "Moon"), ("Planet", "Planet")):
            at = nodes[user]["extensions"][GRAVITY]["shaped"]["shape"]
            assert shapes[at][kind]["mesh"] == nodes[holder]["mesh"]
        assert "Well" in [shape.get("name") for shape in shapes]
        assert all("extensions" not in scene for scene in again["scenes"])
        before, after = read(first).mechanism, read(again).mechanism
        assert changes(before, after) == ()
        told = [
            {node.name: node.unknown for node in mechanism.nodes} for mechanism in (before, after)
        ]
        assert told[0] == told[1]


def test_the_mesh_lives_as_long_as_its_volume(tmp_path: Path) -> None:
    """It has a user, and goes along when the object is saved, copied, appended, undone."""
    gltf = scene("convex")
    import_file(written(tmp_path / "first.gltf", gltf))
    assert bpy.data.meshes["Hull"].users == 2
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    assert well().omi_physics_body.gravity_shape.mesh == bpy.data.meshes["Hull"]
    select(well())
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.object.duplicate()
    assert bpy.data.meshes["Hull"].users == 3
    assert bpy.data.objects["Well.001"].omi_physics_body.gravity_shape.mesh.name == "Hull"
    bpy.ops.ed.undo_push(message="copied")
    bpy.ops.ed.undo()
    assert bpy.data.meshes["Hull"].users == 2
    assert well().omi_physics_body.gravity_shape.mesh.name == "Hull"
    bpy.data.objects.remove(bpy.data.objects["Twin"])
    bpy.ops.wm.read_homefile(use_empty=True)
    folder = f"{tmp_path / 'saved.blend'}/Object/"
    bpy.ops.wm.append(filename="Well", directory=folder, instance_object_data=False)
    assert bpy.data.meshes["Hull"].users == 1
    bpy.ops.outliner.orphans_purge(do_recursive=True)
    again = export(tmp_path / "again.gltf")
    assert volumes(again) == {"Well": volumes(gltf)["Well"]}


def test_an_edit_of_the_mesh_is_in_the_file(tmp_path: Path) -> None:
    """What is exported is the mesh as it is now, and what is kept of gravity beside it."""
    import_file(written(tmp_path / "first.gltf", scene("trimesh")))
    for vertex in bpy.data.meshes["Hull"].vertices:
        vertex.co *= 2.0
    well().omi_physics_body.gravity_shape.type = "convex"
    found = volumes(export(tmp_path / "again.gltf"))["Well"]
    assert found["shaped"]["shape"]["convex"]["mesh"] == ("Hull", [6.0] * 3)
    assert found["gravity"] == 2.5


@pytest.mark.parametrize("how", ["removed", "no faces", "compound"])
def test_a_volume_that_lost_its_mesh_is_named(how: str, tmp_path: Path) -> None:
    """Its gravity is left out with a word; all others stay."""
    import_file(written(tmp_path / "first.gltf", scene("convex")))
    shape = well().omi_physics_body.gravity_shape
    if how == "removed":
        bpy.data.meshes.remove(bpy.data.meshes["Hull"])
    elif how == "no faces":
        shape.mesh = bpy.data.meshes.new("Nothing")
    else:
        shape.type = "none"
    found = volumes(export(tmp_path / "again.gltf"))
    lost = {"Well", "Twin"} if how == "removed" else {"Well"}
    code = "gravity-without-shape" if how == "compound" else "shape-without-mesh"
    assert errors() == {code: sorted(lost)}
    assert found.keys() == {"Well", "Moon", "Planet", "Twin"} - lost


def test_a_mesh_that_the_exporter_drops_is_named(tmp_path: Path) -> None:
    """A volume of the own mesh, of which modifiers leave nothing, is an error and no wrong mesh."""
    import_file(written(tmp_path / "first.gltf", scene("convex")))
    planet = bpy.data.objects["Planet"]
    planet.vertex_groups.new(name="None")
    planet.modifiers.new("Mask", "MASK").vertex_group = "None"
    found = volumes(export(tmp_path / "again.gltf", export_apply=True))
    assert errors() == {"mesh-not-exported": ["Planet"]}
    assert found.keys() == {"Well", "Moon", "Twin"}


def test_a_damaged_mesh_costs_one_volume(tmp_path: Path) -> None:
    """The import names the node, and the rest of its gravity waits for another mesh."""
    gltf = scene("convex")
    gltf["meshes"][HULL]["primitives"][0]["indices"] = 99
    assert import_file(written(tmp_path / "bad.gltf", gltf))["shape-mesh-unreadable"] == ["Well"]
    assert bpy.data.objects["Moon"].omi_physics_body.gravity_shape.mesh.name == "Shown"
    body = well().omi_physics_body
    assert (body.use_gravity_shape, body.gravity_shape.mesh) == (True, None)
    body.gravity_shape.mesh = box_mesh("Other", 4.0)
    found = volumes(export(tmp_path / "again.gltf"))["Well"]
    assert found["shaped"]["shape"]["convex"]["mesh"] == ("Other", [2.0] * 3)


def test_a_volume_of_a_node_without_an_object_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gravity that has no object to be on is an error that names the node, and no silence."""
    from omi_physics_joint.blender.gltf_hooks.imported import importing

    of_nodes = importing._objects_of
    monkeypatch.setattr(importing, "_objects_of", lambda *given: [None, *of_nodes(*given)[1:]])
    found = import_file(written(tmp_path / "apart.gltf", scene("convex")))
    assert found["node-not-imported"] == ["Well"]


def test_a_volume_with_a_size_is_in_the_axes_and_units_of_the_scene(tmp_path: Path) -> None:
    """It is a shape as that of a collider: turned with the axes, in metres in the file."""
    gltf = scene("convex")
    gltf["extensions"][SHAPE]["shapes"][1] = {"type": "box", "box": {"size": [1.0, 2.0, 3.0]}}
    path = written(tmp_path / "box.gltf", gltf)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.unit_settings.scale_length = 0.5
    bpy.ops.import_scene.gltf(filepath=str(path))
    assert tuple(well().omi_physics_body.gravity_shape.size) == (2.0, 6.0, 4.0)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(path))
    assert tuple(well().omi_physics_body.gravity_shape.size) == (1.0, 3.0, 2.0)
    for y_up, size in ((True, [1.0, 2.0, 3.0]), (False, [1.0, 3.0, 2.0])):
        again = export(tmp_path / "again.gltf", export_yup=y_up)
        (node,) = (node for node in again["nodes"] if node["name"] == "Well")
        at = node["extensions"][GRAVITY]["shaped"]["shape"]
        assert again["extensions"][SHAPE]["shapes"][at] == {"type": "box", "box": {"size": size}}


def test_a_mesh_is_instanced_with_its_gravity_named(tmp_path: Path) -> None:
    """GPU Instances would melt the node away, and the gravity with it."""
    import_file(written(tmp_path / "first.gltf", scene("convex")))
    parent = add("Parent")
    planet = bpy.data.objects["Planet"]
    planet.parent = parent
    add("Copy", parent, data=planet.data)
    export(tmp_path / "again.gltf", export_gpu_instances=True)
    assert errors() == {"lost-to-gpu-instances": ["Planet"]}


def test_copying_a_body_leaves_volumes_where_they_are(tmp_path: Path) -> None:
    """Copy Body does not bring a gravity along that it does not keep, nor take one away."""
    import_file(written(tmp_path / "first.gltf", scene("trimesh")))
    moon = bpy.data.objects["Moon"]
    other = add("Other")
    moon.omi_physics_body.is_body = True
    select(moon, other, well())
    bpy.context.view_layer.objects.active = moon
    assert bpy.ops.omi_joint.body_copy() == {"FINISHED"}
    assert other.omi_physics_body.is_body
    assert not other.omi_physics_body.use_gravity_shape
    assert well().omi_physics_body.gravity_shape.mesh.name == "Hull"


def test_the_bridge_has_the_volume_among_the_shapes(tmp_path: Path) -> None:
    """A collider and a gravity of one mesh and one kind are one shape of the model."""
    import_file(written(tmp_path / "first.gltf", scene("convex")))
    mechanism = read(export(tmp_path / "again.gltf")).mechanism
    nodes = {node.name: node for node in mechanism.nodes}
    assert nodes["Twin"].gravity_shape == nodes["Well"].gravity_shape
    trigger = nodes["Twin"].trigger
    assert trigger is not None
    assert trigger.shape == nodes["Moon"].gravity_shape
    kinds = {type(mechanism.shapes[node.gravity_shape or 0]) for node in nodes.values()}
    assert kinds <= {Convex, Trimesh}


def test_fix_gives_a_volume_without_a_mesh_a_box(tmp_path: Path) -> None:
    """What Check says of it is mended as of a collider, and the gravity is written again."""
    import_file(written(tmp_path / "first.gltf", scene("convex")))
    bpy.data.objects.remove(bpy.data.objects["Twin"])
    bpy.data.meshes.remove(bpy.data.meshes["Hull"])
    bpy.ops.omi_joint.check()
    found = bpy.context.window_manager.omi_physics_joint.issues
    (index,) = (i for i, issue in enumerate(found) if issue.code == "shape-without-mesh")
    assert bpy.ops.omi_joint.issue_fix(index=index) == {"FINISHED"}
    assert well().omi_physics_body.gravity_shape.type == "box"
    again = export(tmp_path / "again.gltf")
    assert errors() == {}
    (node,) = (node for node in again["nodes"] if node["name"] == "Well")
    assert node["extensions"][GRAVITY]["type"] == "shaped"


def test_a_mesh_of_several_skins_is_the_own_one_of_each(tmp_path: Path) -> None:
    """The importer makes one mesh for each skin; a volume of the own mesh uses that of its node."""
    gltf = scene("convex")
    gltf["skins"] = [{"joints": [0]}, {"joints": [2]}]
    gravity = gltf["nodes"][3]["extensions"]
    gltf["nodes"][3]["skin"] = 0
    gltf["nodes"].append({"name": "Other", "mesh": OWN, "skin": 1, "extensions": gravity})
    gltf["scenes"][0]["nodes"].append(5)
    import_file(written(tmp_path / "skins.gltf", gltf))
    for name in ("Planet", "Other"):
        body = bpy.data.objects[name].omi_physics_body
        assert (body.use_gravity_shape, body.gravity_shape.mesh) == (True, None)
    assert bpy.data.objects["Planet"].data != bpy.data.objects["Other"].data


def test_a_linked_mesh_that_is_missing_is_an_error(tmp_path: Path) -> None:
    """Check names the library of a mesh that only a gravity uses."""
    library = tmp_path / "hull.blend"
    box_mesh("Hull").use_fake_user = True
    bpy.ops.wm.save_as_mainfile(filepath=str(library))
    import_file(written(tmp_path / "first.gltf", scene("convex")))
    with bpy.data.libraries.load(str(library), link=True) as (_, target):
        target.meshes = ["Hull"]
    well().omi_physics_body.gravity_shape.mesh = target.meshes[0]
    shot = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=shot)
    library.unlink()
    bpy.ops.wm.open_mainfile(filepath=shot)
    bpy.ops.omi_joint.check()
    (line,) = (
        line
        for line in bpy.context.window_manager.omi_physics_joint.issues
        if line.where.startswith("hull.blend")
    )
    assert "Hull (of Well)" in line.message


def test_a_scale_goes_into_a_volume_as_into_a_collider(tmp_path: Path) -> None:
    """What Fix does with the scale of an object leaves its gravity as large as it was."""
    import_file(written(tmp_path / "first.gltf", scene("convex")))
    moon = bpy.data.objects["Moon"]
    moon.scale = (2.0, 2.0, 2.0)
    with pytest.raises(AuthoringError, match="another mesh"):
        apply_scale(moon)
    moon.omi_physics_body.gravity_shape.type = "sphere"
    apply_scale(moon)
    assert moon.omi_physics_body.gravity_shape.radius == 1.0


def test_an_edit_of_a_volume_makes_results_old(tmp_path: Path) -> None:
    """What Check found may be false once an object moves whose gravity has a volume."""
    import_file(written(tmp_path / "first.gltf", scene("convex")))
    report = bpy.context.window_manager.omi_physics_joint
    bpy.ops.omi_joint.check()
    bpy.context.view_layer.update()
    assert not is_old(report, bpy.context.scene)
    well().omi_physics_body.gravity_shape.type = "trimesh"
    well().update_tag()
    bpy.context.view_layer.update()
    assert is_old(report, bpy.context.scene)
