# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of convex and trimesh shapes are imported once, whoever shows them."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from omi_export import add, add_body, box_mesh, export, import_file

from omi_physics_joint.gltf.document import load


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
def test_official_shape_keeps_its_one_mesh(kind: str, shared_examples: Path) -> None:
    """The official files of mesh shapes have as many meshes in Blender as in the file."""
    found = sorted(shared_examples.rglob(f"*{kind}*.gltf"))
    if not found:
        pytest.skip(f"no official example of a {kind} beside this checkout")
    for path in found:
        import_file(path)
        assert len(bpy.data.meshes) == len(load(path).json["meshes"])
