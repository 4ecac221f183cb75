# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole mechanism is selected, moved in one go, and shown as the tree that it is."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_joint.blender.articulation.connected_objects import (
    objects_to_move,
    shown_whole,
    whole_of,
)
from omi_physics_joint.blender.articulation.operators import follows
from omi_physics_joint.blender.articulation.panels import size_of
from omi_physics_joint.model.articulation.joints import JointType
from tests.scenes import box, door, joined, numbers, relative, select, separated


def chain(count: int = 3) -> tuple[list[bpy.types.Object], list[bpy.types.Object]]:
    """Return boxes in a row, and the hinges between them; nothing holds them."""
    bodies, joints = [box("Link 0")], []
    bodies[0].omi_physics_body.is_body = True
    bodies[0].omi_physics_body.type = "dynamic"
    for number in range(1, count):
        bodies.append(box(f"Link {number}", (3.0 * number, 0.0, 0.0)))
        bpy.context.scene.cursor.location = (3.0 * number - 1.5, 0.0, 0.0)
        joints.append(joined("HINGE", bodies[-2], bodies[-1], direction="GLOBAL_Y"))
    for body in bodies:
        body.omi_physics_body.mass = 1.0
    return bodies, joints


def selected() -> set[str]:
    """Return the names of what is selected."""
    return {obj.name for obj in bpy.context.selected_objects}


def move(offset: tuple[float, float, float]) -> None:
    """Move what is selected."""
    assert bpy.ops.transform.translate(value=offset) == {"FINISHED"}
    bpy.context.view_layer.update()


def test_all_bodies_are_selected_and_the_root_is_active() -> None:
    """From a body, a joint or a child of a body; what is elsewhere is let go."""
    bodies, joints = chain()
    other = box("Other", (0.0, 9.0, 0.0))
    bodies[1].omi_physics_body.mass = 20.0
    child = box("Child", (0.0, 0.0, 3.0))
    child.parent = bodies[0]
    for start in (bodies[0], joints[1], child):
        select(other, start)
        assert bpy.ops.omi_joint.select_mechanism() == {"FINISHED"}
        assert selected() == {"Link 0", "Link 1", "Link 2"}
        assert bpy.context.view_layer.objects.active == bodies[1]


def test_what_is_moved_keeps_its_joints_as_they_are() -> None:
    """Bodies, joints and second frames move together, and no joint changes its value."""
    bodies, joints = chain()
    separated(joints[0])
    before = {joint: numbers(relative(joint)) for joint in joints}
    places = {obj: obj.matrix_world.translation.copy() for obj in (*bodies, *joints)}
    select(bodies[2])
    bpy.ops.omi_joint.select_mechanism()
    move((1.0, 2.0, 3.0))
    for obj, place in places.items():
        assert numbers(obj.matrix_world.translation - place) == pytest.approx((1.0, 2.0, 3.0))
    for joint, value in before.items():
        assert numbers(relative(joint)) == pytest.approx(value, abs=1e-5)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("apart", [False, True])
def test_a_fixed_base_moves_without_what_it_stands_on(swap: bool, apart: bool) -> None:
    """The ends of its joint go along, whichever body they are parented to; the frame stays."""
    frame, leaf, hinge = door()
    if swap:
        select(hinge)
        assert bpy.ops.omi_joint.swap_sides() == {"FINISHED"}
    if apart:
        separated(hinge)
    before = numbers(relative(hinge))
    select(leaf)
    bpy.ops.omi_joint.select_mechanism()
    assert bpy.context.view_layer.objects.active == leaf
    assert "Frame" not in selected()
    place = hinge.matrix_world.translation.copy()
    move((0.0, 0.0, 2.0))
    assert numbers(hinge.matrix_world.translation - place) == pytest.approx((0.0, 0.0, 2.0))
    assert numbers(relative(hinge)) == pytest.approx(before, abs=1e-5)
    assert numbers(frame.matrix_world.translation) == [0.0, 0.0, 0.0]


def test_from_what_stands_still_all_that_hangs_on_it_is_selected() -> None:
    """A cabinet with two drawers, and the cabinet."""
    cabinet = box("Cabinet")
    drawers = [box(f"Drawer {number}", (0.0, 2.0, number)) for number in range(2)]
    for drawer in drawers:
        joined("SLIDER", cabinet, drawer)
    select(cabinet)
    assert bpy.ops.omi_joint.select_mechanism() == {"FINISHED"}
    assert selected() == {"Cabinet", "Drawer 0", "Drawer 1"}
    assert bpy.context.view_layer.objects.active == cabinet
    select(drawers[0])
    bpy.ops.omi_joint.select_mechanism()
    assert bpy.context.view_layer.objects.active == drawers[0]
    assert "Drawer 1" not in selected()


def test_a_kinematic_root_takes_along_what_hangs_on_it() -> None:
    """A turntable with two towers is one mechanism, and the turntable its root."""
    table = box("Table")
    towers = [box(f"Tower {number}", (3.0 * number, 0.0, 3.0)) for number in range(2)]
    for tower in towers:
        joined("HINGE", table, tower)
    table.omi_physics_body.type = "kinematic"
    whole = whole_of(towers[1], bpy.context.scene)
    assert whole is not None
    assert [obj.name for obj in objects_to_move(whole)] == ["Table", "Tower 0", "Tower 1"]


def test_what_is_hidden_is_shown_and_what_cannot_be_selected_is_named() -> None:
    """Nothing stays behind without a word."""
    bodies, _ = chain()
    bodies[1].hide_set(True)
    bodies[2].hide_select = True
    select(bodies[0])
    assert bpy.ops.omi_joint.select_mechanism() == {"FINISHED"}
    assert selected() == {"Link 0", "Link 1"}


def test_what_would_be_left_behind_is_known() -> None:
    """What is locked or not selectable does not follow; what is selected does."""
    bodies, _ = chain()
    bodies[1].lock_location[2] = True
    bodies[2].hide_select = True
    select(bodies[0])
    bpy.ops.omi_joint.select_mechanism()
    assert [follows(body) for body in bodies] == [True, False, False]


def test_without_a_joint_nothing_is_selected() -> None:
    """The operator says so, and the selection stays."""
    select(box("Alone"))
    assert bpy.ops.omi_joint.select_mechanism() == {"CANCELLED"}
    assert selected() == {"Alone"}
    select(*bpy.context.scene.objects)
    bpy.context.view_layer.objects.active = None
    assert not bpy.ops.omi_joint.select_mechanism.poll()


def test_moving_is_one_operator() -> None:
    """It selects and moves; without a mouse it takes the offset."""
    bodies, _ = chain()
    select(bodies[2])
    offset = {"TRANSFORM_OT_translate": {"value": (0.0, 0.0, 5.0)}}
    assert bpy.ops.omi_joint.move_mechanism(**offset) == {"FINISHED"}
    bpy.context.view_layer.update()
    assert [body.matrix_world.translation.z for body in bodies] == pytest.approx([5.0] * 3)


def test_the_panel_has_the_tree_of_the_exported_mechanism() -> None:
    """Root, base, sizes, the active joint's type and the joints that close loops."""
    bodies, joints = chain()
    bpy.context.scene.cursor.location = (3.0, 0.0, 5.0)
    closing = joined("PIN", bodies[0], bodies[2])
    whole = whole_of(joints[1], bpy.context.scene)
    assert whole is not None
    (one,) = whole.articulations
    assert whole.object_of(one.root) == bodies[0]
    assert size_of(one) == ("Floating base, 3 moving bodies", "3 joints, 4 degrees of freedom")
    own = whole.joint_of(joints[1])
    assert own is not None
    assert own.type is JointType.REVOLUTE
    assert [whole.object_of(loop.node) for loop in one.loops if loop.node is not None] == [
        joints[1]
    ]
    assert closing in whole.joints


def test_muted_joints_are_in_no_tree() -> None:
    """They are neither simulated nor exported."""
    bodies, joints = chain()
    joints[1].omi_physics_joint.mute = True
    whole = whole_of(bodies[0], bpy.context.scene)
    assert whole is not None
    assert set(whole.bodies) == set(bodies[:2])
    assert whole_of(bodies[2], bpy.context.scene) is None


def test_what_is_shown_is_never_old() -> None:
    """The panel reads again after edits of joints, bodies and settings, and after undo."""
    bodies, joints = chain()
    scene = bpy.context.scene

    def shown() -> tuple[str, str, str]:
        bpy.context.view_layer.update()
        whole = shown_whole(bodies[0], scene)
        assert whole is not None
        (one,) = whole.articulations
        return (whole.object_of(one.root).name, *size_of(one))

    assert shown() == ("Link 1", "Floating base, 3 moving bodies", "2 joints, 2 degrees of freedom")
    assert shown_whole(bodies[0], scene) is shown_whole(bodies[0], scene)
    bodies[2].omi_physics_body.mass = 9.0
    assert shown()[0] == "Link 2"
    joints[0].omi_physics_joint.settings.limits.clear()
    joints[0].omi_physics_joint.settings.update_tag()
    assert shown()[2] == "2 joints, 7 degrees of freedom"
    bodies[1].omi_physics_body.type = "static"
    assert shown() == ("Link 0", "Floating base, 1 moving body", "1 joint, 6 degrees of freedom")
