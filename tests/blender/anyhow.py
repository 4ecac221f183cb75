# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that stand anywhere, turned anyhow, and the lines that their joints are aimed along."""

from __future__ import annotations

from math import pi

import bpy
import pytest
from mathutils import Euler, Matrix, Vector
from scenes import select, slab

from omi_physics_joint.blender.bridge.read_settings import settings_of
from omi_physics_joint.blender.joints.editing import aimed_axis

TURNED = Euler((0.4, -0.7, 1.1))
FAR = Vector((20.0, -13.0, 4.0))


def moved(*objects: bpy.types.Object, turn: Euler = TURNED) -> Matrix:
    """Put objects elsewhere, turned anyhow or as is said, and return how."""
    way = Matrix.LocRotScale(FAR, turn, None)
    for obj in objects:
        obj.matrix_world = way @ obj.matrix_world
    bpy.context.view_layer.update()
    return way


def disc(name: str, place: Vector, *, radius: float, depth: float, axis: str) -> bpy.types.Object:
    """Add a wheel whose rotation is applied, as modellers leave it."""
    turn = {"X": (0.0, pi / 2, 0.0), "Y": (pi / 2, 0.0, 0.0), "Z": (0.0, 0.0, 0.0)}[axis]
    bpy.ops.mesh.primitive_cylinder_add(
        vertices=24, radius=radius, depth=depth, location=place, rotation=turn
    )
    bpy.ops.object.transform_apply(location=False, rotation=True, scale=True)
    bpy.context.object.name = name
    return bpy.context.object


def whole(name: str, *parts: tuple[tuple[float, ...], tuple[float, ...]]) -> bpy.types.Object:
    """Return boxes, each at a place and of a size, as one object."""
    boxes = [slab(name, *part) for part in parts]
    select(*boxes)
    if len(boxes) > 1:
        bpy.ops.object.join()
    return bpy.context.active_object


def axis_of(joint: bpy.types.Object) -> Vector:
    """Return the direction in the world that a joint is aimed along."""
    axis = aimed_axis(settings_of(joint))
    assert axis is not None
    return joint.matrix_world.col[axis].to_3d().normalized()


def parallel(a: Vector, b: Vector) -> bool:
    """Return whether two unit vectors are along one line, to single precision."""
    return abs(a.dot(b)) == pytest.approx(1.0, abs=1e-5)
