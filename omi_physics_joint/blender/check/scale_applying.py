# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts the scale of an object into its mesh and shapes, where that changes nothing to be seen."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
from bpy.types import Constraint, Object
from mathutils import Matrix, Vector

from ...model.geometry.scale import stretched
from ..bridge.read_groups import primitive_from
from ..bridge.write import fill_primitive
from ..joints.authoring import AuthoringError
from .diagnosis import animates


def apply_scale(obj: Object) -> str:
    """Apply the scale that an object shows, its parents' too, and say so; children and looks stay.

    Raises:
        AuthoringError: it cannot be applied without changing more; the message says why.
    """
    bpy.context.view_layer.update()  # of what was set just before, the world knows nothing
    scale = obj.matrix_world.to_scale()
    reason = next(_obstacles(obj, scale), "")
    if reason:
        raise AuthoringError(reason)
    matrix = Matrix.Diagonal(scale).to_4x4()
    for shape in obj.omi_physics_body.shapes:
        if shape.type not in {"none", "convex", "trimesh"}:
            fill_primitive(shape, stretched(primitive_from(shape), tuple(scale), up=2))
    if obj.type == "MESH":
        obj.data.transform(matrix, shape_keys=True)
        obj.data.update()
    for child in obj.children:
        child.matrix_parent_inverse = matrix @ child.matrix_parent_inverse
    for _, constraint in _followers(obj):
        constraint.inverse_matrix = matrix @ constraint.inverse_matrix
    obj.scale = [own / shown for own, shown in zip(obj.scale, scale, strict=True)]
    return f"The scale of {obj.name} is in its shape now."


def _obstacles(obj: Object, scale: Vector) -> Iterator[str]:
    """Yield why a scale cannot be applied; nothing where it can."""
    name = obj.name
    if obj.mode != "OBJECT":
        yield f"{name} is being edited: go to Object Mode first."
    if min(*scale, *obj.scale) <= 0.0:
        yield f"{name} is mirrored or flat: apply its scale by hand (Ctrl+A)."
    if obj.type not in {"MESH", "EMPTY"} or obj.modifiers or obj.constraints:
        yield f"{name} has modifiers or constraints, or is no mesh: apply its scale by hand."
    named = sum(shape.mesh == obj.data for shape in obj.omi_physics_body.shapes)
    if obj.data is not None and obj.data.users - obj.data.use_fake_user - named > 1:
        yield f"{name} shares its mesh with others: make it a single user first."
    for other, constraint in _followers(obj):
        if constraint.type != "CHILD_OF" or not other.is_editable:
            yield f"{other.name} has its scale from {name} by a constraint: apply it by hand."
    if obj.data is not None and not obj.data.is_editable:
        yield f"The mesh of {name} is linked from another file."
    if obj.animation_data is not None and (animates(obj, "scale") or animates(obj, "delta")):
        yield f"The scale of {name} is animated."
    body = obj.omi_physics_body
    has_center = any(body.center_of_mass) and not body.computed_center
    if obj.delta_scale != Vector((1.0, 1.0, 1.0)) or has_center:
        yield f"{name} has a delta scale or a center of mass: apply its scale by hand."
    for shape in obj.omi_physics_body.shapes:
        if shape.type in {"convex", "trimesh"} and shape.mesh not in (None, obj.data):
            yield f"The shape of {name} is another mesh, which would keep its size."


def _followers(obj: Object) -> Iterator[tuple[Object, Constraint]]:
    """Yield the constraints that take the scale of an object over, with their owners."""
    for other in bpy.data.objects:
        for constraint in other.constraints:
            is_about = getattr(constraint, "target", None) == obj
            if is_about and constraint.type in {"CHILD_OF", "COPY_SCALE", "COPY_TRANSFORMS"}:
                yield other, constraint
