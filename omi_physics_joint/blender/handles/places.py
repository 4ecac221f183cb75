# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose handles are shown, which these are, what they are called, and where, also on the screen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import dist

import bpy
from mathutils import Matrix as BlenderMatrix
from mathutils import Vector

from ...drawing.bounds import has_two_sides
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
from ...model.body import Vector3
from ...model.geometry.axes import Y_UP_FROM_Z_UP, Z_UP_FROM_Y_UP
from ...model.geometry.frames import is_flat, rigid_frame
from ...model.geometry.transform import Matrix, linear_part
from ...model.joint import AXIS_NAMES, Freedom, JointSettings
from ..bridge.placed import body_of, is_seen_from_second, plain
from ..bridge.poses.away import is_anything_away
from ..bridge.poses.frame_users import joints_from
from ..bridge.poses.moving import BLENDER_FROM_GLTF
from ..bridge.poses.second_frames import below, second_world
from ..bridge.read_settings import settings_of
from ..data.units import said
from ..joints.authoring import AuthoringError

FINE_DIGITS = 5
"""Significant digits of what is being dragged: a hundredth of a degree is seen to change."""
_PART_NAMES = {Part.MIN: "Minimum", Part.MAX: "Maximum", Part.TARGET: "Target"}
_BLENDER_FROM_MODEL = BlenderMatrix(BLENDER_FROM_GLTF.tolist())


def handles_allowed(context: bpy.types.Context) -> bool:
    """Return whether numbers may be dragged: not while something plays."""
    return context.mode == "OBJECT" and not is_anything_away(from_settings=True)


def joint_at_hand(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the joint whose frame or partner is the active object; none that is hidden or off."""
    obj, space = context.object, context.space_data
    view = {"viewport": space} if space is not None and space.type == "VIEW_3D" else {}
    if obj is None or not obj.visible_get(**view):
        return None
    at_hand = (joint for joint in joints_from([obj]) if joint.visible_get(**view))
    return next((joint for joint in at_hand if not joint.omi_physics_joint.mute), None)


@dataclass(frozen=True, slots=True)
class PlacedHandle:
    """A handle where it is seen."""

    handle: Handle
    point: Vector
    inward: Vector
    """Where a bound leaves room; of a target, where its number grows."""
    arc: tuple[Vector, ...] = ()
    """Corners of the arc by which the frame is turned."""


def placed_handles(
    joint: bpy.types.Object,
    *,
    values: bool = True,
    frame: bool = True,
    held: tuple[Part, int] | None = None,
) -> tuple[PlacedHandle, ...]:
    """Return the handles of a joint: those that move it, then bounds and targets.

    What joins no two bodies has no bounds, since nothing says from which of them they would be
    seen. ``held`` is the part and index of what is being dragged.
    """
    settings, size = settings_of(joint), size_of(joint)
    found: tuple[PlacedHandle, ...] = ()
    if frame:
        found = _places(settings, plain(joint.matrix_world), size, None, held)
    ends = (body_of(joint), below(joint))
    if values and all(end is not None and end.users_collection for end in ends):
        seen_in, sign = value_world(joint, settings)
        found += _places(settings, seen_in, size, sign, held)
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
    rigid = rigid_in_model(world, settings)
    if rigid is None:
        return ()
    if sign is None:
        handles = frame_handles(Y_UP_FROM_Z_UP)
    else:
        handles = tuple(
            one if one.together else replace(one, sign=sign * one.sign)
            for one in handles_of(settings, Y_UP_FROM_Z_UP, held)
        )
    return tuple(
        PlacedHandle(
            handle,
            in_blender(place_of(handle, rigid, size)),
            in_blender(inward_of(handle, rigid)),
            tuple(map(in_blender, arc_of(handle, rigid, size))) if handle.part is Part.TURN else (),
        )
        for handle in handles
    )


def value_world(joint: bpy.types.Object, settings: JointSettings) -> tuple[Matrix, int]:
    """Return where Blender has the frame of a joint's bounds and targets, and their sign there.

    That is its own frame, or its partner's where the joint is seen from there: all numbers run
    the other way then. The settings are in Blender's axes.
    """
    second = second_world(joint)
    if second is not None and is_seen_from_second(joint) and has_two_sides(settings):
        return plain(second), -1
    return plain(joint.matrix_world), 1


def rigid_in_model(world: Matrix, settings: JointSettings) -> Matrix | None:
    """Return the rigid frame, in the model's axes, of a frame at a matrix of Blender.

    World from frame; None where a scale of zero leaves no frame.
    """
    mapped = Y_UP_FROM_Z_UP.matrix(world)
    if is_flat(linear_part(mapped)):
        return None
    return rigid_frame(mapped, Y_UP_FROM_Z_UP.settings(settings))


def held_frame(joint: bpy.types.Object, world: Matrix, settings: JointSettings) -> Matrix:
    """Return the same of a joint that is taken hold of; an AuthoringError where there is none."""
    frame = rigid_in_model(world, settings)
    if frame is None:
        raise AuthoringError(f"{joint.name} has a scale of zero: give it a size first.")
    return frame


def size_of(joint: bpy.types.Object) -> float:
    """Return the display radius of a joint in m, as its arcs are drawn."""
    return display_size(joint.empty_display_size, bpy.context.scene.omi_physics_overlay.size)


def in_model(point: Vector) -> Vector3:
    """Return a point of Blender's world in the model's axes."""
    return Y_UP_FROM_Z_UP.vector(tuple(point))


def in_blender(point: Vector3) -> Vector:
    """Return a point of the model in Blender's world."""
    return Vector(Z_UP_FROM_Y_UP.vector(point)).freeze()


def label_of(handle: Handle) -> str:
    """Return what a handle is: "Maximum", "Minimum about Y", "Turn the joint about Z"."""
    axis = AXIS_NAMES[handle.listed_axis]
    if handle.part is Part.MOVE:
        return "Move the joint"
    if handle.part is Part.TURN:
        return f"Turn the joint about {axis}"
    if handle.together:
        return f"{_PART_NAMES[handle.part]} {handle.measure}"
    if handle.is_sole:
        return _PART_NAMES[handle.part]
    way = "about" if handle.freedom is Freedom.ANGULAR else "along"
    return f"{_PART_NAMES[handle.part]} {way} {axis}"


def tip_of(handle: Handle) -> str:
    """Return the tool tip of a handle; what it is and stands at is drawn beside it."""
    if handle.part is Part.MOVE:
        return "Move both frames of the joint. Ctrl snaps to corners, edges, faces, or the grid"
    if handle.part is Part.TURN:
        return "Turn both frames of the joint. Ctrl snaps, Shift is fine, digits set the angle"
    mirror = "" if handle.part is Part.TARGET else ", Alt moves both limits"
    return f"Drag to change it. Ctrl snaps, Shift is fine{mirror}, digits set the number"


def label_with_value(handle: Handle, scene: bpy.types.Scene) -> str:
    """Return what a handle is and stands at: "Maximum: 90°"."""
    label = label_of(handle)
    if handle.part in (Part.MOVE, Part.TURN):
        return label
    return f"{label}: {said(handle.value, handle.freedom, scene, FINE_DIGITS)}"


def view_of(region: bpy.types.Region, region_data: bpy.types.RegionView3D) -> View:
    """Return the view of a region, of a world in the model's axes."""
    matrix = region_data.perspective_matrix @ _BLENDER_FROM_MODEL
    return _view(plain(matrix), float(region.width), float(region.height))


_view = lru_cache(maxsize=8)(View)  # all handles of a redraw ask for the same one


def seen(view: View, place: PlacedHandle) -> list[Pixel]:
    """Return the pixels that a handle is at: one, or the corners of a line.

    Arcs that are seen edge-on are left out: they would be lines among lines.
    """
    points = [in_model(point) for point in place.arc or (place.point,)]
    if place.arc and is_edge_on(view, points[0], in_model(place.point), points[-1]):
        return []
    return [pixel for pixel in map(view.pixel, points) if pixel is not None]


@lru_cache(maxsize=8)  # each handle asks where all of them are
def grips(view: View, places: tuple[PlacedHandle, ...], radius: float) -> list[list[Pixel]]:
    """Return where handles, whose shapes have a radius in pixels, are taken hold of.

    Bounds are by their back, which lies outside, so that two at one place can be told apart.
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
    ahead = along(here, in_model(place.inward), 20.0 * view.pixel_size(here))
    start, end = view.pixel(here), view.pixel(ahead)
    if start is None or end is None or dist(start, end) <= 1.0:
        return (1.0, 0.0)
    length = dist(start, end)
    return ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
