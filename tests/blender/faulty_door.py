# SPDX-License-Identifier: GPL-3.0-or-later
"""The door to which faults happen: tipped, far out, below a scaled parent."""

from __future__ import annotations

from typing import Any

import bpy
from mathutils import Euler, Matrix, Vector
from scenes import joined, slab

AWAY = Matrix.LocRotScale((20.0, -13.0, 4.0), Euler((0.4, -0.3, 1.1)), (1.7, 1.7, 1.7))


def put(obj: bpy.types.Object, root: bpy.types.Object) -> bpy.types.Object:
    """Put an object below a root, where it stands as seen from there."""
    obj.parent = root
    bpy.context.view_layer.update()
    return obj


def root() -> bpy.types.Object:
    """Return what all stands below."""
    found = bpy.data.objects.get("Root") or bpy.data.objects.new("Root", None)
    if not found.users_collection:
        bpy.context.scene.collection.objects.link(found)
        found.matrix_world = AWAY
        bpy.context.view_layer.update()
    return found


def block(name: str, middle: tuple[float, ...], size: tuple[float, ...]) -> bpy.types.Object:
    """Return a box of a size below the root."""
    return put(slab(name, middle, size), root())


def at(*place: float) -> None:
    """Put the cursor to a place as seen from the root."""
    bpy.context.scene.cursor.location = AWAY @ Vector(place)


class Door:
    """A frame, a door that is pushed, and the hinge between them."""

    def __init__(self, kind: str = "HINGE", **options: Any) -> None:
        """Make them."""
        self.frame = block("Frame", (0.0, 0.0, 1.0), (0.1, 0.1, 2.0))
        self.leaf = block("Door", (0.55, 0.0, 1.0), (0.9, 0.05, 2.0))
        at(0.07, 0.0, 1.0)
        self.hinge = joined(kind, self.frame, self.leaf, place="CURSOR", **options)
        self.leaf.omi_physics_body.angular_velocity = (0.2, 0.1, 0.9)
        self.data = self.hinge.omi_physics_joint
        self.settings = self.data.settings

    def limit(self, low: float, high: float) -> None:
        """Set the range."""
        self.settings.limits[2].angular_min, self.settings.limits[2].angular_max = low, high
