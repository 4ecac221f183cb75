# SPDX-License-Identifier: GPL-3.0-or-later
"""What imports of all formats do alike with the nodes of a mechanism and their objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import bpy
from bpy.types import Object
from mathutils import Matrix

from ..model.geometry.axes import Z_UP_FROM_Y_UP
from ..model.geometry.transform import Matrix as ModelMatrix
from .between_bodies.descendants import one_look
from .check.report import IMPORT, confirm
from .joints.authoring import suit_size


def in_scene(world: ModelMatrix, unit: float) -> Matrix:
    """Return where a node is in a scene with so many units a metre."""
    matrix = Matrix(Z_UP_FROM_Y_UP.matrix(world))
    matrix.translation *= unit
    return matrix


def link_beside(obj: Object, parent: Object | None) -> None:
    """Put a new object into the collection of its parent, or else into the active one."""
    homes = parent.users_collection if parent is not None else ()
    (homes[0] if homes else bpy.context.collection).objects.link(obj)


def settle(
    joints: Iterable[Object], objects: Iterable[Object | None], gone: Sequence[Object]
) -> None:
    """Finish an import: size joints, note how all is scaled, take absorbed frames away."""
    left = set(objects) - {None, *gone}
    bpy.data.batch_remove(gone)
    bpy.context.view_layer.update()
    with one_look():
        for joint in joints:
            suit_size(joint)
            joint.omi_physics_joint.read_scale = [*map(abs, joint.matrix_world.to_scale())]
    for obj in left:
        if obj is not None and obj.omi_physics_body.is_body:
            obj.omi_physics_body.read_scale = [*map(abs, obj.matrix_world.to_scale())]
    bpy.context.view_layer.update()  # what was made is announced now, and ages nothing later
    confirm(IMPORT)
