# SPDX-License-Identifier: GPL-3.0-or-later
"""Weld, Pin, Hinge and Slider from selected objects."""

from __future__ import annotations

from math import pi
from pathlib import Path

import bpy
import pytest
from mathutils import Matrix, Vector
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
from omi_physics_joint.blender.joints.authoring import make_bodies
from omi_physics_joint.model.wording.describe import special_name


@pytest.mark.parametrize("kind", ["WELD", "PIN", "HINGE", "SLIDER"])
def test_button_makes_two_coincident_frames_and_bodies(kind: str) -> None:
    """Each button makes one object of that name, which joins two bodies."""
    still, moving = box("Still"), box("Moving", (3.0, 0.0, 0.0))
    joint = joined(kind, still, moving)
    data = joint.omi_physics_joint
    assert special_name(settings_from_block(data.settings)) == kind.title()
    assert numbers(relative(joint)) == pytest.approx(IDENTITY, abs=1e-6)
    assert still.omi_physics_body.type == "static"
    assert moving.omi_physics_body.type == "dynamic"
    assert joint.parent == moving, "the joint belongs under the dynamic body"
    assert (data.connected_body, data.connected_node) == (still, None)
    assert set(bpy.data.objects) == {still, moving, joint}, "one joint is one object"
    assert "error" not in issues().values()


@pytest.mark.parametrize("other", ["static", "kinematic", "dynamic"])
@pytest.mark.parametrize("axis", ["X", "Y", "Z"])
def test_hinge_opens_the_intended_way(other: str, axis: str) -> None:
    """Turning the active body counter-clockwise about the chosen axis raises the joint's value."""
    still, moving = box("Still"), box("Moving", (3.0, 0.0, 0.0))
    joint = joined(
        "HINGE",
        still,
        moving,
        direction=f"GLOBAL_{axis}",
        other_motion=other,
        use_range=True,
    )
    separated(joint)
    turn(moving, joint.matrix_world.translation, axis, pi / 6)
    euler = relative(joint).to_euler()
    assert euler.y == pytest.approx(pi / 6, abs=1e-5)
    assert (euler.x, euler.z) == pytest.approx((0.0, 0.0), abs=1e-5)
    limit = joint.omi_physics_joint.settings.limits[2]
    assert limit.angular_min <= euler.y <= limit.angular_max


@pytest.mark.parametrize("other", ["static", "dynamic"])
@pytest.mark.parametrize("axis", ["X", "Y", "Z"])
def test_slider_slides_the_intended_way(other: str, axis: str) -> None:
    """Moving the active body along the chosen axis raises the joint's value."""
    still, moving = box("Still"), box("Moving", (3.0, 0.0, 0.0))
    joint = joined("SLIDER", still, moving, direction=f"GLOBAL_{axis}", other_motion=other)
    separated(joint)
    moving.location += Vector([0.25 * (name == axis) for name in "XYZ"])
    assert list(relative(joint).translation) == pytest.approx([0.25, 0.0, 0.0], abs=1e-6)


def test_existing_bodies_keep_their_motion() -> None:
    """A button never changes the motion of what is a body already."""
    still, moving = box("Still"), box("Moving", (3.0, 0.0, 0.0))
    still.omi_physics_body.is_body = moving.omi_physics_body.is_body = True
    still.omi_physics_body.type, moving.omi_physics_body.type = "dynamic", "kinematic"
    joint = joined("PIN", still, moving, other_motion="static")
    assert still.omi_physics_body.type == "dynamic"
    assert moving.omi_physics_body.type == "kinematic"
    assert joint.parent == still


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("CURSOR", (1.0, 2.0, 3.0)),
        ("ACTIVE", (4.0, 0.0, 0.0)),
        ("OTHER", (0.0, 0.0, 0.0)),
        ("MIDDLE", (2.0, 0.0, 0.0)),
        ("VERTEX", (5.0, 1.0, 1.0)),
    ],
)
def test_place(place: str, expected: tuple[float, float, float]) -> None:
    """The joint is where it was asked to be, also from selected vertices."""
    still, moving = box("Still"), box("Moving", (4.0, 0.0, 0.0))
    bpy.context.scene.cursor.location = (1.0, 2.0, 3.0)
    for vertex in moving.data.vertices:
        vertex.select = vertex.co == Vector((1.0, 1.0, 1.0))
    for element in (*moving.data.edges, *moving.data.polygons):
        element.select = False
    for vertex in moving.data.vertices:
        vertex.select = vertex.co == Vector((1.0, 1.0, 1.0))
    joint = joined("PIN", still, moving, place=place)
    assert list(joint.matrix_world.translation) == pytest.approx(expected, abs=1e-6)


def test_axis_from_selected_edge_in_edit_mode() -> None:
    """A selected edge aims a hinge, also from within Edit Mode, whatever the object's rotation."""
    still, moving = box("Still"), box("Moving", (4.0, 0.0, 0.0))
    moving.rotation_euler = (0.3, 0.4, 0.5)
    bpy.context.view_layer.update()
    select(still, moving)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="DESELECT")
    bpy.ops.object.mode_set(mode="OBJECT")
    edge = moving.data.edges[0]
    edge.select = True
    a, b = (moving.matrix_world @ moving.data.vertices[i].co for i in edge.vertices)
    bpy.ops.object.mode_set(mode="EDIT")
    result = bpy.ops.omi_joint.create(kind="HINGE", direction="EDGE", place="VERTEX")
    assert result == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    joint = next(obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint)
    axis = joint.matrix_world.col[1].to_3d()
    assert abs(axis.dot((b - a).normalized())) == pytest.approx(1.0, abs=1e-5)
    assert list(joint.matrix_world.translation) == pytest.approx(list((a + b) / 2), abs=1e-5)


def test_missing_edge_is_a_sentence_and_changes_nothing() -> None:
    """Without a selected edge the operator says so and leaves the scene alone."""
    still, moving = box("Still"), box("Moving", (4.0, 0.0, 0.0))
    for edge in moving.data.edges:
        edge.select = False
    select(still, moving)
    with pytest.raises(RuntimeError, match="Select exactly one edge of Moving"):
        bpy.ops.omi_joint.create(kind="HINGE", direction="EDGE")
    assert not still.omi_physics_body.is_body
    assert len(bpy.data.objects) == 2
    assert len(bpy.data.node_groups) == 0


def test_chain_of_many_shares_one_block() -> None:
    """A chain of ten pins joins neighbours and shares one settings block."""
    links = [box(f"Link {index}", (0.0, 0.0, -3.0 * index)) for index in range(11)]
    select(*reversed(links))
    bpy.ops.omi_joint.create(kind="PIN", chain=True, place="MIDDLE", other_motion="dynamic")
    joints = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    assert len(joints) == 10
    assert len({joint.omi_physics_joint.settings.name for joint in joints}) == 1
    assert joints[0].omi_physics_joint.settings.users == 10
    pairs = {
        frozenset((joint.parent.name, joint.omi_physics_joint.connected_body.name))
        for joint in joints
    }
    assert pairs == {frozenset((f"Link {i}", f"Link {i + 1}")) for i in range(10)}


def test_each_selected_to_the_active_one() -> None:
    """Without chain, every other selected object is joined to the active one."""
    wheels = [box(f"Wheel {index}", (3.0 * index, 0.0, 0.0)) for index in range(4)]
    car = box("Car", (0.0, 5.0, 0.0))
    select(*wheels, car)
    bpy.ops.omi_joint.create(kind="HINGE", place="ACTIVE", direction="GLOBAL_Y")
    joints = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    assert len(joints) == 4
    places = sorted(joint.matrix_world.translation.x for joint in joints)
    assert places == pytest.approx([0.0, 3.0, 6.0, 9.0], abs=1e-6)


@pytest.mark.parametrize("frame_is_body", [False, True])
def test_door_that_is_parented_to_its_frame(frame_is_body: bool) -> None:
    """A part of a body that is joined to it becomes a body of its own, in one step."""
    frame, leaf = box("Frame"), box("Door", (3.0, 0.0, 0.0))
    leaf.parent = frame
    frame.omi_physics_body.is_body = frame_is_body
    frame.omi_physics_body.type = "static"
    joined("HINGE", frame, leaf)
    assert leaf.omi_physics_body.is_body
    assert leaf.omi_physics_body.use_collider
    assert leaf.omi_physics_body.type == "dynamic"
    assert "error" not in issues().values()


def test_frame_that_is_parented_to_its_door() -> None:
    """A collider of another body below does not count: the door gets one of its own."""
    frame, leaf = box("Frame"), box("Door", (3.0, 0.0, 0.0))
    frame.parent = leaf
    joined("HINGE", frame, leaf)
    assert frame.omi_physics_body.use_collider
    assert leaf.omi_physics_body.use_collider


def test_body_with_itself_is_refused() -> None:
    """Two bodies are needed: the frame of a joint is none, and nothing is made of it."""
    frame, _, hinge = door()
    blocks = len(bpy.data.node_groups)
    hinge.parent = None
    select(frame, hinge)
    with pytest.raises(RuntimeError, match="is the frame of a joint"):
        bpy.ops.omi_joint.create(kind="WELD")
    assert not hinge.omi_physics_body.is_body
    assert len(bpy.data.node_groups) == blocks


def test_linked_object_cannot_become_a_body(tmp_path: Path) -> None:
    """What is linked is no body after reloading, so it is refused before anything is made."""
    box("Linked")
    path = tmp_path / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(path), link=True) as (_, here):
        here.objects = ["Linked"]
    bpy.context.scene.collection.objects.link(here.objects[0])
    local = box("Local", (3.0, 0.0, 0.0))
    select(here.objects[0], local)
    with pytest.raises(RuntimeError, match="Linked is linked from another file"):
        bpy.ops.omi_joint.create(kind="PIN")
    assert not local.omi_physics_body.is_body


@pytest.mark.parametrize("scale", [(2.0, 2.0, 2.0), (1.0, 3.0, 0.2), (-1.0, 1.0, 1.0)])
def test_frames_are_square_under_scaled_and_mirrored_bodies(
    scale: tuple[float, float, float],
) -> None:
    """New frames have length one and are right-handed in the world, whatever the bodies' scale."""
    still, moving = box("Still"), box("Moving", (3.0, 0.0, 0.0))
    for body in (still, moving):
        body.scale = scale
        body.rotation_euler = (0.7, -0.4, 1.1)
    bpy.context.view_layer.update()
    joint = joined("HINGE", still, moving, direction="GLOBAL_Z")
    for frame in (joint, separated(joint)):
        linear = frame.matrix_world.to_3x3()
        square = numbers(linear @ linear.transposed())
        assert square == pytest.approx(numbers(Matrix.Identity(3)), abs=1e-5)
        assert linear.determinant() == pytest.approx(1.0, abs=1e-5)


def test_undo_takes_everything_back_in_one_step() -> None:
    """One undo after a button removes joint, settings and what made the bodies bodies."""
    still, moving = box("Still"), box("Moving", (3.0, 0.0, 0.0))
    select(still, moving)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.omi_joint.create("EXEC_DEFAULT", True, kind="HINGE")
    assert len(bpy.data.objects) == 3
    bpy.ops.ed.undo()
    assert sorted(obj.name for obj in bpy.data.objects) == ["Moving", "Still"]
    assert not any(obj.omi_physics_body.is_body for obj in bpy.data.objects)
    assert not any(block.users for block in bpy.data.node_groups)


def test_new_bodies_are_solid() -> None:
    """A mesh that becomes a body gets a collider: its triangles if static, its hull if it moves."""
    frame, leaf, _ = door()
    assert frame.omi_physics_body.collider.shape.type == "trimesh"
    assert leaf.omi_physics_body.collider.shape.type == "convex"


def below(parent: bpy.types.Object, *parts: tuple[str, float]) -> list[bpy.types.Object]:
    """Return boxes below an object, one above the other, by their names and lengths in m."""
    found = [
        slab(name, (20.0, 0.3, 2.0 * at), (long, 0.5, 1.0)) for at, (name, long) in enumerate(parts)
    ]
    for one in found:
        one.parent, one.matrix_parent_inverse = parent, parent.matrix_world.inverted()
    bpy.context.view_layer.update()
    return found


@pytest.mark.parametrize(
    "name", ["UCX_Door_01", "Door-colonly", "door_Collider.002", "Door-convcol"]
)
@pytest.mark.parametrize("hidden", [True, False])
def test_a_mesh_that_is_named_for_it_makes_its_body_solid(name: str, hidden: bool) -> None:
    """As Unreal and Godot have it; a stood one gets hulls and their mass once it moves."""
    leaf = slab("Door", (20.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    first, second, _ = below(leaf, (name, 1.0), (f"UCX_{name}", 2.0), ("Columns", 9.0))
    first.hide_set(hidden)
    for motion, shape, mass in (("static", "trimesh", 1.0), ("dynamic", "convex", 1500.0)):
        make_bodies({leaf: motion})
        solid = {one for one in bpy.data.objects if one.omi_physics_body.use_collider}
        assert solid == {first, second}
        assert {one.omi_physics_body.collider.shape.type for one in solid} == {shape}
        assert leaf.omi_physics_body.mass == pytest.approx(mass)
    assert leaf.omi_physics_body.computed_center
    assert "mass-outdated" not in issues()


def test_an_empty_is_as_solid_as_the_meshes_below_it() -> None:
    """In their finest version, but for what is a body of its own."""
    pivot = bpy.data.objects.new("Door", None)
    bpy.context.scene.collection.objects.link(pivot)
    *own, _, other = below(
        pivot, ("Wood", 1.0), ("Glass_LOD0", 2.0), ("Glass_LOD1", 2.0), ("Cat", 1.0)
    )
    make_bodies({other: "dynamic", pivot: "dynamic"})
    solid = {one for one in bpy.data.objects if one.omi_physics_body.use_collider}
    assert solid == {*own, other}
    assert [one.omi_physics_body.mass for one in (pivot, other)] == pytest.approx([1500.0, 500.0])
    make_bodies({pivot: "static"})
    assert solid == {one for one in bpy.data.objects if one.omi_physics_body.use_collider}


def test_a_centre_that_was_set_stays_where_it_was_set() -> None:
    """Of those with their origin beside the middle who says no centre gets a found one."""
    for centre in (None, (0.0, 0.0, 0.0), (0.5, 0.0, 0.25)):
        obj = box("Leaf")
        obj.data = obj.data.copy()
        obj.data.transform(Matrix.Translation((2.0, 0.0, 0.0)))
        if centre is not None:
            obj.omi_physics_body.center_of_mass = centre
        make_bodies({obj: "dynamic"})
        assert obj.omi_physics_body.computed_center is (centre is None)
        assert tuple(obj.omi_physics_body.center_of_mass) == (centre or (0.0, 0.0, 0.0))
