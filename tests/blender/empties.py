# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism as empties in Blender, as an importer would have made them."""

from __future__ import annotations

import bpy
from bpy.types import Collection, Object
from mathutils import Matrix

from omi_physics_joint.blender.bridge.write import apply_mechanism
from omi_physics_joint.model.geometry.axes import Z_UP_FROM_Y_UP
from omi_physics_joint.model.mechanism import Mechanism


def build(mechanism: Mechanism, collection: Collection) -> list[Object]:
    """Make an empty for every node of a mechanism (in glTF axes), parented and placed."""
    objects = [bpy.data.objects.new(node.name, None) for node in mechanism.nodes]
    for node, obj in zip(mechanism.nodes, objects, strict=True):
        collection.objects.link(obj)
        world = Matrix(Z_UP_FROM_Y_UP.matrix(node.world))
        if node.parent is not None:
            parent = Z_UP_FROM_Y_UP.matrix(mechanism.nodes[node.parent].world)
            obj.parent = objects[node.parent]
            obj.matrix_parent_inverse = Matrix(parent).inverted_safe()
        obj.matrix_basis = world
    apply_mechanism(mechanism, objects, lambda *_: None)
    return objects
