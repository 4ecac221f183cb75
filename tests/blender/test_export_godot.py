# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that Blender's exporter writes for Godot: their nodes follow the spelling."""

from __future__ import annotations

from math import pi
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix
from omi_export import add, add_body, box_mesh, connect, export, issues, reading, worlds
from scenes import door, joined

from omi_physics_joint.blender.gltf_hooks.exported.exporting import GltfExport
from omi_physics_joint.model.joint import Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.solver import Options, Simulation

PLACE = Limit((0, 1, 2), (), 0.0, 0.0)
UNIVERSAL = JointSettings(
    "Universal", (PLACE, *(Limit((), (i,), -bound, bound) for i, bound in enumerate((0.9, 1.2, 0))))
)


def both(tmp_path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the file for all, and the one for Godot."""
    files = []
    for target in ("SPECIFIED", "GODOT"):
        bpy.context.scene.omi_physics_joint.target = target
        files.append(export(tmp_path / f"{target}.glb"))
    return files[0], files[1]


def moved(gltf: dict[str, Any]) -> dict[str, np.ndarray]:
    """Return where each body is after half a second, as one row of seven numbers."""
    mechanism = reading(gltf).mechanism
    simulation = Simulation(mechanism, Options(gravity=(0.0, -9.81, 0.0)))
    for _ in range(30):
        simulation.step(1.0 / 60.0)
    names = [node.name for node in mechanism.nodes if node.motion is not None]
    turned = simulation.rotations * np.sign(simulation.rotations[:, 3:])
    return dict(zip(names, np.hstack([simulation.positions, turned]), strict=True))


def same_motion(plain: dict[str, Any], for_godot: dict[str, Any]) -> None:
    """Assert that two files move alike."""
    one, other = moved(plain), moved(for_godot)
    assert one.keys() == other.keys()
    for name in one:
        assert np.abs(one[name] - other[name]).max() < 1e-4, name


def test_a_forearm_below_its_arm_is_beside_it_for_godot(tmp_path: Path) -> None:
    """A dynamic body below another is written beside it, where it stands, and moves alike."""
    still = add_body("Still", "static")
    arm = add_body("Arm", data=box_mesh("Arm"), at=(1.0, 0.0, 0.0), turned=(0.2, 0.1, 0.3))
    hand = add_body("Hand", data=box_mesh("Hand"), at=(1.5, 0.0, 0.2), parent=arm)
    skew = Euler((0.3, 0.5, 0.2)).to_matrix().to_4x4()
    connect(arm, still, hinge(1), Matrix.Identity(4), "Shoulder")
    connect(hand, arm, UNIVERSAL, Matrix.Translation((1.7, 0.3, 0.1)) @ skew, "Elbow")
    plain, for_godot = both(tmp_path)
    names = [node.get("name") for node in for_godot["nodes"]]
    assert names.index("Hand") in for_godot["scenes"][0]["nodes"]
    for name in ("Arm", "Hand"):
        before = worlds(plain)[[node["name"] for node in plain["nodes"]].index(name)]
        assert np.abs(worlds(for_godot)[names.index(name)] - before).max() < 1e-6
    same_motion(plain, for_godot)


def test_a_frame_below_a_skewed_body_is_turned_for_godot(tmp_path: Path) -> None:
    """Under a turned and unevenly scaled body the frame still stands where it should."""
    still = add_body("Still", "static")
    arm = add_body("Arm", data=box_mesh(), at=(1.0, 0.0, 0.0), turned=(0.4, 0.3, 0.5))
    arm.scale = (2.0, 1.0, 0.5)
    bpy.context.view_layer.update()
    skew = Euler((pi / 2.0, 0.3, 0.4)).to_matrix().to_4x4()
    connect(arm, still, hinge(0, -0.7, 0.9), skew, "Hinge")
    same_motion(*both(tmp_path))


def test_a_door_with_a_handle_is_the_same_for_godot(tmp_path: Path) -> None:
    """A door as it is made by two presses, posed ajar, with a slider on it, moves alike."""
    _, leaf, joint = door()
    bpy.ops.mesh.primitive_cube_add(location=(4.0, 0.0, 0.0), size=0.5)
    latch = bpy.context.object
    latch.name = "Latch"
    joined("SLIDER", leaf, latch)
    joint.omi_physics_joint.settings.limits[-1].angular_max = 1.0
    plain, for_godot = both(tmp_path)
    assert for_godot["extras"] == {"physics_target": "godot"}
    same_motion(plain, for_godot)


def test_a_motor_keeps_its_way(tmp_path: Path) -> None:
    """What turns one way in the scene turns that way in a file for Godot, read as Godot does."""
    still = add_body("Still", "static")
    wheel = add_body("Wheel", data=box_mesh())
    connect(wheel, still, hinge(2, -0.2, 1.5), Matrix.Rotation(0.4, 4, "X"), "Axle")
    wheel.omi_physics_body.angular_velocity = (0.0, 0.0, 1.0)
    plain, for_godot = both(tmp_path)
    same_motion(plain, for_godot)
    ranges = [
        (limit.min, limit.max)
        for settings in reading(for_godot).mechanism.settings
        for limit in settings.limits
        if limit.axes(Freedom.ANGULAR) and not limit.is_lock
    ]
    assert {tuple(sorted(map(abs, one))) for one in ranges} == {(0.2, 1.5)}


def test_a_mirrored_body_is_right_handed_for_godot(tmp_path: Path) -> None:
    """What a mirrored body shows, and what is below it, lies where it lay; it moves alike."""
    still = add_body("Still", "static", data=box_mesh("Still"), scale=(1.0, 1.0, -1.0))
    arm = add_body("Arm", data=box_mesh("Arm"), at=(1.0, 0.0, 0.0), turned=(0.2, 0.1, 0.3))
    arm.scale = (-1.0, 1.0, 1.0)
    arm.omi_physics_body.center_of_mass = (0.3, 0.1, 0.2)
    hand = add_body("Hand", data=box_mesh("Hand"), at=(1.5, 0.0, 0.2), parent=arm)
    badge = add("Badge", arm, data=box_mesh("Badge"), at=(0.2, 0.3, 0.4), turned=(0.5, 0.1, 0.2))
    joint = connect(arm, still, hinge(1, -0.4, 1.0), Matrix.Rotation(0.3, 4, "X"), "Shoulder")
    tag = add("Tag", joint, data=box_mesh("Tag"), at=(0.1, 0.2, 0.3))
    connect(hand, arm, UNIVERSAL, Matrix.Translation((1.7, 0.3, 0.1)), "Elbow")
    plain, for_godot = both(tmp_path)
    assert "godot-mirrored" not in issues()
    shown = [drawn(plain), drawn(for_godot)]
    names = {"Still", "Arm", "Hand", badge.data.name, tag.data.name}
    assert shown[0].keys() == shown[1].keys() == names
    for mesh, world in shown[0].items():
        assert np.abs(shown[1][mesh] - world).max() < 1e-6, mesh
    for node, world in zip(for_godot["nodes"], worlds(for_godot), strict=True):
        if "OMI_physics_body" in node.get("extensions", {}):
            is_body = "motion" in node["extensions"]["OMI_physics_body"]
            assert not is_body or np.linalg.det(world[:3, :3]) > 0.0, node["name"]
    parts = {node["name"]: node for node in for_godot["nodes"]}
    below = [for_godot["nodes"][child]["name"] for child in parts["Arm"]["children"]]
    assert "Shoulder" in " ".join(below)
    same_motion(plain, for_godot)


def test_a_scaled_body_and_what_is_below_it_have_no_scale_for_godot(tmp_path: Path) -> None:
    """A cube that was scaled in Object Mode shows and moves alike; so do shapes far below it."""
    still = add_body("Still", "static", data=box_mesh("Still"), scale=(2.0, 0.2, 1.0))
    arm = add_body("Arm", data=box_mesh("Arm"), at=(1.0, 0.0, 0.0), turned=(0.2, 0.1, 0.3))
    arm.scale = (1.5, 0.3, 0.3)
    empty = add("Empty", arm, at=(0.3, 0.0, 0.2))
    part = add("Part", empty, data=box_mesh("Part"), at=(0.1, 0.0, 0.2))
    for solid, kind in ((arm, "box"), (part, "convex")):
        solid.omi_physics_body.use_collider = True
        solid.omi_physics_body.collider.shape.type = kind
    connect(arm, still, hinge(1, -0.4, 1.0), Matrix.Rotation(0.3, 4, "X"), "Shoulder")
    plain, for_godot = both(tmp_path)
    shown = [drawn(plain), drawn(for_godot)]
    assert shown[0].keys() == shown[1].keys() == {"Still", "Arm", "Part"}
    for mesh, world in shown[0].items():
        assert np.abs(shown[1][mesh] - world).max() < 1e-6, mesh
    parts = {node["name"]: node for node in for_godot["nodes"]}
    for name, body in (("Shoulder", "Arm"), ("Shoulder Second Frame", "Still")):
        below = [for_godot["nodes"][child] for child in parts[body]["children"]]
        assert parts[name] in below, "the add-on looks for the body directly above"
    for node, world in zip(for_godot["nodes"], worlds(for_godot), strict=True):
        if "motion" in node.get("extensions", {}).get("OMI_physics_body", {}):
            assert np.abs(np.linalg.det(world[:3, :3]) - 1.0) < 1e-5, node["name"]
    same_motion(plain, for_godot)


def drawn(gltf: dict[str, Any]) -> dict[str, np.ndarray]:
    """Return where each mesh is seen, by its name."""
    return {
        gltf["meshes"][node["mesh"]]["name"]: world
        for node, world in zip(gltf["nodes"], worlds(gltf), strict=True)
        if "mesh" in node
    }


@pytest.mark.parametrize("target", ["SPECIFIED", "GODOT"])
def test_what_another_add_on_has_said_of_the_file_stays(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the document and of its nodes: extensions, extras, and which extensions are used."""
    plain = GltfExport.gather_gltf_extensions_hook

    def after_others(self: GltfExport, gltf: Any, settings: Any) -> None:
        gltf.extras = {"made_by": "another"}
        gltf.extensions_used.append("ACME_mark")
        for one in (gltf, *gltf.nodes):
            one.extensions = {**(one.extensions or {}), "ACME_mark": {"mark": 1}}
        plain(self, gltf, settings)

    monkeypatch.setattr(GltfExport, "gather_gltf_extensions_hook", after_others)
    door()
    bpy.context.scene.omi_physics_joint.target = target
    gltf = export(tmp_path / "door.glb")
    assert gltf["extras"] == {"made_by": "another"} | (
        {"physics_target": "godot"} if target == "GODOT" else {}
    )
    assert "ACME_mark" in gltf["extensionsUsed"]
    assert len(gltf["extensions"]) > 1
    told = [node for node in gltf["nodes"] if "ACME_mark" in node.get("extensions", {})]
    assert len(told) >= 3
    assert any(len(node["extensions"]) > 1 for node in told)
