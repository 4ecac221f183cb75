# SPDX-License-Identifier: GPL-3.0-or-later
"""Quantities are said and read in the units of the scene, wherever they stand."""

from __future__ import annotations

import re
from math import radians

import bpy
import pytest
from mathutils import Vector
from scenes import box, joined, separated

from omi_physics_joint.blender.bridge.read_settings import limit_from_item, settings_from_block
from omi_physics_joint.blender.check.diagnosis import diagnose_scene
from omi_physics_joint.blender.data.units import after_key, said, sayer, unit_length, value_of
from omi_physics_joint.blender.handles.places import label_with_value, placed_handles
from omi_physics_joint.blender.interface.words import limit_row
from omi_physics_joint.blender.joints.parts import ranged_limit
from omi_physics_joint.blender.posing.operators import Drag
from omi_physics_joint.blender.posing.session import session_for
from omi_physics_joint.model.joint import Freedom
from omi_physics_joint.model.wording.describe import sentence

LENGTH, ANGLE = Freedom.LINEAR, Freedom.ANGULAR
UNITS = [
    ("METRIC", "METERS", 1.0, 0.25, "0.25 m"),
    ("METRIC", "ADAPTIVE", 1.0, 0.25, "25 cm"),
    ("METRIC", "CENTIMETERS", 1.0, 0.25, "25 cm"),
    ("METRIC", "CENTIMETERS", 0.01, 0.25, "0.25 cm"),
    ("METRIC", "METERS", 0.01, 0.25, "0.0025 m"),
    ("IMPERIAL", "FEET", 1.0, 0.25, "0.8202'"),
    ("IMPERIAL", "INCHES", 1.0, 0.254, '10"'),
    ("NONE", None, 1.0, 0.25, "0.25"),
]


def use(system: str, unit: str | None, scale: float) -> bpy.types.Scene:
    """Give the scene a system of units."""
    scene = bpy.context.scene
    scene.unit_settings.system, scene.unit_settings.scale_length = system, scale
    if unit:
        scene.unit_settings.length_unit = unit
    return scene


@pytest.mark.parametrize(("system", "unit", "scale", "value", "text"), UNITS)
def test_lengths_are_said_as_fields_show_them(
    system: str, unit: str | None, scale: float, value: float, text: str
) -> None:
    """What is said, typed again, is the same length; so is its bare number, in the unit shown."""
    scene = use(system, unit, scale)
    assert said(value, LENGTH, scene) == text
    assert value_of(text, LENGTH, scene) == pytest.approx(value, rel=1e-4)
    if unit != "ADAPTIVE":
        bare = re.match(r"[\d.]+", text)[0]
        assert value_of(bare, LENGTH, scene) == pytest.approx(value, rel=1e-4)
        assert unit_length(scene) == pytest.approx(value / float(bare), rel=1e-4)


@pytest.mark.parametrize(
    ("degrees", "text"),
    [(90.0, "90°"), (11095.0, "11095°"), (33.33333, "33.33°"), (-1e-9, "0°"), (-12.5, "-12.5°")],
)
def test_angles_are_said_in_full(degrees: float, text: str) -> None:
    """No angle has a power of ten in it, or the noise of single precision."""
    assert said(radians(degrees), ANGLE, bpy.context.scene) == text


def test_angles_follow_the_scene_too() -> None:
    """In radians they are said and read as radians."""
    scene = bpy.context.scene
    scene.unit_settings.system_rotation = "RADIANS"
    assert said(0.5, ANGLE, scene) == "0.5 rad"
    assert value_of("0.5", ANGLE, scene) == 0.5
    assert value_of("90d/2", ANGLE, scene) == pytest.approx(radians(45.0))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2ft+3cm", 0.6396),
        ("90/4", 22.5),
        ("-1,5", -1.5),
        (".5", 0.5),
        ("2*(1+0.5)", 3.0),
        ("1m+5mm", 1.005),
        ("3'6\"", 1.0668),
        ("25 cm", 0.25),
        ("-(2m)", -2.0),
    ],
)
def test_sums_of_units_can_be_typed(text: str, expected: float) -> None:
    """Numbers, sums and products, with a comma or a point, in any unit of length."""
    scene = use("METRIC", "METERS", 1.0)
    assert value_of(text, LENGTH, scene) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("45", 45.0), ("45°", 45.0), ("90/4", 22.5), ("0.5r", 28.6479), ("1 rad", 57.2958)],
)
def test_angles_are_typed_in_degrees(text: str, expected: float) -> None:
    """Unless they say otherwise."""
    value = value_of(text, ANGLE, bpy.context.scene)
    assert value == pytest.approx(radians(expected), rel=1e-5)


@pytest.mark.parametrize(
    "text",
    ["", " ", "-", "1+", "abc", "5x", "1/0", "(2", "2**9", "1e999", "4 5", "(exit())", "abs(2)"],
)
def test_what_is_no_number_is_none(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Unfinished and nonsense texts have no value, run nothing, and print nothing."""
    assert value_of(text, LENGTH, use("METRIC", "METERS", 1.0)) is None
    assert capfd.readouterr() == ("", "")


def test_typing_begins_with_a_digit_and_goes_on_with_units() -> None:
    """Letters are shortcuts until a number has begun; other keys never count."""
    assert after_key("", "4") == "4"
    assert after_key("", "-") == "-"
    assert after_key("", "x") is None
    assert after_key("4", "C") == "4c"
    assert after_key("4", "") is None
    assert after_key("4", "\x1a") is None
    assert after_key("4" * 40, "4") is None


@pytest.mark.parametrize("text", [",5", ".5", "-1,5", "(2+3)*4", "7/4", "2ft+3cm", "45\xb0"])
def test_what_is_read_can_be_typed(text: str) -> None:
    """Key by key, each way to begin a number, and every sign in it."""
    assert value_of(text, ANGLE if "\xb0" in text else LENGTH, bpy.context.scene)
    typed: str | None = ""
    for key in text:
        typed = after_key(typed or "", key)
        assert typed is not None, key
    assert typed == text


@pytest.fixture
def drawer() -> bpy.types.Object:
    """A slider that goes from 0 to 0.5 of Blender's units, and stands at -1."""
    joint = joined("SLIDER", box("Cupboard"), box("Drawer", (1.0, 0.0, 0.0)))
    item = ranged_limit(joint.omi_physics_joint.settings)
    item.use_min, item.use_max, item.linear_min, item.linear_max = True, True, 0.0, 0.5
    bpy.context.view_layer.objects.active = joint
    return joint


@pytest.mark.parametrize(
    ("system", "unit", "scale", "text"),
    [
        ("METRIC", "METERS", 1.0, "0.5 m"),
        ("METRIC", "CENTIMETERS", 0.01, "0.5 cm"),
        ("IMPERIAL", "FEET", 1.0, "1.64'"),
    ],
)
def test_all_that_is_said_of_a_joint_is_in_the_units_of_the_scene(
    drawer: bpy.types.Object, system: str, unit: str, scale: float, text: str
) -> None:
    """Sentence, row of the list, handle, pose and Check say the same length as the field."""
    scene = use(system, unit, scale)
    block = drawer.omi_physics_joint.settings
    zero = said(0.0, LENGTH, scene)
    assert sentence(settings_from_block(block), sayer(scene)) == f"slides from {zero} to {text}"
    row = limit_row(limit_from_item(ranged_limit(block)), sayer(scene), 0)
    assert row == f"Slide: {zero} to {text}"
    handle = next(one.handle for one in placed_handles(drawer) if one.handle.part == "max")
    assert label_with_value(handle, scene) == f"Maximum: {said(0.5, LENGTH, scene, 5)}"
    separated(drawer)
    drawer.matrix_world.translation.x += 0.5
    bpy.context.view_layer.update()
    (apart,) = [x.message for x in diagnose_scene(scene)[0] if x.code == "frames-apart"]
    assert f" {text} apart" in apart


def test_a_pose_is_told_in_the_units_of_the_scene(drawer: bpy.types.Object) -> None:
    """The header while a body is dragged, which snaps to the steps of the unit that is shown."""
    use("METRIC", "CENTIMETERS", 1.0)
    body = bpy.data.objects["Drawer"]
    drag = Drag(session_for(body, bpy.context), body, Vector((1.0, 0.0, 0.0)), 0.01)
    drag.move(Vector((1.123, 0.0, 0.0)), snap=True)
    assert drag.story == "Drawer Slider: slide 12 cm"
    drag.cancel()
