# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of joints and points of the world in the model's axes, in which handles are dragged."""

from __future__ import annotations

import bpy
from mathutils import Vector

from ...drawing.layout import display_size
from ...drawing.sides import has_two_sides
from ...model.body import Vector3
from ...model.geometry.axes import Y_UP_FROM_Z_UP, Z_UP_FROM_Y_UP
from ...model.geometry.frames import is_flat, rigid_frame
from ...model.geometry.transform import Matrix, linear_part
from ...model.joint import JointSettings
from ..bridge.placed import is_seen_from_second, plain
from ..bridge.poses.second_frames import second_world
from ..joints.authoring import AuthoringError


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
