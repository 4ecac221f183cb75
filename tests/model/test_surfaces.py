# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of shapes with a size enclose what the shapes do."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from omi_physics_joint.model.geometry.surfaces import surface_of
from omi_physics_joint.model.shape import Box, Capsule, Cylinder, Shape, Sphere


@pytest.mark.parametrize(
    ("shape", "volume"),
    [
        (Box((1.0, 2.0, 3.0)), 6.0),
        (Sphere(2.0), 4.0 / 3.0 * pi * 8.0),
        (Cylinder(3.0, 0.5, 0.5), pi * 0.25 * 3.0),
        (Capsule(3.0, 0.5, 0.5), pi * 0.25 * 3.0 + 4.0 / 3.0 * pi * 0.125),
    ],
)
def test_the_surface_of_a_shape_encloses_its_volume(shape: Shape, volume: float) -> None:
    """But for what is lost at the corners of what is round."""
    found = surface_of(shape)
    assert found is not None
    corners = np.array(found.points)[np.array(found.triangles)]
    enclosed = float(np.linalg.det(corners).sum()) / 6.0
    assert 0.96 * volume < enclosed < 1.0001 * volume
