# SPDX-License-Identifier: GPL-3.0-or-later
"""Tracks of animations: every interpolation, at, between and beyond its keys."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

import pytest

from omi_physics_joint.gltf.animated.animation import Track, moving_poses
from omi_physics_joint.model.geometry.transform import Matrix, compose
from omi_physics_joint.model.mechanism import Mechanism, Node

TIMES = (1.0, 2.0, 4.0)
VALUES = ((0.0, 0.0, 0.0), (1.0, 2.0, 3.0), (-1.0, 0.0, 7.0))


def about_z(angle: float) -> tuple[float, ...]:
    """Return a turn about Z."""
    return (0.0, 0.0, sin(angle / 2.0), cos(angle / 2.0))


def test_linear_goes_straight_and_stays_outside() -> None:
    """Halfway is the mean; before the first key and after the last nothing moves."""
    track = Track(TIMES, VALUES, "LINEAR", is_rotation=False)
    assert track.at(1.5) == pytest.approx((0.5, 1.0, 1.5))
    assert track.at(3.0) == pytest.approx((0.0, 1.0, 5.0))
    assert (track.at(-5.0), track.at(9.0)) == (VALUES[0], VALUES[-1])


def test_step_holds_until_the_next_key() -> None:
    """A value lasts until the moment of the next one."""
    track = Track(TIMES, VALUES, "STEP", is_rotation=False)
    assert (track.at(1.999), track.at(2.0), track.at(3.9)) == (VALUES[0], VALUES[1], VALUES[1])


@pytest.mark.parametrize("angle", [pi / 2.0, pi / 180.0])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_rotations_take_the_shorter_arc_at_constant_speed(sign: float, angle: float) -> None:
    """A quarter of the way is a quarter of the angle, whichever sign a quaternion has."""
    end = tuple(sign * x for x in about_z(angle))
    track = Track((0.0, 1.0), (about_z(0.0), end), "LINEAR", is_rotation=True)
    assert track.at(0.25) == pytest.approx(about_z(0.25 * angle), abs=1e-5)


def test_cubic_splines_pass_their_keys_with_their_tangents() -> None:
    """A cubic with the tangents of t^3 is t^3 everywhere."""
    rows = tuple(row for t in (0.0, 2.0) for row in ((3.0 * t**2,), (t**3,), (3.0 * t**2,)))
    track = Track((0.0, 2.0), rows, "CUBICSPLINE", is_rotation=False)
    for t in (0.0, 0.3, 1.0, sqrt(2.0), 2.0, 5.0):
        assert track.at(t) == pytest.approx((min(t, 2.0) ** 3,))


def test_tracks_move_their_own_part_and_leave_the_others() -> None:
    """A track of place, turn or scale replaces that part of a node's transform and no other."""
    rest = compose((1.0, 2.0, 3.0), about_z(0.5), (2.0, 3.0, 4.0))
    mechanism = Mechanism((Node("Above", world=rest), Node("Below", 0, rest)))
    parts = {"translation": (5.0, 0.0, 0.0), "rotation": about_z(1.5), "scale": (1.0, 6.0, 1.0)}
    for path, value in parts.items():
        track = Track((0.0,), (value,), "LINEAR", is_rotation=path == "rotation")
        own = {"translation": (1.0, 2.0, 3.0), "rotation": about_z(0.5), "scale": (2.0, 3.0, 4.0)}
        own[path] = value
        moved = compose(own["translation"], own["rotation"], own["scale"])
        for node, world in ((0, moved), (1, moved)):  # the lower one stands where the other is
            poses = moving_poses(mechanism, {0: {path: track}}, node, [0.0])
            assert poses is not None
            assert flat(next(poses)) == pytest.approx(flat(world), abs=1e-12), (path, node)
    assert moving_poses(mechanism, {1: {}}, 0, [0.0]) is None


def test_a_turn_of_all_zeros_is_none() -> None:
    """A rotation that cannot be normalized leaves the node's own."""
    rest = compose((0.0, 0.0, 0.0), about_z(0.5))
    track = Track((0.0,), ((0.0, 0.0, 0.0, 0.0),), "STEP", is_rotation=True)
    mechanism = Mechanism((Node("One", world=rest),))
    poses = moving_poses(mechanism, {0: {"rotation": track}}, 0, [0.0])
    assert poses is not None
    assert flat(next(poses)) == pytest.approx(flat(rest), abs=1e-12)


def flat(matrix: Matrix) -> list[float]:
    """Return the elements of a matrix in one list."""
    return [x for row in matrix for x in row]
