# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a joint goes and where it points: the cursor, the view, objects, edges and vertices."""

from __future__ import annotations

import bpy
from mathutils import Vector

from .authoring import AuthoringError, Pair


def direction_of(choice: str, context: bpy.types.Context, obj: bpy.types.Object) -> Vector:
    """Return a unit vector in the world.

    Args:
        choice: an identifier of ``properties.scene.DIRECTIONS``.
        context: tells the view.
        obj: tells local axes and selected edges.

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
        region = context.region_data
        if region is None:
            message = "There is no 3D view to take the axis from: choose a global or local axis."
            raise AuthoringError(message)
        return region.view_rotation @ Vector((0.0, 0.0, 1.0))
    return _edge_direction(obj)


def place_of(choice: str, context: bpy.types.Context, pair: Pair) -> Vector:
    """Return a point in the world.

    Args:
        choice: an identifier of ``properties.scene.PLACES``.
        context: tells the 3D cursor.
        pair: tells origins and selected vertices; the moving object is the active one.

    Raises:
        AuthoringError: no vertex is selected.
    """
    moving, still = pair.moving.matrix_world.translation, pair.still.matrix_world.translation
    if choice == "CURSOR":
        return context.scene.cursor.location.copy()
    if choice == "ACTIVE":
        return moving.copy()
    if choice == "OTHER":
        return still.copy()
    if choice == "MIDDLE":
        return moving.lerp(still, 0.5)
    return _vertex_middle(pair.moving)


def _edge_direction(obj: bpy.types.Object) -> Vector:
    """Return the direction of the one selected edge; of its two ways the mostly positive one."""
    mesh = _mesh(obj)
    edges = [edge for edge in mesh.edges if edge.select] if mesh else []
    if len(edges) != 1:
        message = f"Select exactly one edge of {obj.name} in Edit Mode ({len(edges)} are selected)."
        raise AuthoringError(message)
    a, b = (obj.matrix_world @ mesh.vertices[i].co for i in edges[0].vertices)
    direction = (b - a).normalized()
    strongest = max(direction, key=abs)
    if strongest == 0.0:
        message = f"The selected edge of {obj.name} has no length."
        raise AuthoringError(message)
    return -direction if strongest < 0.0 else direction


def _vertex_middle(obj: bpy.types.Object) -> Vector:
    """Return the middle of the selected vertices."""
    mesh = _mesh(obj)
    chosen = [vertex for vertex in mesh.vertices if vertex.select] if mesh else []
    points = [obj.matrix_world @ vertex.co for vertex in chosen]
    if not points:
        message = f"Select at least one vertex of {obj.name} in Edit Mode."
        raise AuthoringError(message)
    return sum(points, Vector()) / len(points)


def _mesh(obj: bpy.types.Object) -> bpy.types.Mesh | None:
    """Return an object's mesh with the selection of Edit Mode."""
    if obj.type != "MESH":
        return None
    if obj.mode == "EDIT":
        obj.update_from_editmode()
    return obj.data
