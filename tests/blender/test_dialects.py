# SPDX-License-Identifier: GPL-3.0-or-later
"""OMI's extensions and Khronos' in files that Blender writes and reads."""

from __future__ import annotations

from dataclasses import replace
from math import inf, radians
from pathlib import Path
from typing import Any

import bpy
import pytest
from omi_export import add_body, box_mesh, door, export, import_file, issues
from scenes import select

from omi_physics_joint.blender.purpose import chosen
from omi_physics_joint.blender.purpose.chosen import OMI_JOINT_AP_preferences
from omi_physics_joint.cli.command import main
from omi_physics_joint.gltf.omi.names import EXTENSIONS as OMI
from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.canonical import canonical
from omi_physics_joint.model.shape import Plane

KHR = ("KHR_physics_rigid_bodies", "KHR_implicit_shapes")
MOTOR = Drive(Freedom.ANGULAR, DriveMode.FORCE, 0, velocity_target=1.0, damping=5.0)
ROPE = Limit(linear_axes=(0, 1, 2), max=2.0, together=True)
CONE = Limit(angular_axes=(0, 1), max=radians(40.0), together=True)


def options() -> Any:
    """Return the settings of the scene."""
    return bpy.context.scene.omi_physics_joint


def test_a_file_is_written_for_everybody(tmp_path: Path) -> None:
    """By default both families of extensions are there, each joint once in each."""
    door()
    gltf = export(tmp_path / "door.glb")
    assert {*OMI, *KHR} <= set(gltf["extensionsUsed"])
    for name in ("OMI_physics_joint", KHR[0]):
        assert len(gltf["extensions"][name]["physicsJoints"]) == 1
    nodes = {node["name"]: node.get("extensions", {}) for node in gltf["nodes"]}
    assert "motion" not in nodes["Wall"][KHR[0]]
    assert nodes["Leaf"][KHR[0]]["motion"]["mass"] == 1.0
    reading = read(gltf)
    assert [str(dialect.spoken) for dialect in reading.dialects] == ["omi", "khr"]
    assert reading.issues == ()


def test_who_uses_us_without_switching_us_on_has_no_preferences(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A script that only registers the package writes for everybody, as new users do."""
    default = OMI_JOINT_AP_preferences.bl_rna.properties["dialect"].default
    monkeypatch.setattr(chosen, "MODULE", "nobody's")
    assert {str(one) for one in chosen.audience_of(bpy.context.scene).spoken} == {"omi", "khr"}
    assert default == "BOTH"


@pytest.mark.parametrize(("choice", "there", "absent"), [("OMI", OMI, KHR), ("KHR", KHR, OMI)])
def test_one_of_them_alone(
    choice: str, there: tuple[str, ...], absent: tuple[str, ...], tmp_path: Path
) -> None:
    """The option of the export dialog leaves one family out."""
    door()
    options().dialect = choice
    used = export(tmp_path / "door.glb")["extensionsUsed"]
    assert set(there) <= set(used)
    assert not set(absent) & set(used)


def test_a_file_for_godot_misleads_nobody_else(tmp_path: Path) -> None:
    """What is turned round for Godot is not said in extensions that others read."""
    door()
    options().target = "GODOT"
    assert not set(KHR) & set(export(tmp_path / "door.glb")["extensionsUsed"])


def test_the_command_line_chooses(tmp_path: Path) -> None:
    """``export --dialect`` is for one run."""
    door()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "door.blend"))
    assert (
        main(["export", str(tmp_path / "door.blend"), "--format", "gltf", "--dialect", "khr"]) == 0
    )
    assert "OMI_physics_joint" not in (tmp_path / "door.gltf").read_text()


def test_a_file_in_khr_alone_moves_the_same_joint(tmp_path: Path) -> None:
    """Imported from Khronos' extensions, the door is the door."""
    door()
    first = read(export(tmp_path / "both.glb")).mechanism
    options().dialect = "KHR"
    export(tmp_path / "khr.glb")
    assert import_file(tmp_path / "khr.glb") == {}
    assert bpy.data.objects["Wall"].omi_physics_body.type == "static"
    second = read(export(tmp_path / "again.glb")).mechanism
    assert [canonical(replace(one, name="")) for one in second.settings] == [
        canonical(replace(one, name="")) for one in first.settings
    ]
    assert {node.name: node.motion for node in second.nodes if node.motion} == {
        node.name: node.motion for node in first.nodes if node.motion
    }


def test_bounds_on_several_axes_together_come_back(tmp_path: Path) -> None:
    """A rope and a cone through the file and Blender; the user hears what OMI makes of them."""
    door(JointSettings("Rope", (ROPE, CONE)))
    (before,) = read(export(tmp_path / "rope.glb")).mechanism.settings
    assert [limit.together for limit in before.limits] == [True, True]
    assert len(issues()["limit-together"]) == 2
    import_file(tmp_path / "rope.glb")
    (block,) = bpy.data.node_groups
    assert [item.together for item in block.limits] == [True, True]
    (after,) = read(export(tmp_path / "again.glb")).mechanism.settings
    assert after.limits == before.limits


def test_a_plane_comes_back(tmp_path: Path) -> None:
    """A floor of 4 m along X and without end along Y, from both sides."""
    door()
    shape = bpy.data.objects["Wall"].omi_physics_body.collider.shape
    shape.type, shape.use_size, shape.double_sided = "plane", (True, False), True
    shape.size = (4.0, 1.0, 1.0)
    gltf = export(tmp_path / "floor.glb")
    assert "plane-as-box" in issues()
    kinds = [one["type"] for one in gltf["extensions"]["OMI_physics_shape"]["shapes"]]
    assert "plane" not in kinds
    import_file(tmp_path / "floor.glb")
    again = read(export(tmp_path / "again.glb")).mechanism
    assert Plane(4.0, inf, double_sided=True) in [replace(one, name="") for one in again.shapes]


@pytest.mark.parametrize("choice", ["BOTH", "OMI", "KHR"])
def test_a_centre_of_mass_from_colliders_comes_back(choice: str, tmp_path: Path) -> None:
    """Khronos' readers compute it, OMI's have the number; what is typed counts again."""
    bar = add_body("Bar", data=box_mesh(), at=(3, 1, 20), turned=(0.3, 0.2, 1.0))
    for vertex in bar.data.vertices:
        vertex.co.x += 2.0
    bar.omi_physics_body.use_collider = True
    bar.omi_physics_body.collider.shape.type = "convex"
    bar.omi_physics_body.computed_center = True
    options().dialect = choice
    gltf = export(tmp_path / "bar.glb")
    (said,) = (node["extensions"] for node in gltf["nodes"])
    if choice != "KHR":
        center = said["OMI_physics_body"]["motion"]["centerOfMass"]
        assert center == pytest.approx((2, 0, 0), abs=1e-5)
    if choice != "OMI":
        assert "centerOfMass" not in said["KHR_physics_rigid_bodies"]["motion"]
    assert import_file(tmp_path / "bar.glb") == {}
    found = bpy.data.objects["Bar"]
    assert found.omi_physics_body.computed_center is (choice != "OMI")
    select(found)
    assert bpy.ops.omi_joint.center_from_volume() == {"FINISHED"}
    assert not found.omi_physics_body.computed_center
    assert tuple(found.omi_physics_body.center_of_mass) == pytest.approx((2, 0, 0), abs=1e-5)


@pytest.mark.parametrize("choice", ["BOTH", "OMI", "KHR"])
def test_infinite_mass_and_inertia_come_back(choice: str, tmp_path: Path) -> None:
    """Switches say it, in any dialect; numbers beside them stay those that a user can read."""
    door()
    wheel, sledge = add_body("Wheel"), add_body("Sledge")
    wheel.omi_physics_body.infinite_mass = True
    wheel.omi_physics_body.inertia_diagonal = (0.0, 0.0, 2.0)
    wheel.omi_physics_body.infinite_inertia = (True, True, False)
    sledge.omi_physics_body.infinite_inertia = (True, True, True)
    options().dialect = choice
    gltf = export(tmp_path / "wheel.glb")
    motions = {node.name: node.motion for node in read(gltf).mechanism.nodes}
    assert motions["Wheel"] is not None
    assert motions["Sledge"] is not None
    assert (motions["Wheel"].mass, motions["Wheel"].inertia_diagonal) == (inf, (inf, 2.0, inf))
    assert (motions["Sledge"].mass, motions["Sledge"].inertia_diagonal) == (1.0, (inf,) * 3)
    assert import_file(tmp_path / "wheel.glb") == {}
    found = bpy.data.objects["Wheel"].omi_physics_body
    assert found.infinite_mass
    assert tuple(found.infinite_inertia) == (True, True, False)
    assert (found.mass, tuple(found.inertia_diagonal)) == (1.0, (0.0, 0.0, 2.0))
