# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a joint points: the world, the view, objects, edges, the other body."""

from __future__ import annotations

from typing import Any

from bpy.types import Context, Object, RegionView3D
from mathutils import Vector

from ..between_bodies.contact import middle_of
from ..bridge.placed import bodies_of
from .authoring import AuthoringError, moving_of

UPRIGHT = Vector((0.0, 0.0, 1.0))
LYING = 0.3
"""Smallest part of an upright way that is across an axis, else that axis is upright itself."""


def upright_across(axis: Vector) -> Vector:
    """Return the way that is most upright of all across an axis; up itself for an upright one."""
    across = UPRIGHT - UPRIGHT.project(axis)
    return across.normalized() if across.length > LYING else UPRIGHT.copy()


def direction_of(choice: str, context: Context, obj: Object) -> Vector:
    """Return a unit vector in the world for one of ``data.scene.DIRECTIONS`` but "TOWARDS".

    The object tells local axes and selected edges.

    Raises:
        AuthoringError: there is no view, or not one selected edge.
    """
    frame, _, axis = choice.partition("_")
    if frame == "GLOBAL":
        return Vector([name == axis for name in "XYZ"])
    if frame == "LOCAL":
        column = obj.matrix_world.col["XYZ".index(axis)].to_3d()
        if column.length == 0.0:
            message = f"{obj.name} has no size along its {axis} axis: give it a scale first."
            raise AuthoringError(message)
        return column.normalized()
    if frame == "VIEW":
        view = _view_of(context)
        if view is None:
            message = "There is no 3D view to take the axis from: choose a global or local axis."
            raise AuthoringError(message)
        return view.view_rotation @ Vector((0.0, 0.0, 1.0))
    return _edge_direction(obj)


def towards(place: Vector, moving: Object, still: Object) -> Vector:
    """Return the direction from a joint into the body that moves, as along a limb.

    Where the joint is in the middle of that body it is the way from the other body; upright where
    both have the same middle.
    """
    middle = middle_of(moving)
    small = 1e-4 * max(*moving.dimensions, *still.dimensions, 1e-3)
    for way in (middle - place, middle - middle_of(still)):
        if way.length > small:
            return way.normalized()
    return Vector((0.0, 0.0, 1.0))


def into_moving_body(joint: Object) -> Vector:
    """Return the direction from a joint into the body that moves against the other one.

    Raises:
        AuthoringError: the joint does not join two bodies.
    """
    holder, other = bodies_of(joint)
    if holder is None or other is None:
        raise AuthoringError(f"{joint.name} does not join two bodies: Check says how to fix that.")
    moving = moving_of(holder, other)
    return towards(joint.matrix_world.translation, moving, other if moving == holder else holder)


def _view_of(context: Context) -> RegionView3D | None:
    """Return the 3D view that the user means: the one that was clicked in, or else the largest.

    Buttons of the sidebar, of the Properties editor and of the redo box are in no view; those of
    their own window come before those of others.
    """
    if context.region_data is not None:
        return context.region_data
    areas = [context.area] if context.area is not None else []
    windows = sorted(context.window_manager.windows, key=lambda one: one != context.window)
    for window in windows:
        areas += sorted(window.screen.areas, key=lambda one: -one.width * one.height)
    return next((one.spaces.active.region_3d for one in areas if one.type == "VIEW_3D"), None)


def _edge_direction(obj: Object) -> Vector:
    """Return the direction of the one selected edge; of its two ways the mostly positive one."""
    edges = selected(obj, "edges")
    if len(edges) != 1:
        message = f"Select exactly one edge of {obj.name} in Edit Mode ({len(edges)} are selected)."
        raise AuthoringError(message)
    a, b = (obj.matrix_world @ obj.data.vertices[i].co for i in edges[0].vertices)
    direction = (b - a).normalized()
    strongest = max(direction, key=abs)
    if strongest == 0.0:
        raise AuthoringError(f"The selected edge of {obj.name} has no length.")
    return -direction if strongest < 0.0 else direction


def selected(obj: Object, parts: str) -> list[Any]:
    """Return the selected "edges" or "vertices" of an object, those of Edit Mode if it is on."""
    if obj.type != "MESH":
        return []
    if obj.mode == "EDIT":
        obj.update_from_editmode()
    return [part for part in getattr(obj.data, parts) if part.select]
