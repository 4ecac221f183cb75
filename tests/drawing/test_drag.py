# SPDX-License-Identifier: GPL-3.0-or-later
"""Dragging: turns add up, no view makes it jump, fine and snapped steps, clamping."""

from __future__ import annotations

from math import cos, degrees, inf, pi, radians, sin, tau

import numpy as np
import pytest

from omi_physics_joint.drawing.layout import arc_point, rail_point
from omi_physics_joint.drawing.mouse.drag import (
    AxisDrag,
    PlaneDrag,
    Travel,
    clamped,
    is_edge_on,
    snapped,
    step_of,
)
from omi_physics_joint.drawing.mouse.picking import Pixel, View, vector
from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix, minus, translation_of
from omi_physics_joint.model.joint import Freedom
from tests.drawing.views import looking, random_frame, random_view

UPRIGHT = 1
"""An axis that stands upright in views of ``looking``."""


def held(frame: Matrix, axis: int, angle: float = 0.0) -> AxisDrag:
    """Return the drag of an angle at a radius of one metre."""
    arm = minus(vector(arc_point(frame, axis, angle, 1.0)), translation_of(frame))
    return AxisDrag(Freedom.ANGULAR, frame, axis, arm)


def seen(view: View, point: object) -> Pixel:
    """Return the pixel of a point that is in sight."""
    pixel = view.pixel(vector(np.asarray(point)))
    assert pixel is not None
    return pixel


@pytest.mark.parametrize("turns", [-3, -1, 1, 4])
@pytest.mark.parametrize("axis", range(3))
def test_dragging_round_and_round_adds_up_turns(turns: int, axis: int) -> None:
    """A circle around the axis is a whole turn, and k circles are k turns, from any frame."""
    generator = np.random.default_rng([axis, turns + 5])
    frame = random_frame(generator)
    column = np.array(frame)[:3, axis]
    eye = np.array(translation_of(frame)) + 5.0 * column + 0.3
    view = looking(eye, translation_of(frame))
    drag = held(frame, axis)
    steps = 40 * abs(turns)
    angles = [turns * tau * step / steps for step in range(steps + 1)]
    total = sum(
        drag.moved(view, seen(view, arc_point(frame, axis, angle, 1.0))) for angle in angles
    )
    assert total == pytest.approx(turns * tau, abs=1e-6)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("perspective", [True, False])
@pytest.mark.parametrize("freedom", list(Freedom))
@pytest.mark.parametrize("open_by", [0.2, 0.92])
def test_a_handle_stays_under_the_mouse(
    seed: int, perspective: bool, freedom: Freedom, open_by: float
) -> None:
    """Following the drawn points of growing values changes the value by as much.

    So it does where a circle is seen twelve degrees from edge-on, or a rail from end-on.
    """
    generator = np.random.default_rng(seed)
    frame, axis = random_frame(generator), int(generator.integers(3))
    column = np.array(frame)[:3, axis]
    tilt = open_by if freedom is Freedom.ANGULAR else np.sqrt(1.0 - open_by * open_by)
    side = np.cross(column, generator.normal(size=3))
    side *= np.sqrt(1.0 - tilt * tilt) / np.linalg.norm(side)
    eye = np.array(translation_of(frame)) + 6.0 * (tilt * column + side)
    view = looking(eye, translation_of(frame), perspective=perspective)
    drag = AxisDrag(freedom, frame, axis, (1.0, 0.0, 0.0))
    total = 0.0
    for value in np.linspace(0.2, 1.7, 9):
        point = (
            rail_point(frame, axis, value)
            if freedom is Freedom.LINEAR
            else arc_point(frame, axis, value, 1.0)
        )
        total += drag.moved(view, seen(view, point))
    assert total == pytest.approx(1.5, abs=1e-5)


@pytest.mark.parametrize("tilt", [0.0, 1e-9, 1e-4, 0.05, 0.14, 0.16])
@pytest.mark.parametrize("angle", [0.0, 0.5 * pi, 2.0, pi, -0.5 * pi])
@pytest.mark.parametrize("perspective", [True, False])
def test_an_angle_seen_edge_on_does_not_jump(tilt: float, angle: float, perspective: bool) -> None:
    """Some pixels of the mouse are a small turn from every side, also through the middle."""
    eye = (8.0 * cos(tilt), 8.0 * sin(tilt), 0.0)
    view = looking(eye, (0.0, 0.0, 0.0), perspective=perspective)
    drag = held(IDENTITY, UPRIGHT, angle)
    start = seen(view, arc_point(IDENTITY, UPRIGHT, angle, 1.0))
    drag.moved(view, start)
    change = drag.moved(view, (start[0] + 3.0, start[1] + 1.0))
    assert 0.0 <= abs(change) < 0.35


@pytest.mark.parametrize("angle", [0.0, 0.5 * pi, pi, -0.5 * pi])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_an_angle_seen_edge_on_follows_what_is_held(angle: float, side: float) -> None:
    """Where the drawn handle goes when its number grows, the mouse makes the number grow.

    At the rim of what is seen edge-on the handle does not move across; there the near side counts.
    """
    view = looking((0.0, 0.0, side * 8.0), (0.0, 0.0, 0.0))
    drag = held(IDENTITY, UPRIGHT, angle)  # zero is along Z
    start = seen(view, arc_point(IDENTITY, UPRIGHT, angle, 1.0))
    ahead = seen(view, arc_point(IDENTITY, UPRIGHT, angle + 0.1, 1.0))
    way = ahead[0] - start[0]
    if abs(way) < 5.0:  # at the rim
        way = 10.0  # about what points up, the near side goes to the right
    drag.moved(view, start)
    change = drag.moved(view, (start[0] + way, start[1]))
    assert change > 0.0
    assert abs(drag.moved(view, (start[0] + way, start[1] + 50.0))) < 1e-9


@pytest.mark.parametrize("pixels", [200.0, 2.0, 0.5, 0.01])
def test_an_angle_seen_edge_on_turns_by_a_radian_for_its_radius(pixels: float) -> None:
    """However small it is on the screen."""
    view = looking((0.0, 0.0, 8.0), (0.0, 0.0, 0.0))
    radius = pixels * view.pixel_size((0.0, 0.0, 0.0))
    drag = AxisDrag(Freedom.ANGULAR, IDENTITY, UPRIGHT, (0.0, 0.0, radius))
    drag.moved(view, (600.0, 400.0))
    assert drag.moved(view, (600.0 + pixels, 400.0)) == pytest.approx(1.0, rel=1e-3)


def test_an_angle_seen_edge_on_without_a_radius_does_not_move() -> None:
    """What is taken hold of on the axis itself has nothing to turn by."""
    drag = AxisDrag(Freedom.ANGULAR, IDENTITY, UPRIGHT, (0.0, 0.0, 0.0))
    view = looking((0.0, 0.0, 8.0), (0.0, 0.0, 0.0))
    drag.moved(view, (600.0, 400.0))
    assert drag.moved(view, (630.0, 410.0)) == 0.0


@pytest.mark.parametrize("tilt", [0.0, 1e-6, 0.05, 0.14])
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_distance_seen_end_on_goes_away_when_the_mouse_goes_up(tilt: float, way: float) -> None:
    """A pixel is a pixel's size, positive where the axis points away from the viewer."""
    view = looking((8.0 * sin(tilt), 0.0, way * 8.0 * cos(tilt)), (0.0, 0.0, 0.0))
    drag = AxisDrag(Freedom.LINEAR, IDENTITY, 2, (0.0, 0.0, 0.0))
    drag.moved(view, (600.0, 400.0))
    change = drag.moved(view, (660.0, 410.0))
    assert change == pytest.approx(-way * 10.0 * view.pixel_size((0.0, 0.0, 0.0)))


def test_edge_on_is_where_pixels_count() -> None:
    """Three points in a plane along the view are edge-on, seen from above they are not."""
    corners = ((1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert is_edge_on(looking((0.0, 0.0, 8.0), (0.0, 0.0, 0.0)), *corners)
    assert not is_edge_on(looking((0.0, 4.0, 8.0), (0.0, 0.0, 0.0)), *corners)


def test_looking_around_while_dragging_moves_nothing() -> None:
    """A view that changes starts anew from where the mouse is."""
    generator = np.random.default_rng(3)
    drag = held(IDENTITY, 0)
    plane = PlaneDrag((0.0, 0.0, 0.0))
    for seed in range(6):
        generator = np.random.default_rng(seed)
        view = random_view(generator, (0.0, 0.0, 0.0), perspective=True)
        mouse = (float(generator.uniform(0.0, 1200.0)), float(generator.uniform(0.0, 800.0)))
        assert drag.moved(view, mouse) == 0.0
        assert plane.moved(view, mouse) == (0.0, 0.0, 0.0)


def test_the_horizon_does_not_throw_a_drag_off() -> None:
    """Where the mouse leaves the plane nothing changes, and coming back the drag goes on."""
    view = looking((8.0 * cos(0.2), 8.0 * sin(0.2), 0.0), (0.0, 0.0, 0.0))
    drag = held(IDENTITY, UPRIGHT)
    below, above = (650.0, 300.0), (650.0, 5000.0)
    drag.moved(view, below)
    assert drag.moved(view, above) == 0.0
    assert drag.moved(view, below) == pytest.approx(0.0)


def test_a_point_is_dragged_across_the_view() -> None:
    """A point follows the mouse in the plane that faces the viewer."""
    generator = np.random.default_rng(5)
    point = (0.3, -0.2, 1.0)
    view = random_view(generator, point, perspective=True)
    drag = PlaneDrag(point)
    start = seen(view, point)
    drag.moved(view, start)
    end = (start[0] + 40.0, start[1] - 25.0)
    moved = drag.moved(view, end)
    assert seen(view, np.add(point, moved)) == pytest.approx(end)
    assert np.dot(moved, view.towards(point)) == pytest.approx(0.0, abs=1e-9)


def test_a_fine_drag_is_ten_times_slower_and_changes_nothing_when_it_begins() -> None:
    """The step counts from where it is pressed on."""
    travel = Travel(1.0)
    travel.add(0.5, fine=False)
    travel.add(0.0, fine=True)
    assert travel.raw == 1.5
    travel.add(0.5, fine=True)
    assert travel.raw == pytest.approx(1.55)


def test_a_drag_past_a_bound_comes_back_where_the_mouse_comes_back() -> None:
    """What lies beyond a bound is kept, so that the handle is found again under the mouse."""
    travel = Travel(1.0)
    travel.add(-3.0, fine=False)
    assert clamped(travel.value(0.001), 0.0, inf) == 0.0
    travel.add(2.5, fine=False)
    assert clamped(travel.value(0.001), 0.0, inf) == pytest.approx(0.5)


def test_numbers_stop_at_their_bounds_and_snap_to_steps() -> None:
    """Snapping is to multiples of the step, without a negative zero; bounds are exact."""
    assert clamped(5.0, -1.0, 2.0) == 2.0
    assert clamped(-5.0, -1.0, 2.0) == -1.0
    assert degrees(snapped(radians(42.4), radians(5.0))) == pytest.approx(40.0)
    assert str(snapped(-0.001, 0.1)) == "0.0"
    assert clamped(Travel(radians(43.0)).value(radians(5.0)), -inf, radians(44.0)) == radians(44.0)


def test_angles_snap_to_five_degrees_and_finely_to_one() -> None:
    """Without snapping angles are still tidy: a tenth, or a hundredth of a degree."""
    steps = [
        step_of(Freedom.ANGULAR, 0.01, snap=snap, fine=fine)
        for snap in (True, False)
        for fine in (False, True)
    ]
    assert [degrees(step) for step in steps] == pytest.approx([5.0, 1.0, 0.1, 0.01])


@pytest.mark.parametrize(
    ("pixel_size", "step"), [(0.0002, 0.01), (0.002, 0.1), (0.01, 0.1), (0.02, 1.0)]
)
def test_distances_snap_to_what_can_be_seen(pixel_size: float, step: float) -> None:
    """A step is a power of ten of the unit and at least some pixels long; finely a tenth."""
    assert step_of(Freedom.LINEAR, pixel_size, snap=True, fine=False) == pytest.approx(step)
    assert step_of(Freedom.LINEAR, pixel_size, snap=True, fine=True) == pytest.approx(step / 10)
    tidy = step_of(Freedom.LINEAR, pixel_size, snap=False, fine=False)
    assert 0.1 * pixel_size < tidy <= pixel_size


def test_no_drag_is_finer_than_a_millionth_of_the_unit() -> None:
    """However near the eye is; single precision holds no finer number of a metre."""
    assert step_of(Freedom.LINEAR, 1e-9, snap=False, fine=False) == pytest.approx(1e-6)


def test_distances_snap_in_the_unit_that_is_shown() -> None:
    """In feet a step is a foot or a tenth of one."""
    foot = 0.3048
    assert step_of(Freedom.LINEAR, 0.01, snap=True, fine=False, unit=foot) == pytest.approx(foot)
