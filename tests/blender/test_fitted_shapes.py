# SPDX-License-Identifier: GPL-3.0-or-later
"""A type of collider that is chosen by hand is as large as the mesh of its object."""

from __future__ import annotations

import bpy
import pytest
from mathutils import Matrix, Vector
from scenes import box

SIZE = (5.0, 0.5, 0.4)
SIZES = {
    "box": {"size": SIZE},
    "sphere": {"radius": 2.5},
    "cylinder": {"height": 0.4, "radius_top": 2.5, "radius_bottom": 2.5},
    "capsule": {"height": 0.0, "radius_top": 2.5, "radius_bottom": 2.5},
}


def barrier() -> bpy.types.Object:
    """Return a bar 20 m off, turned, half as large as its mesh."""
    obj = box("Barrier", (20.0, -20.0, 3.0))
    obj.data.transform(Matrix.Diagonal(0.5 * Vector(SIZE)).to_4x4())
    obj.rotation_euler, obj.scale = (0.3, 0.2, 1.1), (0.5, 0.5, 0.5)
    bpy.context.view_layer.update()
    return obj


@pytest.mark.parametrize("which", ["collider", "trigger"])
def test_each_type_that_is_chosen_fits_the_mesh(which: str) -> None:
    """One after the other, as somebody who looks for the right one chooses them."""
    shape = getattr(barrier().omi_physics_body, which).shape
    for of in (*SIZES, *reversed(SIZES)):
        shape.type = of
        for name, expected in SIZES[of].items():
            found = getattr(shape, name)
            assert (tuple(found) if name == "size" else found) == pytest.approx(expected)


def test_sizes_that_somebody_has_said_stay() -> None:
    """A box that is made smaller by hand is as large when its type is chosen again."""
    shape = barrier().omi_physics_body.collider.shape
    shape.type = "box"
    shape.size = (1.0, 0.5, 0.4)
    for of in ("convex", "box"):
        shape.type = of
    assert tuple(shape.size) == pytest.approx((1.0, 0.5, 0.4))


def test_what_has_no_mesh_has_the_usual_size() -> None:
    """An empty is as it was."""
    bpy.ops.object.empty_add()
    shape = bpy.context.object.omi_physics_body.collider.shape
    shape.type = "box"
    assert tuple(shape.size) == (1.0, 1.0, 1.0)
