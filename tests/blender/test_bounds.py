# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies without colliders weigh the same in Blender and in the file that it exports."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from omi_export import add, add_body, box_mesh, connect, export, reading

from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.solid import Bounds
from omi_physics_joint.solver.reading.bodies import read_bodies


def brick(name: str) -> bpy.types.Mesh:
    """Return the mesh of a box that differs along every axis, and is not about its origin."""
    mesh = box_mesh(name)
    mesh.transform(Matrix.LocRotScale((0.1, 0.2, 0.3), None, (0.5, 1.0, 3.0)))
    return mesh


def bounds_by_name(mechanism: Mechanism) -> dict[str, Bounds | None]:
    """Return the bounds of every named node."""
    return {node.name: node.bounds for node in mechanism.nodes}


def inertia_by_name(mechanism: Mechanism) -> dict[str, np.ndarray]:
    """Return the inertia of every body in the axes of the world, (3, 3)."""
    bodies, _ = read_bodies(mechanism)
    turned = np.einsum("nij,nj,nkj->nik", bodies.rotation, bodies.inertia, bodies.rotation)
    return {
        mechanism.nodes[node].name: found
        for node, found in zip(bodies.nodes.tolist(), turned, strict=True)
        if node >= 0
    }


def test_blender_and_its_file_agree_on_bounds_and_inertia(tmp_path: Path) -> None:
    """Of a turned brick, of parts in other poses and scales, and of a curve that becomes a mesh."""
    still = add_body("Still", "static", data=box_mesh())
    turned = add_body("Turned", data=brick("Turned"), at=(1.0, 2.0, 3.0), turned=(0.3, 0.5, 0.7))
    bare = add_body("Bare", at=(4.0, 0.0, 0.0), turned=(0.0, 0.0, 0.4), scale=(1.0, 1.0, 2.0))
    add("Part", bare, data=brick("Part"), at=(0.5, 0.0, 0.0), turned=(0.6, 0.0, 0.0))
    text = bpy.data.curves.new("Sign", "FONT")
    text.body, text.extrude = "OMI", 0.1
    add_body("Sign", data=text, at=(0.0, 5.0, 0.0))
    connect(turned, still)
    bpy.context.view_layer.update()
    here = mechanism_from_placed(placed_in_scene(bpy.context.scene)).mechanism
    there = reading(export(tmp_path / "bounds.glb")).mechanism
    shown, written = bounds_by_name(here), bounds_by_name(there)
    solid = {name for name, bounds in shown.items() if bounds}
    assert solid == {"Still", "Turned", "Part", "Sign"}
    for name in solid:
        a, b = shown[name], written[name]
        assert a is not None
        assert b is not None
        assert [*a.low, *a.high] == pytest.approx([*b.low, *b.high], abs=1e-6)
    assert shown["Turned"] is not None
    assert shown["Turned"].low == pytest.approx((-0.15, -1.2, -0.7), abs=1e-6)
    weights, again = inertia_by_name(here), inertia_by_name(there)
    for name in ("Turned", "Bare", "Sign"):
        assert weights[name] == pytest.approx(again[name], rel=1e-5, abs=1e-6), name
    assert weights["Bare"].max() > 0.1, "more than the small sphere of a body without a size"
