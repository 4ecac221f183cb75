# SPDX-License-Identifier: GPL-3.0-or-later
"""Small scenes that tests author with the operators a user presses."""

from __future__ import annotations

from math import pi

import bpy
from mathutils import Matrix, Vector

from omi_physics_joint.blender.bridge.poses.second_frames import second_world


def box(name: str, location: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> bpy.types.Object:
    """Add a two metre cube."""
    bpy.ops.mesh.primitive_cube_add(location=location)
    bpy.context.object.name = name
    return bpy.context.object


def slab(name: str, middle: tuple[float, ...], size: tuple[float, ...]) -> bpy.types.Object:
    """Return a box of a size in m."""
    obj = box(name, tuple(middle))
    obj.scale = [0.5 * length for length in size]
    bpy.context.view_layer.update()
    return obj


def select(*objects: bpy.types.Object) -> None:
    """Select objects; the last one becomes active."""
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    for obj in objects:
        obj.select_set(True)
    bpy.context.view_layer.objects.active = objects[-1]


def joined(
    kind: str, still: bpy.types.Object, moving: bpy.types.Object, **options: object
) -> bpy.types.Object:
    """Press one of the four buttons with two objects selected and return the joint's frame."""
    select(still, moving)
    assert bpy.ops.omi_joint.create(kind=kind, **options) == {"FINISHED"}
    bpy.context.view_layer.update()
    return bpy.context.object


def door(**options: object) -> tuple[bpy.types.Object, bpy.types.Object, bpy.types.Object]:
    """Return a frame, a door and the hinge between them at x = 1."""
    frame, leaf = box("Frame"), box("Door", (2.0, 0.0, 0.0))
    bpy.context.scene.cursor.location = (1.0, 0.0, 0.0)
    return frame, leaf, joined("HINGE", frame, leaf, **options)


def four_bar(**options: object) -> dict[str, bpy.types.Object]:
    """Return the joints of a crank, a coupler and a rocker on a ground, by name."""
    ground, crank = box("Ground"), box("Crank", (0.0, 0.0, 1.0))
    coupler, rocker = box("Coupler", (2.0, 0.0, 2.5)), box("Rocker", (4.0, 0.0, 1.5))
    made = {}
    for name, first, second, place in (
        ("crank", ground, crank, (0.0, 0.0, 0.0)),
        ("rocker", ground, rocker, (4.0, 0.0, 0.0)),
        ("first", crank, coupler, (0.0, 0.0, 2.0)),
        ("second", rocker, coupler, (4.0, 0.0, 3.0)),
    ):
        bpy.context.scene.cursor.location = place
        made[name] = joined(
            "HINGE", first, second, direction="GLOBAL_Y", **{"use_range": False, **options}
        )
    return made


def level_bar() -> bpy.types.Object:
    """Make a bar that hangs level on a free hinge about Y, on a post, and return the bar."""
    post, bar = box("Post"), box("Bar", (0.6, 0.0, 0.0))
    bar.scale = (0.25, 0.05, 0.05)
    bpy.context.scene.cursor.location = (0.3, 0.0, 0.0)
    bpy.context.view_layer.update()
    joined("HINGE", post, bar, direction="GLOBAL_Y", use_range=False)
    return bar


def relative(joint: bpy.types.Object) -> Matrix:
    """Return the pose of the connected frame in the joint frame: the value of the joint."""
    bpy.context.view_layer.update()
    return joint.matrix_world.inverted() @ second_world(joint)


def separated(joint: bpy.types.Object) -> bpy.types.Object:
    """Return the second frame of a joint as an object; its readers take both from the joint."""
    bpy.context.scene.omi_physics_joint.readers = {"VIEWERS"}
    before = bpy.context.selected_objects, bpy.context.view_layer.objects.active
    select(joint)
    assert bpy.ops.omi_joint.separate_frames() == {"FINISHED"}
    select(*[one for one in before[0] if one != before[1]], before[1] or joint)
    bpy.context.view_layer.update()
    return joint.omi_physics_joint.connected_node


def turn(body: bpy.types.Object, pivot: Vector, axis: str, angle: float = pi / 6) -> None:
    """Turn a body about a world axis through a point."""
    rotation = Matrix.Rotation(angle, 4, axis)
    there = Matrix.Translation(pivot)
    body.matrix_world = there @ rotation @ there.inverted() @ body.matrix_world
    bpy.context.view_layer.update()


def instanced(*objects: bpy.types.Object) -> bpy.types.Object:
    """Put objects into a collection of their own, shown by one empty, as linked assets are."""
    asset = bpy.data.collections.new("Asset")
    for obj in objects:
        asset.objects.link(obj)
        bpy.context.scene.collection.objects.unlink(obj)
    asset.instance_offset = (3.0, 1.0, 0.0)
    empty = bpy.data.objects.new("Instance", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", asset
    empty.location = asset.instance_offset
    bpy.context.scene.collection.objects.link(empty)
    bpy.context.view_layer.update()
    return empty


def issues() -> dict[str, str]:
    """Check the scene and return the severity of each code that was found."""
    bpy.ops.omi_joint.check()
    found = bpy.context.window_manager.omi_physics_joint.issues
    return {issue.code: issue.severity for issue in found}


def numbers(value: Matrix | Vector) -> list[float]:
    """Return the elements of a matrix or vector in one list, for pytest.approx."""
    if isinstance(value, Matrix):
        return [element for row in value for element in row]
    return list(value)


IDENTITY = numbers(Matrix.Identity(4))
