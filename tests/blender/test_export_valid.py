# SPDX-License-Identifier: GPL-3.0-or-later
"""Exported files are valid for everyone: our schemas, the Khronos validator and pygltflib."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from pathlib import Path
from typing import Any

import bpy
import pygltflib
import pytest
from blender.empties import build
from blender.mechanisms import random_mechanism
from mathutils import Matrix
from omi_compare import facts
from omi_export import JOINT, add, add_body, box_mesh, connect, errors, export, translation
from omi_schema import schema_errors

from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld


def workshop() -> None:
    """Make a door, a drawer, a rope and a handle, some of them below uneven and mirrored bodies."""
    wall = add_body("Wall", "static", data=box_mesh("Wall"), scale=(4.0, 0.2, 3.0))
    door = add_body("Door", data=box_mesh("Door"), at=(2.0, 0.0, 1.0), scale=(1.0, 0.1, 2.0))
    drawer = add_body(
        "Drawer", data=box_mesh("Drawer"), turned=(0.2, 0.0, 0.4), scale=(-1.0, 2.0, 1.0)
    )
    handle = add_body("Handle", at=(2.4, 0.0, 1.0))
    for body in (wall, door, drawer):
        body.omi_physics_body.use_collider = True
    handle.omi_physics_body.use_trigger = True
    handle.omi_physics_body.trigger.shape.type = "sphere"
    connect(door, wall, hinge(1, 0.0, pi / 2.0), translation(1.5), name="Hinge")
    connect(drawer, wall, slider(0, 0.0, 0.5), name="Rail")
    connect(handle, door, weld(), translation(2.4), name="Weld")
    link = handle
    for index in range(3):
        following = add_body(f"Link {index}", at=(2.4, 0.0, -0.5 * index))
        connect(following, link, pin(), translation(2.4, 0.0, -0.5 * index), name=f"Pin {index}")
        link = following
    moved = door.omi_physics_body
    moved.mass, moved.center_of_mass, moved.linear_velocity = (
        12.5,
        (0.1, 0.2, 0.3),
        (1.0, 0.0, -2.0),
    )
    below = add("Hook", bpy.data.objects["Rail"], data=box_mesh("Hook", 0.1))
    below.rotation_euler = (0.0, 0.4, 0.0)
    bpy.context.view_layer.update()


def random_scene() -> None:
    """Make random mechanisms."""
    build(random_mechanism(5, 30), bpy.context.scene.collection)


def instances() -> None:
    """Make two instances of a collection with joints."""
    collection = bpy.data.collections.new("Door")
    bpy.context.scene.collection.children.link(collection)
    first = add_body("Post", "static", collection=collection)
    second = add_body("Leaf", collection=collection, scale=(1.0, 2.0, 3.0), turned=(0.1, 0.2, 0.3))
    connect(second, first, hinge(1, 0.0, 1.0), Matrix.Translation((1.0, 0.0, 0.0)))
    for index in range(2):
        empty = add(f"Copy {index}", at=(3.0 * index, 1.0, 0.0))
        empty.instance_type, empty.instance_collection = "COLLECTION", collection


SCENES = {"workshop": workshop, "random": random_scene, "instances": instances}


@pytest.mark.parametrize("options", [{}, {"export_yup": False}], ids=["Y up", "Z up"])
@pytest.mark.parametrize("suffix", ["glb", "gltf"])
@pytest.mark.parametrize("scene", SCENES)
def test_file_keeps_to_our_schemas(
    scene: str, suffix: str, options: dict[str, Any], tmp_path: Path
) -> None:
    """What we write is what our schemas say, and only used extensions are declared."""
    SCENES[scene]()
    gltf = export(tmp_path / f"{scene}.{suffix}", **options)
    assert gltf["extensions"][JOINT]["physicsJoints"]
    assert schema_errors(gltf) == []
    used = set(gltf["extensions"]).union(*(node.get("extensions", ()) for node in gltf["nodes"]))
    assert set(gltf["extensionsUsed"]) == used


@pytest.mark.parametrize("scene", SCENES)
def test_khronos_validator_finds_nothing(
    scene: str, tmp_path: Path, khronos_validate: Callable[..., list[dict[str, Any]]]
) -> None:
    """The Khronos validator has no errors and no warnings, for .glb and .gltf."""
    SCENES[scene]()
    paths = [tmp_path / f"{scene}.{suffix}" for suffix in ("glb", "gltf")]
    for path in paths:
        export(path)
    for report in khronos_validate(*paths):
        assert (report["errors"], report["warnings"]) == (0, 0), report["messages"]


def test_khronos_validator_would_find_a_wrong_frame(
    tmp_path: Path, khronos_validate: Callable[..., list[dict[str, Any]]]
) -> None:
    """The validator reads the nodes that we place: a rotation that is none is an error to it."""
    workshop()
    path = tmp_path / "broken.gltf"
    export(path)
    loaded = pygltflib.GLTF2().load(str(path))
    loaded.nodes[0].rotation = [1.0, 1.0, 1.0, 1.0]
    loaded.save(str(path))
    (report,) = khronos_validate(path)
    assert report["errors"]


@pytest.mark.parametrize("suffix", ["glb", "gltf"])
def test_pygltflib_finds_the_mechanism(suffix: str, tmp_path: Path) -> None:
    """An independent reader finds every joint, its settings and its connected node by name."""
    workshop()
    path = tmp_path / f"workshop.{suffix}"
    export(path)
    assert not errors()
    found = facts(pygltflib.GLTF2().load(str(path)))
    # Rail has a child and stands askew, so that its frame has a node of its own.
    names = {
        name.removesuffix(" frame"): node["joint"][2]
        for name, node in found.items()
        if node["joint"]
    }
    assert names == {
        name: f"{name} Second Frame"
        for name in ("Hinge", "Rail", "Weld", "Pin 0", "Pin 1", "Pin 2")
    }
    limits = {limit[:2]: limit[2:4] for limit in found["Hinge"]["joint"][0]}
    assert limits["angularAxes", 2] == pytest.approx((-pi / 2.0, 0.0))
    assert sorted(limits) == sorted(
        (kind, axis) for kind in ("linearAxes", "angularAxes") for axis in range(3)
    )
    assert found["Door"]["motion"]["centerOfMass"] == pytest.approx([0.1, 0.3, -0.2])
    assert found["Handle"]["trigger"]["shape"] == {"type": "sphere", "radius": 0.5}
