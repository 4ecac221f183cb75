# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds on several axes together are drawn round, at their true size."""

from __future__ import annotations

from dataclasses import replace
from math import cos, inf, sin

import numpy as np
import pytest

from omi_physics_joint.drawing.joint_sketch import limits_sketch
from omi_physics_joint.drawing.joint_table import columns_of
from omi_physics_joint.drawing.sides import has_two_sides, reversed_settings
from omi_physics_joint.model.joint import AXES, JointSettings, Limit

TURNS = Limit((), AXES, 0.0, 0.0)
PLACE = Limit(AXES, (), 0.0, 0.0)
ROPE = JointSettings(limits=(Limit(AXES, (), -inf, 2.0, together=True), TURNS))
TUBE = JointSettings(limits=(Limit((0, 2), (), 0.5, 2.0, together=True), TURNS))
CONE = JointSettings(limits=(PLACE, Limit((), (0, 2), -inf, 0.7, together=True)))
WHOLE = JointSettings(limits=(PLACE, Limit((), AXES, -inf, 0.7, together=True)))


def test_a_rope_is_a_sphere_of_its_length() -> None:
    """Nothing of it is farther out, and the three circles are there; no open rails."""
    points = limits_sketch(ROPE, 0.3).lines.reshape(-1, 3)
    out = np.linalg.norm(points, axis=1)
    assert out.max() == pytest.approx(2.0)
    for axis in AXES:
        assert (np.isclose(out, 2.0) & np.isclose(points[:, axis], 0.0)).sum() >= 100


def test_a_tube_is_a_disc_with_a_hole() -> None:
    """Two circles about Y, of the bounds; Y itself is free and has its rail."""
    points = limits_sketch(TUBE, 0.3).lines.reshape(-1, 3)
    flat = points[np.isclose(points[:, 1], 0.0)]
    out = np.linalg.norm(flat[:, [0, 2]], axis=1)
    for radius in (0.5, 2.0):
        assert np.isclose(out, radius).sum() >= 60
    assert np.linalg.norm(points[:, [0, 2]], axis=1).max() == pytest.approx(2.0)


def test_a_cone_is_round_and_true() -> None:
    """Its rim is 0.7 rad from Y all the way round."""
    points = limits_sketch(CONE, 0.5).lines.reshape(-1, 3)
    rim = points[np.isclose(points[:, 1], 0.5 * cos(0.7)) & (np.abs(points[:, 0]) > 0.0)]
    assert len(rim) >= 100
    assert np.linalg.norm(rim[:, [0, 2]], axis=1) == pytest.approx(0.5 * sin(0.7))
    assert columns_of(CONE).pointing == 1


def test_a_whole_angle_has_an_arc_about_each_axis() -> None:
    """No rings: it is bounded about all of them."""
    points = limits_sketch(WHOLE, 0.5).lines.reshape(-1, 3)
    assert np.linalg.norm(points, axis=1).max() == pytest.approx(0.5)
    for axis in AXES:
        angles = np.arctan2(points[:, (axis + 2) % 3], points[:, (axis + 1) % 3])
        arc = np.isclose(points[:, axis], 0.0) & np.isclose(np.linalg.norm(points, axis=1), 0.5)
        assert np.isclose(angles[arc], 0.7).any()
        assert np.isclose(angles[arc], -0.7).any()


def test_what_gives_way_has_a_spring() -> None:
    """A soft rope reaches beyond its bound."""
    soft = replace(ROPE, limits=(replace(ROPE.limits[0], stiffness=9.0), TURNS))
    assert np.linalg.norm(limits_sketch(soft, 0.3).lines, axis=-1).max() > 2.05


def test_from_the_other_side_a_distance_is_the_same() -> None:
    """Reversed values have the same distance: the limit does not change, others do."""
    assert has_two_sides(TUBE)
    assert reversed_settings(TUBE).limits[0] == TUBE.limits[0]
    mixed = Limit((0, 2), (1,), 0.1, 0.2, together=True)
    first, second = reversed_settings(JointSettings(limits=(mixed,))).limits
    assert (first.min, first.max, second.min, second.max) == (0.1, 0.2, -0.2, -0.1)
