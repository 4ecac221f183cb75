# SPDX-License-Identifier: GPL-3.0-or-later
"""What play draws of several, in any proportions and at any scale."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest

from omi_physics_joint.drawing.played import (
    AROUND,
    CELLS,
    HEAD,
    LENGTH,
    SQUARE,
    Arrow,
    Sight,
    TouchMarks,
    draw_arrow,
    draw_pin,
    draw_touches,
    floor_sketch,
    head_of,
    sight_of,
)
from omi_physics_joint.drawing.played import RADIUS as PIN
from omi_physics_joint.drawing.strokes import Pen, Role

POINTS = np.array([(1.0, 2.0, 3.0), (-4.0, 0.0, 1.0), (0.0, 5.0, -2.0)])
FORCES = np.array([(100.0, 0.0, 0.0), (0.0, 30.0, 40.0), (0.0, 0.0, -7.0)])
USUAL = np.array([100.0, 10.0, 50.0])
LONGEST = np.array([0.5, 1.0, 0.2])


def view(tall: float = 100.0, height: float = 500.0, wide: float = 1.0) -> Sight:
    """Return a view from above, so many m and pixels high, and so many times as wide."""
    window = np.diag([2.0 / (wide * tall), 2.0 / tall, -0.01, 1.0])
    return sight_of(np.eye(4), window, height)


@pytest.mark.parametrize("factor", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_each_touch_has_an_arrow_of_its_own_force(count: int, factor: float) -> None:
    """From its point, as long as suits what lies there and as large as the user wants arrows."""
    pen = Pen()
    marks = TouchMarks(POINTS[:count], FORCES[:count], USUAL[:count], LONGEST[:count])
    draw_touches(pen, marks, factor, view(), 1.0)
    shafts = pen.sketch().lines[-3 * count : -2 * count]
    sizes = np.linalg.norm(FORCES[:count], axis=1)
    lengths = factor * LONGEST[:count] * sizes / (sizes + USUAL[:count])
    assert shafts[:, 0] == pytest.approx(POINTS[:count])
    way = shafts[:, 1] - shafts[:, 0]
    assert np.linalg.norm(way, axis=1) == pytest.approx(lengths)
    assert way / lengths[:, None] == pytest.approx(FORCES[:count] / sizes[:, None])
    assert HEAD < 1.0


@pytest.mark.parametrize("odd", [0.0, nan, inf])
@pytest.mark.parametrize("at", range(3))
def test_a_force_that_is_none_costs_no_other_its_arrow(odd: float, at: int) -> None:
    """Its point is marked all the same."""
    forces = FORCES.copy()
    forces[at] = odd
    pen = Pen()
    draw_touches(pen, TouchMarks(POINTS, forces, USUAL, LONGEST), 1.0, view(), 1.0)
    lines = pen.sketch().lines
    assert len(lines) == 3 * 4 + 2 * 3
    others = np.delete(POINTS, at, axis=0)
    assert lines[12:14, 0] == pytest.approx(others)
    assert np.isfinite(lines).all()


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("tall", [1.0, 100.0])
@pytest.mark.parametrize("wide", [0.5, 1.0, 2.5])
def test_marks_are_as_large_in_pixels_whatever_the_view(
    scale: float, tall: float, wide: float
) -> None:
    """Of touches and of pins, in views of any proportions, at the scale of the interface."""
    pixel, sight = tall / 500.0, view(tall, wide=wide)
    pen = Pen()
    draw_touches(
        pen, TouchMarks(POINTS[:1], 0.0 * FORCES[:1], USUAL[:1], LONGEST[:1]), 1.0, sight, scale
    )
    corners = pen.sketch().lines[:, 0] - POINTS[0]
    assert np.linalg.norm(corners, axis=1) == pytest.approx(SQUARE * scale * pixel)
    pen = Pen()
    draw_pin(pen, POINTS[0], sight, scale)
    lines = pen.sketch().lines
    head = head_of(POINTS[0], sight, scale)
    assert lines[0, 0] == pytest.approx(POINTS[0])
    assert lines[0, 1] == pytest.approx(head)
    assert (head - POINTS[0])[1] == pytest.approx(LENGTH * scale * pixel)
    rim = np.linalg.norm(lines[1:] - head, axis=-1).max()
    assert rim == pytest.approx(PIN * scale * pixel)


@pytest.mark.parametrize("height", [0.0, -3.0])
@pytest.mark.parametrize(
    ("low", "high"),
    [
        ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
        ((-1.0, 4.0, 0.0), (9.0, 5.0, 1.0)),
        ((3.0, -20.0, 2.0), (4.0, 20.0, 9.0)),
        ((50.0, -60.0, 0.0), (50.2, -59.9, 0.1)),
    ],
)
def test_a_floor_goes_on_on_all_sides(
    low: tuple[float, ...], high: tuple[float, ...], height: float
) -> None:
    """Lines run both ways, each from one edge to the other, under a box of any proportions."""
    sketch = floor_sketch(np.array(low), np.array(high), height)
    size = float(np.linalg.norm(np.subtract(high, low)))
    lines = sketch.lines
    assert lines[..., 2] == pytest.approx(height)
    first, last = lines.min((0, 1)), lines.max((0, 1))
    for along in (0, 1):
        runs = lines[lines[:, 0, along] != lines[:, 1, along]]
        assert CELLS <= len(runs) - 1 <= 10 * CELLS * 3
        assert runs[:, :, along].min(1) == pytest.approx(first[along])
        assert runs[:, :, along].max(1) == pytest.approx(last[along])
        assert (runs[:, 0, 1 - along] == runs[:, 1, 1 - along]).all()
        places = np.sort(runs[:, 0, 1 - along])
        steps = np.diff(places)
        assert steps == pytest.approx(steps[0], abs=1e-6)
        assert places[[0, -1]] == pytest.approx([first[1 - along], last[1 - along]])
        assert first[along] <= low[along] - AROUND * size + 1e-6
        assert last[along] >= high[along] + AROUND * size - 1e-6
        assert first[along] >= low[along] - AROUND * size - steps[0]
    corners = sketch.triangles.reshape(-1, 3)
    assert corners.min(0)[:2] == pytest.approx(first[:2])
    assert corners.max(0)[:2] == pytest.approx(last[:2])


@pytest.mark.parametrize("way", [(3.0, 0.0, 0.0), (0.0, -2.0, 0.0), (1.0, 1.0, 4.0)])
def test_a_force_has_one_head_and_a_torque_two(way: tuple[float, float, float]) -> None:
    """By that they are told apart, also where no colour is seen; only a torque has an arc."""
    counts = {}
    for kind, role in (("force", Role.FORCE), ("torque", Role.TORQUE)):
        pen = Pen()
        draw_arrow(pen, Arrow((1.0, 2.0, 3.0), way, kind, 1.0, 2.0), 1.0)
        sketch = pen.sketch()
        assert set(sketch.roles.tolist()) == {int(role)}
        ends, often = np.unique(np.round(sketch.lines[1:, 1], 9), axis=0, return_counts=True)
        counts[kind] = int((often >= 4).sum())
        assert len(ends)
    assert counts == {"force": 1, "torque": 2}
