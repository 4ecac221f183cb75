# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the handles of a joint are in the 3D view, in Blender's axes; and the view itself."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

import bpy
from mathutils import Matrix as BlenderMatrix
from mathutils import Vector

from ...drawing.handles import (
    Handle,
    Part,
    arc_of,
    frame_handles,
    handles_of,
    inward_of,
    place_of,
)
from ...drawing.layout import BLENDER_FROM_GLTF, display_size
from ...drawing.picking import Pixel, View, along
from ...model.axes import Y_UP_FROM_Z_UP, Z_UP_FROM_Y_UP
from ...model.body import Vector3
from ...model.frames import is_flat, rigid_frame
from ...model.joint import JointSettings
from ...model.transform import Matrix, linear_part
from ..authoring import joints_from
from ..bridge.placed import plain
from ..bridge.read_settings import settings_from_tree

_BLENDER_FROM_MODEL = BlenderMatrix(BLENDER_FROM_GLTF.tolist()).to_4x4()


@dataclass(frozen=True, slots=True)
class Place:
    """A handle where it is seen."""

    handle: Handle
    point: Vector
    inward: Vector
    """Where a bound leaves room; of a target, where its number grows."""
    arc: tuple[Vector, ...] = ()
    """Corners of the arc by which the frame is turned."""


def handles_allowed(context: bpy.types.Context) -> bool:
    """Return whether handles may be shown at all."""
    return context.mode == "OBJECT"


def joint_at_hand(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the joint whose frame or partner is the active object."""
    obj = context.object
    return None if obj is None else next(iter(joints_from([obj])), None)


def settings_of(joint: bpy.types.Object) -> JointSettings:
    """Return the settings of a joint in Blender's axes; empty where it has none."""
    tree = joint.omi_physics_joint.settings
    return settings_from_tree(tree) if tree is not None else JointSettings()


def model_frame(obj: bpy.types.Object, settings: JointSettings) -> Matrix | None:
    """Return the rigid frame that an object stands for, in the model's axes.

    Args:
        obj: a joint frame or its partner.
        settings: of the joint, in Blender's axes.

    Returns:
        World from frame; None where a scale of zero leaves no frame.
    """
    world = Y_UP_FROM_Z_UP.matrix(plain(obj.matrix_world))
    if is_flat(linear_part(world)):
        return None
    return rigid_frame(world, Y_UP_FROM_Z_UP.settings(settings))


def size_of(joint: bpy.types.Object) -> float:
    """Return the display radius of a joint in m."""
    return display_size(joint.empty_display_size, 1.0)


def placed_handles(
    joint: bpy.types.Object,
    *,
    values: bool = True,
    frame: bool = True,
    held: tuple[Part, int] | None = None,
) -> list[Place]:
    """Return the handles of a joint.

    Args:
        joint: a joint frame.
        values: whether bounds and targets are wanted.
        frame: whether those that move the joint are wanted.
        held: part and index of what is being dragged.
    """
    settings = settings_of(joint)
    world = model_frame(joint, settings)
    if world is None:
        return []
    size = size_of(joint)
    handles = frame_handles(Y_UP_FROM_Z_UP) if frame else ()
    if values:
        handles += handles_of(settings, Y_UP_FROM_Z_UP, held)
    return [_placed(handle, world, size) for handle in handles]


def _placed(handle: Handle, frame: Matrix, size: float) -> Place:
    arc = arc_of(handle, frame, size) if handle.part is Part.TURN else ()
    return Place(
        handle,
        _in_blender(place_of(handle, frame, size)),
        _in_blender(inward_of(handle, frame)),
        tuple(map(_in_blender, arc)),
    )


def view_of(region: bpy.types.Region, region_data: bpy.types.RegionView3D) -> View:
    """Return the view of a region, of a world in the model's axes."""
    matrix = region_data.perspective_matrix @ _BLENDER_FROM_MODEL
    return View(plain(matrix), float(region.width), float(region.height))


def seen(view: View, place: Place) -> list[Pixel]:
    """Return the pixels that a handle is at: one, or the corners of a line."""
    points = place.arc or (place.point,)
    pixels = [view.pixel(in_model(point)) for point in points]
    return [pixel for pixel in pixels if pixel is not None]


def screen_direction(view: View, place: Place) -> Pixel:
    """Return where a handle faces on the screen, at length one.

    A bound that faces the viewer or looks away has no direction there, so it keeps to the right.
    """
    here = in_model(place.point)
    step = 20.0 * view.pixel_size(here)
    x, y, z = in_model(place.inward)
    start, end = view.pixel(here), view.pixel(along(here, (x, y, z), step))
    if start is None or end is None:
        return (1.0, 0.0)
    way = (end[0] - start[0], end[1] - start[1])
    length = hypot(*way)
    return (way[0] / length, way[1] / length) if length > 1.0 else (1.0, 0.0)


def in_model(point: Vector) -> Vector3:
    """Return a point of Blender's world in the model's axes."""
    return Y_UP_FROM_Z_UP.vector(tuple(point))


def _in_blender(point: Vector3) -> Vector:
    return Vector(Z_UP_FROM_Y_UP.vector(point))
