# SPDX-License-Identifier: GPL-3.0-or-later
"""Physics through Blender's own USD exporter and importer.

``OMI_CONVERSIONS=1000`` takes so many random mechanisms.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import pytest
from usd_meaning import what_differs
from usd_samples import random_contents

from omi_physics_joint.blender.bridge.gravity import pulled
from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.bridge.write import apply_mechanism, build
from omi_physics_joint.blender.usd_hooks import HAS_USD
from omi_physics_joint.blender.usd_hooks.exporting import contents_of
from omi_physics_joint.model.axes import Z_UP_FROM_Y_UP
from omi_physics_joint.model.contents import Contents, Triangles
from omi_physics_joint.model.frames import shear_of
from omi_physics_joint.model.mechanism import Node
from omi_physics_joint.model.transform import determinant, inverse, linear_part, multiply
from omi_physics_joint.usd.stage import is_available

MANY = int(os.environ.get("OMI_CONVERSIONS", "12"))
SINGLE = 1e-4
"""Part by which numbers may differ that Blender and a stage hold in single precision."""


@pytest.fixture(autouse=True)
def with_usd(addon: object) -> None:
    """Skip where nothing can be written or read: Debian's Blender has no USD."""
    if not (HAS_USD and is_available()):
        pytest.skip("this Blender has no USD, or no pxr")


def in_scene(contents: Contents) -> None:
    """Make the objects of contents."""
    mechanism = contents.mechanism
    meshes = [
        mesh(name, data) for name, data in zip(mechanism.meshes, contents.meshes, strict=True)
    ]
    plain = tuple(Node(node.name, node.parent, node.world) for node in mechanism.nodes)
    objects = build(replace(mechanism, nodes=plain), bpy.context.scene.collection)
    apply_mechanism(mechanism, objects, lambda index: meshes[index])
    scene = bpy.context.scene
    if mechanism.gravity is not None:
        scene.use_gravity = any(mechanism.gravity)
        scene.gravity = Z_UP_FROM_Y_UP.vector(mechanism.gravity)


def plainly_named(contents: Contents) -> Contents:
    """Return contents without pictures, in which empties that say nothing are not compared.

    Blender's exporter writes no shear, which empties below unevenly scaled ones have.
    """
    nodes = (
        replace(node, name=node.name.replace("E", "X")) if not node.is_physical else node
        for node in contents.mechanism.nodes
    )
    return Contents(replace(contents.mechanism, nodes=tuple(nodes)), contents.meshes)


def mesh(name: str, data: Triangles | None) -> bpy.types.Mesh:
    """Return a new mesh."""
    assert data is not None
    made = bpy.data.meshes.new(name)
    made.from_pydata([Z_UP_FROM_Y_UP.vector(point) for point in data.points], [], data.triangles)
    return made


def of_scene() -> Contents:
    """Return what is in the scene."""
    placed = placed_in_scene(bpy.context.scene)
    reading = mechanism_from_placed(placed)
    mechanism = pulled(reading.mechanism, bpy.context.scene)
    # Where a joint is said from its other side, its empty is the second frame and has the name.
    nodes = (replace(node, name=node.name.removesuffix(".001")) for node in mechanism.nodes)
    mechanism = replace(mechanism, nodes=tuple(nodes))
    return replace(contents_of(reading, placed), mechanism=mechanism, shown={})


def codes() -> set[str]:
    """Return what was said of the last export or import."""
    return {issue.code for issue in bpy.context.window_manager.omi_physics_joint.issues}


def is_held_whole(contents: Contents) -> bool:
    """Return whether Blender's exporter writes all poses as they are.

    It leaves out shear, and turns what is mirrored about other axes, which is the same room.
    """
    nodes = contents.mechanism.nodes
    above = {node.parent for node in nodes}
    if any(determinant(linear_part(node.world)) < 0.0 for node in nodes):
        return False
    return not any(
        index in above
        and node.parent is not None
        and shear_of(linear_part(multiply(inverse(nodes[node.parent].world), node.world))) > SINGLE
        for index, node in enumerate(nodes)
    )


SEEDS = [seed for seed in range(2 * MANY) if is_held_whole(random_contents(seed))]
OTHERWISE = (
    {
        "convert_orientation": True,
        "export_global_forward_selection": "NEGATIVE_Z",
        "export_global_up_selection": "Y",
    },
    {"convert_scene_units": "CENTIMETERS"},
)
"""Options of the exporter: another axis that is up, another unit of length."""


def there_and_back(seed: int, path: Path, **options: Any) -> tuple[Contents, Contents, set[str]]:
    """Return what is in the scene before an export and after an import, and what was said."""
    in_scene(plainly_named(random_contents(seed)))
    bpy.context.view_layer.update()
    before = of_scene()
    assert bpy.ops.wm.usd_export(filepath=str(path), **options) == {"FINISHED"}
    said = codes()
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.ops.wm.usd_import(filepath=str(path)) == {"FINISHED"}
    bpy.context.view_layer.update()
    return before, of_scene(), said | codes()


@pytest.mark.parametrize("seed", SEEDS[:MANY])
def test_what_a_stage_can_say_comes_back(seed: int, tmp_path: Path) -> None:
    """Bodies, shapes, materials, filters and joints of every kind, without an error."""
    before, after, _ = there_and_back(seed, tmp_path / "stage.usda")
    assert what_differs(before, after, SINGLE) == []


@pytest.mark.parametrize("options", OTHERWISE)
@pytest.mark.parametrize("seed", SEEDS[:3])
def test_other_axes_and_units_change_nothing(
    seed: int, options: dict[str, Any], tmp_path: Path
) -> None:
    """Whatever the stage is in, the scene is as it was."""
    before, after, _ = there_and_back(seed, tmp_path / "stage.usdc", **options)
    assert what_differs(before, after, SINGLE) == []
