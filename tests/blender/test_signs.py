# SPDX-License-Identifier: GPL-3.0-or-later
"""A bound in the file is what the coordinate measures there when Blender shows the bound.

Nothing here knows how axes map: bodies are posed in Blender, exported, and measured in the file.
"""

from __future__ import annotations

from dataclasses import replace
from math import atan2
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Vector
from omi_export import JOINT, add_body, bounded, connect, export, extension, index_of, worlds

from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings

LOW, HIGH = -0.25, 0.75
FREE_CASES = [(freedom, axis) for freedom in Freedom for axis in range(3)]
BLENDER_Y = 1
"""The axis that glTF's Z runs against."""
FRAME = Matrix.Translation((0.4, -1.0, 2.0)) @ Euler((0.5, -0.8, 2.1)).to_matrix().to_4x4()


def build(settings: JointSettings) -> bpy.types.Object:
    """Return a joint between an uneven body and a mirrored one."""
    first = add_body("First", turned=(0.3, 0.4, 0.5), scale=(1.0, 2.0, 0.5), at=(1.0, 1.0, 0.0))
    second = add_body("Second", turned=(1.3, 0.0, 0.5), scale=(-1.0, 1.5, 1.0))
    return connect(first, second, settings, FRAME)


def pose(joint: bpy.types.Object, freedom: Freedom, axis: int, value: float) -> None:
    """Move the second body so that the connected frame is at a value of one coordinate."""
    direction = Vector([float(i == axis) for i in range(3)])
    if freedom is Freedom.LINEAR:
        step = Matrix.Translation(value * direction)
    else:
        step = Matrix.Rotation(value, 4, direction)
    partner = joint.omi_physics_joint.connected_node
    wanted = joint.matrix_world @ step
    partner.parent.matrix_world = (
        wanted @ partner.matrix_world.inverted() @ partner.parent.matrix_world
    )
    bpy.context.view_layer.update()
    assert np.abs(np.array(partner.matrix_world) - np.array(wanted)).max() < 1e-5


def measured(gltf: dict[str, Any]) -> tuple[list[float], list[float]]:
    """Return the connected frame in the joint frame: distances along and angles about its axes."""
    found = worlds(gltf)
    first = found[index_of(gltf, "Joint")]
    second = found[extension(gltf, "Joint")["connectedNode"]]
    relative = np.linalg.inv(first) @ second
    turn = relative[:3, :3]
    angles = [
        atan2(turn[(a + 2) % 3, (a + 1) % 3], turn[(a + 1) % 3, (a + 1) % 3]) for a in range(3)
    ]
    return list(relative[:3, 3]), angles


def settings_in(gltf: dict[str, Any]) -> dict[str, Any]:
    """Return the joint settings of the file."""
    (settings,) = gltf["extensions"][JOINT]["physicsJoints"]
    found: dict[str, Any] = settings
    return found


def range_in(gltf: dict[str, Any], freedom: Freedom) -> tuple[int, float, float]:
    """Return the axis of the only limit with a range, and its bounds."""
    key = f"{freedom}Axes"
    limits = [
        limit for limit in settings_in(gltf)["limits"] if limit.get("min") != limit.get("max")
    ]
    ((axis,),) = [limit[key] for limit in limits]
    return axis, limits[0].get("min", -np.inf), limits[0].get("max", np.inf)


@pytest.mark.parametrize("z_up", [False, True], ids=["Y up", "Z up"])
@pytest.mark.parametrize(("freedom", "axis"), FREE_CASES)
def test_bounds_are_what_the_file_measures(
    freedom: Freedom, axis: int, z_up: bool, tmp_path: Path
) -> None:
    """At the two bounds in Blender, the file's own nodes stand at the file's two bounds."""
    joint = build(bounded(freedom, axis, LOW, HIGH))
    here = export(tmp_path / "rest.glb", export_yup=not z_up)
    in_file, low, high = range_in(here, freedom)
    values = []
    for value in (LOW, HIGH):
        pose(joint, freedom, axis, value)
        posed = export(tmp_path / "posed.glb", export_yup=not z_up)
        coordinates = measured(posed)
        along = coordinates[list(Freedom).index(freedom)]
        values.append(along[in_file])
        others = [x for i, x in enumerate(along) if i != in_file]
        assert others == pytest.approx([0.0, 0.0], abs=1e-5), "it moves along the file's axis only"
    assert sorted(values) == pytest.approx([low, high], abs=1e-5)
    # The naive copy of the bounds is another range exactly where the axis runs against glTF's.
    naive_is_right = sorted(values) == pytest.approx([LOW, HIGH], abs=1e-5)
    assert naive_is_right == (z_up or axis != BLENDER_Y)


@pytest.mark.parametrize(("freedom", "axis"), FREE_CASES)
def test_one_sided_bound_stays_on_its_side(freedom: Freedom, axis: int, tmp_path: Path) -> None:
    """Beyond the only bound in Blender is beyond the only bound in the file."""
    joint = build(bounded(freedom, axis, low=LOW))
    in_file, low, high = range_in(export(tmp_path / "rest.glb"), freedom)
    pose(joint, freedom, axis, LOW - 0.1)
    value = measured(export(tmp_path / "posed.glb"))[list(Freedom).index(freedom)][in_file]
    assert not low <= value <= high
    assert (low == -np.inf) == (axis == BLENDER_Y), "a naive copy keeps a minimum everywhere"


@pytest.mark.parametrize(("freedom", "axis"), FREE_CASES)
def test_drive_pulls_to_where_blender_shows_it(freedom: Freedom, axis: int, tmp_path: Path) -> None:
    """A drive's target position in the file is what the file measures at the target in Blender."""
    drive = Drive(freedom, DriveMode.FORCE, axis, position_target=0.5, velocity_target=2.0)
    free = bounded(freedom, axis)
    joint = build(replace(free, drives=(replace(drive, stiffness=10.0, damping=1.0),)))
    (found,) = settings_in(export(tmp_path / "rest.glb"))["drives"]
    pose(joint, freedom, axis, 0.5)
    value = measured(export(tmp_path / "posed.glb"))[list(Freedom).index(freedom)][found["axis"]]
    assert found["type"] == freedom
    assert found["positionTarget"] == pytest.approx(value, abs=1e-5)
    assert found["velocityTarget"] == pytest.approx(4.0 * value, abs=1e-5)
    assert (found["positionTarget"] == pytest.approx(0.5)) == (axis != BLENDER_Y)


@pytest.mark.parametrize(("freedom", "axis"), FREE_CASES)
def test_godot_counts_angles_the_other_way(freedom: Freedom, axis: int, tmp_path: Path) -> None:
    """A file for Godot counts angles the other way, and moves what it moves as it was meant."""
    target = Drive(freedom, DriveMode.FORCE, axis, position_target=0.5, stiffness=1.0)
    build(replace(bounded(freedom, axis, LOW, HIGH), drives=(target,)))
    plain = export(tmp_path / "plain.glb")
    bpy.context.scene.omi_physics_joint.target = "GODOT"
    for_godot = export(tmp_path / "godot.glb")
    _, low, high = range_in(plain, freedom)
    turned = freedom is Freedom.ANGULAR
    assert range_in(for_godot, freedom)[1:] == ((-high, -low) if turned else (low, high))
    targets = [settings_in(gltf)["drives"][0]["positionTarget"] for gltf in (plain, for_godot)]
    assert targets[1] == (-targets[0] if turned else targets[0])
    assert for_godot["extras"]["physics_target"] == "godot"
    assert "extras" not in plain
    assert not bpy.data.objects["Joint"].omi_physics_joint.settings.limits[0].angular_min


def test_velocities_and_centres_follow_the_axes(tmp_path: Path) -> None:
    """A body's vectors point in the file where Blender shows them, in the body's own axes."""
    body = add_body("Body", turned=(0.3, 1.0, 0.2))
    data = body.omi_physics_body
    data.center_of_mass = (1.0, 2.0, 3.0)
    data.linear_velocity = (4.0, 5.0, 6.0)
    data.angular_velocity = (0.1, 0.2, 0.3)
    data.inertia_diagonal = (7.0, 8.0, 9.0)
    gltf = export(tmp_path / "body.glb")
    motion = extension(gltf, "Body", "OMI_physics_body")["motion"]
    linear = worlds(gltf)[index_of(gltf, "Body")][:3, :3]
    shown = body.matrix_world.to_3x3()
    for key, vector in (
        ("centerOfMass", data.center_of_mass),
        ("linearVelocity", data.linear_velocity),
        ("angularVelocity", data.angular_velocity),
    ):
        x, y, z = shown @ Vector(vector)
        assert linear @ np.array(motion[key]) == pytest.approx((x, z, -y), abs=1e-5), key
    assert motion["inertiaDiagonal"] == [7, 9, 8], "sizes have no sign"
