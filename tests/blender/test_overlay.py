# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints in the 3D view: what is drawn is the model's, and changes are noticed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector
from scenes import box, door, joined, select, separated, turn

from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.interface import signals
from omi_physics_joint.blender.overlay import extras, viewport
from omi_physics_joint.blender.overlay.drawn_joints import LIVE, REST, WATCH, DrawnJoints
from omi_physics_joint.blender.registration import handlers_of, in_order
from omi_physics_joint.drawing.bounds import reversed_settings
from omi_physics_joint.drawing.picture import Parts, Picture
from omi_physics_joint.drawing.strokes import Role
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.settings.coordinates import coordinates
from omi_physics_joint.model.settings.spans import spans_of


@pytest.fixture(autouse=True)
def no_extras() -> Iterator[None]:
    """Leave nothing of play behind."""
    yield
    extras.show()


def drawn() -> DrawnJoints:
    """Return the joints of the scene as they are drawn, after what Blender does in between."""
    bpy.context.view_layer.update()
    scene, layer = bpy.context.scene, bpy.context.view_layer
    seen = viewport.kept_of(scene, layer).drawn
    seen.refresh(scene, layer)
    return seen


def settled() -> tuple[DrawnJoints, list[int]]:
    """Return the joints and their versions when nothing changes any more."""
    seen = drawn()
    versions = list(seen.versions)
    assert drawn() is seen
    assert seen.versions == versions
    return seen, versions


def whole(seen: DrawnJoints, parts: Parts | None = None) -> list[Picture]:
    """Return the pictures of both pools, each role in a colour that is its number."""
    colours = np.zeros((3, len(Role), 4), np.float32)
    colours[:, :, 0] = np.arange(len(Role))
    return [seen.picture(pool, seen.visible, parts or Parts(), colours) for pool in (REST, LIVE)]


def points(seen: DrawnJoints, role: Role, parts: Parts | None = None) -> np.ndarray:
    """Return all points of one role in Blender's world."""
    found = [
        batch.points[batch.colours[:, 0] == role]
        for one in whole(seen, parts)
        for batch in one.lines.values()
    ]
    return np.concatenate(found) if found else np.zeros((0, 3))


@pytest.mark.parametrize("separate", [False, True])
def test_rows_are_what_the_mechanism_says(separate: bool) -> None:
    """Settings, frames and values of what is drawn are those that are exported and checked."""
    _, leaf, joint = door(angle_min=-0.3, angle_max=1.2)
    if separate:
        separated(joint)
        turn(leaf, joint.matrix_world.translation, "Z", 0.4)
    else:
        joint.omi_physics_pose.about_y = 0.4
        bpy.context.view_layer.update()
    seen = drawn()
    seen.picture(REST, seen.visible, Parts(), np.zeros((3, len(Role), 4), np.float32))
    seen.picture(LIVE, seen.visible, Parts(), np.zeros((3, len(Role), 4), np.float32))
    mechanism = mechanism_from_placed(placed_in_scene(bpy.context.scene)).mechanism
    (_, node, model), *others = mechanism.joints()
    assert others == []
    settings = mechanism.settings_of(model)
    assert seen.table.spans == (spans_of(settings.limits),)
    assert seen.table.settings == (reversed_settings(settings),)
    frames = [
        rigid_frame(one.world, settings) for one in (node, mechanism.nodes[model.connected_node])
    ]
    assert seen.joints[0] == pytest.approx(np.array(frames[0]), abs=1e-6)
    expected = coordinates(spans_of(settings.limits), *frames)
    # The door moves and its frame does not: it is seen from there, where values run the other way.
    assert seen.table.signs.tolist() == [-1.0]
    assert seen.values[0] == pytest.approx([-value for value in expected], abs=1e-6)
    assert max(abs(value) for value in expected) == pytest.approx(0.4, abs=1e-5)


def test_a_door_about_blenders_y_ends_where_its_arc_ends() -> None:
    """A body turned to its bound about Y in Blender stands at the end of the arc; beyond is red.

    With Blender's Y and Z taken for glTF's, the door would run into the arc's other side.
    """
    frame, leaf = box("Frame"), box("Door", (2.0, 0.0, 0.0))
    bpy.context.scene.cursor.location = (1.0, 0.0, 0.0)
    joint = joined("HINGE", frame, leaf, direction="GLOBAL_Y", angle_min=0.0, angle_max=1.0)
    separated(joint)
    pivot = joint.matrix_world.translation.copy()
    start = leaf.matrix_world.copy()

    turn(leaf, pivot, "Y", 1.0)
    seen = drawn()
    arc = points(seen, Role.SOLE, Parts(frames=False, values=False))
    mark = points(seen, Role.VALUE)
    assert len(points(seen, Role.VIOLATED)) == 0
    gaps = np.linalg.norm(arc[:, None] - mark[None], axis=2)
    assert gaps.min() < 1e-5
    leaf.matrix_world = start
    turn(leaf, pivot, "Y", -0.1)
    assert len(points(drawn(), Role.VIOLATED)) > 0
    leaf.matrix_world = start
    turn(leaf, pivot, "Y", 1.1)
    assert len(points(drawn(), Role.VIOLATED)) > 0


def test_the_arc_shows_where_the_door_swings() -> None:
    """Of a door in a frame that stands still, the arc stands still too, and the mark goes along.

    The end of the arc is where the turn to the upper bound takes the mark.
    """
    _, leaf, joint = door(angle_min=0.0, angle_max=1.2)
    separated(joint)
    pivot = joint.matrix_world.translation.copy()

    def arc() -> np.ndarray:
        return points(drawn(), Role.SOLE, Parts(frames=False, values=False))

    before, rest = arc(), points(drawn(), Role.VALUE)
    tip = rest[np.argmin(np.linalg.norm(before[:, None] - rest[None], axis=2).min(axis=0))]
    turn(leaf, pivot, "Z", 1.2)
    assert np.sort(arc(), axis=0) == pytest.approx(np.sort(before, axis=0), abs=1e-5)
    there = pivot + Matrix.Rotation(1.2, 3, "Z") @ (Vector(tip) - pivot)
    for found in (arc(), points(drawn(), Role.VALUE)):
        assert np.linalg.norm(found - np.array(there), axis=1).min() < 1e-4
    assert len(points(drawn(), Role.VIOLATED)) == 0


def test_what_moves_decides_from_where_a_joint_is_seen() -> None:
    """A body that becomes static or dynamic turns the drawing of its joint round."""
    frame, leaf, _ = door()
    select(leaf)
    assert drawn().table.signs.tolist() == [-1.0]
    leaf.omi_physics_body.type = "static"
    assert drawn().table.signs.tolist() == [1.0]
    select(frame)
    frame.omi_physics_body.type = leaf.omi_physics_body.type = "dynamic"
    assert drawn().table.signs.tolist() == [1.0]


def test_nothing_is_made_anew_while_nothing_changes() -> None:
    """Redraws of an idle scene find everything as it was."""
    door()
    settled()


def test_moving_a_body_is_noticed() -> None:
    """A moved body changes the versions, and its joint is drawn where it is now."""
    _, leaf, joint = door()
    seen, versions = settled()
    leaf.location.x += 0.5
    assert drawn().versions != versions
    place = joint.matrix_world.translation
    x, y, z = seen.joints[0, :3, 3]
    partner = seen.partners[0, :3, 3]
    found = {round(v, 4) for v in (x, partner[0])}
    assert round(place.x, 4) in found
    assert -z == pytest.approx(place.y, abs=1e-5)
    assert y == pytest.approx(place.z, abs=1e-5)


def test_one_moving_joint_leaves_the_others_at_rest() -> None:
    """Of several joints only the one that moves is made anew."""
    leaves = []
    for index in range(5):
        frame, leaf = (box(f"{kind}{index}", (5.0 * index, 0.0, 0.0)) for kind in ("F", "L"))
        joined("HINGE", frame, leaf)
        leaves.append(leaf)
    select(leaves[-1])
    settled()
    leaves[2].rotation_euler.z = 0.1
    seen, versions = settled()
    leaves[2].rotation_euler.z = 0.2
    assert drawn().versions[REST] == versions[REST]
    assert seen.versions[LIVE] > versions[LIVE]


def test_an_edit_by_a_script_is_noticed() -> None:
    """A bound that a script changes, which Blender announces to nobody, is drawn at once."""
    _, _, joint = door(angle_min=0.0, angle_max=1.0)
    seen, versions = settled()
    joint.omi_physics_joint.settings.limits[-1].angular_max = 0.5
    assert drawn().versions != versions
    highs = seen.table.bounds[0, 1]
    assert 0.5 in np.abs(highs) or 0.5 in np.abs(seen.table.bounds[0, 0])


def test_edits_of_many_blocks_are_noticed() -> None:
    """Edits of joints that are not active are found as well, in a few redraws."""
    joints, count = [], 2 * WATCH
    for index in range(count):
        frame, leaf = (box(f"{kind}{index}", (5.0 * index, 0.0, 0.0)) for kind in ("F", "L"))
        joints.append(joined("HINGE", frame, leaf, angle_min=0.0, angle_max=1.0))
    settled()
    joints[3].omi_physics_joint.settings.limits[-1].angular_max = 0.25
    redraws = [
        bool((np.abs(drawn().table.bounds) == 0.25).any()) for _ in range(2 + count // WATCH)
    ]
    assert redraws[-1]


def test_selection_lights_a_joint_up() -> None:
    """A joint is lit when a frame or a body of it is selected, and brighter when it is active."""
    frame, leaf, joint = door()
    other = box("Other", (9.0, 0.0, 0.0))
    for chosen, emphasis in ((other, 0), (leaf, 1), (frame, 1), (joint, 2), (other, 0)):
        select(chosen)
        assert drawn().emphasis.tolist() == [emphasis], chosen.name
    second = separated(joint)
    select(other)
    second.select_set(True)
    assert drawn().emphasis.tolist() == [1]


def test_hidden_joints_are_not_drawn() -> None:
    """Joints follow the visibility of their objects and collections."""
    _, _, joint = door()
    assert drawn().visible.all()
    joint.hide_set(True)
    assert not drawn().visible.any()
    joint.hide_set(False)
    assert drawn().visible.all()
    joint.hide_viewport = True
    assert not drawn().visible.any()


def test_joints_that_go_are_gone() -> None:
    """Removed joints leave nothing behind, and bodies a joint without a second one."""
    frame, _, joint = door()
    assert drawn().table.count == 1
    bpy.data.objects.remove(frame)
    signals.signals.structure += 1
    assert len(points(drawn(), Role.BROKEN)) > 0
    bpy.data.objects.remove(joint)
    assert drawn().table.count == 0


def test_nothing_is_looked_at_where_no_file_has_joints() -> None:
    """Without joint settings no redraw looks at objects, however many there are; then it does."""
    box("Stone")
    seen = drawn()
    versions = list(seen.versions)
    signals.on_replaced()
    signals.signals.pose += 1
    assert drawn().versions == versions
    assert not seen._seen
    door()
    assert drawn().table.count == 1


def test_swapped_sides_are_noticed() -> None:
    """What an operator does to the data of objects is found, though nothing moved."""
    _, _, joint = door()
    drawn()
    partner = separated(joint)
    select(joint)
    assert bpy.ops.omi_joint.swap_sides() == {"FINISHED"}
    signals.signals.structure += 1  # in a window, the list of operators says it
    seen = drawn()
    assert seen.table.count == 1
    place = partner.matrix_world.translation
    assert seen.joints[0, 0, 3] == pytest.approx(place.x, abs=1e-5)


def test_another_file_is_another_scene(tmp_path: Path) -> None:
    """Loading a file forgets all joints, and finds those of the file."""
    door()
    assert drawn().table.count == 1
    path = tmp_path / "door.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    assert drawn().table.count == 0
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert drawn().table.count == 1


def test_undo_finds_everything_anew() -> None:
    """After an undo the pose is the one before, drawn from objects that exist."""
    bpy.context.preferences.edit.use_global_undo = True
    _, leaf, _ = door()
    bpy.ops.ed.undo_push(message="before")
    before = drawn().joints.copy(), drawn().partners.copy()
    leaf.location.x += 1.0
    bpy.ops.ed.undo_push(message="moved")
    assert not np.allclose(drawn().joints, before[0]) or not np.allclose(
        drawn().partners, before[1]
    )
    generation = signals.signals.generation
    assert bpy.ops.ed.undo() == {"FINISHED"}
    assert signals.signals.generation > generation
    seen = drawn()
    assert seen.table.count == 1
    assert np.allclose(seen.joints, before[0])
    assert np.allclose(seen.partners, before[1])


@pytest.mark.parametrize("separate", [False, True])
def test_instances_have_joints_of_their_own(separate: bool) -> None:
    """A collection with a joint that is instanced elsewhere is drawn there too."""
    frame, leaf, joint = door()
    inner = bpy.data.collections.new("Inner")
    for obj in (frame, leaf, joint, *((separated(joint),) if separate else ())):
        inner.objects.link(obj)
    copy = bpy.data.objects.new("Copy", None)
    copy.instance_type, copy.instance_collection = "COLLECTION", inner
    copy.location = (5.0, 12.0, 7.0)
    inner.instance_offset = (5.0, 2.0, 7.0)
    bpy.context.scene.collection.objects.link(copy)
    seen = drawn()
    assert seen.table.count == 2
    here, there = sorted(seen.joints[:, :3, 3].tolist(), key=lambda place: -place[2])
    assert np.subtract(there, here) == pytest.approx((0.0, 0.0, -10.0), abs=1e-5)
    copy.location.z += 3.0
    assert max(drawn().joints[:, 1, 3]) == pytest.approx(here[1] + 3.0, abs=1e-5)


def test_broken_joints_are_drawn_apart() -> None:
    """Play names broken joints: they lose their limits and get a cross, until it is over."""
    _, _, joint = door()
    extras.show(broken=[joint.name])
    assert len(points(drawn(), Role.BROKEN)) > 0
    assert len(points(drawn(), Role.VALUE)) == 0
    extras.show()
    assert len(points(drawn(), Role.BROKEN)) == 0
    assert len(points(drawn(), Role.VALUE)) > 0


def handler_names() -> list[str]:
    """Return the modules of all handlers of the application."""
    lists = [one for one in vars(type(bpy.app.handlers)).values() if isinstance(one, list)]
    lists += [getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)]
    return [
        getattr(handler, "__module__", "")
        for one in lists
        if isinstance(one, list)
        for handler in one
    ]


def test_switching_off_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the overlay there is no handler of it, and nothing is kept; on again, all is back."""
    from omi_physics_joint.blender import overlay

    door()
    drawn()
    register, unregister = in_order((signals, overlay))
    before = handler_names().count(signals.__name__)
    assert before >= len(handlers_of(signals))
    space, removed = bpy.types.SpaceView3D, list[object]()
    remove = space.draw_handler_remove

    def watched(handle: object, region: str) -> None:
        removed.append(handle)
        remove(handle, region)

    monkeypatch.setattr(space, "draw_handler_remove", staticmethod(watched))
    unregister()
    try:
        assert handler_names().count(signals.__name__) == 0
        assert len(removed) == 2
        assert viewport._kept == {}
    finally:
        register()
    assert handler_names().count(signals.__name__) == before
    assert drawn().table.count == 1


def test_handlers_that_a_script_has_taken_out_are_no_trouble_and_come_back() -> None:
    """Some scripts empty lists of handlers; the add-on can be switched off after that, and on."""
    before = sorted(handler_names())
    register, unregister = in_order((signals,))
    for listeners, handler in handlers_of(signals):
        listeners.remove(handler)
    unregister()
    register()
    assert sorted(handler_names()) == before
