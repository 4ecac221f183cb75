# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles that move and turn a joint as a whole: both frames together, snapping, and back."""

from __future__ import annotations

from math import radians

import bpy
import numpy as np
import pytest
from blender.mouse import FREE, around, dragged, handle, pixel_of, side_view, view_from
from mathutils import Matrix, Vector
from scenes import box, door, joined, numbers, relative, separated

from omi_physics_joint.blender.bridge.poses.second_frames import second_world
from omi_physics_joint.blender.handles.frames import surface_point
from omi_physics_joint.blender.handles.operators import begin
from omi_physics_joint.blender.handles.values import HeldKeys
from omi_physics_joint.blender.joints.authoring import body_of


@pytest.fixture
def hinge() -> bpy.types.Object:
    """Return the hinge of a door, open from 0 to 90 degrees."""
    return door()[2]


def poses(joint: bpy.types.Object) -> list[list[float]]:
    """Return where a joint and its partner are."""
    bpy.context.view_layer.update()
    return [numbers(world) for world in (joint.matrix_world, second_world(joint))]


@pytest.mark.parametrize("part", ["move", "turn"])
def test_a_frame_takes_its_partner_along(hinge: bpy.types.Object, part: str) -> None:
    """Both frames move by the same motion of the world, and Esc puts every number back."""
    partner = separated(hinge)
    body_of(partner).scale = (1.0, 2.0, 0.5)
    partner.location.x += 0.25
    before = poses(hinge)
    own = [
        (obj.location[:], obj.rotation_euler[:], obj.scale[:], numbers(obj.matrix_parent_inverse))
        for obj in (hinge, partner)
    ]
    place = handle(hinge, part, 0, 0 if part == "move" else 1)
    view = side_view(hinge, 1)
    points = (
        [place.point + Vector((0.3, -0.2, 0.0))]
        if part == "move"
        else around(hinge, 1, place.point, 0.5)
    )
    gap = hinge.matrix_world.inverted() @ partner.matrix_world
    drag = dragged(hinge, place, points, view)
    assert drag.changed
    bpy.context.view_layer.update()
    now = hinge.matrix_world.inverted() @ partner.matrix_world
    assert numbers(now) == pytest.approx(numbers(gap), abs=1e-5)
    if part == "turn":
        turned = Matrix(np.reshape(before[0], (4, 4))).inverted() @ hinge.matrix_world
        assert numbers(turned) == pytest.approx(
            numbers(Matrix.Rotation(0.5, 4, "Y")), abs=radians(0.1)
        )
    drag.restore()
    assert poses(hinge) == before
    assert own == [
        (obj.location[:], obj.rotation_euler[:], obj.scale[:], numbers(obj.matrix_parent_inverse))
        for obj in (hinge, partner)
    ]


def test_a_joint_that_is_one_object_keeps_its_value(hinge: bpy.types.Object) -> None:
    """Dragging the frame of a door that stands ajar leaves it ajar: its frames never tear."""
    hinge.omi_physics_pose.about_y = 0.3
    bpy.context.view_layer.update()
    before, objects = poses(hinge), set(bpy.data.objects)
    value = numbers(relative(hinge))
    drag = begin(bpy.context, hinge, handle(hinge, "move").handle)
    drag.typed("1")
    assert numbers(relative(hinge)) == pytest.approx(value, abs=1e-6)
    assert poses(hinge) != before
    assert set(bpy.data.objects) == objects
    drag.restore()
    assert poses(hinge) == before


def test_a_frame_keeps_to_an_axis_and_takes_numbers(hinge: bpy.types.Object) -> None:
    """X, Y and Z keep to an axis of the world, once more to the joint's, once more to none."""
    start = hinge.matrix_world.translation.copy()
    drag = begin(bpy.context, hinge, handle(hinge, "move").handle)
    drag.constrain("Y")
    assert drag.typed("25cm")
    bpy.context.view_layer.update()
    assert numbers(hinge.matrix_world.translation - start) == pytest.approx([0.0, 0.25, 0.0])
    assert "along global Y" in drag.summary()
    drag.constrain("Y")
    drag.typed("0.5")
    bpy.context.view_layer.update()
    own = hinge.matrix_world.col[1].to_3d()
    moved = numbers(hinge.matrix_world.translation - start)
    assert moved == pytest.approx(numbers(0.5 * own), abs=1e-6)
    drag.constrain("Y")
    bpy.context.view_layer.update()
    assert numbers(hinge.matrix_world.translation) == numbers(start)
    drag.constrain("Z")
    view = view_from(Vector((1.0, -8.0, 1.0)), start)
    for point in (start, start + Vector((1.0, 0.0, 0.4))):
        drag.moved(bpy.context, view, pixel_of(view, point), FREE)
    bpy.context.view_layer.update()
    offset = hinge.matrix_world.translation - start
    assert numbers(offset) == pytest.approx([0.0, 0.0, 0.4], abs=0.1)
    assert offset.x == offset.y == 0.0


def test_ctrl_snaps_a_frame_to_corners_edges_and_faces(hinge: bpy.types.Object) -> None:
    """Near a corner the frame goes there, near an edge onto it, else to the face or the grid."""
    view = view_from(Vector((0.0, -9.0, 0.3)), Vector((0.0, 0.0, 0.0)))
    drag = begin(bpy.context, hinge, handle(hinge, "move").handle)
    pixels = [pixel_of(view, hinge.matrix_world.translation)]
    for point, expected in (
        ((-0.98, -1.0, 0.98), (-1.0, -1.0, 1.0)),
        ((-0.98, -1.0, 0.1), (-1.0, -1.0, 0.1)),
        ((-0.3, -1.0, 0.1), (-0.3, -1.0, 0.1)),
    ):
        for pixel in (*pixels, pixel_of(view, Vector(point))):
            drag.moved(bpy.context, view, pixel, HeldKeys(snap=True))
        bpy.context.view_layer.update()
        assert numbers(hinge.matrix_world.translation) == pytest.approx(expected, abs=1e-2)
    drag.moved(bpy.context, view, (20.0, 760.0), HeldKeys(snap=True))
    bpy.context.view_layer.update()
    for value in hinge.matrix_world.translation:
        assert 10.0 * value == pytest.approx(round(10.0 * value), abs=1e-4)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.usefixtures("hinge")
def test_ctrl_snaps_to_every_edge_of_a_face(axis: int, side: float) -> None:
    """All round, also to the edge from the last corner of a face back to its first."""
    view = view_from(Vector((0.0, -9.0, 0.3)), Vector((0.0, 0.0, 0.0)))
    expected = [0.1, -1.0, 0.1]
    expected[2 * axis] = side
    beside = Vector(expected)
    beside[2 * axis] *= 0.98
    found = surface_point(bpy.context, view, pixel_of(view, beside))
    assert found is not None
    assert numbers(found) == pytest.approx(expected, abs=1e-2)


@pytest.mark.parametrize("axis", range(3))
def test_ctrl_on_an_axis_goes_as_far_along_it_as_a_corner_lies(
    axis: int, hinge: bpy.types.Object
) -> None:
    """Nowhere else, however far aside the corner is."""
    corner, start = Vector((-1.0, -1.0, 1.0)), hinge.matrix_world.translation.copy()
    view = view_from(Vector((0.0, -9.0, 0.3)), Vector((0.0, 0.0, 0.0)))
    drag = begin(bpy.context, hinge, handle(hinge, "move").handle)
    drag.constrain("XYZ"[axis])
    for point in (start, corner * 0.99):
        drag.moved(bpy.context, view, pixel_of(view, point), HeldKeys(snap=True))
    bpy.context.view_layer.update()
    expected = [(corner - start)[at] if at == axis else 0.0 for at in range(3)]
    assert numbers(hinge.matrix_world.translation - start) == pytest.approx(expected, abs=1e-5)


def test_a_shared_partner_stays_and_the_joint_gets_its_own(hinge: bpy.types.Object) -> None:
    """Moving a joint does not move the partner that others use; Esc takes the new one away."""
    partner = separated(hinge)
    other = joined("WELD", box("Other"), box("Third", (0.0, 3.0, 0.0)))
    other.omi_physics_joint.connected_node = partner
    objects, before = set(bpy.data.objects), numbers(partner.matrix_world)
    drag = begin(bpy.context, hinge, handle(hinge, "move").handle)
    drag.typed("1")
    bpy.context.view_layer.update()
    assert numbers(partner.matrix_world) == before
    assert hinge.omi_physics_joint.connected_node not in objects
    drag.restore()
    assert hinge.omi_physics_joint.connected_node == partner
    assert set(bpy.data.objects) == objects
