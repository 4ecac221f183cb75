# SPDX-License-Identifier: GPL-3.0-or-later
"""What is moved together at a simulated frame is at rest as before, elsewhere; and other scenes."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import pytest
from mathutils import Euler, Matrix
from scenes import box, issues, joined, select

from omi_physics_joint.blender.timeline import playback
from tests.blender.test_timeline import falling_door, simulate

WAYS = {
    "shifted": Matrix.Translation((0.0, 2.0, 0.5)),
    "turned": Matrix.LocRotScale((3.0, -1.0, 0.0), Euler((0.0, 0.0, 1.1)), None),
    "scaled": Matrix.Scale(2.0, 4),
}
BENT = Matrix.LocRotScale((-4.0, 1.0, 2.0), Euler((0.4, 0.2, -0.7)), (1.5, 1.5, 1.5))


def far(one: Matrix, other: Matrix) -> float:
    """Return the largest difference of two matrices."""
    return max(
        abs(a - b) for rows in zip(one, other, strict=True) for a, b in zip(*rows, strict=True)
    )


def move(way: Matrix, *objects: bpy.types.Object) -> None:
    """Move objects, as G, R and S do with what is selected."""
    for obj in objects:
        obj.matrix_world = way @ obj.matrix_world
    bpy.context.view_layer.update()


@pytest.mark.parametrize(
    ("way", "mode", "is_below"),
    [
        ("shifted", "XYZ", False),
        ("turned", "QUATERNION", False),
        ("scaled", "XYZ", True),
        ("turned", "AXIS_ANGLE", True),
    ],
)
def test_what_is_moved_together_rests_as_before(way: str, mode: str, is_below: bool) -> None:
    """A door that is moved with its frame as it stands open is closed at its frame afterwards."""
    leaf, frame = falling_door(), bpy.data.objects["Frame"]
    leaf.rotation_mode = mode
    if is_below:
        above = bpy.data.objects.new("Above", None)
        bpy.context.collection.objects.link(above)
        above.matrix_world = BENT
        frame.parent = leaf.parent = above
    bpy.context.view_layer.update()
    rest, scene = leaf.matrix_world.copy(), bpy.context.scene
    simulate()
    scene.frame_set(15)
    assert far(leaf.matrix_world, rest) > 0.1
    move(WAYS[way], frame, leaf)
    assert not {"moved-since-joined", "moved-from-rest"} & issues().keys()
    scene.frame_set(9)
    assert far(leaf.matrix_world, WAYS[way] @ rest) < 1e-4


@pytest.mark.parametrize("at", [1, 15])
@pytest.mark.parametrize("is_whole", [True, False])
@pytest.mark.parametrize("mode", ["XYZ", "QUATERNION"])
def test_what_is_copied_as_it_swings_rests_as_its_original(
    mode: str, at: int, *, is_whole: bool
) -> None:
    """Shift D of an open door, and G and R of the whole: it is closed as well, where it was put.

    So is one that was copied at rest, beside another that remembers the same.
    """
    leaf, frame, scene = falling_door(), bpy.data.objects["Frame"], bpy.context.scene
    leaf.rotation_mode = mode
    door = [*scene.objects]
    select(*door)
    bpy.ops.object.duplicate()
    move(WAYS["shifted"], *(obj for obj in bpy.context.selected_objects if obj.parent is None))
    rest = leaf.matrix_world.copy()
    simulate()
    scene.frame_set(at)
    select(*(obj for obj in door if is_whole or obj != frame))
    bpy.ops.object.duplicate()
    copies = [obj for obj in bpy.context.selected_objects if obj.parent is None]
    way = WAYS["turned" if is_whole else "shifted"]
    move(way, *copies)
    scene.frame_set(9)
    (copy,) = (obj for obj in copies if obj.name.startswith(leaf.name))
    assert far(copy.matrix_world, way @ rest) < 1e-4
    assert far(leaf.matrix_world, rest) < 1e-5


def test_bodies_that_move_are_moved_along_with_each_other() -> None:
    """Also where nothing that stands was moved; another body, left alone, goes back to rest."""
    leaf, scene = falling_door(), bpy.context.scene
    hook = box("Hook", (3.5, 0.0, 0.0))
    joined("WELD", leaf, hook)
    loose = box("Loose", (0.0, 9.0, 0.0))
    loose.omi_physics_body.is_body = True
    bpy.context.view_layer.update()
    rest = {obj: obj.matrix_world.copy() for obj in (leaf, hook, loose)}
    simulate()
    scene.frame_set(15)
    move(WAYS["shifted"], leaf, hook)
    scene.frame_set(9)
    bpy.context.view_layer.update()
    for obj, way in ((leaf, WAYS["shifted"]), (hook, WAYS["shifted"]), (loose, Matrix())):
        assert far(obj.matrix_world, way @ rest[obj]) < 1e-4


@pytest.mark.parametrize("how", ["applied", "scaled"])
@pytest.mark.parametrize("mode", ["XYZ", "QUATERNION"])
def test_what_is_scaled_as_it_stands_open_is_closed_at_rest(mode: str, how: str) -> None:
    """Ctrl A > Scale, or S, changes its size alone: the open pose does not become the rest."""
    leaf, scene = falling_door(), bpy.context.scene
    leaf.rotation_mode = mode
    leaf.scale = (1.2, 0.9, 1.1)
    bpy.context.view_layer.update()
    rest = leaf.matrix_world.to_translation(), leaf.matrix_world.to_quaternion()
    simulate()
    scene.frame_set(15)
    if how == "scaled":
        leaf.scale *= 1.5
    else:
        select(leaf)
        bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    size = leaf.scale.copy()
    bpy.context.view_layer.update()
    for frame in (9, 1):
        scene.frame_set(frame)
        assert (leaf.matrix_world.translation - rest[0]).length < 1e-5
        assert leaf.matrix_world.to_quaternion().rotation_difference(rest[1]).angle < 1e-3
        assert leaf.scale == size


def set_origin() -> None:
    """Put the origin of a body elsewhere."""
    bpy.context.scene.cursor.location = (1.0, 2.0, 3.0)
    bpy.ops.object.origin_set(type="ORIGIN_CURSOR")


def apply_all() -> None:
    """Ctrl A > All Transforms."""
    bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)


def apply_rotation() -> None:
    """Ctrl A > Rotation."""
    bpy.ops.object.transform_apply(location=False, rotation=True, scale=False)


def clear_parent() -> None:
    """Alt P > Clear and Keep Transformation."""
    bpy.ops.object.parent_clear(type="CLEAR_KEEP_TRANSFORM")


@pytest.mark.parametrize("edit", [set_origin, apply_all, apply_rotation, clear_parent])
@pytest.mark.parametrize("mode", ["XYZ", "QUATERNION"])
def test_what_says_a_transform_otherwise_does_not_open_a_door_at_rest(
    mode: str, edit: Callable[[], None]
) -> None:
    """Its mesh stays where it is in the open frame, and goes to where it was at rest; hinge too."""
    leaf, scene = falling_door(), bpy.context.scene
    above = bpy.data.objects.new("Above", None)
    bpy.context.collection.objects.link(above)
    above.matrix_world = BENT
    bpy.data.objects["Frame"].parent = leaf.parent = above
    leaf.rotation_mode = mode
    bpy.context.view_layer.update()
    hinge = bpy.data.objects["Door Hinge"]

    def corners() -> list[float]:
        bpy.context.view_layer.update()
        seen = [leaf.matrix_world @ vertex.co for vertex in leaf.data.vertices]
        return [number for at in (*seen, hinge.matrix_world.translation) for number in at]

    rest = corners()
    simulate()
    scene.frame_set(15)
    shown = corners()
    select(leaf)
    edit()
    assert corners() == pytest.approx(shown, abs=1e-4)
    scene.frame_set(9)
    assert corners() == pytest.approx(rest, abs=1e-4)
    assert not {"moved-since-joined", "moved-from-rest"} & issues().keys()


def test_a_body_that_is_moved_alone_stays_where_it_is_put() -> None:
    """It is what was seen, and the frame that was moved otherwise is no company."""
    leaf, scene = falling_door(), bpy.context.scene
    simulate()
    scene.frame_set(15)
    move(WAYS["shifted"], leaf)
    move(WAYS["turned"], bpy.data.objects["Frame"])
    put = leaf.matrix_world.copy()
    scene.frame_set(9)
    assert far(leaf.matrix_world, put) < 1e-5


@pytest.mark.parametrize("does", ["simulate", "frame"])
def test_what_another_scene_shows_is_at_rest_here(does: str) -> None:
    """A scene that shares the bodies of one that was simulated begins at rest, and shows that."""
    leaf, first = falling_door(), bpy.context.scene
    rest = leaf.matrix_world.copy()
    bpy.ops.scene.new(type="LINK_COPY")
    second = bpy.context.scene
    simulate()
    second.frame_set(15)
    shown = leaf.matrix_world.copy()
    bpy.context.window.scene = first
    if does == "simulate":
        simulate()
    first.frame_set(first.frame_start)
    assert far(leaf.matrix_world, rest) < 1e-5
    second.frame_set(15)
    assert far(leaf.matrix_world, shown) < 1e-5


def test_undo_to_where_a_mechanism_was_moved_finds_its_rest_again() -> None:
    """The step was made before anybody had looked, and matrices are old after undo."""
    leaf, scene = falling_door(), bpy.context.scene
    rest = leaf.matrix_world.copy()
    bpy.ops.ed.undo_push(message="door")
    simulate()
    scene.frame_set(15)
    bpy.ops.ed.undo_push(message="shown")
    move(WAYS["shifted"], bpy.data.objects["Frame"], leaf)
    bpy.ops.ed.undo_push(message="moved")
    playback.refresh(scene)
    bpy.ops.object.select_all(action="DESELECT")
    bpy.ops.ed.undo_push(message="selected")
    bpy.ops.ed.undo()
    bpy.context.view_layer.update()
    assert far(bpy.data.objects["Door"].matrix_world, WAYS["shifted"] @ rest) < 1e-4
    bpy.ops.ed.undo()
    bpy.context.scene.frame_set(1)
    assert far(bpy.data.objects["Door"].matrix_world, rest) < 1e-4
