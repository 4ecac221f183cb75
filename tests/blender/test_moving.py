# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that a simulation moves are shown exactly there, and come back bit by bit."""

from __future__ import annotations

from math import radians

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.poses.moving import BLENDER_FROM_GLTF, MovedBodies
from omi_physics_joint.blender.bridge.poses.transforms import FIELDS, keep, put_back
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.simulated.choice import held_along, islands_of
from omi_physics_joint.model.geometry.axes import Z_UP_FROM_Y_UP
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.solver import Simulation
from tests.scenes import box, door, joined, numbers


def moved_bodies() -> tuple[MovedBodies, Simulation]:
    """Return what moves in the scene, and a simulation of the same mechanism."""
    bpy.context.view_layer.update()
    placed = placed_in_scene(bpy.context.scene)
    mechanism = mechanism_from_placed(placed).mechanism
    return MovedBodies(placed, mechanism), Simulation(mechanism)


def show(moved: MovedBodies, simulation: Simulation) -> None:
    """Write the poses of a simulation to the scene."""
    rows = moved.rows_of(simulation.body_nodes)
    moved.write(simulation.positions[rows], simulation.rotations[rows])
    bpy.context.view_layer.update()


def raw(obj: bpy.types.Object) -> tuple[tuple[float, ...], ...]:
    """Return the numbers that a user typed."""
    return tuple(tuple(getattr(obj, field)) for field in FIELDS)


def body(name: str, location: tuple[float, float, float], *, dynamic: bool = True) -> object:
    """Add a box that is a body."""
    obj = box(name, location)
    obj.omi_physics_body.is_body = True
    obj.omi_physics_body.type = "dynamic" if dynamic else "static"
    return obj


def test_map_of_axes_is_the_models() -> None:
    """The matrix takes points as ``model.axes`` takes vectors."""
    for point in ((1.0, 2.0, 3.0), (-4.0, 5.0, -6.0)):
        mapped = BLENDER_FROM_GLTF @ (*point, 1.0)
        assert tuple(mapped[:3]) == Z_UP_FROM_Y_UP.vector(point)


def awkward() -> list[bpy.types.Object]:
    """Build bodies with every kind of scale, parent and rotation mode."""
    first = body("First", (0.0, 0.0, 0.0))
    first.rotation_mode = "QUATERNION"
    first.rotation_quaternion = Euler((0.3, 0.2, -0.4)).to_quaternion()
    first.scale = (2.0, 2.0, 2.0)
    between = box("Between", (1.0, 0.5, 0.0))
    between.parent, between.rotation_euler = first, (0.1, 0.7, 0.0)
    second = body("Second", (2.0, 0.0, 1.0))
    second.parent = between
    second.matrix_parent_inverse = Matrix.Translation((0.3, 0.0, 0.0)) @ Matrix.Rotation(
        0.5, 4, "X"
    )
    second.rotation_euler = (0.0, 0.0, radians(400.0))
    still = box("Still", (0.0, -3.0, 0.0))
    still.scale = (-1.0, 1.0, 1.0)
    third = body("Third", (0.5, 0.0, 0.0))
    third.parent, third.rotation_mode = still, "AXIS_ANGLE"
    third.rotation_axis_angle = (7.0, 0.0, 1.0, 1.0)
    fourth = body("Fourth", (5.0, 0.0, 0.0))
    fourth.delta_location, fourth.delta_rotation_euler = (0.0, 1.0, 0.0), (0.2, 0.0, 0.0)
    objects = [first, second, third, fourth]
    for number, obj in enumerate(objects):
        obj.omi_physics_body.angular_velocity = (1.0, -number, 0.5 * number)
    return objects


def test_pose_as_read_moves_nothing() -> None:
    """Writing the pose that was read leaves every object where it is."""
    objects = awkward()
    moved, simulation = moved_bodies()
    before = [numbers(obj.matrix_world) for obj in objects]
    show(moved, simulation)
    for obj, there in zip(objects, before, strict=True):
        assert numbers(obj.matrix_world) == pytest.approx(there, abs=3e-6), obj.name


def test_objects_stand_where_the_bodies_are() -> None:
    """After some steps each object's own rigid frame is the pose of its body, scale unchanged."""
    objects = awkward()
    moved, simulation = moved_bodies()
    for _ in range(12):
        simulation.step(1 / 24)
    show(moved, simulation)
    rows = moved.rows_of(simulation.body_nodes)
    mechanism = mechanism_from_placed(placed_in_scene(bpy.context.scene)).mechanism
    for body, row in zip(moved.bodies, rows, strict=True):
        frame = np.array(rigid_frame(mechanism.nodes[body.node].world))
        assert frame[:3, 3] == pytest.approx(simulation.positions[row], abs=1e-5)
        again = Simulation(mechanism)
        there = again.rotations[list(again.body_nodes).index(body.node)]
        assert abs(float(there @ simulation.rotations[row])) == pytest.approx(1.0, abs=1e-11)
    above = {
        body.object.name: moved.bodies[body.above].object.name
        for body in moved.bodies
        if body.above is not None
    }
    assert above == {"Second": "First"}
    for obj, scale in zip(objects, (2.0, 1.0, 1.0, 1.0), strict=True):
        assert tuple(obj.scale) == pytest.approx((scale, scale, scale), abs=1e-5)


def test_body_under_an_unevenly_scaled_one_is_named() -> None:
    """Blender has no shear in a transform, so such a body cannot be shown as it turns."""
    objects = awkward()
    objects[0].scale = (1.0, 2.0, 0.5)
    moved, _ = moved_bodies()
    assert [(issue.code, issue.where) for issue in moved.issues] == [
        ("uneven-scale-above-body", "Second")
    ]


def test_restore_is_exact_to_the_bit() -> None:
    """More than a turn, an axis of no unit length, quaternions: all come back as they were."""
    objects = awkward()
    before = [raw(obj) for obj in objects]
    moved, simulation = moved_bodies()
    for _ in range(5):
        simulation.step(1 / 24)
        show(moved, simulation)
    assert [raw(obj) for obj in objects] != before
    assert put_back(moved.rest) == []
    assert [raw(obj) for obj in objects] == before


def test_zeros_come_back_with_their_sign() -> None:
    """Where only the sign of a zero differs, it is put back all the same."""
    _, leaf, _ = door()
    leaf.rotation_euler = (-0.0, 0.0, -0.0)
    before = repr(raw(leaf))
    kept = keep([leaf])
    leaf.rotation_euler = (0.0, -0.0, 0.0)
    assert repr(raw(leaf)) != before
    assert put_back(kept) == []
    assert repr(raw(leaf)) == before


def test_restore_goes_on_where_a_body_is_gone() -> None:
    """A body deleted meanwhile is named, and the others come back all the same."""
    objects = awkward()
    before = [raw(obj) for obj in objects[1:]]
    moved, simulation = moved_bodies()
    simulation.step(1 / 24)
    show(moved, simulation)
    bpy.data.objects.remove(objects[0])
    assert put_back(moved.rest) == ["First"]
    assert [raw(obj) for obj in objects[1:]] == before


def test_transforms_are_found_again_after_undo() -> None:
    """An undo step replaces objects; what was kept still finds them."""
    _, leaf, _ = door()
    bpy.ops.ed.undo_push(message="one")
    kept = keep([leaf])
    leaf.location.x += 1.0
    bpy.ops.ed.undo_push(message="two")
    bpy.ops.ed.undo()
    again = bpy.data.objects["Door"]
    again.location.x += 2.0
    assert put_back(kept) == []
    assert raw(again) == kept[0].values


@pytest.mark.parametrize("kind", ["VERTS", "FACES", "NONE"])
def test_what_is_shown_on_vertices_or_faces_does_not_move(kind: str) -> None:
    """Copies of a body below what shows it there are no bodies here, and in files they are."""
    crate = body("Crate", (0.0, 0.0, 0.0))
    crate.parent = box("Holder", (0.0, 0.0, 2.0))
    crate.parent.instance_type = kind
    bpy.context.view_layer.update()
    moved, _ = moved_bodies()
    assert [issue.code for issue in moved.issues] == ["instance-not-moved"] * (kind != "NONE")
    assert len(moved.bodies) == (kind == "NONE")
    assert all("what Holder shows of it" in issue.message for issue in moved.issues)


def test_static_bodies_and_parts_of_instances_do_not_move() -> None:
    """What stands is no body, and a part of an instance says why it is none."""
    body("Stays", (0.0, 0.0, 0.0), dynamic=False)
    part = body("Part", (0.0, 0.0, 0.0))
    group = bpy.data.collections.new("Group")
    bpy.context.scene.collection.objects.unlink(part)
    group.objects.link(part)
    instancer = bpy.data.objects.new("Instance", None)
    instancer.instance_type, instancer.instance_collection = "COLLECTION", group
    bpy.context.scene.collection.objects.link(instancer)
    moved, _ = moved_bodies()
    assert moved.bodies == ()
    assert [issue.code for issue in moved.issues] == ["instance-not-moved"]


def test_only_what_moved_is_written() -> None:
    """A body that stands where it was written last is left alone, one that moved is not."""
    _, leaf, _ = door()
    other = body("Other", (9.0, 0.0, 0.0))
    moved, simulation = moved_bodies()
    positions, rotations = (
        getattr(simulation, name)[moved.rows_of(simulation.body_nodes)].copy()
        for name in ("positions", "rotations")
    )
    moved.write(positions, rotations, only_moved=True)
    for obj in (leaf, other):
        obj.location.y = 7.0
    positions[[body.object for body in moved.bodies].index(leaf)] += 1.0
    moved.write(positions, rotations, only_moved=True)
    assert leaf.location.y != 7.0
    assert other.location.y == 7.0


@pytest.mark.parametrize("step", [3e-8, 1e-6])
def test_what_creeps_is_never_far_from_where_it_is(step: float) -> None:
    """However little it moves in a frame: what counts is where it was written last."""
    creeps = body("Creeps", (0.0, 0.0, 0.0))
    moved, simulation = moved_bodies()
    positions, rotations = simulation.positions.copy(), simulation.rotations.copy()
    for _ in range(20):
        positions[:, 0] += step
        moved.write(positions, rotations, only_moved=True)
    assert creeps.location.x == pytest.approx(20.0 * step, abs=2e-7)


@pytest.mark.parametrize("below", [False, True])
@pytest.mark.parametrize("jointed", [False, True])
def test_what_stands_is_shown_where_it_is_only_where_blender_would_move_it(
    jointed: bool, below: bool
) -> None:
    """That is below a dynamic body, with a joint; all else that stands is nobody's to move."""
    moves, stands = body("Moves", (0.0, 0.0, 0.0)), body("Stands", (2.0, 0.0, 0.0), dynamic=False)
    ends = (moves, stands) if jointed else (moves, body("Else", (0.0, 3.0, 0.0), dynamic=False))
    joined("PIN", *ends[::-1])
    if below:
        stands.parent, stands.matrix_parent_inverse = moves, moves.matrix_world.inverted()
    bpy.context.view_layer.update()
    mechanism = mechanism_from_placed(placed_in_scene(bpy.context.scene)).mechanism
    along = held_along(mechanism, islands_of(mechanism), ())
    names = {mechanism.nodes[one].name for one in along}
    assert names == ({"Stands"} if jointed and below else set())
