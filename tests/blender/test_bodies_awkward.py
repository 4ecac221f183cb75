# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies in awkward company: below scaled parents, of several kinds at once, some of them unfit."""

from __future__ import annotations

from math import radians
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from layouts import Layout
from mathutils import Euler, Matrix, Vector
from omi_export import box_mesh
from scenes import box, numbers, select, slab

from omi_physics_joint.blender.bodies.panels import draw_add
from omi_physics_joint.blender.bodies.takeover import settings_from_constraint, take_over
from omi_physics_joint.blender.bridge.read_settings import settings_of
from omi_physics_joint.model.joint import Freedom
from tests.blender.everything import differences, everything
from tests.blender.test_presets_awkward import linked
from tests.blender.test_takeover import constrained, joints

FAR = Matrix.LocRotScale((20.0, -13.0, 4.0), Euler((0.4, -0.3, 1.1)), None)
Object = bpy.types.Object


def compound(way: Matrix) -> list[Object]:
    """Return bodies with colliders of several shapes and sizes, of unequal parts, somewhere."""
    root = bpy.data.objects.new("Root", None)
    bpy.context.scene.collection.objects.link(root)
    made = []
    for number, shape in enumerate(("box", "convex", "trimesh")):
        body = slab(f"Body {number}", (3.0 * number, 0.5, 1.0), (1.0, 0.4 + number, 0.3))
        part = slab(f"Part {number}", (3.0 * number + 0.9, 0.7, 1.4), (0.4, 0.3, 0.9))
        part.parent = body
        part.matrix_parent_inverse = body.matrix_world.inverted()
        body.parent = root
        for obj, kind in ((body, shape), (part, "convex")):
            obj.omi_physics_body.use_collider = True
            obj.omi_physics_body.collider.shape.type = kind
            obj.omi_physics_body.collider.shape.size = (2.0, 2.0, 2.0)
        body.omi_physics_body.is_body = True
        made.append(body)
    root.matrix_world = way
    bpy.context.view_layer.update()
    return made


@pytest.mark.parametrize("size", [1.0, 0.02, 30.0])
def test_mass_and_centre_go_along_with_a_scene(size: float) -> None:
    """Tipped, 24 m off, of another size: masses grow by its cube, centres stay in the bodies."""
    found = []
    for way in (Matrix(), FAR @ Matrix.Scale(size, 4)):
        bpy.ops.wm.read_homefile(use_empty=True)
        bodies = compound(way)
        select(*bodies)
        assert bpy.ops.omi_joint.mass_from_volume(material="STEEL") == {"FINISHED"}
        assert bpy.ops.omi_joint.center_from_volume() == {"FINISHED"}
        scale = way.to_scale().x
        for body in bodies:
            data = body.omi_physics_body
            centre = body.matrix_world.normalized() @ Vector(data.center_of_mass)
            found.append([data.mass / scale**3, *(way.inverted() @ centre)])
    half = len(found) // 2
    for plain, moved in zip(found[:half], found[half:], strict=True):
        assert moved == pytest.approx(plain, rel=1e-3, abs=1e-4)
    # Of steel, each of its box and of the part beside it.
    for number, (mass, *_) in enumerate(found[:half]):
        assert mass == pytest.approx(7850.0 * (0.3 * (0.4 + number) + 0.108), rel=1e-3)


def test_one_body_of_several_that_holds_nothing_is_left_alone(tmp_path: Path) -> None:
    """An empty, a linked body and a plain object among three: those that can be weighed are."""
    first, second, third = compound(FAR)
    [other] = linked(tmp_path / "other.blend", [third])
    for obj in (first, second, other):
        assert obj.omi_physics_body.mass == 1.0
    empty = bpy.data.objects.new("Empty", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.omi_physics_body.is_body = True
    plain = slab("Plain", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    select(empty, other, plain, second, first)
    assert bpy.ops.omi_joint.mass_from_volume(material="OAK") == {"FINISHED"}
    masses = [obj.omi_physics_body.mass for obj in (empty, other, plain, third)]
    assert masses == [1.0] * 4
    assert first.omi_physics_body.mass != second.omi_physics_body.mass != 1.0
    assert not plain.omi_physics_body.is_body


def test_a_body_that_is_removed_leaves_a_plain_object() -> None:
    """Whatever was set of it, is as before they were made bodies; others stay."""
    bodies = [slab(f"Body {n}", (3.0 * n, 0.0, 0.0), (1.0, 0.5, 0.3)) for n in range(3)]
    before = everything()
    for body in bodies:
        select(body)
        bpy.ops.omi_joint.body_add(type="kinematic")
        data = body.omi_physics_body
        data.mass, data.infinite_mass, data.gravity_factor = 7.0, True, 0.3
        data.linear_velocity, data.computed_center = (1.0, 2.0, 3.0), True
        data.use_trigger = data.use_gravity_shape = True
    kept = differences(before, everything())
    select(*bodies[:2])
    bpy.ops.omi_joint.body_remove()
    left = [one for one in differences(before, everything()) if "omi_physics_body" in one]
    own = [one for one in kept if "omi_physics_body" in one and "Body 2" in one]
    assert own
    assert left == own


def test_parts_of_a_trigger_are_the_triggers_below_it_and_no_others() -> None:
    """Selected beside it are a solid, a trigger elsewhere and one that is not selected."""
    owner, *others = (
        slab(name, (n, 0.0, 0.0), (1.0, 1.0, 1.0))
        for n, name in enumerate(("Owner", "Part", "Deep", "Solid", "Elsewhere", "Not chosen"))
    )
    part, deep, solid, elsewhere, unchosen = others
    for obj, above in ((part, owner), (deep, part), (solid, owner), (unchosen, owner)):
        obj.parent = above
    for obj in (part, deep, elsewhere, unchosen):
        obj.omi_physics_body.use_trigger = True
    owner.omi_physics_body.trigger.nodes.add().object = elsewhere
    select(part, deep, solid, elsewhere, owner)
    for _ in range(2):
        assert bpy.ops.omi_joint.trigger_parts() == {"FINISHED"}
        nodes = owner.omi_physics_body.trigger.nodes
        assert sorted(one.object.name for one in nodes) == ["Deep", "Part"]
        assert owner.omi_physics_body.use_trigger


def rigid(obj: Object, kind: str, **fields: Any) -> None:
    """Make an object a rigid body of Blender's."""
    select(obj)
    bpy.ops.rigidbody.object_add(type=kind)
    for name, value in fields.items():
        setattr(obj.rigid_body, name, value)


@pytest.mark.parametrize("count", [1, 3])
def test_rigid_bodies_of_other_sizes_become_shapes_of_their_own(count: int) -> None:
    """Each has the size of its own mesh, whatever it is scaled by and which one is active."""
    bpy.ops.rigidbody.world_add()
    sizes = [(0.4, 1.0, 2.0), (1.6, 0.6, 3.0), (0.5, 0.2, 0.7)][:count]
    bodies = []
    for number, size in enumerate(sizes):
        obj = bpy.data.objects.new("Body", box_mesh())
        bpy.context.scene.collection.objects.link(obj)
        obj.data.transform(Matrix.Diagonal(size).to_4x4())
        obj.matrix_world = FAR @ Matrix.Translation((5.0 * number, 0.0, 0.0)) @ Matrix.Scale(3.0, 4)
        rigid(obj, "ACTIVE", mass=2.0 + number, friction=0.1 * (1 + number), restitution=0.25)
        bodies.append(obj)
    radius = [0.5 * max(x, y) for x, y, _ in sizes]
    expected = {
        "BOX": [("size", size) for size in sizes],
        "SPHERE": [("radius", 0.5 * max(size)) for size in sizes],
        "CAPSULE": [("radius_top", one) for one in radius],
        "CYLINDER": [("height", size[2]) for size in sizes],
        "CONE": [("radius_bottom", one) for one in radius],
    }
    for kind, fields in expected.items():
        for obj in bodies:
            obj.rigid_body.collision_shape = kind
        select(*bodies)
        assert bpy.ops.omi_joint.from_rigid_body() == {"FINISHED"}
        for number, (obj, (field, value)) in enumerate(zip(bodies, fields, strict=True)):
            shape, data = obj.omi_physics_body.collider.shape, obj.omi_physics_body
            found = getattr(shape, field)
            assert (found if isinstance(value, float) else list(found)) == pytest.approx(value)
            assert data.mass == 2.0 + number
            material = data.collider.physics_material
            assert material.dynamic_friction == pytest.approx(0.1 * (1 + number))
            assert (shape.radius_top == 0.0) is (kind == "CONE")


@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize("kind", ["HINGE", "SLIDER", "FIXED"])
def test_a_constraint_elsewhere_becomes_the_same_joint(kind: str, apart: bool) -> None:
    """Tipped, 24 m off and scaled: its joint stands and is aimed as it is, as large."""
    bpy.ops.rigidbody.world_add()
    post, leaf = (slab(name, (n, 0.0, 0.0), (0.5, 0.4, 1.0)) for n, name in enumerate("PL"))
    rigid(post, "PASSIVE")
    rigid(leaf, "ACTIVE")
    empty = bpy.data.objects.new("Joint", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.empty_display_size = 0.7
    empty.matrix_world = FAR @ Matrix.LocRotScale((0.5, 0.1, 0.2), Euler((1, 2, 3)), (2, 3, 4))
    for obj in (post, leaf):
        obj.matrix_world = FAR @ obj.matrix_world
    select(empty)
    bpy.ops.rigidbody.constraint_add(type=kind)
    constraint = empty.rigid_body_constraint
    constraint.object1, constraint.object2 = post, leaf
    constraint.disable_collisions = apart
    bpy.context.view_layer.update()
    assert bpy.ops.omi_joint.from_rigid_body() == {"FINISHED"}
    [joint] = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    bpy.context.view_layer.update()
    place, turn, _ = empty.matrix_world.decompose()
    rigidly = numbers(Matrix.LocRotScale(place, turn, None))
    assert numbers(joint.matrix_world) == pytest.approx(rigidly, abs=1e-5)
    assert joint.empty_display_size == pytest.approx(0.7)
    assert joint.parent == leaf
    assert joint.omi_physics_joint.connected_body == post
    assert joint.omi_physics_joint.enable_collision is not apart
    assert len(settings_of(joint).limits) == {"HINGE": 5, "SLIDER": 5, "FIXED": 6}[kind]


def test_each_spring_keeps_its_axis_and_each_motor_its_strength() -> None:
    """Of six unequal springs and two motors those that are on become drives as strong as they."""
    bpy.ops.rigidbody.world_add()
    empty = bpy.data.objects.new("Joint", None)
    bpy.context.scene.collection.objects.link(empty)
    select(empty)
    bpy.ops.rigidbody.constraint_add(type="GENERIC_SPRING")
    constraint = empty.rigid_body_constraint
    parts = [f"{prefix}{axis}" for prefix in ("", "ang_") for axis in "xyz"]
    for number, part in enumerate(parts):
        setattr(constraint, f"use_spring_{part}", number not in (1, 3))
        setattr(constraint, f"spring_stiffness_{part}", 8.0 + number)
        setattr(constraint, f"spring_damping_{part}", 0.25 * number)
    springs = settings_from_constraint(constraint, "Springs").drives
    assert [(one.type, one.axis, one.stiffness, one.damping) for one in springs] == [
        (Freedom.LINEAR, 0, 8.0, 0.0),
        (Freedom.LINEAR, 2, 10.0, 0.5),
        (Freedom.ANGULAR, 1, 12.0, 1.0),
        (Freedom.ANGULAR, 2, 13.0, 1.25),
    ]
    constraint.type = "MOTOR"
    for number, part in enumerate(("lin", "ang")):
        setattr(constraint, f"use_motor_{part}", True)
        setattr(constraint, f"motor_{part}_target_velocity", (-4.0, 0.0)[number])
        setattr(constraint, f"motor_{part}_max_impulse", 0.5)
    run, hold = settings_from_constraint(constraint, "Motors").drives
    assert (run.type, run.axis, hold.type, hold.axis) == (Freedom.LINEAR, 0, Freedom.ANGULAR, 0)
    # All of its force a third of a m/s off, or where it holds 1 degree/s off.
    assert run.max_force == hold.max_force == 0.5
    assert (run.velocity_target, run.damping) == (4.0, pytest.approx(1.5))
    assert hold.damping * radians(1.0) == pytest.approx(0.5)


@pytest.mark.parametrize("solid", [False, True])
@pytest.mark.parametrize("moves", [False, True])
def test_what_is_no_body_can_become_one_though_it_is_solid(*, moves: bool, solid: bool) -> None:
    """Below Blender's own buttons a body is taken away, and anything else is made one."""
    obj = slab("Wall", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    obj.omi_physics_body.is_body, obj.omi_physics_body.use_collider = moves, solid
    layout = Layout()
    draw_add(SimpleNamespace(layout=layout), bpy.context)
    drawn = "\n".join(layout.lines())
    assert ("body_remove" in drawn, "body_add" in drawn) == (moves, not moves)


@pytest.mark.parametrize("alone", ["Second", "Part", "Constraint"])
def test_whatever_is_taken_over_alone_is_done(alone: str) -> None:
    """A body, a part that was added to one of ours, or a constraint between two of ours."""
    first, second, _ = constrained("HINGE")
    take_over([first, second])
    part = box("Part", (3.0, 0.0, 0.0))
    rigid(part, "ACTIVE")
    part.parent, second.rigid_body.collision_shape = second, "COMPOUND"
    select(bpy.data.objects[alone])
    assert bpy.ops.omi_joint.from_rigid_body() == {"FINISHED"}
    assert part.omi_physics_body.use_collider is (alone != "Constraint")
    assert len(joints()) == (alone == "Constraint")
