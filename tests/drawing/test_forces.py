# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrows of forces and pins: as large as suits the mechanism and the view, whatever they show."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest

from omi_physics_joint.drawing.played import (
    LENGTH,
    OF_VIEW,
    Arrow,
    Sight,
    draw_arrow,
    draw_pin,
    draw_spring,
    head_of,
    length_of,
    sight_of,
)
from omi_physics_joint.drawing.strokes import Pen, Role, Sketch

ORIGIN = (1.0, 2.0, 3.0)


def flat_view(tall: float = 10.0, height: float = 500.0) -> Sight:
    """Return a view from above without perspective that is so many metres and pixels high."""
    window = np.diag([2.0 / tall, 2.0 / tall, -0.01, 1.0])
    return sight_of(np.eye(4), window, height)


def arrow(size: float, kind: str = "force", longest: float = 2.0) -> Arrow:
    """Return an arrow along X of a mechanism that weighs 100 N."""
    return Arrow(ORIGIN, (size, 0.0, 0.0), kind, 100.0, longest)


def drawn(one: Arrow, factor: float = 1.0, sight: Sight | None = None) -> Sketch:
    """Return the lines of an arrow."""
    pen = Pen()
    draw_arrow(pen, one, factor, sight)
    return pen.sketch()


def length(one: Arrow, factor: float = 1.0, sight: Sight | None = None) -> float:
    """Return how long an arrow is drawn."""
    lines = drawn(one, factor, sight).lines
    return float(np.linalg.norm(lines[0, 1] - lines[0, 0])) if len(lines) else 0.0


@pytest.mark.parametrize("kind", ["force", "torque"])
@pytest.mark.parametrize("size", [1e-3, 1.0, 100.0, 1530.0, 1e6, 1e30])
def test_no_arrow_is_longer_than_its_mechanism_allows(kind: str, size: float) -> None:
    """Every line of it stays within its longest length from the joint, however large it is."""
    sketch = drawn(arrow(size, kind))
    assert np.linalg.norm(sketch.lines - ORIGIN, axis=-1).max(initial=0.0) <= 2.0 + 1e-9


def test_the_weight_is_half_as_long_as_the_longest() -> None:
    """What a mechanism bears at rest can be read, and more is always longer."""
    assert length(arrow(100.0)) == pytest.approx(1.0)
    lengths = [length_of(size, 100.0, 2.0) for size in (1.0, 10.0, 100.0, 1e3, 1e4)]
    assert lengths == sorted(lengths)
    assert length(arrow(100.0), factor=0.5) == pytest.approx(0.5)


@pytest.mark.parametrize("size", [0.0, nan, -1.0])
def test_nothing_to_show_is_not_drawn(size: float) -> None:
    """Zero and what is no number have no length."""
    assert length_of(size, 100.0, 2.0) == 0.0
    assert length_of(inf, 100.0, 2.0) == 2.0


def test_no_number_is_not_drawn() -> None:
    """Forces that are no numbers leave no line."""
    assert not len(drawn(arrow(nan)).lines)
    assert not len(drawn(arrow(inf)).lines)


@pytest.mark.parametrize(("length", "is_drawn"), [(4e-7, 0), (4e-6, 1), (4e3, 1), (4e4, 0)])
def test_a_spring_is_drawn_where_it_can_be_seen(length: float, is_drawn: int) -> None:
    """From a micrometre to ten kilometres; others are a dot or a noise."""
    pen = Pen()
    draw_spring(pen, ORIGIN, np.add(ORIGIN, (length, 0.0, 0.0)))
    assert (len(pen.sketch().lines) > 0) == is_drawn


def test_no_arrow_is_drawn_behind_the_eye() -> None:
    """What is there has no height in the view, so no arrow is short enough."""
    behind = sight_of(
        np.eye(4), np.array([(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, -1, 0), (0, 0, -1, 0)]), 500
    )
    assert not len(drawn(arrow(100.0), sight=behind).lines)


def test_no_arrow_fills_the_view() -> None:
    """Close to a large mechanism an arrow takes a fifth of the view at most, else its longest."""
    near = flat_view(tall=1.0)
    assert length(arrow(1e9, longest=50.0), sight=near) == pytest.approx(OF_VIEW, rel=1e-3)
    assert length(arrow(1e9, longest=50.0), 5.0, near) == pytest.approx(OF_VIEW, rel=1e-3)
    assert length(arrow(1e9), sight=flat_view(tall=1000.0)) == pytest.approx(2.0, rel=1e-3)


def test_a_view_with_perspective_is_taller_farther_away() -> None:
    """Its height in metres grows with the distance; a pixel is the height over the pixels."""
    window = np.array([[1.0, 0, 0, 0], [0, 2.0, 0, 0], [0, 0, -1.0, -0.2], [0, 0, -1.0, 0]])
    sight = sight_of(np.eye(4), window, 100.0)
    assert sight.tall((0.0, 0.0, -4.0)) == pytest.approx(4.0)
    assert sight.tall((0.0, 0.0, -8.0)) == pytest.approx(8.0)
    assert sight.pixel((0.0, 0.0, -4.0)) == pytest.approx(0.04)
    assert sight.tall((0.0, 0.0, 5.0)) > 0.0


def test_a_pin_stands_at_its_point_and_has_the_same_size_in_pixels() -> None:
    """Its needle begins at the pinned point, and its head is upward in the view."""
    for tall in (0.1, 10.0, 1000.0):
        sight = flat_view(tall)
        pen = Pen()
        draw_pin(pen, ORIGIN, sight, 1.0)
        sketch = pen.sketch()
        assert set(sketch.roles) == {Role.PIN}
        assert sketch.lines[0, 0] == pytest.approx(ORIGIN)
        head = head_of(ORIGIN, sight, 1.0) - ORIGIN
        assert head[1] == pytest.approx(LENGTH * tall / 500.0)
        far = np.linalg.norm(sketch.lines - ORIGIN, axis=-1).max()
        assert far < 40.0 * tall / 500.0


@pytest.mark.parametrize("vector", [(0.0, 0.0, 3.0), (-2.0, 0.5, 1.0), (1.0, -1.0, -1.0)])
def test_the_arc_of_a_torque_turns_about_its_arrow_the_right_handed_way(
    vector: tuple[float, float, float],
) -> None:
    """It goes most of the way round the middle of the arrow, and its barbs meet at its end."""
    sketch = drawn(Arrow(ORIGIN, vector, "torque", 1.0, 2.0))
    shaft = sketch.lines[0, 1] - sketch.lines[0, 0]
    tall = float(np.linalg.norm(shaft))
    ahead = shaft / tall
    assert ahead == pytest.approx(np.array(vector) / np.linalg.norm(vector))
    points = sketch.lines - ORIGIN
    middle = (np.abs(points @ ahead - 0.5 * tall) < 1e-9).all(axis=1)
    arms = points[middle] - 0.5 * shaft
    arc, barbs = arms[:-2], arms[-2:]
    radius = float(np.linalg.norm(arc[0, 0]))
    assert 0.0 < radius < 0.5 * tall
    assert np.linalg.norm(arc, axis=2) == pytest.approx(radius)
    turns = np.arcsin(np.cross(arc[:, 0], arc[:, 1]) @ ahead / radius**2)
    assert (turns > 0.0).all()
    assert 1.4 * np.pi < turns.sum() < 2.0 * np.pi
    assert arc[1:, 0] == pytest.approx(arc[:-1, 1]), "without a gap"
    assert barbs[0, 1] == pytest.approx(arc[-1, 1])
    assert barbs[1, 0] == pytest.approx(arc[-1, 1])
    for barb in (barbs[0, 0], barbs[1, 1]):
        assert np.cross(barb, arc[-1, 1]) @ ahead > 0.0, "behind the tip"
