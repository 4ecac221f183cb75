# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles in Blender: where they are, what dragging them does, and that Esc leaves no trace."""

from __future__ import annotations

from math import degrees, pi, radians
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.mouse import around, dragged, handle, maximum, ranged, side_view, view_from
from mathutils import Matrix, Vector
from scenes import box, door, joined, numbers, select, separated

from omi_physics_joint.blender import handles as feature
from omi_physics_joint.blender.bridge.poses import away
from omi_physics_joint.blender.bridge.poses.transforms import keep
from omi_physics_joint.blender.bridge.write import new_settings
from omi_physics_joint.blender.check.report import is_old
from omi_physics_joint.blender.handles import held
from omi_physics_joint.blender.handles.operators import begin, confirm
from omi_physics_joint.blender.handles.places import (
    grips,
    handles_allowed,
    joint_at_hand,
    label_with_value,
    placed_handles,
    seen,
)
from omi_physics_joint.blender.handles.values import HeldKeys
from omi_physics_joint.blender.joints.authoring import AuthoringError, body_of, place_frame
from omi_physics_joint.blender.registration import in_order
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit


def opening(hinge: bpy.types.Object, start: Vector, angle: float) -> list[Vector]:
    """Return points of an arc along which the number of a door's hinge grows by an angle.

    The door moves against its frame and is seen from there: against the axis of its own frame.
    """
    return around(hinge, 1, start, -angle)


@pytest.fixture
def hinge() -> bpy.types.Object:
    """Return the hinge of a door, open from 0 to 90 degrees."""
    return door()[2]


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("freedom", list(Freedom))
def test_handles_are_where_the_joint_goes(axis: int, freedom: Freedom) -> None:
    """A joint that stands at a listed bound has its connected frame at the handle of that bound.

    Held for all of Blender's axes; Blender's Y, whose sign turns in the model, is the one where a
    naive copy ends up on the other side.
    """
    frame, leaf = box("Frame"), box("Door", (2.0, 0.0, 0.0))
    joint = joined("WELD", frame, leaf)
    axes = {f"{freedom}_axes": (axis,)}
    limit = Limit(min=-0.4, max=0.9, **axes)
    joint.omi_physics_joint.settings = new_settings(JointSettings("Range", (limit,)))
    partner = separated(joint)
    for part, value in (("min", -0.4), ("max", 0.9)):
        if freedom is Freedom.LINEAR:
            motion = Matrix.Translation(Vector([value * (i == axis) for i in range(3)]))
        else:
            motion = Matrix.Rotation(value, 4, "XYZ"[axis])
        place_frame(partner, joint.matrix_world @ motion)
        bpy.context.view_layer.update()
        place = handle(joint, part)
        origin = joint.matrix_world.translation
        expected = partner.matrix_world.translation
        if freedom is Freedom.ANGULAR:
            zero = place.point - origin
            back = Matrix.Rotation(-value, 3, joint.matrix_world.col[axis].to_3d())
            still = joint.matrix_world.inverted().to_3x3() @ (back @ zero)
            expected = origin + partner.matrix_world.to_3x3() @ still
            assert sorted(map(abs, still))[:2] == pytest.approx([0.0, 0.0], abs=1e-5)
        assert numbers(place.point) == pytest.approx(numbers(expected), abs=1e-5)


@pytest.mark.parametrize("axis", range(3))
def test_numbers_grow_the_way_the_joint_turns(axis: int) -> None:
    """Dragging a bound about an axis by some angle makes its number grow by that angle."""
    joint = joined("WELD", box("Frame"), box("Door", (2.0, 0.0, 0.0)))
    limit = Limit(angular_axes=(axis,), min=-0.5, max=0.5)
    joint.omi_physics_joint.settings = new_settings(JointSettings("Range", (limit,)))
    place = handle(joint, "max")
    view = side_view(joint, axis)
    dragged(joint, place, around(joint, axis, place.point, radians(20.0)), view)
    item = joint.omi_physics_joint.settings.limits[0]
    assert item.angular_max == pytest.approx(0.5 + radians(20.0), abs=radians(0.11))
    assert item.angular_min == pytest.approx(-0.5)


@pytest.mark.parametrize("axis", range(3))
def test_numbers_grow_the_way_the_joint_slides(axis: int) -> None:
    """Dragging a bound along an axis by some distance makes its number grow by that distance."""
    joint = joined("WELD", box("Frame"), box("Door", (2.0, 0.0, 0.0)))
    limit = Limit(linear_axes=(axis,), min=-0.5, max=0.5)
    joint.omi_physics_joint.settings = new_settings(JointSettings("Range", (limit,)))
    place = handle(joint, "min")
    along = joint.matrix_world.col[axis].to_3d()
    dragged(joint, place, [place.point - 0.3 * along], side_view(joint, (axis + 1) % 3))
    item = joint.omi_physics_joint.settings.limits[0]
    assert item.linear_min == pytest.approx(-0.8, abs=0.02)
    assert item.linear_max == 0.5


@pytest.mark.parametrize("bounds", [(-0.5, 0.5), (-0.2, 0.7)])
@pytest.mark.parametrize("axis", range(3))
def test_a_mirrored_frame_is_dragged_by_the_frame_that_the_model_makes_of_it(
    axis: int, bounds: tuple[float, float]
) -> None:
    """After a drag the handle is where the mouse left it, or where the mirror image of it is.

    A symmetric range says nothing of its direction, so its mirror image may be chosen anew as
    soon as it becomes lopsided; dragging outwards still widens it by what was dragged.
    """
    frame, leaf = box("Frame"), box("Door", (2.0, 0.0, 0.0))
    joint = joined("WELD", frame, leaf)
    body = body_of(joint)
    joint.matrix_parent_inverse = Matrix.Identity(4)
    joint.matrix_basis = Matrix.Rotation(0.4, 4, "X")
    body.scale.x = -1.0
    bpy.context.view_layer.update()
    limit = Limit(angular_axes=(axis,), min=bounds[0], max=bounds[1])
    joint.omi_physics_joint.settings = new_settings(JointSettings("Range", (limit,)))
    place = handle(joint, "max")
    view = side_view(joint, axis)
    points = around(joint, axis, place.point, 0.3)
    if (points[-1] - place.point).dot(place.inward) > 0.0:
        points = around(joint, axis, place.point, -0.3)
    dragged(joint, place, points, view)
    item = joint.omi_physics_joint.settings.limits[0]
    assert item.angular_max == pytest.approx(bounds[1] + 0.3, abs=radians(0.1))
    if bounds[0] != -bounds[1]:
        gap = (handle(joint, "max").point - points[-1]).length
        assert gap < 0.01 * joint.empty_display_size


def test_esc_restores_bit_by_bit(hinge: bpy.types.Object) -> None:
    """After a drag that is given up every number is what it was, also what was never stored."""
    item = hinge.omi_physics_joint.settings.limits[ranged(hinge)]
    item.angular_max = 1.2345678
    item.property_unset("angular_min")
    before = (item.angular_min, item.angular_max)
    place = handle(hinge, "min", ranged(hinge))
    points = opening(hinge, place.point, -0.4)
    drag = dragged(hinge, place, points, side_view(hinge, 1), HeldKeys(mirror=True))
    assert item.angular_min != before[0]
    assert item.angular_max == -item.angular_min
    drag.restore()
    assert (item.angular_min, item.angular_max) == before
    assert not item.is_property_set("angular_min")
    assert not drag.changed


def test_what_is_dragged_is_put_back_when_the_add_on_goes(hinge: bpy.types.Object) -> None:
    """Blender drops the running operator without a word, so unregistering gives the drag up."""
    place = handle(hinge, "max", ranged(hinge))
    drag = dragged(hinge, place, around(hinge, 1, place.point, 0.7), side_view(hinge, 1))
    held.take(drag)
    assert held.held() is drag
    register, unregister = in_order([feature])
    unregister()
    register()
    assert maximum(hinge) == degrees(np.float32(pi / 2.0))
    assert held.held() is None
    held.take(drag)
    assert [held.give_up(), held.give_up()] == [True, False]


def test_one_drag_is_one_step_to_undo(hinge: bpy.types.Object) -> None:
    """Undo takes a whole drag back, and redo brings it again."""
    bpy.ops.ed.undo_push(message="before")
    place = handle(hinge, "max", ranged(hinge))
    points = opening(hinge, place.point, 0.7)
    drag = dragged(hinge, place, points, side_view(hinge, 1))
    after = maximum(hinge)
    assert after == pytest.approx(90.0 + degrees(0.7), abs=0.2)
    assert confirm(drag)
    bpy.ops.ed.undo()
    hinge = bpy.data.objects["Door Hinge"]
    assert maximum(hinge) == pytest.approx(90.0)
    bpy.ops.ed.redo()
    assert maximum(bpy.data.objects["Door Hinge"]) == after


def test_a_drag_that_comes_back_is_no_step(hinge: bpy.types.Object) -> None:
    """A handle that is only clicked leaves the number, the undo history and what Check found."""
    bpy.ops.omi_joint.check()
    place = handle(hinge, "max", ranged(hinge))
    drag = dragged(hinge, place, [], side_view(hinge, 1))
    assert maximum(hinge) == degrees(np.float32(pi / 2.0))
    assert not confirm(drag)
    assert not is_old(bpy.context.window_manager.omi_physics_joint, bpy.context.scene)


def test_what_check_found_is_old_after_a_drag(hinge: bpy.types.Object) -> None:
    """Blender tells nobody that the numbers of a limit became others: the drag says it."""
    bpy.ops.omi_joint.check()
    report = bpy.context.window_manager.omi_physics_joint
    place = handle(hinge, "max", ranged(hinge))
    drag = dragged(hinge, place, opening(hinge, place.point, 0.7), side_view(hinge, 1))
    assert not is_old(report, bpy.context.scene)
    assert confirm(drag)
    assert is_old(report, bpy.context.scene)


def test_a_bound_stops_at_the_other_one(hinge: bpy.types.Object) -> None:
    """A maximum that is dragged below its minimum rests on it, in sight until it is let go."""
    place = handle(hinge, "max", ranged(hinge))
    item = hinge.omi_physics_joint.settings.limits[ranged(hinge)]
    drag = dragged(hinge, place, opening(hinge, place.point, -2.5), side_view(hinge, 1))
    assert item.angular_max == 0.0
    assert not any(place.handle.part == "max" for place in placed_handles(hinge))
    dragged_one = (place.handle.part, place.handle.index)
    assert any(place.handle.part == "max" for place in placed_handles(hinge, held=dragged_one))
    drag.typed("-30")
    assert item.angular_max == 0.0
    drag.typed("30")
    assert maximum(hinge) == pytest.approx(30.0)


def test_dragging_over_turns_goes_on(hinge: bpy.types.Object) -> None:
    """Two more turns of the mouse are 720 degrees more."""
    place = handle(hinge, "max", ranged(hinge))
    dragged(hinge, place, opening(hinge, place.point, 4.0 * pi), side_view(hinge, 1))
    assert maximum(hinge) == pytest.approx(90.0 + 720.0, abs=0.2)


def test_ctrl_snaps_and_shift_is_fine(hinge: bpy.types.Object) -> None:
    """Ctrl gives multiples of five degrees, Shift a tenth of the way, both together degrees."""
    place = handle(hinge, "max", ranged(hinge))
    points = opening(hinge, place.point, radians(23.0))
    for keys, expected in (
        (HeldKeys(snap=True), 115.0),
        (HeldKeys(fine=True), 92.3),
        (HeldKeys(snap=True, fine=True), 92.0),
    ):
        drag = dragged(hinge, place, points, side_view(hinge, 1), keys)
        assert maximum(hinge) == pytest.approx(expected, abs=0.03)
        drag.restore()


def test_a_target_is_dragged() -> None:
    """The spring of a drive gets the angle that its handle is dragged to."""
    _, _, hinge = door()
    drives = (Drive(Freedom.ANGULAR, DriveMode.FORCE, 1, position_target=0.25, stiffness=1.0),)
    hinge.omi_physics_joint.settings = new_settings(JointSettings("Spring", (), drives))
    place = handle(hinge, "target")
    drag = dragged(hinge, place, around(hinge, 1, place.point, 0.5), side_view(hinge, 1))
    item = hinge.omi_physics_joint.settings.drives[0]
    assert item.angular_position_target == pytest.approx(0.75, abs=radians(0.1))
    assert drag.name == "Drag Joint Target"
    assert drag.summary().startswith("Target about Y: 43")


def test_the_header_says_what_is_shared(hinge: bpy.types.Object) -> None:
    """Settings that other joints use too change for all of them, and the header says so."""
    drag = begin(bpy.context, hinge, handle(hinge, "max", ranged(hinge)).handle)
    assert drag.summary() == "Maximum: 90°  (was 90°)"
    other = joined("WELD", box("Other"), box("Third", (0.0, 3.0, 0.0)))
    other.omi_physics_joint.settings = hinge.omi_physics_joint.settings
    hinge.omi_physics_joint.settings.use_fake_user = True
    assert drag.summary().endswith("shared by 2 joints")
    drag.typed("45")
    assert maximum(other) == pytest.approx(45.0)


def test_linked_and_driven_numbers_refuse_with_a_sentence(
    hinge: bpy.types.Object, tmp_path: Path
) -> None:
    """What would not stay is not dragged: settings of another file, and numbers with a driver."""
    block = hinge.omi_physics_joint.settings
    place = handle(hinge, "max", ranged(hinge))
    path = f"limits[{ranged(hinge)}].angular_max"
    block.driver_add(path)
    with pytest.raises(AuthoringError, match="has a driver"):
        begin(bpy.context, hinge, place.handle)
    block.driver_remove(path)
    library = str(tmp_path / "settings.blend")
    bpy.data.libraries.write(library, {block})
    with bpy.data.libraries.load(library, link=True) as (_, into):
        into.node_groups = [block.name]
    hinge.omi_physics_joint.settings = into.node_groups[0]
    with pytest.raises(AuthoringError, match="linked from another file"):
        begin(bpy.context, hinge, place.handle)


def test_keyed_numbers_are_dragged_like_a_field(hinge: bpy.types.Object) -> None:
    """A keyed bound takes the number until the frame changes, as a field of Blender does."""
    block = hinge.omi_physics_joint.settings
    index = ranged(hinge)
    block.keyframe_insert(f"limits[{index}].angular_max", frame=1)
    place = handle(hinge, "max", index)
    drag = dragged(hinge, place, opening(hinge, place.point, 0.5), side_view(hinge, 1))
    assert maximum(hinge) > 110.0
    assert "keyed" in drag.summary()
    drag.restore()
    assert maximum(hinge) == degrees(np.float32(pi / 2.0))


def test_a_flat_frame_has_no_handles(hinge: bpy.types.Object) -> None:
    """Where a scale of zero leaves no frame nothing is shown, and nothing fails."""
    hinge.parent = None
    hinge.scale = (0.0, 1.0, 1.0)
    bpy.context.view_layer.update()
    assert placed_handles(hinge) == ()


def test_bounds_at_one_place_are_taken_hold_of_apart() -> None:
    """Where both bounds meet, each is grasped on its own side."""
    joint = joined("WELD", box("Frame"), box("Door", (2.0, 0.0, 0.0)))
    limit = Limit(linear_axes=(0,), min=0.4, max=0.4)
    joint.omi_physics_joint.settings = new_settings(JointSettings("Held", (limit,)))
    places = placed_handles(joint, frame=False)
    view = side_view(joint, 2)
    (low,), (high,) = grips(view, places, 10.0)
    assert np.hypot(high[0] - low[0], high[1] - low[1]) == pytest.approx(10.0)
    middle = np.add(low, high) / 2.0
    assert seen(view, places[0]) == [pytest.approx(middle, abs=0.01)]


def test_the_joint_at_hand_is_that_of_the_active_frame_or_partner(
    hinge: bpy.types.Object,
) -> None:
    """A partner stands for its joint, a body for none."""
    assert joint_at_hand(bpy.context) == hinge
    select(separated(hinge))
    assert joint_at_hand(bpy.context) == hinge
    select(bpy.data.objects["Door"])
    assert joint_at_hand(bpy.context) is None


def test_handles_are_at_the_size_of_the_drawn_arcs(hinge: bpy.types.Object) -> None:
    """The size of the overlay moves the handles of angles along with the arcs."""
    origin = hinge.matrix_world.translation
    bpy.context.scene.omi_physics_overlay.size = 1.5
    place = handle(hinge, "max", ranged(hinge))
    assert (place.point - origin).length == pytest.approx(1.5 * hinge.empty_display_size, rel=1e-5)


@pytest.mark.usefixtures("hinge")
def test_nothing_is_dragged_while_objects_are_away() -> None:
    """What plays or poses moves objects for a while, and handles would edit that."""
    assert handles_allowed(bpy.context)
    shown_away = away.leave(keep([bpy.data.objects["Door"]]))
    assert not handles_allowed(bpy.context)
    away.come_back(shown_away)
    assert handles_allowed(bpy.context)
    select(bpy.data.objects["Door"])
    bpy.ops.object.mode_set(mode="EDIT")
    assert not handles_allowed(bpy.context)
    bpy.ops.object.mode_set(mode="OBJECT")


def test_handles_say_what_they_stand_at(hinge: bpy.types.Object) -> None:
    """A bound on the only axis of a joint needs no letter, and is in the scene's units."""
    scene = bpy.context.scene
    place = handle(hinge, "max", ranged(hinge))
    assert label_with_value(place.handle, scene) == "Maximum: 90°"
    scene.unit_settings.system_rotation = "RADIANS"
    assert label_with_value(place.handle, scene) == "Maximum: 1.5708 rad"
    assert seen(view_from(Vector((0.0, -9.0, 9.0)), place.point), place)


@pytest.mark.parametrize("how", ["cleared", "deleted"])
def test_handles_stay_on_their_side_without_a_second_body(how: str) -> None:
    """Who takes the second body away sees no handle jump to the other side: there is none then."""
    frame, drawer = box("Cabinet"), box("Drawer", (0.0, -2.0, 0.0))
    joint = joined("SLIDER", frame, drawer, direction="GLOBAL_Y", distance_max=0.5)
    before = {place.handle.name: place.point for place in placed_handles(joint)}
    assert len([name for name in before if name[0] in {"min", "max"}]) == 2
    if how == "cleared":
        joint.omi_physics_joint.connected_body = None
    else:  # as X does while something still points at it
        other = next(body for body in (frame, drawer) if body != joint.parent)
        bpy.context.collection.objects.unlink(other)
    bpy.context.view_layer.update()
    left = {place.handle.name: place.point for place in placed_handles(joint)}
    assert {name[0] for name in left} == {"move", "turn"}
    if how == "cleared":
        joint.omi_physics_joint.connected_body = frame
    else:
        bpy.context.collection.objects.link(other)
    bpy.context.view_layer.update()
    assert {place.handle.name: place.point for place in placed_handles(joint)} == before
