# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets: what the shipped ones say, and what applying one changes."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import cos, pi, sqrt
from pathlib import Path

import bpy
import pytest
from mathutils import Euler, Matrix, Vector
from scenes import (
    IDENTITY,
    box,
    door,
    issues,
    joined,
    numbers,
    relative,
    select,
    separated,
    slab,
    turn,
)

from omi_physics_joint.blender.bridge.read_settings import settings_from_block
from omi_physics_joint.blender.bridge.write import new_settings
from omi_physics_joint.blender.joints.conversions import swap_sides
from omi_physics_joint.blender.joints.editing import reaim
from omi_physics_joint.blender.presets.files import SUBDIR, read_preset
from omi_physics_joint.blender.registration import ROOT
from omi_physics_joint.gltf.document.members import Members, Place
from omi_physics_joint.gltf.shared.read_settings import read_settings
from omi_physics_joint.gltf.shared.spell_settings import spell_settings
from omi_physics_joint.model.geometry.axes import Y_UP_FROM_Z_UP, Z_UP_FROM_Y_UP
from omi_physics_joint.model.joint import JointSettings
from omi_physics_joint.model.settings.together import all_apart
from omi_physics_joint.model.wording.describe import sentence, sole_axis, special_name
from tests.model.building import same_joint

CORNERS = tuple(product((-1.0, 1.0), repeat=2))
SHIPPED = ROOT / "presets" / SUBDIR
ALL_TURNS = "turns freely in all directions"
SAYS = {
    "Ball and Socket": (
        "",
        "turns about X from -45° to 45°, turns about Y from -30° to 30°, "
        "turns about Z from -45° to 45°",
        None,
    ),
    "Door": ("Hinge", "turns from 0° to 90°", 1),
    "Door with Closer": ("Hinge", "turns from 0° to 90°, driven", 2),
    "Cone": ("", "turns freely about Y, leans in a cone of 45° about Y", None),
    "Cone Two Angles": (
        "",
        "turns about X from -20° to 20°, leans in a cone of 45° about Y",
        None,
    ),
    "Distance Joint": ("", f"slides 0.5 m to 1 m from the point, {ALL_TURNS}", None),
    "Drawer": ("Slider", "slides from 0 m to 0.4 m", 0),
    "Hinge": ("", "turns freely", 1),
    "Pin": ("Pin", "turns freely in all directions", None),
    "Rope": ("", f"slides within 1 m of the point, {ALL_TURNS}", None),
    "Rope Pin for Godot": ("Pin", "turns freely in all directions", None),
    "Slider": ("", "slides freely", 0),
    "Strut": ("", f"is held 1 m from the point, {ALL_TURNS}", None),
    "Suspension": ("Slider", "slides from -0.15 m to 0.15 m, driven", 0),
    "Weld": ("Weld", "holds everything", None),
    "Wheel Motor": ("", "turns freely, driven", 2),
}
"""Name of a shipped preset -> its special case, what it allows, and its one axis in Blender."""


TOGETHER = {"Cone", "Cone Two Angles", "Distance Joint", "Rope", "Strut"}
"""Presets with one bound on several axes."""


def path_of(name: str) -> str:
    """Return the file of a shipped preset."""
    return str(SHIPPED / f"{name.replace(' ', '_')}.json")


def apply(name: str) -> None:
    """Apply a shipped preset to what is selected."""
    assert bpy.ops.omi_joint.preset_apply(filepath=path_of(name)) == {"FINISHED"}


def settings_of(joint: bpy.types.Object) -> JointSettings:
    """Return what a joint allows and drives."""
    return settings_from_block(joint.omi_physics_joint.settings)


def world_axis(frame: bpy.types.Object, axis: int) -> Vector:
    """Return the direction of an axis of a frame in the world."""
    bpy.context.view_layer.update()
    return frame.matrix_world.col[axis].to_3d().normalized()


def two_doors() -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return two hinges that share one settings block."""
    frame, _, first = door()
    second = joined("HINGE", frame, box("Window", (-4.0, 0.0, 0.0)))
    second.omi_physics_joint.settings = first.omi_physics_joint.settings
    return first, second


def test_shipped_presets_are_found_by_blender() -> None:
    """Blender's own preset system lists exactly the presets that are tested here."""
    assert str(SHIPPED) in bpy.utils.preset_paths(SUBDIR)
    names = {bpy.path.display_name(path.name, title_case=False) for path in SHIPPED.glob("*.json")}
    assert names == SAYS.keys()


@pytest.mark.parametrize("name", SAYS)
def test_shipped_preset_says_what_its_name_says(name: str) -> None:
    """A shipped preset is read, and its joint is described as its name promises."""
    settings = read_preset(Path(path_of(name)))
    assert settings.name == name
    said = (special_name(settings), sentence(settings), sole_axis(settings))
    assert said == SAYS[name]


@pytest.mark.parametrize("name", SAYS)
def test_shipped_preset_survives_the_road(name: str) -> None:
    """A preset is the same joint after Blender's data, glTF's axes, JSON, and the way back."""
    settings = read_preset(Path(path_of(name)))
    assert settings_from_block(new_settings(settings)) == settings
    settings = replace(settings, limits=all_apart(settings.limits))  # OMI knows none together
    spelled = spell_settings(Y_UP_FROM_Z_UP.settings(settings))
    found: list[object] = []
    back = Z_UP_FROM_Y_UP.settings(read_settings(Members(spelled, Place(), found)))
    assert found == []
    assert same_joint(back, settings)


@pytest.mark.parametrize("name", SAYS)
def test_shipped_preset_passes_the_check(name: str) -> None:
    """A joint with a shipped preset has no error, and no warning but of what Godot cannot hold.

    What OMI cannot say is said, and that a strut is as long as its frames are apart, which here are
    in one place.
    """
    _, leaf, hinge = door()
    leaf.omi_physics_body.mass = 20.0
    select(hinge)
    apply(name)
    found = {code for code, severity in issues().items() if severity != "hint"}
    known = {"godot-several-turns", "godot-motor-damping", "godot-soft-limit", "godot-far-spring"}
    known |= {"limit-together", "godot-together"} if name in TOGETHER else set()
    known |= {"rest-outside-limits"} if name in {"Distance Joint", "Strut"} else set()
    assert found <= known


def test_rope_pin_is_soft() -> None:
    """The pin for Godot has the softness that the official examples carry."""
    (limit,) = read_preset(Path(path_of("Rope Pin for Godot"))).limits
    assert (limit.stiffness, limit.damping) == (0.5, 1.0)


def test_applying_shares_one_new_block_and_spares_the_rest() -> None:
    """Selected joints share one new block; an unselected joint keeps the one they shared."""
    first, second = two_doors()
    third = joined("PIN", bpy.data.objects["Frame"], box("Ball", (0.0, 5.0, 0.0)))
    old, before = second.omi_physics_joint.settings, settings_of(second)
    pose = numbers(second.matrix_world)
    select(third, first)
    apply("Drawer")
    new = first.omi_physics_joint.settings
    assert new == third.omi_physics_joint.settings != old
    assert (new.name, new.users) == ("Drawer", 2)
    assert second.omi_physics_joint.settings == old
    assert settings_of(second) == before
    assert numbers(second.matrix_world) == pose


def test_a_partner_stands_for_its_joint() -> None:
    """A preset on a selected partner goes to its joint."""
    _, _, hinge = door()
    select(separated(hinge))
    apply("Door with Closer")
    assert hinge.omi_physics_joint.settings.name == "Door with Closer"


def test_the_active_joint_is_meant_where_none_is_selected() -> None:
    """A preset goes to the joint whose properties are shown, and to it only if none is selected."""
    first, second = two_doors()
    select(first)
    first.select_set(False)
    apply("Weld")
    assert settings_of(first).name == "Weld"
    second.select_set(True)
    apply("Pin")
    assert (settings_of(first).name, settings_of(second).name) == ("Weld", "Pin")


def test_nothing_to_apply_to() -> None:
    """Without a joint the preset buttons are grey."""
    select(box("Alone"))
    assert not bpy.ops.omi_joint.preset_apply.poll()
    assert not bpy.ops.omi_joint.preset_overwrite.poll()


def test_linked_joints_do_not_change(tmp_path: Path) -> None:
    """A joint that is linked from another file is not touched."""
    _, _, hinge = door()
    file = tmp_path / "door.blend"
    bpy.data.libraries.write(str(file), {hinge})
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(file), link=True) as (_, target):
        target.objects = ["Door Hinge"]
    bpy.context.scene.collection.objects.link(target.objects[0])
    select(target.objects[0])
    assert not bpy.ops.omi_joint.preset_apply.poll()
    assert not bpy.ops.omi_joint.preset_overwrite.poll()


def test_one_undo_takes_a_preset_back() -> None:
    """One undo gives the old block and the old frames back."""
    _, _, hinge = door()
    pose = numbers(hinge.matrix_world)
    select(hinge)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.omi_joint.preset_apply("EXEC_DEFAULT", True, filepath=path_of("Wheel Motor"))
    assert numbers(bpy.data.objects["Door Hinge"].matrix_basis) != pytest.approx(pose)
    bpy.ops.ed.undo()
    hinge = bpy.data.objects["Door Hinge"]
    assert settings_of(hinge).name == "Hinge"
    assert numbers(hinge.matrix_world) == pytest.approx(pose)


@pytest.mark.parametrize(("name", "axis"), [("Door with Closer", 2), ("Slider", 0), ("Door", 1)])
def test_a_joint_keeps_its_axis(name: str, axis: int) -> None:
    """A door that gets a closer still turns about its hinges: the frames turn, not the line."""
    _, leaf, hinge = door()
    partner = separated(hinge)
    upright = [world_axis(frame, 1) for frame in (hinge, partner)]
    select(hinge)
    apply(name)
    for frame, direction in zip((hinge, partner), upright, strict=True):
        assert numbers(world_axis(frame, axis)) == pytest.approx(numbers(direction), abs=1e-6)
    assert numbers(relative(hinge)) == pytest.approx(IDENTITY, abs=1e-6)
    if name.startswith("Door"):
        turn(leaf, hinge.matrix_world.translation, "Z", pi / 6)
        x, y, z = relative(hinge).to_euler("XYZ")
        assert (x, y, z)[axis] == pytest.approx(pi / 6, abs=1e-5)


def test_a_preset_keeps_the_pose() -> None:
    """A door that stands ajar does so with a preset whose axis is another, by the same value."""
    _, _, hinge = door()
    hinge.omi_physics_pose.about_y = 0.4
    select(hinge)
    apply("Door with Closer")
    assert relative(hinge).to_euler("XYZ").z == pytest.approx(0.4, abs=1e-5)


def test_a_shared_partner_does_not_turn() -> None:
    """A frame that belongs to an unselected joint too stays, and this one gets one of its own."""
    first, second = two_doors()
    shared = second.omi_physics_joint.connected_node = separated(first)
    poses = {obj.name: numbers(obj.matrix_basis) for obj in bpy.data.objects if obj != first}
    line = world_axis(first, 1)
    select(first)
    apply("Door with Closer")
    bpy.context.view_layer.update()
    own = first.omi_physics_joint.connected_node
    assert own != shared == second.omi_physics_joint.connected_node
    assert {name: numbers(bpy.data.objects[name].matrix_basis) for name in poses} == poses
    for frame in (first, own):
        assert numbers(world_axis(frame, 2)) == pytest.approx(numbers(line), abs=1e-6)


def test_overwriting_changes_all_who_share_and_nobody_else() -> None:
    """Overwrite fills the block in place: its users change, its name and other blocks stay."""
    first, second = two_doors()
    third = joined("HINGE", bpy.data.objects["Frame"], box("Flap", (0.0, 5.0, 0.0)))
    block, other = first.omi_physics_joint.settings, settings_of(third)
    select(first)
    assert bpy.ops.omi_joint.preset_overwrite(filepath=path_of("Ball and Socket")) == {"FINISHED"}
    assert first.omi_physics_joint.settings == second.omi_physics_joint.settings == block
    assert block.name == "Hinge"
    expected = replace(read_preset(Path(path_of("Ball and Socket"))), name="Hinge")
    assert settings_from_block(block) == expected
    assert settings_of(third) == other
    select(first)
    assert bpy.ops.omi_joint.preset_overwrite(filepath=path_of("Door with Closer")) == {"FINISHED"}
    assert block.drives[0].axis == "2"
    for joint in (first, second):
        assert abs(world_axis(joint, 2).z) == pytest.approx(1.0)


def natural_frequency(joint: bpy.types.Object, load: float) -> tuple[float, float]:
    """Return the frequency in Hz and the damping ratio that a spring has with a load."""
    drive = settings_of(joint).drives[0]
    ratio = drive.damping / (2.0 * sqrt(drive.stiffness * load))
    return sqrt(drive.stiffness / load) / (2.0 * pi), ratio


@pytest.mark.parametrize("mass", [40.0, 1200.0])
def test_springs_of_a_car_bear_its_mass(mass: float) -> None:
    """Four suspensions in a star rock at 1.5 Hz, damped to 0.3, whatever the chassis weighs."""
    chassis = box("Chassis")
    hubs = [box(f"Hub {n}", (3.0 * x, 3.0 * y, 0.0)) for n, (x, y) in enumerate(CORNERS)]
    select(*hubs, chassis)
    bpy.ops.omi_joint.create(kind="SLIDER")
    chassis.omi_physics_body.mass = mass
    for hub in hubs:
        hub.omi_physics_body.mass = 1.0
    apply("Suspension")
    for joint in bpy.context.selected_objects:
        found = natural_frequency(joint, mass / 4.0)
        assert found == pytest.approx((1.5, 0.3), rel=0.02)


def test_a_wheel_motor_gets_no_word_of_our_own() -> None:
    """Fresh from its preset it keeps its speed, as motors of engines do."""
    hub = slab("Hub", (0.0, 0.0, 0.5), (0.2, 0.2, 0.2))
    bpy.ops.mesh.primitive_cylinder_add(
        vertices=24, radius=0.3, depth=0.2, location=(0.0, 0.2, 0.5), rotation=(pi / 2, 0, 0)
    )
    joined("HINGE", hub, bpy.context.object)
    apply("Wheel Motor")
    assert not issues().keys() - {"collider-scaled"}


def way_of(joint: bpy.types.Object) -> Vector:
    """Return the direction in the world along which a suspension slides."""
    return joint.matrix_world.col[0].to_3d().normalized()


@pytest.mark.parametrize("lean", [0.0, 0.3])
@pytest.mark.parametrize("overwrites", [False, True])
@pytest.mark.parametrize("kind", ["HINGE", "SLIDER", "WELD"])
@pytest.mark.parametrize("part", ["wheel", "knuckle"])
def test_a_suspension_bears_across_the_axle(
    part: str, kind: str, overwrites: bool, lean: float
) -> None:
    """Whatever joint a wheel or its knuckle had, and though the car leans, 20 m from the origin."""
    chassis = slab("Chassis", (0.0, 0.0, 0.0), (1.0, 1.0, 0.4))
    if part == "wheel":
        bpy.ops.mesh.primitive_cylinder_add(
            vertices=24, radius=0.3, depth=0.2, location=(0.0, 0.61, 0.0), rotation=(pi / 2, 0, 0)
        )
        moving = bpy.context.object
    else:
        moving = slab("Knuckle", (0.0, 0.61, 0.0), (0.2, 0.2, 0.2))
    way = Matrix.LocRotScale((20.0, -3.0, 1.0), Euler((lean, 0.0, 2.0)), None)
    for obj in (chassis, moving):
        obj.matrix_world = way @ obj.matrix_world
    axle = way.to_3x3() @ Vector((0.0, 1.0, 0.0))
    options = {} if kind == "WELD" else {"direction": "GLOBAL_X"}
    joint = joined(kind, chassis, moving, **options)
    if kind != "WELD":
        reaim(joint, axle)
        bpy.context.view_layer.update()
    select(joint)
    if overwrites:
        bpy.ops.omi_joint.preset_overwrite(filepath=path_of("Suspension"))
    else:
        apply("Suspension")
    bpy.context.view_layer.update()
    assert abs(way_of(joint).z) >= cos(lean) - 1e-5
    if part == "wheel" or kind != "WELD":
        assert way_of(joint).dot(axle) == pytest.approx(0.0, abs=1e-5)


def test_a_suspension_that_slopes_stays_as_it_was_aimed() -> None:
    """The fork of a motorcycle leans by 30 degrees, and slides along itself."""
    frame, hub = box("Frame"), box("Hub", (3.0, 0.0, 0.0))
    fork = joined("SLIDER", frame, hub)
    along = Vector((0.5, 0.0, 0.75**0.5))
    reaim(fork, along)
    bpy.context.view_layer.update()
    apply("Suspension")
    bpy.context.view_layer.update()
    assert abs(way_of(fork).dot(along)) == pytest.approx(1.0)


@pytest.mark.parametrize(("size", "holds"), [(0.1, "Leaf"), (1.0, "Frame"), (5.0, "Leaf")])
def test_a_closer_closes_doors_of_every_size_alike(size: float, holds: str) -> None:
    """Its spring is for the inertia of the door about the hinge, whichever body has the joint."""
    frame = slab("Frame", (-0.05 * size, 0.0, 0.0), (0.1 * size, 0.1 * size, 2.0 * size))
    leaf = slab("Leaf", (0.5 * size, 0.0, 0.0), (size, 0.05 * size, 2.0 * size))
    joint = joined("HINGE", frame, leaf)
    if joint.parent.name != holds:
        swap_sides(joint)
    assert joint.parent.name == holds
    apply("Door with Closer")
    mass = leaf.omi_physics_body.mass
    assert mass == pytest.approx(100.0 * size**3, rel=0.01)
    arm = (1.0 / 12.0 + 0.05**2 / 12.0 + 0.25) * size * size
    assert natural_frequency(joint, mass * arm) == pytest.approx((0.217, 1.02), rel=0.02)
