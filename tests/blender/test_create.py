# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is joined to whom, where, and who moves: what a new joint makes of a selection."""

from __future__ import annotations

from math import cos, pi, sin

import bpy
import pytest
from mathutils import Matrix, Vector

from omi_physics_joint.blender.between_bodies.contact import contact_between
from omi_physics_joint.blender.between_bodies.descendants import joints_on
from omi_physics_joint.blender.create.panels import what_is_joined
from omi_physics_joint.blender.create.standing import why_other_moves
from omi_physics_joint.blender.create.suited import automatic, place_of
from omi_physics_joint.blender.data.scene import PLACES
from omi_physics_joint.blender.joints.authoring import Pair, body_of
from omi_physics_joint.blender.joints.parts import bodies_in_words
from tests.redo import adjust, press
from tests.scenes import box, select, slab


def joints() -> dict[str, bpy.types.Object]:
    """Return all joints of the file by name."""
    bpy.context.view_layer.update()
    return {obj.name: obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint}


def ends(joint: bpy.types.Object) -> tuple[str, str]:
    """Return the names of the body that holds a joint and of the other one."""
    return body_of(joint).name, joint.omi_physics_joint.connected_body.name


def body(limbs: str = "Head Arm.L Arm.R Leg.L Leg.R") -> list[bpy.types.Object]:
    """Return five limbs around a torso, which comes last."""
    places = {
        "Head": (0.0, 0.0, 0.55),
        "Arm.L": (0.55, 0.0, 0.2),
        "Arm.R": (-0.55, 0.0, 0.2),
        "Leg.L": (0.15, 0.0, -0.7),
        "Leg.R": (-0.15, 0.0, -0.7),
    }
    sizes = {"Head": (0.2, 0.2, 0.25), "Arm": (0.6, 0.1, 0.1), "Leg": (0.1, 0.1, 0.6)}
    made = [slab(name, places[name], sizes[name.split(".")[0]]) for name in limbs.split()]
    return [*made, slab("Torso", (0.0, 0.0, 0.0), (0.4, 0.2, 0.7))]


def test_chain_starts_at_the_active_object_and_walks_to_the_nearest() -> None:
    """A rope hangs on the active link, each link on the one above, in whatever order of names."""
    names = ["C", "A", "E", "B", "D", "F"]
    links = [slab(name, (0.0, 0.0, -0.3 * i), (0.1, 0.1, 0.28)) for i, name in enumerate(names)]
    select(*links[1:], links[0])
    bpy.ops.omi_joint.create(kind="PIN", chain=True)
    made = joints()
    assert set(made) == {f"{name} Pin" for name in names[1:]}
    for number, name in enumerate(names[1:], 1):
        joint = made[f"{name} Pin"]
        assert set(ends(joint)) == {names[number - 1], name}
        there = joint.matrix_world.translation
        assert list(there) == pytest.approx([0.0, 0.0, -0.3 * number + 0.15], abs=1e-5)
    assert links[0].omi_physics_body.type == "static"
    assert {link.omi_physics_body.type for link in links[1:]} == {"dynamic"}


def test_chain_goes_round_a_bend() -> None:
    """A chain that lies on a circle, shuffled, is followed link by link."""
    turns = [0.5 * step for step in range(12)]
    order = [5, 0, 7, 2, 9, 4, 11, 6, 1, 8, 3, 10]
    links = {
        n: slab(f"Link {n}", (cos(turns[n]), sin(turns[n]), 0), (0.1, 0.1, 0.1)) for n in order
    }
    select(*links.values(), links[0])
    bpy.ops.omi_joint.create(kind="PIN", chain=True)
    pairs = {frozenset(ends(joint)) for joint in joints().values()}
    assert pairs == {frozenset((f"Link {n}", f"Link {n + 1}")) for n in range(11)}


def test_chain_of_links_that_overlap_goes_by_their_middles() -> None:
    """Each reaches into the next but one, so gaps do not tell which is the nearest."""
    order = (0, 4, 2, 5, 1, 3)
    links = [slab(f"Link {at}", (0.3 * at, 0.0, 0.0), (0.8, 0.1, 0.1)) for at in order]
    select(*links[1:], links[0])
    bpy.ops.omi_joint.create(kind="PIN", chain=True)
    pairs = {frozenset(ends(joint)) for joint in joints().values()}
    assert pairs == {frozenset((f"Link {at}", f"Link {at + 1}")) for at in range(5)}


def test_chain_of_links_that_overlap_goes_round_a_bend() -> None:
    """Judged from the last link, not from the first, to which the other end comes back."""
    places = [(0.1 * x, 0.0) for x in range(5)] + [(0.1 * x, 0.15) for x in range(4, -1, -1)]
    order = (0, 7, 2, 9, 4, 6, 1, 8, 3, 5)
    links = [slab(f"Link {at}", (*places[at], 0.0), (0.8, 0.8, 0.1)) for at in order]
    select(*links[1:], links[0])
    bpy.ops.omi_joint.create(kind="PIN", chain=True)
    pairs = {frozenset(ends(joint)) for joint in joints().values()}
    assert pairs == {frozenset((f"Link {at}", f"Link {at + 1}")) for at in range(9)}


def test_chain_below_three_objects_is_not_obeyed() -> None:
    """Two objects are no chain: the active one moves, whatever the switch says."""
    frame, door = box("Frame"), box("Door", (2.0, 0.0, 0.0))
    select(frame, door)
    bpy.ops.omi_joint.create(kind="HINGE", chain=True)
    assert set(joints()) == {"Door Hinge"}
    assert (door.omi_physics_body.type, frame.omi_physics_body.type) == ("dynamic", "static")


def test_nothing_is_remembered_that_reverses_the_next_joint() -> None:
    """After a chain of dynamic bodies without limits, the next hinge is a door with limits."""
    links = [box(f"Link {index}", (0.0, 0.0, -3.0 * index)) for index in range(3)]
    select(*links)
    press("omi_joint.create", kind="HINGE", chain=True, use_range=False, other_motion="dynamic")
    frame, door = box("Frame", (9.0, 0.0, 0.0)), box("Door", (11.0, 0.0, 0.0))
    select(frame, door)
    bpy.ops.omi_joint.create("EXEC_DEFAULT", True, kind="HINGE")
    assert frame.omi_physics_body.type == "static"
    assert len(joints()["Door Hinge"].omi_physics_joint.settings.limits) == 3
    for name in ("chain", "use_range", "other_motion", "active_motion", "angle_max"):
        prop = bpy.ops.omi_joint.create.get_rna_type().properties[name]
        assert prop.is_skip_save, f"{name} is remembered for the next joint"


def test_limbs_of_a_star_are_dynamic_and_name_their_joints() -> None:
    """Six new bodies, the torso active: five joints named after limbs, and nothing is static."""
    objects = body()
    select(*objects)
    bpy.ops.omi_joint.create(kind="PIN")
    assert set(joints()) == {f"{obj.name} Pin" for obj in objects[:-1]}
    assert {obj.omi_physics_body.type for obj in objects} == {"dynamic"}


def test_body_knows_its_joints() -> None:
    """A body has the joints of both its sides, each with the body at the other end."""
    objects = body()
    select(*objects)
    bpy.ops.omi_joint.create(kind="PIN")
    limbs = sorted(obj.name for obj in objects[:-1])
    found = [(joint.name, other.name) for joint, other in joints_on(objects[-1])]
    assert found == [(f"{name} Pin", name) for name in limbs]
    assert [other.name for _, other in joints_on(objects[0])] == ["Torso"]


def test_panel_says_what_moves_on_what() -> None:
    """A door on its frame, a limb on the torso: not what happens to hold the joint comes first."""
    frame, door = box("Frame", (9.0, 0.0, 0.0)), box("Door", (11.0, 0.0, 0.0))
    select(frame, door)
    bpy.ops.omi_joint.create(kind="HINGE")
    assert bodies_in_words(joints()["Door Hinge"]) == "Door, on Frame"
    select(*body())
    bpy.ops.omi_joint.create(kind="PIN")
    assert bodies_in_words(joints()["Head Pin"]) == "Head, on Torso"


def test_cones_of_a_star_point_along_the_limbs() -> None:
    """The axis that a pin twists about points into the limb."""
    objects = body()
    select(*objects)
    bpy.ops.omi_joint.create(kind="PIN")
    for obj in objects[:-1]:
        joint = joints()[f"{obj.name} Pin"]
        twist = -joint.matrix_world.col[1].to_3d()  # glTF's Z, around which the cone is drawn
        along = obj.matrix_world.translation - joint.matrix_world.translation
        assert twist.dot(along.normalized()) == pytest.approx(1.0, abs=1e-5), obj.name


def test_redo_box_names_both_bodies_and_changes_how_they_move() -> None:
    """The operator notes who moves and who stands, and a change of either takes effect."""
    frame, door = box("Frame"), box("Door", (2.0, 0.0, 0.0))
    select(frame, door)
    press("omi_joint.create", kind="HINGE")
    noted = bpy.context.active_operator.properties
    assert (noted.noted_active, noted.noted_others) == ("Door", "Frame")
    assert (noted.active_motion, noted.other_motion) == ("dynamic", "static")
    adjust(other_motion="dynamic")
    assert bpy.data.objects["Frame"].omi_physics_body.type == "dynamic"
    adjust(other_motion="static", angle_max=2.0)
    assert bpy.data.objects["Frame"].omi_physics_body.type == "static"
    assert set(joints()) == {"Door Hinge"}


def test_roles_follow_the_chain_switch_in_the_redo_box() -> None:
    """Chain, ticked after the fact, lets the first link stand, as if it had been ticked before."""
    links = [box(f"Link {index}", (0.0, 0.0, -3.0 * index)) for index in range(3)]
    select(*links[1:], links[0])
    press("omi_joint.create", kind="PIN")
    assert bpy.data.objects["Link 0"].omi_physics_body.type == "dynamic"
    adjust(chain=True)
    assert bpy.data.objects["Link 0"].omi_physics_body.type == "static"
    assert bpy.data.objects["Link 1"].omi_physics_body.type == "dynamic"


def test_frame_of_a_joint_is_refused_as_a_body() -> None:
    """With new joints still selected a second button makes nothing of their frames."""
    links = [box(f"Link {index}", (0.0, 0.0, -3.0 * index)) for index in range(3)]
    select(*links)
    bpy.ops.omi_joint.create(kind="PIN")
    before = sorted(bpy.data.objects.keys())
    assert len(bpy.context.selected_objects) == 2
    with pytest.raises(RuntimeError, match="is the frame of a joint: select the bodies"):
        bpy.ops.omi_joint.create(kind="WELD")
    assert sorted(bpy.data.objects.keys()) == before


@pytest.mark.parametrize(
    ("other", "size", "expected"),
    [
        ((1.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.5, 0.0, 0.0)),  # face on face
        ((0.9, 0.0, 0.0), (1.0, 0.2, 0.2), (0.45, 0.0, 0.0)),  # one end inside the other
        ((1.5, 0.0, 0.3), (1.0, 1.0, 0.2), (0.75, 0.0, 0.3)),  # a gap
        ((0.9, 0.6, 0.0), (1.0, 0.4, 1.0), (0.45, 0.45, 0.0)),  # a part of a face
        ((3.0, 3.0, 0.0), (1.0, 1.0, 1.0), (1.5, 1.5, 0.0)),  # edge to edge
    ],
)
def test_nearest_point_of_two_boxes(
    other: tuple[float, ...], size: tuple[float, ...], expected: tuple[float, ...]
) -> None:
    """Bodies are joined in the middle of where they touch or cross, or of the gap."""
    one, two = slab("One", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)), slab("Two", other, size)
    assert list(contact_between(one, two).place) == pytest.approx(expected, abs=0.051)


def test_nearest_point_of_crossed_bars_is_between_them() -> None:
    """Where no corner is near, the nearest points inside of edges are found."""
    one = slab("One", (0.0, 0.0, 0.0), (4.0, 0.1, 0.1))
    two = slab("Two", (0.5, 0.0, 0.3), (0.1, 4.0, 0.1))
    there = contact_between(one, two).place
    assert there.z == pytest.approx(0.15, abs=1e-5)
    assert abs(there.x - 0.5) < 0.06
    assert abs(there.y) < 0.06


def test_nearest_point_of_what_has_no_faces_is_its_origin() -> None:
    """An empty is joined half-way between its origin and the other body's surface."""
    one = slab("One", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    two = bpy.data.objects.new("Two", None)
    bpy.context.scene.collection.objects.link(two)
    two.location = (1.5, 0.2, 0.0)
    assert list(contact_between(one, two).place) == pytest.approx((1.0, 0.2, 0.0), abs=1e-5)


def test_each_position_is_where_it_says() -> None:
    """On bodies of other meshes that are turned: the box is the moving body's, along its axes."""
    frame = slab("Frame", (-2.0, 0.0, 1.0), (0.1, 0.2, 2.0))
    door = slab("Door", (0.5, -0.3, 1.0), (1.0, 0.06, 2.0))
    door.data.transform(Matrix.LocRotScale((0.1, 0.2, 0.3), None, (1.0, 2.0, 3.0)))
    door.data.update()
    door.rotation_euler = (0.3, -0.4, 0.5)
    bpy.context.scene.cursor.location = (7.0, 8.0, 9.0)
    bpy.context.view_layer.update()
    pair, touch = Pair(frame, door), contact_between(door, frame).place
    world = door.matrix_world
    for vertex in door.data.vertices:
        vertex.select = vertex.index < 2
    middle = sum((vertex.co for vertex in door.data.vertices[:2]), Vector()) / 2.0
    expected = {
        "NEAREST": touch,
        "MIDDLE": (world.translation + frame.location) / 2.0,
        "ACTIVE": world.translation,
        "OTHER": frame.location,
        "BOX": world @ Vector((0.1 - 1.0, 0.2 + 2.0, 0.3)),
        "CURSOR": Vector((7.0, 8.0, 9.0)),
        "VERTEX": world @ middle,
    }
    assert expected.keys() | {"AUTO"} == {place[0] for place in PLACES}
    for choice, place in expected.items():
        there = place_of(choice, bpy.context, pair, ("MIN", "MAX", "MIDDLE"))
        assert list(there) == pytest.approx(list(place), abs=1e-5), choice
    select(frame, door)
    bpy.ops.omi_joint.create(kind="HINGE", place="BOX", side_x="MIN", side_y="MAX", side_z="MIDDLE")
    there = joints()["Door Hinge"].matrix_world.translation
    assert list(there) == pytest.approx(list(expected["BOX"]), abs=1e-5)


@pytest.mark.parametrize(
    ("cursor", "expected"),
    [((1.0, 0.0, 0.0), "CURSOR"), ((0.0, 0.0, 0.0), "NEAREST"), ((9.0, 0.0, 0.0), "NEAREST")],
)
def test_automatic_position_is_a_cursor_that_was_put_onto_a_body(
    cursor: tuple[float, ...], expected: str
) -> None:
    """The cursor counts where it was put onto one of two bodies, not where it lies about."""
    frame, door = box("Frame"), box("Door", (2.2, 0.0, 0.0))
    bpy.context.scene.cursor.location = cursor
    assert automatic(bpy.context, [Pair(frame, door)]) == expected
    assert automatic(bpy.context, [Pair(frame, door)] * 2) == "NEAREST"


def test_joint_made_in_edit_mode_can_be_adjusted() -> None:
    """An axis from a selected edge is still there after the redo box changed the range."""
    frame, door = box("Frame"), box("Door", (2.2, 0.0, 0.0))
    select(frame, door)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    press("omi_joint.create", kind="HINGE", place="VERTEX", direction="GLOBAL_Y")
    adjust(angle_max=pi)
    bpy.ops.object.mode_set(mode="OBJECT")
    [joint] = joints().values()
    assert (joint.matrix_world.translation - Vector((2.2, 0.0, 0.0))).length < 1e-5
    assert joint.omi_physics_joint.settings.limits[2].angular_max == pytest.approx(pi)


@pytest.mark.parametrize(
    ("field", "choice", "before"),
    [("direction", "EDGE", "AUTO"), ("place", "VERTEX", "NEAREST")],
)
def test_a_choice_that_finds_nothing_is_taken_back(field: str, choice: str, before: str) -> None:
    """Selected Edge without a selected edge leaves the joint as it was, and other fields free."""
    frame, door = box("Frame"), box("Door", (2.2, 0.0, 0.0))
    for part in ("vertices", "edges", "polygons"):
        mesh = getattr(door.data, part)
        mesh.foreach_set("select", [False] * len(mesh))
    select(frame, door)
    press("omi_joint.create", kind="HINGE", place="NEAREST")
    adjust(**{field: choice, "angle_max": 1.0})
    assert getattr(bpy.context.active_operator.properties, field) == before
    [joint] = joints().values()
    assert joint.omi_physics_joint.settings.limits[2].angular_max == pytest.approx(1.0)
    other = {"direction": "EDGE", "place": "NEAREST"}
    select(*(box(f"New {n}", (5.0 * n, 9.0, 0.0)) for n in range(2)))
    assert press("omi_joint.create", kind="HINGE", **other) == {"CANCELLED"}, (
        "nothing to go back to"
    )


def test_joints_are_no_bodies_to_join() -> None:
    """Right after several joints were made the sidebar says that joints are selected."""
    select(box("Arm", (2.2, 0.0, 0.0)), box("Leg", (-2.2, 0.0, 0.0)), box("Torso"))
    press("omi_joint.create", kind="PIN")
    assert what_is_joined(bpy.context) == "Select the bodies to join: these are joints"
    pin = bpy.context.object
    select(bpy.data.objects["Torso"], pin)
    expected = f"Select the bodies to join: {pin.name} is a joint"
    assert what_is_joined(bpy.context) == expected
    select(bpy.data.objects["Torso"], bpy.data.objects["Arm"])
    assert what_is_joined(bpy.context) == "Arm, on Torso"


@pytest.mark.parametrize("kind", ["PIN", "HINGE", "SLIDER"])
@pytest.mark.parametrize("axis", ["GLOBAL_X", "GLOBAL_Y", "GLOBAL_Z"])
def test_new_joints_have_the_numbers_that_one_would_type(kind: str, axis: str) -> None:
    """No -0, no 0.000001 and no -180°, and the joint is where it was asked for."""
    frame = slab("Frame", (-1e-7, 4e-7, 1.0000003), (0.1, 0.1, 2.0))
    leaf = slab("Door", (0.5 + 3e-7, -5e-7, 1.0), (0.8, 0.05, 2.0))
    for motion in ("static", "dynamic"):
        select(frame, leaf)
        asked = {"direction": axis, "aim": axis, "place": "MIDDLE", "other_motion": motion}
        press("omi_joint.create", kind=kind, **asked)
        joint = bpy.context.object
        bpy.context.view_layer.update()
        middle = frame.matrix_world.translation.lerp(leaf.matrix_world.translation, 0.5)
        assert (joint.matrix_world.translation - middle).length < 1e-6
        degrees = [value * 180.0 / pi for value in joint.rotation_euler]
        for value in (*joint.location, *degrees):
            assert value == 0.0 or abs(value) > 1e-3, (list(joint.location), degrees)
            assert str(value) != "-0.0"
            assert value > -179.9
        assert joint.location.x == pytest.approx(0.25, abs=1e-9)


@pytest.mark.parametrize(
    ("share", "why"), [(0.0, "is around Shaft"), (0.005, "is around Shaft"), (0.02, "")]
)
def test_a_shell_is_around_a_shaft_that_sticks_out_by_a_hair(share: float, why: str) -> None:
    """Half a percent of the shaft's size is no more than how finely it was placed; 2 % is plain."""
    shell, shaft = box("Shell"), box("Shaft")
    shaft.scale = (0.2, 0.2, 1.0)
    bpy.context.view_layer.update()
    length = Vector(shaft.dimensions).length
    shaft.location.z = share * length
    bpy.context.view_layer.update()
    assert why_other_moves("PIN", Pair(still=shaft, moving=shell)) == why
