# SPDX-License-Identifier: GPL-3.0-or-later
"""Where values are drawn, and how glTF's axes become Blender's."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest

from omi_physics_joint.drawing.layout import BLENDER_FROM_GLTF, arc_point, rail_point
from omi_physics_joint.model.geometry.axes import Z_UP_FROM_Y_UP
from omi_physics_joint.model.geometry.transform import matrix_from
from omi_physics_joint.model.settings.coordinates import axis_rotation

AXES = (0, 1, 2)


@pytest.mark.parametrize("axis", AXES)
def test_arc_turns_as_the_model_does(axis: int) -> None:
    """The point of an angle is the next axis turned by the model's own rotation."""
    for angle in (-2.0, -0.3, 0.0, 0.7, pi):
        turned = 0.5 * np.array(axis_rotation(axis, angle)) @ np.eye(3)[(axis + 1) % 3]
        frame = matrix_from(axis_rotation(0, 0.0), (1.0, 2.0, 3.0))
        point = arc_point(frame, axis, angle, 0.5)
        assert point - (1.0, 2.0, 3.0) == pytest.approx(turned, abs=1e-15)


@pytest.mark.parametrize("axis", AXES)
def test_rail_is_at_true_length_in_a_turned_frame(axis: int) -> None:
    """A distance is drawn along the frame's axis from its origin."""
    rotation = axis_rotation((axis + 1) % 3, 0.4)
    point = rail_point(matrix_from(rotation, (0.0, 1.0, 0.0)), axis, -0.7)
    assert point == pytest.approx(-0.7 * np.array(rotation)[:, axis] + (0.0, 1.0, 0.0))


def test_a_turn_about_blenders_y_runs_against_gltfs_z() -> None:
    """A hinge about Blender's Y: glTF's Z, the other way round; a plain copy of Y and Z fails."""
    assert tuple(Z_UP_FROM_Y_UP.axis) == (0, 2, 1)
    assert tuple(Z_UP_FROM_Y_UP.sign) == (1, 1, -1)
    # A point at angle t about glTF's Z, from glTF's X, is at -t about Blender's Y from X.
    t = 0.6
    point = BLENDER_FROM_GLTF @ arc_point(np.eye(4), 2, t, 1.0)
    about_y = np.array([cos(-t), 0.0, -sin(-t)])  # right-handed about Y: X towards -Z
    assert point == pytest.approx(about_y, abs=1e-15)


def test_the_axis_map_is_a_rotation() -> None:
    """Nothing is mirrored on the way to Blender's world, and up stays up."""
    assert np.linalg.det(BLENDER_FROM_GLTF) == pytest.approx(1.0)
    mapped = BLENDER_FROM_GLTF @ (1.0, 2.0, 3.0)
    assert mapped == pytest.approx((1.0, -3.0, 2.0))
