# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that were reset or moved off their bodies after joining are told, and put back."""

from __future__ import annotations

import bpy
import pytest
from mathutils import Euler, Matrix
from redo import press
from scenes import issues, joined, numbers, select, slab

from omi_physics_joint.blender.joints.editing import reaim
from omi_physics_joint.blender.play.outlook import outlook
from tests.blender.test_check_bodies import fix, report_of

NEAR = Matrix.Identity(4)
FAR = Matrix.LocRotScale((20.0, -13.0, 4.0), Euler((0.3, 0.2, 1.1)), None)
TOLD = {"reset-since-joined", "off-since-joined", "moved-since-joined", "turned-since-joined"}


def hinged_door(
    place: Matrix = NEAR, *, in_order: bool = True, kind: str = "HINGE"
) -> tuple[bpy.types.Object, bpy.types.Object, bpy.types.Object]:
    """Return a frame, a door at its side and their joint, at a place."""
    frame = slab("Frame", (-0.55, 0.0, 1.0), (0.1, 0.2, 2.0))
    door = slab("Door", (0.0, 0.0, 1.0), (1.0, 0.06, 1.9))
    for one in (frame, door):
        one.matrix_world = place @ one.matrix_world
    bpy.context.view_layer.update()
    joint = joined(kind, *((frame, door) if in_order else (door, frame)))
    bpy.context.view_layer.update()
    return frame, door, joint


def apply(*objects: bpy.types.Object, location: bool = False) -> None:
    """Press Ctrl A > Rotation & Scale, or All Transforms."""
    select(*objects)
    bpy.ops.object.transform_apply(location=location, rotation=True, scale=True)
    bpy.context.view_layer.update()


def clear(joint: bpy.types.Object, what: str) -> None:
    """Press Alt R, or Alt G."""
    select(joint)
    getattr(bpy.ops.object, f"{what}_clear")()
    bpy.context.view_layer.update()


def edited(obj: bpy.types.Object, change: Matrix) -> None:
    """Move the whole mesh of an object by a motion of the world, as in Edit Mode."""
    obj.data.transform(obj.matrix_world.inverted() @ change @ obj.matrix_world)
    obj.data.update()
    bpy.context.view_layer.update()


@pytest.mark.parametrize(("place", "in_order"), [(NEAR, True), (FAR, False)], ids=["near", "far"])
@pytest.mark.parametrize("how", ["rotation & scale", "all", "alt r", "alt g", "after apply"])
def test_a_reset_joint_is_told_and_put_back_at_its_bodies(
    place: Matrix, in_order: bool, how: str
) -> None:
    """However it was reset, Fix puts it where it was; Play says so as well."""
    frame, door, joint = hinged_door(place, in_order=in_order)
    before = joint.matrix_world.copy()
    if how == "after apply":
        apply(frame, door, location=True)
    if how.startswith("alt"):
        clear(joint, "rotation" if how == "alt r" else "location")
    else:
        apply(frame, door, joint, location=how != "rotation & scale")
    (found,) = report_of("reset-since-joined")
    parts = {"rotation & scale": "rotation was", "alt r": "rotation was", "alt g": "location was"}
    named = parts.get(how, "location and rotation were")
    assert found.message.startswith(f"Its {named} reset since it was joined")
    assert found.severity == "warning"
    assert "center-on-hinge" not in issues()
    assert any(found.message in one for one in outlook(bpy.context.scene))
    fix("reset-since-joined")
    bpy.context.view_layer.update()
    assert numbers(joint.matrix_world) == pytest.approx(numbers(before), abs=1e-5)
    assert not TOLD & issues().keys()


@pytest.mark.parametrize("how", ["rotation & scale", "all"])
def test_a_reset_joint_follows_bodies_that_were_moved_together_since(how: str) -> None:
    """What is put back lies at the bodies as it did, not in the world as it did."""
    frame, door, joint = hinged_door()
    before = FAR @ joint.matrix_world
    for one in (frame, door):
        one.matrix_world = FAR @ one.matrix_world
    bpy.context.view_layer.update()
    assert not TOLD & issues().keys()
    apply(frame, door, joint, location=how == "all")
    assert "reset-since-joined" in issues()
    fix("reset-since-joined")
    bpy.context.view_layer.update()
    assert numbers(joint.matrix_world) == pytest.approx(numbers(before), abs=1e-5)


@pytest.mark.parametrize("way", range(3))
@pytest.mark.parametrize("kind", ["HINGE", "SLIDER"])
@pytest.mark.parametrize("fixed", [True, False], ids=["fixed", "hasty"])
def test_a_scale_that_is_applied_turns_no_axis_without_a_word(
    kind: str, way: int, *, fixed: bool
) -> None:
    """Of what was made wider where it stands: Fix comes first, as Check says, or it is told."""
    frame, door, joint = hinged_door(FAR, kind=kind)
    wider = Matrix.Identity(4)
    wider[way][way] = 1.4
    for one in (frame, door):
        one.matrix_world = FAR @ wider @ FAR.inverted() @ one.matrix_world
    bpy.context.view_layer.update()
    before = joint.matrix_world.col[0].to_3d().normalized()
    if fixed and "frame-sheared" in issues():
        (found,) = report_of("frame-sheared")
        assert "Take its scale out of it, then apply" in found.fix
        fix("frame-sheared")
    select(frame, door)
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    bpy.context.view_layer.update()
    angle = joint.matrix_world.col[0].to_3d().angle(before)
    assert angle < 1e-3 or (not fixed and "turned-since-joined" in issues())


@pytest.mark.parametrize("which", ["Frame", "Door"])
@pytest.mark.parametrize("place", [NEAR, FAR], ids=["near", "far"])
@pytest.mark.parametrize("how", ["moved", "turned"])
def test_a_mesh_that_was_moved_away_in_edit_mode_is_told(
    which: str, place: Matrix, how: str
) -> None:
    """Its joint is in the air then, though no object has moved."""
    frame, door, _ = hinged_door(place)
    step = Matrix.Translation((1.0, 0.0, 0.0))
    if how == "turned":
        step = Matrix.Rotation(1.5, 4, "Y")
    edited(frame if which == "Frame" else door, place @ step @ place.inverted())
    (found,) = report_of("moved-since-joined")
    assert found.message.startswith("Door and Frame were moved apart since they were joined: by")


@pytest.mark.parametrize("place", [NEAR, FAR], ids=["near", "far"])
@pytest.mark.parametrize("kind", ["HINGE", "PIN"])
def test_a_joint_that_was_moved_off_both_bodies_is_told_and_put_back(
    place: Matrix, kind: str
) -> None:
    """By 5 m across its axis."""
    _, _, joint = hinged_door(place, kind=kind)
    before = joint.matrix_world.copy()
    joint.matrix_world = Matrix.Translation(5.0 * place.to_3x3().col[0]) @ before
    bpy.context.view_layer.update()
    (found,) = report_of("off-since-joined")
    assert found.message.startswith("It was moved away from both of its bodies since")
    fix("off-since-joined")
    bpy.context.view_layer.update()
    assert numbers(joint.matrix_world) == pytest.approx(numbers(before), abs=1e-5)
    assert not TOLD & issues().keys()


@pytest.mark.parametrize("place", [NEAR, FAR], ids=["near", "far"])
@pytest.mark.parametrize(
    "how",
    ["turned", "moved", "along", "aimed", "bodies applied", "all turned", "opened", "anew", "part"],
)
def test_what_is_meant_is_told_of_nothing(place: Matrix, how: str) -> None:
    """Joints are turned and moved at their bodies on purpose, and bodies are applied alone."""
    frame, door, joint = hinged_door(place)
    world = joint.matrix_world.copy()
    if how == "turned":
        joint.matrix_world = world @ Matrix.Rotation(0.7, 4, "X")
    if how == "moved":
        joint.matrix_world = Matrix.Translation(place.to_3x3().col[0]) @ world
    if how == "along":
        joint.matrix_world = world @ Matrix.Translation((0.0, 5.0, 0.0))
    if how == "aimed":
        reaim(joint, -joint.matrix_world.inverted().to_3x3().row[1])
        for axis in range(3):
            reaim(joint, Matrix.Identity(3).col[axis])
            reaim(joint, -Matrix.Identity(3).col[axis])
            bpy.context.view_layer.update()
            assert not TOLD & issues().keys()
    if how == "bodies applied":
        apply(frame, door, location=True)
    if how == "all turned":
        for one in (frame, door):
            one.matrix_world = FAR @ one.matrix_world
    if how == "opened":
        turn = world @ Matrix.Rotation(1.2, 4, "Y") @ world.inverted()
        door.matrix_world = turn @ door.matrix_world
    if how == "anew":
        clear(joint, "rotation")
        select(joint.omi_physics_joint.connected_body, joint)
        press("omi_joint.connect")
    if how == "part":
        for vertex in door.data.vertices:
            vertex.co.x *= 3.0 if vertex.co.x > 0.0 else 1.0
    bpy.context.view_layer.update()
    assert not TOLD & issues().keys()


@pytest.mark.parametrize("what", ["rotation", "location"])
def test_a_weld_holds_wherever_it_is(what: str) -> None:
    """Its frame may be reset: nothing turns about it."""
    _, _, joint = hinged_door(FAR, kind="WELD")
    clear(joint, what)
    assert not TOLD & issues().keys()
