# SPDX-License-Identifier: GPL-3.0-or-later
"""Drags handles of joints without a window: views, pixels and ways of the mouse."""

from __future__ import annotations

from math import degrees

import bpy
from mathutils import Matrix, Vector

from omi_physics_joint.blender.bridge.read_settings import settings_of
from omi_physics_joint.blender.handles.operators import Drag, begin
from omi_physics_joint.blender.handles.places import PlacedHandle, in_model, placed_handles
from omi_physics_joint.blender.handles.values import HeldKeys
from omi_physics_joint.drawing.mouse.picking import Pixel, View
from omi_physics_joint.model.geometry.axes import Y_UP_FROM_Z_UP

WIDTH, HEIGHT = 1200.0, 800.0
FREE = HeldKeys()


def view_from(eye: Vector, at: Vector) -> View:
    """Return the view from a point of Blender's world at another one, in the model's axes."""
    back = (eye - at).normalized()
    up = Vector((0.0, 0.0, 1.0)) if abs(back.z) < 0.99 else Vector((0.0, 1.0, 0.0))
    right = up.cross(back).normalized()
    camera = Matrix((right, back.cross(right), back)).to_4x4()
    camera = camera @ Matrix.Translation(-eye)
    near, far = 0.01, 1000.0
    projection = Matrix.Diagonal((2.0 * HEIGHT / WIDTH, 2.0, 0.0, 0.0))
    projection[2][2], projection[2][3] = (near + far) / (near - far), 2 * near * far / (near - far)
    projection[3][2] = -1.0
    columns = [Y_UP_FROM_Z_UP.vector(tuple(axis)) for axis in Matrix.Identity(3)]
    to_blender = Matrix(columns).to_4x4()  # the rows are columns of its inverse
    matrix = projection @ camera @ to_blender
    return View(tuple(map(tuple, matrix)), WIDTH, HEIGHT)


def handle(
    joint: bpy.types.Object, part: str, index: int = 0, axis: int | None = None
) -> PlacedHandle:
    """Return one handle of a joint; of a limit or drive by its index."""
    return next(
        place
        for place in placed_handles(joint)
        if place.handle.part == part
        and place.handle.index == index
        and axis in (None, place.handle.listed_axis)
    )


def ranged(joint: bpy.types.Object) -> int:
    """Return the index of the limit that leaves a range."""
    limits = settings_of(joint).limits
    return next(index for index, limit in enumerate(limits) if not limit.is_lock)


def pixel_of(view: View, point: Vector) -> Pixel:
    """Return the pixel of a point of Blender's world."""
    pixel = view.pixel(in_model(point))
    assert pixel is not None
    return pixel


def dragged(
    joint: bpy.types.Object,
    place: PlacedHandle,
    points: list[Vector],
    view: View,
    keys: HeldKeys = FREE,
) -> Drag:
    """Drag a handle along points of the world and return the drag, not confirmed yet."""
    drag = begin(bpy.context, joint, place.handle)
    for point in [place.point, *points]:
        drag.moved(bpy.context, view, pixel_of(view, point), keys)
    bpy.context.view_layer.update()
    return drag


def around(joint: bpy.types.Object, axis: int, start: Vector, angle: float) -> list[Vector]:
    """Return points of an arc about an axis of a joint's frame, from one on."""
    frame = joint.matrix_world
    origin = frame.translation
    steps = max(2, int(abs(angle) / 0.3))
    return [
        origin
        + Matrix.Rotation(angle * step / steps, 3, frame.col[axis].to_3d()) @ (start - origin)
        for step in range(1, steps + 1)
    ]


def side_view(joint: bpy.types.Object, axis: int) -> View:
    """Return a view along an axis of a joint, somewhat from the side."""
    frame = joint.matrix_world
    origin = frame.translation
    aside = 2.0 * frame.col[(axis + 1) % 3].to_3d()
    return view_from(origin + 6.0 * frame.col[axis].to_3d() + aside, origin)


def maximum(joint: bpy.types.Object) -> float:
    """Return the maximum of a hinge in degrees."""
    return degrees(joint.omi_physics_joint.settings.limits[ranged(joint)].angular_max)
