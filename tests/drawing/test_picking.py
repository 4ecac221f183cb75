# SPDX-License-Identifier: GPL-3.0-or-later
"""What the mouse points at: rays, angles and distances, the nearest handle."""

from __future__ import annotations

from math import degrees, hypot, inf, pi, sqrt, tau

import numpy as np
import pytest

from omi_physics_joint.drawing.layout import arc_point, rail_point
from omi_physics_joint.drawing.mouse.picking import (
    Ray,
    angle_about,
    distance_along,
    distance_to,
    nearest,
    on_plane,
    vector,
    wrapped,
)
from omi_physics_joint.model.geometry.transform import IDENTITY, translation_of
from tests.drawing.views import HEIGHT, WIDTH, looking, random_frame, random_view

SEEDS = range(12)
KINDS = [(perspective, mirrored) for perspective in (True, False) for mirrored in (True, False)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("perspective", [True, False])
def test_a_point_lies_on_the_ray_through_its_pixel(seed: int, perspective: bool) -> None:
    """From a point to its pixel to the ray behind that leads back through the point."""
    generator = np.random.default_rng(seed)
    view = random_view(generator, (0.5, -1.0, 2.0), perspective=perspective)
    point = vector(np.array((0.5, -1.0, 2.0)) + generator.uniform(-1.0, 1.0, 3))
    pixel = view.pixel(point)
    assert pixel is not None
    ray = view.ray(pixel)
    way = np.subtract(point, ray.origin)
    assert np.dot(way, ray.direction) > 0.0
    assert np.linalg.norm(np.cross(way, ray.direction)) < 1e-7


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize(("perspective", "mirrored"), KINDS)
def test_the_angle_under_the_mouse_is_the_angle_that_is_drawn(
    seed: int, axis: int, perspective: bool, mirrored: bool
) -> None:
    """The ray through the drawn point of an angle reads that angle, in any view and frame."""
    generator = np.random.default_rng([seed, axis])
    frame = random_frame(generator, mirrored=mirrored)
    view = random_view(generator, translation_of(frame), perspective=perspective)
    angle = generator.uniform(-pi, pi)
    pixel = view.pixel(vector(arc_point(frame, axis, angle, 0.8)))
    assert pixel is not None
    read = angle_about(frame, axis, view.ray(pixel))
    assert read is not None
    assert wrapped(read - angle) == pytest.approx(0.0, abs=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize(("perspective", "mirrored"), KINDS)
def test_the_distance_under_the_mouse_is_the_distance_that_is_drawn(
    seed: int, axis: int, perspective: bool, mirrored: bool
) -> None:
    """The ray through the drawn point of a distance reads that distance, in any view and frame."""
    generator = np.random.default_rng([seed, axis])
    frame = random_frame(generator, mirrored=mirrored)
    view = random_view(generator, translation_of(frame), perspective=perspective)
    distance = generator.uniform(-1.0, 1.0)
    pixel = view.pixel(vector(rail_point(frame, axis, distance)))
    assert pixel is not None
    read = distance_along(frame, axis, view.ray(pixel))
    assert read == pytest.approx(distance, abs=1e-5)


def test_rays_that_say_nothing_read_nothing() -> None:
    """Along the axis, in the plane, away from it or on the axis itself there is no value."""
    ahead = (0.0, 0.0, -1.0)
    above = Ray((0.0, 0.0, 5.0), ahead)
    assert angle_about(IDENTITY, 2, above) is None
    assert distance_along(IDENTITY, 2, above) is None
    assert angle_about(IDENTITY, 0, Ray((1.0, 0.0, 5.0), ahead)) is None
    assert angle_about(IDENTITY, 2, Ray((1.0, 0.0, -5.0), ahead)) is None
    assert distance_along(IDENTITY, 0, Ray((1.0, 0.0, -5.0), ahead)) is None
    assert on_plane((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), Ray((1.0, 0.0, -5.0), ahead)) is None


def test_a_line_or_a_plane_seen_end_on_reads_nothing_only_where_nothing_can_be_read() -> None:
    """An axis is read from 0.05 mm beside it a metre away; a plane, from a nanometre above it."""
    for sine, is_read in ((6e-5, True), (2e-5, False)):
        ray = Ray((0.0, 0.0, 5.0), (sine, 0.0, -sqrt(1.0 - sine * sine)))
        assert (distance_along(IDENTITY, 2, ray) is not None) == is_read
    for slope, is_met in ((4e-9, True), (4e-10, False)):
        ray = Ray((0.0, 0.0, slope), (1.0, 0.0, -slope))
        assert (on_plane((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), ray) is not None) == is_met


def test_nothing_behind_the_viewer_is_seen() -> None:
    """A point behind the camera has no pixel and no size."""
    view = looking((0.0, 0.0, 5.0), (0.0, 0.0, 0.0))
    assert view.pixel((0.0, 0.0, 9.0)) is None
    assert view.pixel_size((0.0, 0.0, 9.0)) == 0.0
    assert view.pixel((0.0, 0.0, 0.0)) == pytest.approx((WIDTH / 2.0, HEIGHT / 2.0))


@pytest.mark.parametrize("perspective", [True, False])
def test_a_pixel_is_as_large_as_it_looks(perspective: bool) -> None:
    """Moving a point across the view by the size of a pixel moves it by one pixel."""
    view = looking((0.0, 0.0, 5.0), (0.0, 0.0, 0.0), perspective=perspective)
    size = view.pixel_size((0.0, 0.0, 0.0))
    start, end = view.pixel((0.0, 0.0, 0.0)), view.pixel((size, 0.0, 0.0))
    assert start is not None
    assert end is not None
    assert hypot(end[0] - start[0], end[1] - start[1]) == pytest.approx(1.0, rel=1e-6)


def test_the_nearest_handle_within_reach_is_hit() -> None:
    """Of overlapping hit areas the nearest wins, points before lines, lines along their length."""
    shapes = [[(100.0, 100.0)], [(110.0, 100.0)], [], [(0.0, 0.0), (50.0, 0.0), (50.0, 50.0)]]
    assert nearest(shapes, (104.0, 100.0), 15.0) == 0
    assert nearest(shapes, (106.0, 100.0), 15.0) == 1
    assert nearest(shapes, (25.0, 7.0), 15.0) == 3
    assert nearest(shapes, (58.0, 25.0), 15.0) == 3
    assert nearest([*shapes, [(25.0, 10.0)]], (25.0, 1.0), 15.0) == 4
    assert nearest(shapes, (300.0, 300.0), 15.0) is None
    assert distance_to([], (0.0, 0.0)) == inf


def test_wrapped_angles_stay_within_half_a_turn() -> None:
    """Whole turns fall away."""
    for turns in (-2, 0, 3):
        assert degrees(wrapped(0.3 + turns * tau)) == pytest.approx(degrees(0.3))


def test_the_way_of_sight_leads_away_from_the_viewer() -> None:
    """A view looks from the eye to the point, also through the middle where the point is behind."""
    view = looking((0.0, 0.0, 5.0), (0.0, 0.0, 0.0))
    assert view.towards((0.0, 0.0, 0.0)) == pytest.approx((0.0, 0.0, -1.0))
    assert view.towards((0.0, 0.0, 50.0)) == pytest.approx((0.0, 0.0, -1.0))
