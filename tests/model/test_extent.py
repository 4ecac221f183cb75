# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes around bodies, and how far they are apart."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_joint.model.geometry.extent import Corners, distance


def test_boxes_are_as_far_apart_as_their_nearest_points() -> None:
    """Whichever of them is asked first, and wherever the other one is."""
    random = np.random.default_rng(1)
    apart = 0
    for _ in range(300):
        one, other = np.sort(random.uniform(-2.0, 2.0, (2, 2, 3)), axis=1)
        near = np.clip(one.mean(0), *other)
        for _ in range(2):  # back and forth once, since their sides are square
            mine = np.clip(near, *one)
            near = np.clip(mine, *other)
        expected = float(np.linalg.norm(mine - near))
        apart += expected > 0.0
        for pair in ((one, other), (other, one)):
            assert distance(*map(_corners, pair)) == pytest.approx(expected, abs=1e-12)
    assert 100 < apart < 290


def _corners(box: np.ndarray) -> Corners:
    (a, b, c), (d, e, f) = box.tolist()
    return (a, b, c), (d, e, f)
