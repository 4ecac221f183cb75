# SPDX-License-Identifier: GPL-3.0-or-later
"""A new joint suits what it joins: its axis, its range, the mass of new bodies."""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import atan2, hypot, inf, pi

import bpy
import bmesh
import pytest
from blender.anyhow import axis_of, disc, moved, parallel
from mathutils import Matrix, Vector
from redo import adjust, press
from scenes import box, issues, joined, select, slab

from omi_physics_joint.blender.between_bodies.forms import flat_shape
from omi_physics_joint.blender.bridge.read_settings import settings_of
from omi_physics_joint.blender.create import suited
from omi_physics_joint.blender.create.suited import dial_reached
from omi_physics_joint.blender.joints.authoring import Pair
from omi_physics_joint.blender.joints.editing import aimed_axis
from omi_physics_joint.blender.play import session
from omi_physics_joint.model.joint import Freedom
from omi_physics_joint.model.settings.spans import span_on, spans_of


def range_of(joint: bpy.types.Object) -> tuple[float, float]:
    """Return the smallest and the largest angle or distance of a hinge or a slider."""
    settings = settings_of(joint)
    axis = aimed_axis(settings)
    assert axis is not None
    turns = span_on(spans_of(settings.limits), Freedom.ANGULAR, axis)
    slides = span_on(spans_of(settings.limits), Freedom.LINEAR, axis)
    span = slides if turns.low == turns.high else turns
    return span.low, span.high


@pytest.mark.parametrize("axis", "XYZ")
def test_a_wheel_turns_freely_about_its_own_axis(axis: str) -> None:
    """Wherever and however a car stands, and whatever was applied to the mesh of its wheel."""
    chassis = slab("Chassis", (0.0, 0.0, 0.0), (2.0, 2.0, 2.0))
    way = Vector([one == axis for one in "XYZ"])
    wheel = disc("Wheel", 1.1 * way, radius=0.4, depth=0.2, axis=axis)
    turned = moved(chassis, wheel)
    hinge = joined("HINGE", chassis, wheel)
    assert parallel(axis_of(hinge), (turned.to_3x3() @ way))
    assert range_of(hinge) == (-inf, inf)


def test_one_press_looks_at_each_body_once() -> None:
    """Place, axis and range are of one surface a body, however many of them are asked for."""
    chassis = slab("Chassis", (0.0, 0.0, 0.0), (2.0, 2.0, 2.0))
    wheels = [
        disc(f"Wheel {side}", Vector((0.0, 1.1 * side, 0.0)), radius=0.4, depth=0.2, axis="Y")
        for side in (1.0, -1.0)
    ]
    built = []
    select(*wheels, chassis)
    sys.setprofile(
        lambda _frame, event, called: (
            built.append(called)
            if event == "c_call" and called.__name__ == "FromPolygons"
            else None
        )
    )
    try:
        bpy.ops.omi_joint.create("INVOKE_DEFAULT", kind="HINGE")
    finally:
        sys.setprofile(None)
    assert len(built) == 3


@pytest.mark.parametrize("count", [1, 2])
def test_a_wheel_turns_about_its_middle_wherever_it_touches(count: int) -> None:
    """Its hub may be higher or smaller; one wheel or several, a cursor that is elsewhere."""
    hub = slab("Hub", (0.0, 0.0, 0.6), (0.3, 0.3, 0.2))
    wheels = [
        disc(f"Wheel {side}", Vector((0.0, 0.25 * side, 0.5)), radius=0.5, depth=0.2, axis="Y")
        for side in (1.0, -1.0)[:count]
    ]
    turned = moved(hub, *wheels)
    if count == 1:
        joined("HINGE", hub, *wheels)
    else:
        select(*wheels, hub)
        press("omi_joint.create", kind="HINGE")
    for joint in bpy.context.selected_objects:
        place = turned.inverted() @ joint.matrix_world.translation
        touches = (0.0, 0.15, 0.5)
        assert (place.x, abs(place.y), place.z) == pytest.approx(touches, abs=1e-4), joint.name


def test_limbs_that_meet_at_their_ends_turn_about_neither() -> None:
    """An elbow of two cylinders does not twist."""
    upper = disc("Upper Arm", Vector((0.0, 0.0, 1.5)), radius=0.05, depth=0.6, axis="X")
    lower = disc("Lower Arm", Vector((0.6, 0.0, 1.5)), radius=0.05, depth=0.6, axis="X")
    assert not parallel(axis_of(joined("HINGE", upper, lower)), Vector((1.0, 0.0, 0.0)))


def test_a_door_turns_about_the_edge_where_it_touches_and_has_a_range() -> None:
    """Along the post, by 90 degrees, though nothing of it is parallel to an axis of the world."""
    post = slab("Post", (0.0, 0.0, 1.0), (0.1, 0.1, 2.0))
    door = slab("Door", (0.5, 0.0, 1.0), (0.9, 0.05, 2.0))
    turned = moved(post, door)
    hinge = joined("HINGE", post, door)
    assert parallel(axis_of(hinge), turned.to_3x3() @ Vector((0.0, 0.0, 1.0)))
    assert range_of(hinge) == pytest.approx((0.0, pi / 2))


def bars() -> dict[str, bpy.types.Object]:
    """Return the bars of a four-bar that stands 20 m away, turned anyhow."""
    made = {
        "Ground": slab("Ground", (0.5, 0.0, 0.0), (1.2, 0.02, 0.1)),
        "Crank": slab("Crank", (0.0, 0.02, 0.2), (0.1, 0.02, 0.5)),
        "Coupler": slab("Coupler", (0.5, 0.04, 0.4), (1.2, 0.02, 0.1)),
        "Rocker": slab("Rocker", (1.0, 0.02, 0.2), (0.1, 0.02, 0.5)),
    }
    moved(*made.values())
    return made


def slanted_bars() -> dict[str, bpy.types.Object]:
    """Return those of one whose bars lie at any slant; pivots are half a width from their ends."""
    pivots = ((-1.0, 0.0), (-1.3, 0.75), (0.5, 1.6), (1.0, 0.0))
    spans = {
        "Ground": (3, 0, 0.0),
        "Crank": (0, 1, -0.1),
        "Coupler": (1, 2, -0.2),
        "Rocker": (2, 3, -0.1),
    }
    made = {}
    for name, (start, end, beside) in spans.items():
        (x, z), (far_x, far_z) = pivots[start], pivots[end]
        middle, size = (0.5 * (x + far_x), beside, 0.5 * (z + far_z)), hypot(far_x - x, far_z - z)
        made[name] = slab(name, middle, (size + 0.1, 0.1, 0.1))
        made[name].rotation_euler = (0.0, -atan2(far_z - z, far_x - x), 0.0)
    bpy.context.view_layer.update()
    moved(*made.values())
    return made


ROUND = (("Ground", "Crank"), ("Crank", "Coupler"), ("Coupler", "Rocker"), ("Rocker", "Ground"))
IN_PAIRS = (("Ground", "Crank"), ("Ground", "Rocker"), ("Crank", "Coupler"), ("Rocker", "Coupler"))


@pytest.mark.parametrize("order", [ROUND, IN_PAIRS])
@pytest.mark.parametrize("shape", [bars, slanted_bars])
def test_hinges_of_a_linkage_are_parallel_and_all_free(
    shape: Callable[[], dict[str, bpy.types.Object]],
    order: tuple[tuple[str, str], ...],
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Four presses make a four-bar that moves, also where cranks had a range before it closed."""
    made = shape()
    hinges = [joined("HINGE", made[still], made[moving]) for still, moving in order]
    across = made["Ground"].matrix_world.col[1].to_3d().normalized()
    for hinge in hinges:
        assert parallel(axis_of(hinge), across), hinge.name
        assert range_of(hinge) == (-inf, inf), hinge.name
    assert "Crank Hinge" in capfd.readouterr().out.partition("which closes a loop: ")[2]
    assert not {"limits-lock", "joints-lock", "motor-meets-bound"} & issues().keys()
    before = made["Crank"].matrix_world.to_quaternion()
    player = session.start(bpy.context.scene)
    for _ in range(30):
        player.tick(1.0 / 60.0)
    turned = made["Crank"].matrix_world.to_quaternion().rotation_difference(before).angle
    player.stop()
    assert turned > 0.05


def test_a_loop_leaves_ranges_that_somebody_has_said() -> None:
    """In the redo box, as bounds afterwards, or by keys; a door on two hinges is no loop."""
    made = bars()
    said = joined("HINGE", made["Ground"], made["Crank"], use_range=True)
    edited = joined("HINGE", made["Ground"], made["Rocker"])
    item = next(one for one in edited.omi_physics_joint.settings.limits if sum(one.axes) == 1)
    item.angular_max = 1.0
    for still, moving in IN_PAIRS[2:]:
        joined("HINGE", made[still], made[moving])
    assert range_of(said) == pytest.approx((0.0, pi / 2))
    assert range_of(edited) == pytest.approx((0.0, 1.0))
    post, leaf = (
        slab("Post", (0.0, 9.0, 1.0), (0.1, 0.1, 2.0)),
        slab("Leaf", (0.5, 9.0, 1.0), (0.9, 0.05, 2.0)),
    )
    first = joined("HINGE", post, leaf)
    joined("HINGE", post, leaf)
    assert range_of(first) == pytest.approx((0.0, pi / 2))


def test_a_loop_frees_no_joint_outside_of_it() -> None:
    """What shares the settings of a crank keeps its range, and undo gives all of them back."""
    made = bars()
    crank = joined("HINGE", made["Ground"], made["Crank"])
    post, leaf = (
        slab("Post", (0.0, 9.0, 1.0), (0.1, 0.1, 2.0)),
        slab("Leaf", (0.5, 9.0, 1.0), (0.9, 0.05, 2.0)),
    )
    door = joined("HINGE", post, leaf)
    door.omi_physics_joint.settings = crank.omi_physics_joint.settings
    for still, moving in IN_PAIRS[1:3]:
        joined("HINGE", made[still], made[moving])
    names = crank.name, door.name
    select(made["Rocker"], made["Coupler"])
    press("omi_joint.create", kind="HINGE")
    crank, door = (bpy.data.objects[name] for name in names)
    assert range_of(crank) == (-inf, inf)
    assert range_of(door) == pytest.approx((0.0, pi / 2))
    bpy.ops.ed.undo()
    assert range_of(bpy.data.objects[names[0]]) == pytest.approx((0.0, pi / 2))


@pytest.mark.parametrize(
    ("said", "angles"), [({"use_range": True}, (0.0, pi / 2)), ({"angle_max": 1.0}, (0.0, 1.0))]
)
@pytest.mark.parametrize("how", ["at once", "in the redo box"])
def test_two_that_move_have_no_range_unless_it_is_said(
    how: str, said: dict[str, object], angles: tuple[float, float]
) -> None:
    """Links of a chain turn as they like; whoever says an angle, or asks for a range, has one."""
    select(*(slab(f"Link {n}", (n, 0.0, 0.0), (0.9, 0.9, 0.9)) for n in range(3)))
    if how == "at once":
        press("omi_joint.create", kind="HINGE", **said)
    else:
        press("omi_joint.create", kind="HINGE")
        assert range_of(bpy.context.object) == (-inf, inf)
        adjust(**said)
    assert range_of(bpy.context.object) == pytest.approx(angles)


@pytest.mark.parametrize("front", [-1.0, 1.0])
def test_a_drawer_slides_out_of_its_cabinet(front: float) -> None:
    """The positive way is the one that is open, wherever the cabinet stands."""
    bpy.ops.mesh.primitive_cube_add(size=1.0)
    cabinet = bpy.context.object
    shell = cabinet.modifiers.new("Shell", "SOLIDIFY")
    shell.thickness = 0.05
    open_face = next(face for face in cabinet.data.polygons if face.normal.y * front > 0.5)
    corners = set(open_face.vertices)
    points = [vertex.co.copy() for vertex in cabinet.data.vertices]
    faces = [list(face.vertices) for face in cabinet.data.polygons if set(face.vertices) != corners]
    cabinet.data.clear_geometry()
    cabinet.data.from_pydata(points, [], faces)
    drawer = slab("Drawer", (0.0, 0.1 * front, 0.0), (0.8, 0.8, 0.8))
    turned = moved(cabinet, drawer)
    slider = joined("SLIDER", cabinet, drawer)
    start = drawer.matrix_world.translation.copy()
    slider.omi_physics_pose.along_x = 0.2
    bpy.context.view_layer.update()
    way = drawer.matrix_world.translation - start
    assert (turned.to_3x3().inverted() @ way).y * front == pytest.approx(0.2, abs=1e-4)


def test_what_was_clicked_before_is_not_joined() -> None:
    """A lamp that is active but not selected stays a lamp, and the button says what to do."""
    bpy.ops.object.light_add(location=(9.0, 9.0, 9.0))
    lamp = bpy.context.object
    frame, door = box("Frame"), box("Door", (2.0, 0.0, 0.0))
    select(frame, door)
    bpy.context.view_layer.objects.active = lamp
    lamp.select_set(False)
    with pytest.raises(RuntimeError, match="None of these is active"):
        bpy.ops.omi_joint.create(kind="HINGE")
    assert not lamp.omi_physics_body.is_body


def test_new_bodies_weigh_what_their_hull_does() -> None:
    """A tonne a cubic metre, unless a mass is said; scale counts."""
    frame, door = box("Frame"), slab("Door", (2.0, 0.0, 0.0), (0.9, 0.05, 2.0))
    heavy = slab("Safe", (5.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    heavy.omi_physics_body.mass = 7.0
    joined("HINGE", frame, door)
    joined("HINGE", frame, heavy)
    assert door.omi_physics_body.mass == pytest.approx(90.0)
    assert heavy.omi_physics_body.mass == 7.0


@pytest.mark.parametrize(
    ("size", "is_plate"),
    [((2.0, 1.5, 0.1), True), ((2.0, 0.1, 0.1), False), ((1.0, 1.0, 1.0), False)],
)
def test_a_plate_is_thin_along_one_direction_alone(size: tuple[float, ...], is_plate: bool) -> None:
    """A rod is as thin across, so it swings about no edge of its own; turned, it is no other."""
    body = slab("Body", (3.0, 0.0, 0.0), size)
    assert suited._is_plate(body, Vector((0.0, 0.0, 1.0))) is is_plate
    assert not suited._is_plate(body, Vector((1.0, 0.0, 0.0)))
    body.rotation_euler.x = pi / 2.0
    bpy.context.view_layer.update()
    assert suited._is_plate(body, Vector((0.0, 1.0, 0.0))) is is_plate


def fan(blades: str, *, ceiling: bool) -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return what stays and the blades: before a post near its top, or below a ceiling's rod.

    The blades are a "plate", or three or four plates joined with a hub; of "loose" ones, the hub is
    their parent.
    """
    if ceiling:
        stays, middle = slab("Rod", (0.0, 0.0, 2.5), (0.06, 0.06, 1.0)), Vector((0.0, 0.0, 1.95))
        turn = Matrix.Identity(3)
    else:
        stays, middle = slab("Post", (0.0, 0.0, 1.0), (0.1, 0.1, 2.0)), Vector((0.0, -0.1, 1.9))
        turn = Matrix.Rotation(pi / 2, 3, "X")
    if blades == "plate":
        hub = slab("Blades", (0.0, 0.0, 0.0), (1.2, 0.12, 0.1))
        bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    else:
        hub = disc("Blades", Vector(), radius=0.06, depth=0.1, axis="Z")
        count = 4 if blades == "four" else 3
        plates = []
        for number in range(count):
            angle = number * 2.0 * pi / count
            blade = slab("Blade", (0.33, 0.0, 0.0), (0.6, 0.12, 0.02))
            blade.rotation_euler.x = 0.3
            bpy.context.view_layer.update()
            blade.matrix_world = Matrix.Rotation(angle, 4, "Z") @ blade.matrix_world
            plates.append(blade)
        bpy.context.view_layer.update()
        if blades == "loose":
            for plate in plates:
                plate.parent = hub
        else:
            select(*plates, hub)
            bpy.ops.object.join()
    hub.matrix_world = Matrix.Translation(middle) @ turn.to_4x4()
    bpy.context.view_layer.update()
    return stays, hub


@pytest.mark.parametrize("ceiling", [False, True])
@pytest.mark.parametrize("blades", ["plate", "three", "four", "loose"])
def test_a_fan_turns_freely_about_the_middle_of_its_blades(blades: str, ceiling: bool) -> None:
    """Across the plane that they turn in, whether they stand before a post or hang from a rod."""
    stays, hub = fan(blades, ceiling=ceiling)
    middle = hub.matrix_world.translation.copy()
    way = Vector((0.0, 0.0, 1.0)) if ceiling else Vector((0.0, 1.0, 0.0))
    turned = moved(*(obj for obj in (stays, hub) if obj.parent is None))
    hinge = joined("HINGE", stays, hub)
    assert parallel(axis_of(hinge), turned.to_3x3() @ way)
    place = turned.inverted() @ hinge.matrix_world.translation - middle
    assert (place - place.project(way)).length == pytest.approx(0.0, abs=1e-4)
    assert range_of(hinge) == (-inf, inf)


def test_blades_before_a_round_post_do_not_turn_about_it() -> None:
    """They are held in their middle, and turn about the way to it."""
    pole = disc("Pole", Vector((0.0, 0.0, 1.0)), radius=0.05, depth=2.0, axis="Z")
    blades = slab("Blades", (0.0, -0.06, 1.9), (1.2, 0.02, 0.12))
    assert parallel(axis_of(joined("HINGE", pole, blades)), Vector((0.0, 1.0, 0.0)))


@pytest.mark.parametrize("kind", ["overlaid", "inset", "flap"])
def test_a_panel_that_is_met_all_around_is_no_fan(kind: str) -> None:
    """A door in its frame, one that lies over its cabinet, and a flap at its edge have a range."""
    if kind == "inset":
        sides = [
            slab("Left", (-0.55, 0.0, 1.0), (0.1, 0.1, 2.2)),
            slab("Right", (0.55, 0.0, 1.0), (0.1, 0.1, 2.2)),
        ]
        top = slab("Frame", (0.0, 0.0, 2.05), (1.0, 0.1, 0.1))
        select(*sides, top)
        bpy.ops.object.join()
        stays, panel = top, slab("Door", (0.0, 0.0, 1.0), (0.99, 0.05, 1.99))
    elif kind == "overlaid":
        stays = slab("Cabinet", (0.0, 0.5, 0.5), (0.6, 1.0, 1.0))
        panel = slab("Door", (0.0, -0.01, 0.5), (0.58, 0.02, 0.98))
    else:
        stays = slab("Shelf", (0.0, 0.0, 1.0), (1.0, 0.3, 0.02))
        panel = slab("Flap", (0.0, -0.16, 0.86), (1.0, 0.02, 0.3))
    turned = moved(stays, panel)
    hinge = joined("HINGE", stays, panel)
    assert not parallel(axis_of(hinge), turned.to_3x3() @ Vector((0.0, 1.0, 0.0)))
    assert range_of(hinge) == pytest.approx((0.0, pi / 2))


def test_what_is_flat_has_its_middle_where_its_surface_has() -> None:
    """However many triangles one of its ends has."""
    plate = slab("Plate", (0.5, 0.0, 0.0), (2.0, 1.0, 0.1))
    mesh = bmesh.new()
    mesh.from_mesh(plate.data)
    edges = [edge for edge in mesh.edges if all(one.co.x > 0.0 for one in edge.verts)]
    bmesh.ops.subdivide_edges(mesh, edges=edges, cuts=6, use_grid_fill=True)
    mesh.to_mesh(plate.data)
    mesh.free()
    turned = moved(plate)
    found = flat_shape(plate)
    assert found is not None
    assert (found.middle - turned @ Vector((0.5, 0.0, 0.0))).length < 1e-4


@pytest.mark.parametrize(("deep", "is_dial"), [(0.1, True), (1.0, True), (3.0, False)])
def test_a_hand_is_on_a_dial_and_on_no_column(deep: float, *, is_dial: bool) -> None:
    """What lies on the end of something round reaches its middle; of a mast that says nothing."""
    dial = disc("Dial", Vector((0.0, 0.0, -0.5 * deep)), radius=0.5, depth=deep, axis="Z")
    hand = slab("Hand", (0.2, 0.0, 0.01), (0.6, 0.05, 0.02))
    moved(dial, hand)
    assert (dial_reached(Pair(dial, hand)) is not None) is is_dial
