# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the handles of a joint are in the 3D view, in Blender's axes; and the view itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import hypot

import bpy
from mathutils import Matrix as BlenderMatrix
from mathutils import Vector

from ...drawing.layout import display_size
from ...drawing.mouse.drag import is_edge_on
from ...drawing.mouse.handles import (
    Handle,
    Part,
    arc_of,
    frame_handles,
    handles_of,
    inward_of,
    place_of,
)
from ...drawing.mouse.picking import Pixel, View, along
from ...drawing.sides import has_two_sides
from ...model.body import Vector3
from ...model.geometry.axes import Y_UP_FROM_Z_UP, Z_UP_FROM_Y_UP
from ...model.geometry.frames import is_flat, rigid_frame
from ...model.geometry.transform import Matrix, linear_part
from ...model.joint import JointSettings
from ..bridge.placed import is_seen_from_second, plain
from ..bridge.poses.away import is_anything_away
from ..bridge.poses.frame_users import joints_from
from ..bridge.poses.moving import BLENDER_FROM_GLTF
from ..bridge.poses.second_frames import second_world
from ..bridge.read_settings import settings_from_block

_BLENDER_FROM_MODEL = BlenderMatrix(BLENDER_FROM_GLTF.tolist())


@dataclass(frozen=True, slots=True)
class PlacedHandle:
    """A handle where it is seen."""

    handle: Handle
    point: Vector
    inward: Vector
    """Where a bound leaves room; of a target, where its number grows."""
    arc: tuple[Vector, ...] = ()
    """Corners of the arc by which the frame is turned."""


def handles_allowed(context: bpy.types.Context) -> bool:
    """Return whether numbers may be dragged: not while something plays."""
    return context.mode == "OBJECT" and not is_anything_away(from_settings=True)


def frames_allowed() -> bool:
    """Return whether frames may be dragged: not while anything is away from where it belongs."""
    return not is_anything_away()


def joint_at_hand(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the joint whose frame or partner is the active object; none that is hidden or off."""
    obj = context.object
    if obj is None or not is_seen(obj, context):
        return None
    at_hand = (joint for joint in joints_from([obj]) if is_seen(joint, context))
    return next((joint for joint in at_hand if not joint.omi_physics_joint.mute), None)


def is_seen(obj: bpy.types.Object, context: bpy.types.Context) -> bool:
    """Return whether an object is shown: in the 3D view of the context, if it is one."""
    space = context.space_data
    in_view = space is not None and space.type == "VIEW_3D"
    return obj.visible_get(viewport=space) if in_view else obj.visible_get()


def settings_of(joint: bpy.types.Object) -> JointSettings:
    """Return the settings of a joint in Blender's axes; empty where it has none."""
    block = joint.omi_physics_joint.settings
    return settings_from_block(block) if block is not None else JointSettings()


def model_frame(obj: bpy.types.Object, settings: JointSettings) -> Matrix | None:
    """Return the rigid frame that an object stands for, in the model's axes.

    Args:
        obj: a joint frame or its partner.
        settings: of the joint, in Blender's axes.

    Returns:
        World from frame; None where a scale of zero leaves no frame.
    """
    return _rigid(plain(obj.matrix_world), settings)


def value_frame(joint: bpy.types.Object, settings: JointSettings) -> tuple[Matrix | None, int]:
    """Return the frame that a joint's bounds and targets are drawn in, and their sign there.

    That is its own frame, or its partner's where the joint is seen from there: all numbers run
    the other way then.

    Args:
        joint: a joint frame.
        settings: of the joint, in Blender's axes.
    """
    world, sign = _value_world(joint, settings)
    return _rigid(world, settings), sign


def _value_world(joint: bpy.types.Object, settings: JointSettings) -> tuple[Matrix, int]:
    second = second_world(joint)
    if second is not None and is_seen_from_second(joint) and has_two_sides(settings):
        return plain(second), -1
    return plain(joint.matrix_world), 1


def _rigid(world: Matrix, settings: JointSettings) -> Matrix | None:
    mapped = Y_UP_FROM_Z_UP.matrix(world)
    if is_flat(linear_part(mapped)):
        return None
    return rigid_frame(mapped, Y_UP_FROM_Z_UP.settings(settings))


def size_of(joint: bpy.types.Object) -> float:
    """Return the display radius of a joint in m, as its arcs are drawn."""
    return display_size(joint.empty_display_size, bpy.context.scene.omi_physics_overlay.size)


def placed_handles(
    joint: bpy.types.Object,
    *,
    values: bool = True,
    frame: bool = True,
    held: tuple[Part, int] | None = None,
) -> tuple[PlacedHandle, ...]:
    """Return the handles of a joint.

    Args:
        joint: a joint frame.
        values: whether bounds and targets are wanted; what joins no two bodies has none, since
            nothing says from which of them it would be seen.
        frame: whether those that move the joint are wanted.
        held: part and index of what is being dragged.
    """
    settings, world = settings_of(joint), plain(joint.matrix_world)
    found: tuple[PlacedHandle, ...] = ()
    if frame:
        found = _places(settings, world, size_of(joint), None, held)
    if values and second_world(joint) is not None:
        seen_in, sign = _value_world(joint, settings)
        found += _places(settings, seen_in, size_of(joint), sign, held)
    return found


@lru_cache(maxsize=16)  # every redraw asks again, and mostly nothing has changed
def _places(
    settings: JointSettings,
    world: Matrix,
    size: float,
    sign: int | None,
    held: tuple[Part, int] | None,
) -> tuple[PlacedHandle, ...]:
    """Return the handles of settings in Blender's axes, of a frame at a matrix of Blender.

    These are those of the frame itself, or with the sign of numbers in it those of the numbers;
    what several axes have together has no sign.
    """
    rigid = _rigid(world, settings)
    if rigid is None:
        return ()
    handles = frame_handles(Y_UP_FROM_Z_UP)
    if sign is not None:
        values = handles_of(settings, Y_UP_FROM_Z_UP, held)
        handles = tuple(
            one if one.together else replace(one, sign=sign * one.sign) for one in values
        )
    return tuple(_placed(handle, rigid, size) for handle in handles)


def _placed(handle: Handle, frame: Matrix, size: float) -> PlacedHandle:
    arc = arc_of(handle, frame, size) if handle.part is Part.TURN else ()
    return PlacedHandle(
        handle,
        _in_blender(place_of(handle, frame, size)),
        _in_blender(inward_of(handle, frame)),
        tuple(map(_in_blender, arc)),
    )


def view_of(region: bpy.types.Region, region_data: bpy.types.RegionView3D) -> View:
    """Return the view of a region, of a world in the model's axes."""
    matrix = region_data.perspective_matrix @ _BLENDER_FROM_MODEL
    return _view(plain(matrix), float(region.width), float(region.height))


@lru_cache(maxsize=8)  # all handles of a redraw ask for the same one
def _view(matrix: Matrix, width: float, height: float) -> View:
    return View(matrix, width, height)


def seen(view: View, place: PlacedHandle) -> list[Pixel]:
    """Return the pixels that a handle is at: one, or the corners of a line.

    Arcs that are seen edge-on are left out: they would be lines among lines.
    """
    points = place.arc or (place.point,)
    if place.arc and is_edge_on(view, *map(in_model, (place.arc[0], place.point, place.arc[-1]))):
        return []
    pixels = [view.pixel(in_model(point)) for point in points]
    return [pixel for pixel in pixels if pixel is not None]


@lru_cache(maxsize=8)  # each handle asks where all of them are
def grips(view: View, places: tuple[PlacedHandle, ...], radius: float) -> list[list[Pixel]]:
    """Return where handles are taken hold of: bounds by their back, which lies outside.

    So two bounds at one place can be told apart.

    Args:
        view: in the model's axes.
        places: the handles.
        radius: of their shapes in pixels.
    """
    found = []
    for place in places:
        pixels = seen(view, place)
        if place.handle.part in (Part.MIN, Part.MAX) and pixels:
            (x, y), (right, up) = pixels[0], screen_direction(view, place)
            pixels = [(x - 0.5 * radius * right, y - 0.5 * radius * up)]
        found.append(pixels)
    return found


def screen_direction(view: View, place: PlacedHandle) -> Pixel:
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
    return Vector(Z_UP_FROM_Y_UP.vector(point)).freeze()
