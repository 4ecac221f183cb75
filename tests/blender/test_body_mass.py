# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass from volume, and the centre of mass from colliders."""

from __future__ import annotations

from math import pi

import bpy
import pytest
from omi_export import add, add_body, box_mesh

from omi_physics_joint.blender.bodies.operators import DENSITIES


def select(*objects: bpy.types.Object) -> None:
    """Select objects, the last one active."""
    bpy.ops.object.select_all(action="DESELECT")
    for obj in objects:
        obj.select_set(True)
        bpy.context.view_layer.objects.active = obj


def solid(obj: bpy.types.Object, kind: str) -> bpy.types.Object:
    """Give an object a collider."""
    obj.omi_physics_body.use_collider = True
    obj.omi_physics_body.collider.shape.type = kind
    return obj


def test_a_cubic_metre_of_steel_weighs_7850_kg_and_its_scale_counts() -> None:
    """Two boxes of 1 and 6 m^3, in one go; what has no volume is named and left alone."""
    one = solid(add_body("One", data=box_mesh()), "convex")
    volume = one.dimensions.x * one.dimensions.y * one.dimensions.z
    six = solid(add_body("Six", data=one.data, scale=(1.0, 2.0, 3.0)), "trimesh")
    bare = add_body("Bare")
    select(one, six, bare)
    assert bpy.ops.omi_joint.mass_from_volume(material="STEEL") == {"FINISHED"}
    assert one.omi_physics_body.mass == pytest.approx(7850.0 * volume, rel=1e-6)
    assert six.omi_physics_body.mass == pytest.approx(7850.0 * 6.0 * volume, rel=1e-6)
    assert bare.omi_physics_body.mass == 1.0


def test_a_calculated_mass_counts_though_it_was_infinite() -> None:
    """A body that nothing could move is as heavy as its volume says, and moves again."""
    one = solid(add_body("One", data=box_mesh()), "convex")
    one.omi_physics_body.infinite_mass = True
    select(one)
    assert bpy.ops.omi_joint.mass_from_volume(material="STEEL") == {"FINISHED"}
    assert not one.omi_physics_body.infinite_mass


def test_shapes_that_are_no_meshes_and_compound_ones_add_up() -> None:
    """A ball and a child's cylinder, at a density that is typed."""
    body = solid(add_body("Body"), "sphere")
    body.omi_physics_body.collider.shape.radius = 0.5
    pole = solid(add("Pole", body, at=(0.0, 0.0, 2.0)), "cylinder").omi_physics_body.collider.shape
    pole.height, pole.radius_bottom, pole.radius_top = 2.0, 0.1, 0.1
    select(body)
    assert bpy.ops.omi_joint.mass_from_volume(material="CUSTOM", density=10.0) == {"FINISHED"}
    ball, stick = 4.0 / 3.0 * pi * 0.125, pi * 0.01 * 2.0
    assert body.omi_physics_body.mass == pytest.approx(10.0 * (ball + stick), rel=1e-6)
    assert bpy.ops.omi_joint.center_from_volume() == {"FINISHED"}
    high = 2.0 * stick / (ball + stick)
    assert tuple(body.omi_physics_body.center_of_mass) == pytest.approx((0, 0, high), abs=1e-6)


def test_the_centre_is_said_in_the_axes_of_the_body_without_its_scale() -> None:
    """A turned and scaled leaf whose mesh lies beside its origin."""
    leaf = solid(
        add_body("Leaf", data=box_mesh(), at=(3, 1, 2), turned=(0, 0, pi / 2), scale=(2, 1, 1)),
        "convex",
    )
    for vertex in leaf.data.vertices:
        vertex.co.x += 1.0
    bpy.context.view_layer.update()
    select(leaf)
    leaf.omi_physics_body.computed_center = True
    assert bpy.ops.omi_joint.center_from_volume() == {"FINISHED"}
    assert not leaf.omi_physics_body.computed_center  # it is what is said now
    assert tuple(leaf.omi_physics_body.center_of_mass) == pytest.approx((2, 0, 0), abs=1e-6)


def test_both_ask_for_bodies() -> None:
    """Objects that are no bodies grey the buttons, as does no object at all.

    Of bodies that hold nothing none is weighed.
    """
    select(add_body("Ghost"))
    assert bpy.ops.omi_joint.mass_from_volume() == {"CANCELLED"}
    plain = add("Plain", data=box_mesh())
    select(plain)
    assert not bpy.ops.omi_joint.mass_from_volume.poll()
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = None
    assert not bpy.ops.omi_joint.center_from_volume.poll()


def test_a_lid_with_its_origin_on_its_hinge_is_found_and_mended() -> None:
    """Check says that gravity does not swing it; Fix moves its mass into its mesh."""
    still = add_body("Still", "static", data=box_mesh())
    lid = solid(add_body("Lid", data=box_mesh(), at=(4, 0, 0)), "convex")
    for vertex in lid.data.vertices:
        vertex.co.x += 2.0
    select(still, lid)
    bpy.context.scene.cursor.location = lid.location
    bpy.ops.omi_joint.create(kind="HINGE", direction="GLOBAL_Y", place="CURSOR")
    assert codes() == ["center-on-hinge"]
    mend("center-on-hinge")
    assert tuple(lid.omi_physics_body.center_of_mass) == pytest.approx((2, 0, 0), abs=1e-6)
    assert codes() == []


def codes() -> list[str]:
    """Return what Check finds of this kind."""
    bpy.ops.omi_joint.check()
    lines = bpy.context.window_manager.omi_physics_joint.issues
    return [line.code for line in lines if line.code == "center-on-hinge"]


def mend(code: str) -> None:
    """Press Fix beside a line."""
    lines = bpy.context.window_manager.omi_physics_joint.issues
    index = next(index for index, line in enumerate(lines) if line.code == code)
    assert bpy.ops.omi_joint.issue_fix(index=index) == {"FINISHED"}


def test_every_material_has_a_density() -> None:
    """From foam to copper."""
    assert all(10.0 < density < 20000.0 for _, density in DENSITIES.values())
