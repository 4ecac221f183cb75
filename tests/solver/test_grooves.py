# SPDX-License-Identifier: GPL-3.0-or-later
"""What touches two sides of a mesh in one place is pushed by both."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_joint.model.shape import Convex

from .test_touching_shapes import TURNED, gone, node, on_mesh, triangles


@pytest.mark.parametrize("friction", [0.0, 0.6])
def test_a_wedge_that_meets_both_slopes_at_once_goes_to_neither_side(friction: float) -> None:
    """Its edge falls into a crease: two points in one place, with two normals."""
    slopes = np.array([[x, abs(x), z] for z in (-2.0, 2.0) for x in (-1.0, 0.0, 1.0)])
    groove = triangles(slopes @ TURNED.T, [(0, 3, 4), (0, 4, 1), (1, 4, 5), (1, 5, 2)])
    edge = [[x, y, z] for z in (-0.5, 0.5) for x, y in ((0.0, 0.0), (-0.9, 1.0), (0.9, 1.0))]
    wedge = triangles(np.array(edge), [(0, 1, 2), (3, 4, 5), (0, 1, 4)])
    way = gone(on_mesh(groove, Convex(1), node(1, (0.0, 0.01, 0.0)), friction, [wedge]), 0.25)
    assert abs(way[:, 0]).max() < 1e-4
    assert way[:, 1].min() < -0.01
