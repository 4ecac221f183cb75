# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies with mesh colliders turn alike in Blender and in the file that it exports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import bmesh
import numpy as np
import pytest
from omi_export import add, add_body, box_mesh, connect, export

from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.bridge.solids import measured_mechanism
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.read import read
from omi_physics_joint.library.motion.from_file import measured_mechanism as measured_in_file
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.solver.reading.bodies import read_bodies

Made = Callable[[bmesh.types.BMesh], object]


def mesh_of(name: str, make: Made) -> bpy.types.Mesh:
    """Return mesh data that an operator of bmesh makes."""
    shape = bmesh.new()
    make(shape)
    mesh = bpy.data.meshes.new(name)
    shape.to_mesh(mesh)
    shape.free()
    return mesh


def disc(shape: bmesh.types.BMesh) -> None:
    """Make a wheel with 32 sides, which stands along Z."""
    bmesh.ops.create_cone(shape, cap_ends=True, segments=32, radius1=0.3, radius2=0.3, depth=0.1)


def cone(shape: bmesh.types.BMesh) -> None:
    """Make a cone with 48 sides."""
    bmesh.ops.create_cone(shape, cap_ends=True, segments=48, radius1=0.5, radius2=0.0, depth=1.0)


def monkey(shape: bmesh.types.BMesh) -> None:
    """Make a mesh that is open and far from convex."""
    bmesh.ops.create_monkey(shape)


def with_collider(obj: bpy.types.Object, kind: str) -> bpy.types.Object:
    """Give an object a collider from its own mesh."""
    obj.omi_physics_body.use_collider = True
    obj.omi_physics_body.collider.shape.type = kind
    return obj


def inertia_by_name(mechanism: Mechanism) -> dict[str, np.ndarray]:
    """Return the inertia of every body in the axes of the world, (3, 3)."""
    bodies, _ = read_bodies(mechanism)
    turned = np.einsum("nij,nj,nkj->nik", bodies.rotation, bodies.inertia, bodies.rotation)
    return {
        mechanism.nodes[node].name: found
        for node, found in zip(bodies.nodes.tolist(), turned, strict=True)
        if node >= 0
    }


def in_blender() -> dict[str, np.ndarray]:
    """Return the inertia of the bodies of the scene as play has it."""
    placed = placed_in_scene(bpy.context.scene)
    return inertia_by_name(measured_mechanism(mechanism_from_placed(placed), placed))


def in_file(path: Path, **options: object) -> dict[str, np.ndarray]:
    """Return the inertia of the bodies of an exported scene as ``simulate`` has it."""
    export(path, **options)
    document = load(path)
    mechanism, issues = measured_in_file(document, read(document.json).mechanism)
    assert issues == ()
    return inertia_by_name(mechanism)


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_blender_and_its_file_agree_on_hulls_and_closed_meshes(tmp_path: Path, suffix: str) -> None:
    """Of convex and triangle meshes, turned and scaled, open and closed, in several parts."""
    still = add_body("Still", "static", data=box_mesh())
    wheel = with_collider(add_body("Wheel", data=mesh_of("Wheel", disc)), "convex")
    with_collider(
        add_body("Hat", data=mesh_of("Hat", cone), at=(3, 0, 1), turned=(0.3, 0.5, 0.7)), "trimesh"
    )
    with_collider(
        add_body("Suzanne", data=mesh_of("Suzanne", monkey), at=(5, 0, 0), scale=(1, 2, 0.5)),
        "trimesh",
    )
    with_collider(add_body("Head", data=bpy.data.meshes["Suzanne"], at=(8, 0, 0)), "convex")
    both = add_body("Both", at=(0, 5, 0))
    with_collider(add("Left", both, data=mesh_of("Left", disc), at=(-1, 0, 0)), "convex")
    with_collider(add("Right", both, data=mesh_of("Right", cone), at=(1, 0, 0)), "convex")
    connect(wheel, still)
    bpy.context.view_layer.update()
    here, there = in_blender(), in_file(tmp_path / f"solids{suffix}")
    for name in ("Wheel", "Hat", "Suzanne", "Head", "Both"):
        largest = np.abs(here[name]).max()
        assert there[name] == pytest.approx(here[name], abs=2e-4 * largest), name


def test_a_wheel_turns_as_its_hull_and_not_as_the_box_around_it() -> None:
    """About its axle a disc of one kilogram has half of its radius squared, less for 32 sides."""
    wheel = with_collider(add_body("Wheel", data=mesh_of("Wheel", disc)), "convex")
    connect(wheel, add_body("Still", "static", data=box_mesh()))
    about_axle = in_blender()["Wheel"][1, 1]  # glTF's Y is Blender's Z
    round_one = 0.5 * 0.3**2
    assert about_axle == pytest.approx(round_one, rel=0.01)
    assert about_axle < round_one


def test_a_child_mesh_that_is_no_collider_does_not_count() -> None:
    """A heavy looking ornament below a body changes nothing."""
    wheel = with_collider(add_body("Wheel", data=mesh_of("Wheel", disc)), "convex")
    connect(wheel, add_body("Still", "static", data=box_mesh()))
    before = in_blender()["Wheel"]
    add("Ornament", wheel, data=box_mesh("Ornament"), at=(0, 0, 3))
    assert in_blender()["Wheel"] == pytest.approx(before, abs=1e-12)


def test_modifiers_count_as_they_are_shown(tmp_path: Path) -> None:
    """A mirrored half turns as the whole, in play and in a file with modifiers applied."""
    half = mesh_of("Half", lambda shape: bmesh.ops.create_cube(shape, size=1.0))
    for vertex in half.vertices:
        vertex.co.x += 1.0
    body = with_collider(add_body("Mirrored", data=half), "convex")
    body.modifiers.new("Mirror", "MIRROR")
    connect(body, add_body("Still", "static", data=box_mesh()))
    bpy.context.view_layer.update()
    found = in_blender()["Mirrored"]
    assert found == pytest.approx(np.diag([2.0, 10.0, 10.0]) / 12.0, abs=1e-6)
    there = in_file(tmp_path / "mirrored.glb", export_apply=True)["Mirrored"]
    assert there == pytest.approx(found, abs=1e-6)
