# SPDX-License-Identifier: GPL-3.0-or-later
"""What edits of several things at once, or of what others use, change or leave out, they say."""

from __future__ import annotations

from itertools import pairwise
from math import radians

import bpy
import pytest
from mathutils import Matrix
from scenes import box, door, issues, joined, select, slab

from omi_physics_joint.blender.bridge.read_settings import settings_of
from omi_physics_joint.model.wording.describe import kind

Said = pytest.CaptureFixture[str]


def drawer() -> bpy.types.Object:
    """Return a slider beside the door."""
    return joined("SLIDER", box("Cabinet", (9.0, 0.0, 0.0)), box("Drawer", (9.0, -2.0, 0.0)))


def test_limits_are_set_where_the_axis_moves(capfd: Said) -> None:
    """A drawer that is selected along with a door gets no angle; alone it is meant so."""
    slides, (_, _, hinge) = drawer(), door()
    select(slides, hinge)
    bpy.ops.omi_joint.set_limit(freedom="angular", axis="1", angle_min=0, angle_max=radians(110))
    assert kind(settings_of(slides)) == "Slider"
    assert (
        "Set the limits of 1 joint; left out, held there: Drawer Slider" in capfd.readouterr().out
    )
    select(slides)
    bpy.ops.omi_joint.set_limit(freedom="angular", axis="1", angle_min=0, angle_max=radians(110))
    assert kind(settings_of(slides)) != "Slider"
    assert "Set the limits of 1 joint; that axis was held before" in capfd.readouterr().out


@pytest.mark.parametrize("drive", ["SPRING", "MOTOR", "SERVO"])
def test_a_drive_that_a_type_cannot_keep_is_told(drive: str, capfd: Said) -> None:
    """Newtons are no newton meters, so a slider starts without what drove the hinge."""
    _, _, hinge = door()
    bpy.ops.omi_joint.change_drive(kind=drive)
    bpy.ops.omi_joint.change_type(kind="HINGE")
    assert "without" not in capfd.readouterr().out
    bpy.ops.omi_joint.change_type(kind="SLIDER")
    assert settings_of(hinge).drives == ()
    assert f"of type Slider along Z now, without {drive.lower()}" in capfd.readouterr().out


def test_a_drive_of_shared_settings_says_who_changes_too(capfd: Said) -> None:
    """Duplicates share settings until one of them has its own."""
    frame, leaf, hinge = door()
    select(frame, leaf, hinge)
    bpy.ops.object.duplicate()
    select(hinge)
    bpy.ops.omi_joint.change_drive(kind="SERVO")
    assert "Settings are shared: 1 other joint changed too" in capfd.readouterr().out
    hinge.omi_physics_joint.settings = hinge.omi_physics_joint.settings.copy()
    bpy.ops.omi_joint.change_drive(kind="SPRING")
    assert "shared" not in capfd.readouterr().out


def test_what_no_joint_holds_any_more_is_told(capfd: Said) -> None:
    """Of two joints the first may go without a word, and what stands needs none."""
    frame, leaf, hinge = door()
    weld = joined("WELD", frame, leaf)
    select(weld)
    bpy.ops.omi_joint.remove()
    assert "loose" not in capfd.readouterr().out
    select(hinge)
    bpy.ops.omi_joint.remove()
    assert "Removed 1 joint; loose now: Door" in capfd.readouterr().out


@pytest.mark.parametrize("entered", [False, True])
@pytest.mark.parametrize("shape", ["box", "cylinder", "convex"])
def test_a_copied_body_fits_its_own_object(shape: str, *, entered: bool, capfd: Said) -> None:
    """What fits its mesh, and weighs what that holds, does so of others; what was typed stays."""
    bridge, lid = slab("Bridge", (0.0, 0.0, 0.0), (4.0, 2.0, 0.2)), box("Lid", (9.0, 0.0, 0.0))
    lid.data.transform(lid.matrix_world.Diagonal((0.5, 0.25, 0.125, 1.0)))
    lid.scale = (0.5, 0.5, 0.5)
    select(bridge)
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    bpy.ops.omi_joint.body_add(type="dynamic")
    body, own = bridge.omi_physics_body, lid.omi_physics_body
    body.collider.shape.type = shape
    if entered:
        body.mass, body.collider.shape.size = 7.0, (3.0, 1.0, 0.5)
    select(lid, bridge)
    assert bpy.ops.omi_joint.body_copy() == {"FINISHED"}
    if shape != "convex":
        size = (3.0, 1.0, 0.5) if entered else (1.0, 0.5, 0.25)
        assert tuple(own.collider.shape.size) == pytest.approx(size)
    if entered:
        assert own.mass == 7.0
    elif shape != "cylinder":  # which was weighed as the hull that it was
        assert own.mass == pytest.approx(1000.0 * 0.5 * 0.25 * 0.125, rel=0.01)
    said = "1 weighed anew as dense" in capfd.readouterr().out
    assert said is not entered


@pytest.mark.parametrize(
    ("location", "rotation", "joins", "is_said"),
    [
        ((True, True, False), (True, True, True), False, True),
        ((False, False, False), (False, False, True), False, True),
        ((True, True, True), (True, True, True), False, False),
        ((True, True, False), (True, True, True), True, False),
        ((False, False, False), (False, False, False), False, False),
    ],
)
def test_locks_of_a_loose_body_are_told_to_hold_nothing(
    location: tuple[bool, ...], rotation: tuple[bool, ...], *, joins: bool, is_said: bool
) -> None:
    """Those of what is joined, and of all at once, are there against the mouse."""
    cabin, post = box("Cabin"), box("Post", (2.0, 0.0, 0.0))
    select(cabin)
    bpy.ops.omi_joint.body_add(type="dynamic")
    if joins:
        joined("SLIDER", post, cabin)
    cabin.lock_location, cabin.lock_rotation = location, rotation
    assert ("locks-hold-nothing" in issues()) is is_said


def test_a_sheet_that_moves_is_told_to_have_no_thickness() -> None:
    """What stands may be a sheet, and a box has a thickness of its own."""
    bpy.ops.mesh.primitive_plane_add()
    flap = bpy.context.object
    for kind_of, is_said in (("static", False), ("dynamic", True)):
        bpy.ops.omi_joint.body_add(type=kind_of)
        assert ("mesh-flat" in issues()) is is_said
    flap.modifiers.new("S", "SOLIDIFY").thickness = 0.1
    assert "mesh-flat" not in issues()
    flap.modifiers.clear()
    shape = flap.omi_physics_body.collider.shape
    shape.type = "box"
    assert "mesh-flat" not in issues()
    shape.type, shape.mesh = "convex", box("Hull").data
    assert "mesh-flat" not in issues()  # as a hull of another mesh is what is solid
    flap.data, shape.mesh = shape.mesh, flap.data
    assert "mesh-flat" in issues()


@pytest.mark.parametrize("is_real", [False, True])
def test_a_shape_that_nodes_draw_as_instances_is_told(*, is_real: bool) -> None:
    """Play and files have no mesh of it then; realized ones are one."""
    group = bpy.data.node_groups.new("Group", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    kinds = ("InstanceOnPoints", *(["RealizeInstances"] if is_real else []))
    start, *made, end = (
        group.nodes.new(one)
        for one in ("NodeGroupInput", *(f"GeometryNode{kind}" for kind in kinds), "NodeGroupOutput")
    )
    cube = group.nodes.new("GeometryNodeMeshCube")
    group.links.new(cube.outputs[0], made[0].inputs["Instance"])
    for one, other in pairwise((start, *made, end)):
        group.links.new(one.outputs[0], other.inputs[0])
    for motion in ("dynamic", "static"):
        curtain = box("Curtain")
        curtain.modifiers.new("Nodes", "NODES").node_group = group
        select(curtain)
        bpy.ops.omi_joint.body_add(type=motion)
        assert ("mesh-flat" in issues()) is not is_real
        bpy.data.objects.remove(curtain)


@pytest.mark.parametrize(("pull", "is_said"), [(9.81, True), (-9.81, False), (0.0, False)])
def test_gravity_that_points_up_is_told(pull: float, *, is_said: bool) -> None:
    """As one that was typed without its minus; none is meant so."""
    door()
    bpy.context.scene.gravity = (0.0, 0.0, pull)
    assert ("gravity-up" in issues()) is is_said
    bpy.context.scene.use_gravity = False
    assert "gravity-up" not in issues()


def test_parts_of_an_asset_that_stay_behind_are_told() -> None:
    """Glass and handle below the empty of a door; not what holds it, the room, or a cutter."""
    panel = slab("Panel", (0.0, 0.0, 1.0), (1.0, 0.05, 2.0))
    frame = slab("The Frame", (-0.55, 0.0, 1.0), (0.1, 0.2, 2.0))
    parts = {
        "Handle": slab("Handle", (0.4, -0.06, 1.0), (0.1, 0.08, 0.03)),
        "Knuckle": slab("Knuckle", (-0.5, -0.03, 0.5), (0.04, 0.04, 0.1)),
        "Room": slab("Room", (4.8, 0.0, 0.0), (9.0, 9.0, 0.1)),
        "Vase": slab("Vase", (3.0, 0.0, 1.0), (0.2, 0.2, 0.4)),
        "Cutter": slab("Cutter", (0.2, 0.0, 1.5), (0.2, 0.2, 0.2)),
    }
    parts["Cutter"].display_type = "WIRE"
    bpy.ops.object.empty_add()
    root = bpy.context.object
    for part in (panel, *parts.values()):
        part.parent = root
    joined("HINGE", frame, panel)
    issues()
    found = bpy.context.window_manager.omi_physics_joint.issues
    said = [issue.object_name for issue in found if issue.code == "part-of-no-body"]
    assert said == ["Handle"]
    parts["Handle"].parent = panel
    parts["Handle"].matrix_parent_inverse = panel.matrix_world.inverted()
    assert "part-of-no-body" not in issues()


@pytest.mark.parametrize("turn", [0.0, 0.8, 2.5])
def test_parts_that_nobody_parented_are_told(turn: float) -> None:
    """A knob and a pane that were modelled onto a door; not mat, ground, table or what is near."""
    frame = slab("The Frame", (-0.55, 0.0, 1.0), (0.1, 0.2, 2.0))
    panel = slab("Panel", (0.0, 0.0, 1.0), (1.0, 0.05, 2.0))
    parts = [
        panel,
        frame,
        slab("Knob", (0.4, -0.06, 1.0), (0.1, 0.08, 0.03)),
        slab("Pane", (0.0, 0.0, 1.5), (0.5, 0.01, 0.5)),
        slab("Mat", (0.0, -0.1, -0.005), (0.8, 0.5, 0.01)),
        slab("Ground", (0.0, 0.0, -0.1), (9.0, 9.0, 0.2)),
        slab("Hook", (-0.5, -0.04, 1.0), (0.1, 0.04, 0.04)),
        slab("Plant", (0.0, -0.5, 0.6), (0.3, 0.3, 0.6)),
    ]
    for part in parts:
        way = Matrix.Rotation(turn, 4, "Z")
        part.matrix_world = Matrix.Translation((20.0, 5.0, 0.0)) @ way @ part.matrix_world
    joined("HINGE", frame, panel)
    issues()
    found = bpy.context.window_manager.omi_physics_joint.issues
    said = [issue.object_name for issue in found if issue.code == "part-of-no-body"]
    assert sorted(said) == ["Knob", "Pane"]


def test_who_animates_a_body_from_above_is_named() -> None:
    """A door in a lift that an empty moves is not itself animated."""
    frame, leaf, _ = door()
    bpy.ops.object.empty_add()
    lift = bpy.context.object
    lift.name = "Lift"
    for part in (frame, leaf):
        part.parent = lift
    lift.keyframe_insert("location", frame=1)
    for code in ("dynamic-animated", "static-animated"):
        assert code in issues()
    found = bpy.context.window_manager.omi_physics_joint.issues
    fixes = {issue.code: issue.fix for issue in found}
    assert all(
        "goes along with 'Lift' above it: clear its parent" in fixes[code]
        for code in ("dynamic-animated", "static-animated")
    )
    lift.animation_data_clear()
    leaf.keyframe_insert("location", frame=1)
    issues()
    assert "above" not in next(i.fix for i in found if i.code == "dynamic-animated")


@pytest.mark.parametrize(
    ("kind", "strength", "is_said"),
    [("WIND", 1.0, True), ("FORCE", -2.0, True), ("WIND", 0.0, False), ("GUIDE", 1.0, False)],
)
def test_wind_that_blows_at_no_body_is_told(kind: str, strength: float, *, is_said: bool) -> None:
    """Force fields move cloth and hair; where there is no body they are nobody's fault."""
    bpy.ops.object.effector_add(type=kind)
    bpy.context.object.field.strength = strength
    assert "force-field" not in issues()
    door()
    assert ("force-field" in issues()) is is_said


@pytest.mark.parametrize(("old", "new"), [(100, 100), (100, 200), (50, 100), (50, 50)])
def test_time_that_is_stretched_is_told(old: int, new: int) -> None:
    """Blender's keys go slower then, and what is simulated does not, until it is keys too."""
    bpy.context.scene.render.frame_map_old, bpy.context.scene.render.frame_map_new = old, new
    assert "time-stretched" not in issues()
    door()
    assert ("time-stretched" in issues()) is (old != new)


@pytest.mark.parametrize("motion", ["dynamic", "kinematic"])
@pytest.mark.parametrize("kind", ["TRANSFORMS", "SINGLE_PROP"])
def test_a_driver_that_reads_what_forces_move_is_told(motion: str, kind: str) -> None:
    """While that plays a driver sees it at rest; properties and what keys move it follows."""
    _, leaf, hinge = door()
    bpy.ops.omi_joint.change_drive(kind="SERVO")
    leaf.omi_physics_body.type = motion
    path = "drives[0].angular_position_target"
    driver = hinge.omi_physics_joint.settings.driver_add(path).driver
    variable = driver.variables.new()
    variable.type = kind
    variable.targets[0].id = leaf
    variable.targets[0].data_path = "location[0]"
    driver.expression = variable.name
    bpy.context.view_layer.update()
    is_told = (motion, kind) == ("dynamic", "TRANSFORMS")
    assert ("driver-not-run" in issues()) is is_told
