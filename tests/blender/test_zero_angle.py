# SPDX-License-Identifier: GPL-3.0-or-later
"""A hinge counts from the body that moves: 0° is drawn along it, and 90° where it swings to."""

from __future__ import annotations

from itertools import product
from math import pi, radians

import bpy
import pytest
from mathutils import Euler, Matrix, Vector

from examples.gallery import use_preset
from omi_physics_joint.blender.bridge.placed import plain
from omi_physics_joint.blender.handles.places import placed_handles
from omi_physics_joint.drawing.mouse.handles import Part
from omi_physics_joint.model.geometry.frames import SHEAR_TOLERANCE, linear_part, shear_of
from tests.blender.anyhow import moved
from tests.redo import press
from tests.scenes import box, select, slab

AXES = {"GLOBAL_X": (1.0, 0.0, 0.0), "GLOBAL_Y": (0.0, 1.0, 0.0), "GLOBAL_Z": (0.0, 0.0, 1.0)}
WAYS = [tuple(sign * float(i == axis) for i in range(3)) for axis in range(3) for sign in (1, -1)]


def ends(joint: bpy.types.Object) -> dict[Part, Vector]:
    """Return the directions from a joint to the handles of its range."""
    bpy.context.view_layer.update()
    places = placed_handles(joint, frame=False)
    origin = joint.matrix_world.translation
    return {one.handle.part: (one.point - origin).normalized() for one in places}


def post_and_arm(way: Vector, standing: str) -> None:
    """Select a post, and an arm that points away from it."""
    post = slab("Post", (0.0, 0.0, 0.0), (0.1, 0.1, 0.1))
    arm = slab("Arm", tuple(0.6 * way), tuple(0.1 + 0.9 * abs(part) for part in way))
    bpy.context.scene.cursor.location = 0.05 * way
    for obj, motion in ((post, standing), (arm, "dynamic")):
        select(obj)
        bpy.ops.omi_joint.body_add(type=motion)
    select(post, arm)


@pytest.mark.parametrize("standing", ["static", "dynamic"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("axis", AXES)
def test_arc_begins_at_the_moving_body(axis: str, way: tuple[float, ...], standing: str) -> None:
    """Made, aimed anew, flipped, swapped or made of a slider: the arc begins along the arm."""
    along, into = Vector(AXES[axis]), Vector(way)
    if abs(along.dot(into)) > 0.5:
        return  # the arm turns about itself
    swung = Matrix.Rotation(pi / 2, 3, along) @ into
    post_and_arm(into, standing)
    other = "GLOBAL_X" if axis != "GLOBAL_X" else "GLOBAL_Y"
    press("omi_joint.create", kind="HINGE", direction=axis, place="CURSOR", use_range=True)
    found = [ends(bpy.context.object)]
    bpy.ops.omi_joint.reaim(direction=other)
    bpy.context.view_layer.update()
    bpy.ops.omi_joint.reaim(direction=axis)
    found.append(ends(bpy.context.object))
    bpy.ops.omi_joint.swap_sides()
    swapped = ends(bpy.context.object)
    assert list(swapped[Part.MIN]) == pytest.approx(list(into), abs=1e-5)
    if standing == "static":  # else the post is seen to swing, seen from the arm
        found.append(swapped)
    bpy.ops.omi_joint.swap_sides()
    bpy.context.view_layer.update()
    bpy.ops.omi_joint.change_type(kind="SLIDER", keep_range=False)
    bpy.context.view_layer.update()
    bpy.ops.omi_joint.change_type(kind="HINGE", keep_range=False)
    found.append(ends(bpy.context.object))
    for one in found:
        assert list(one[Part.MIN]) == pytest.approx(list(into), abs=1e-5)
        assert list(one[Part.MAX]) == pytest.approx(list(swung), abs=1e-5)
    bpy.ops.omi_joint.flip()
    flipped = ends(bpy.context.object)
    assert list(flipped[Part.MIN]) == pytest.approx(list(into), abs=1e-5)
    assert list(flipped[Part.MAX]) == pytest.approx(list(-swung), abs=1e-5)


@pytest.mark.parametrize("degrees", [30.0, -50.0, 135.0, 181.0])
def test_arc_begins_at_a_body_that_stands_aslant(degrees: float) -> None:
    """Where the arm is turned, so is the arc."""
    way = Matrix.Rotation(radians(degrees), 3, "Z") @ Vector((1.0, 0.0, 0.0))
    post = slab("Post", (0.0, 0.0, 0.0), (0.1, 0.1, 0.1))
    arm = slab("Arm", tuple(0.6 * way), (1.0, 0.1, 0.1))
    arm.rotation_euler.z = radians(degrees)
    bpy.context.view_layer.update()
    select(post, arm)
    press("omi_joint.create", kind="HINGE", place="OTHER")
    assert list(ends(bpy.context.object)[Part.MIN]) == pytest.approx(list(way), abs=1e-5)


@pytest.mark.parametrize("standing", ["static", "dynamic"])
@pytest.mark.parametrize(
    ("kind", "axis"),
    [("WELD", "GLOBAL_Z"), *product(("PIN", "HINGE", "SLIDER"), ("LOCAL_X", "LOCAL_Y", "LOCAL_Z"))],
)
def test_no_scale_of_its_body_shears_a_frame(kind: str, axis: str, standing: str) -> None:
    """However both are turned: made in its middle or beside it, aimed anew, of another kind."""
    settings = {"aim" if kind == "PIN" else "direction": axis}
    for place in ("ACTIVE", "NEAREST"):
        post, arm = (
            box(name, (2.0 * at, 0.0, 0.3 * at)) for at, name in enumerate(("Post", "Arm"))
        )
        moved(post, arm)
        for obj, motion in ((post, standing), (arm, "dynamic")):
            select(obj)
            bpy.ops.omi_joint.body_add(type=motion)
        select(post, arm)
        press("omi_joint.create", kind=kind, place=place, **settings)
        joint = bpy.context.object
        for another in ("", "SLIDER", "HINGE"):
            if another:
                bpy.ops.omi_joint.change_type(kind=another, keep_range=False)
            for turned in (False, True):
                if turned and (another or kind != "WELD"):
                    bpy.ops.omi_joint.reaim(direction="LOCAL_Y")
                joint.parent.scale = (1.4, 0.6, 2.0)
                bpy.context.view_layer.update()
                assert shear_of(linear_part(plain(joint.matrix_world))) < SHEAR_TOLERANCE
                joint.parent.scale = (1.0, 1.0, 1.0)
                bpy.context.view_layer.update()


def test_flipped_and_changed_joints_have_round_numbers() -> None:
    """Flip, Swap Sides and Change Type leave no 0.000005° and no -180°, as New leaves none."""
    select(
        slab("Frame", (0.0, 0.0, 1.0), (0.1, 0.1, 2.0)),
        slab("Door", (0.5, 0.0, 1.0), (0.8, 0.1, 2.0)),
    )
    press("omi_joint.create", kind="HINGE", direction="GLOBAL_X", place="MIDDLE")
    changes = [
        ("flip", {}),
        ("change_type", {"kind": "SLIDER"}),
        ("flip", {}),
        ("swap_sides", {}),
        ("change_type", {"kind": "HINGE"}),
        ("flip", {}),
        ("reaim", {"direction": "GLOBAL_Y"}),
        ("flip", {}),
        ("swap_sides", {}),
        ("change_type", {"kind": "PIN"}),
        ("change_type", {"kind": "SLIDER"}),
    ]
    for name, options in changes:
        assert getattr(bpy.ops.omi_joint, name)(**options) == {"FINISHED"}
        bpy.context.view_layer.update()
        joint = bpy.context.object
        degrees = [value * 180.0 / pi for value in joint.rotation_euler]
        for value in (*joint.location, *degrees):
            assert value == 0.0 or abs(value) > 1e-3, (name, list(joint.location), degrees)
            assert str(value) != "-0.0"
        for value in degrees:
            assert abs(value - round(value)) < 1e-5, (name, degrees)
            assert value > -179.99, (name, degrees)


@pytest.mark.parametrize("preset", ["Door", "Door_with_Closer"])
@pytest.mark.parametrize("way", [way for way in WAYS if not way[2]])
def test_presets_count_from_where_the_hinge_did(preset: str, way: tuple[float, ...]) -> None:
    """A preset that turns about another axis of the frame begins its arc where the hinge did."""
    post_and_arm(Vector(way), "static")
    press("omi_joint.create", kind="HINGE", direction="GLOBAL_Z", place="CURSOR")
    use_preset(preset)
    assert list(ends(bpy.context.object)[Part.MIN]) == pytest.approx(list(way), abs=1e-5)
    for kind in ("SLIDER", "HINGE"):
        bpy.ops.omi_joint.change_type(kind=kind)
    assert list(ends(bpy.context.object)[Part.MIN]) == pytest.approx(list(way), abs=1e-5)


def test_an_axis_that_is_found_is_that_of_the_body() -> None:
    """It is read off meshes in single precision, and yet no scale of the lid shears its hinge."""
    for turn in (0.7, 2.0, 4.0):
        rim = slab("Rim", (-0.55, 0.0, 1.0), (0.1, 0.9, 0.2))
        lid = slab("Lid", (0.0, 0.0, 1.0), (1.0, 0.8, 0.04))
        moved(rim, lid, turn=Euler((0.0, 0.0, turn)))
        select(rim, lid)
        press("omi_joint.create", kind="HINGE")
        joint = bpy.context.object
        lid.scale = (1.0, 0.5, 1.0)
        bpy.context.view_layer.update()
        assert shear_of(linear_part(plain(joint.matrix_world))) < SHEAR_TOLERANCE
