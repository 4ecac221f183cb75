# SPDX-License-Identifier: GPL-3.0-or-later
"""From two boxes to a hinged door in a .glb, by pressing what a new user sees."""

from __future__ import annotations

from math import pi
from pathlib import Path

import bpy
import pytest
from mathutils import Matrix
from scenes import box

from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.geometry.transform import inverse, multiply
from omi_physics_joint.model.joint import Freedom
from omi_physics_joint.model.settings.spans import axis_range
from omi_physics_joint.model.wording.describe import title


def test_two_boxes_to_a_door_in_six_clicks(tmp_path: Path) -> None:
    """Six clicks make a door that opens counter-clockwise from 0 to 90 degrees in the file.

    The clicks: the frame; the door with Shift; the tab "Joints"; the button Hinge; the button
    Export; the button in the export dialog.
    """
    box("Frame")
    box("Door", (2.0, 0.0, 0.0))
    bpy.context.scene.cursor.location = (1.0, 0.0, 0.0)
    bpy.ops.object.select_all(action="DESELECT")

    click_object("Frame")  # 1
    click_object("Door", shift=True)  # 2
    # 3: the tab shows the panel, which changes no data
    options = bpy.context.scene.omi_physics_joint
    choices = {"direction": options.direction, "place": options.place}
    assert bpy.ops.omi_joint.create(kind="HINGE", **choices) == {"FINISHED"}  # 4
    path = tmp_path / "door.glb"
    assert bpy.ops.export_scene.gltf(filepath=str(path)) == {"FINISHED"}  # 5 and 6

    reading = read(load(path).json)
    assert not reading.issues
    mechanism = reading.mechanism
    [(index, node, joint)] = mechanism.joints()
    settings = mechanism.settings_of(joint)
    assert title(settings) == "Hinge"
    assert mechanism.nodes[mechanism.body_of(index)].name == "Door"
    low, high = axis_range(settings, Freedom.ANGULAR, 2)
    assert (min(abs(low), abs(high)), max(abs(low), abs(high))) == pytest.approx((0.0, pi / 2))

    opened = opened_door(mechanism.nodes[index].world, rigid_frame(node.world), pi / 4)
    connected = mechanism.nodes[joint.connected_node].world
    value = Matrix(multiply(inverse(opened), connected)).to_euler().z
    assert low <= value <= high, "a quarter turn counter-clockwise, seen from above, is allowed"
    closed = opened_door(mechanism.nodes[index].world, rigid_frame(node.world), -pi / 4)
    value = Matrix(multiply(inverse(closed), connected)).to_euler().z
    assert not low <= value <= high, "and clockwise is not"


def click_object(name: str, *, shift: bool = False) -> None:
    """Select an object as a click in the viewport does."""
    if not shift:
        bpy.ops.object.select_all(action="DESELECT")
    obj = bpy.data.objects[name]
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj


def opened_door(
    joint: tuple[tuple[float, ...], ...], frame: tuple[tuple[float, ...], ...], angle: float
) -> tuple[tuple[float, ...], ...]:
    """Return where the joint's frame is after the door turned about the upright through it.

    In glTF up is Y, and counter-clockwise seen from above is a positive turn about it.
    """
    pivot = Matrix.Translation([row[3] for row in frame[:3]])
    turn = pivot @ Matrix.Rotation(angle, 4, "Y") @ pivot.inverted()
    return tuple(tuple(row) for row in turn @ Matrix(joint))
