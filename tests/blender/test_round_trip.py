# SPDX-License-Identifier: GPL-3.0-or-later
"""Random mechanisms into Blender, into a file, and back: nothing changes on the way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import pytest
from blender.empties import build
from blender.mechanisms import random_mechanism
from omi_compare import described
from omi_differences import differences
from omi_export import box_mesh, errors, export, import_file, reading
from omi_schema import schema_errors

from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.bridge.write import apply_mechanism
from omi_physics_joint.model.joint import Breaking
from omi_physics_joint.model.mechanism import Mechanism, Node

COUNT = 40
"""Mechanisms in one scene; an export for each would take most of the time."""
HELPER = " holder"
"""How nodes end that the exporter adds above a frame that one node cannot hold."""
UNREAD = {"joint-without-partner", "joint-without-settings", "shape-without-mesh"}


def in_blender(mechanism: Mechanism) -> None:
    """Make a mechanism in the scene, with the meshes of its shapes."""
    meshes = [box_mesh(name, 1.0 + index) for index, name in enumerate(mechanism.meshes)]
    plain = tuple(Node(node.name, node.parent, node.world) for node in mechanism.nodes)
    objects = build(replace(mechanism, nodes=plain), bpy.context.scene.collection)
    apply_mechanism(mechanism, objects, lambda index, _: meshes[index])
    bpy.context.scene.omi_physics_joint.unknown = (
        '{"OMI_physics_joint":"{\\"X_document\\":[1]}"}' if mechanism.unknown else ""
    )


def without_helpers(found: dict[str, Any]) -> dict[str, Any]:
    """Return a description without the nodes that only hold frames."""
    helpers = {name: node["parent"] for name, node in found.items() if name.endswith(HELPER)}
    return {
        name: {**node, "parent": helpers.get(node["parent"], node["parent"])}
        for name, node in found.items()
        if name not in helpers
    }


@pytest.mark.parametrize("seed", range(4))
def test_model_to_blender_to_file_to_model_is_the_identity(seed: int, tmp_path: Path) -> None:
    """Poses, bodies, shapes, joints, limits, drives and unknown members all come back."""
    mechanism = random_mechanism(seed, COUNT)
    in_blender(mechanism)
    gltf = export(tmp_path / "random.glb")
    assert not UNREAD & set(errors())
    found = reading(gltf).mechanism
    assert differences(described(mechanism), without_helpers(described(found))) == []
    assert found.unknown == mechanism.unknown
    assert schema_errors(gltf) == []


def test_a_second_trip_gives_the_same_file(tmp_path: Path) -> None:
    """What was imported from our own file is exported again as the same mechanism."""
    in_blender(random_mechanism(99, COUNT))
    first = reading(export(tmp_path / "first.gltf")).mechanism
    import_file(tmp_path / "first.gltf")
    second = reading(export(tmp_path / "second.gltf")).mechanism
    assert differences(described(first), described(second)) == []
    assert first.unknown == second.unknown


def test_z_up_file_holds_the_same_mechanism_turned(tmp_path: Path) -> None:
    """With "+Y up" off, the file says in Blender's axes what it says in glTF's otherwise."""
    from omi_physics_joint.model.geometry.axes import Y_UP_FROM_Z_UP

    mechanism = random_mechanism(7, COUNT)
    in_blender(mechanism)
    found = reading(export(tmp_path / "z_up.glb", export_yup=False)).mechanism
    turned = Y_UP_FROM_Z_UP.mechanism(found)
    assert differences(described(mechanism), without_helpers(described(turned))) == []


def test_muted_joints_and_sleeping_bodies_are_read_as_they_are_written() -> None:
    """Blender holds both; muted joints are read for formats that can say so, else they are none."""
    made = random_mechanism(1, COUNT)
    nodes = list(made.nodes)
    for number, (index, node, joint) in enumerate(made.joints()):
        nodes[index] = replace(node, joint=replace(joint, enabled=number % 2 == 0))
    for index, node in enumerate(nodes):
        if node.motion is not None:
            nodes[index] = replace(node, motion=replace(node.motion, starts_asleep=index % 2 == 0))
    in_blender(replace(made, nodes=tuple(nodes)))
    placed = placed_in_scene(bpy.context.scene)
    whole = mechanism_from_placed(placed, keeps_muted=True).mechanism
    plain = mechanism_from_placed(placed)
    enabled = {node.name: node.joint.enabled for node in nodes if node.joint is not None}
    assert {node.name: joint.enabled for _, node, joint in whole.all_joints()} == enabled
    left = {node.name for _, node, _ in plain.mechanism.all_joints()}
    assert left == {name for name, holds in enabled.items() if holds}
    assert {i.where for i in plain.issues if i.code == "joint-muted"} == enabled.keys() - left
    asleep = {node.name: node.motion.starts_asleep for node in nodes if node.motion is not None}
    found = {n.name: n.motion.starts_asleep for n in whole.nodes if n.motion is not None}
    assert found == asleep


def test_what_breaks_joints_is_read_as_it_is_written() -> None:
    """Blender holds it, whether a force breaks a joint, a torque, both or nothing."""
    kinds = (None, Breaking(12.5), Breaking(torque=0.3), Breaking(2.0, 3.0))
    made = random_mechanism(1, COUNT)
    nodes = list(made.nodes)
    for number, (index, node, joint) in enumerate(made.joints()):
        nodes[index] = replace(node, joint=replace(joint, breaking=kinds[number % len(kinds)]))
    in_blender(replace(made, nodes=tuple(nodes)))
    read_back = mechanism_from_placed(placed_in_scene(bpy.context.scene)).mechanism
    found = {node.name: joint.breaking for _, node, joint in read_back.joints()}
    assert found == {node.name: node.joint.breaking for node in nodes if node.joint is not None}
    assert {*found.values()} == {*kinds}
