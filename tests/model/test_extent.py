# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes around bodies, and how far they are apart."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_joint.model.geometry import extent
from omi_physics_joint.model.geometry.extent import Corners, distance, touch, touching


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


@pytest.mark.parametrize("is_whole", [False, True])
@pytest.mark.parametrize("axis", range(3))
def test_what_touches_is_found_wherever_boxes_lie(axis: int, *, is_whole: bool) -> None:
    """As all pairs say, spread along any axis, with one under all; no box touches none.

    In whole metres many end where others begin.
    """
    random = np.random.default_rng(axis)
    low = random.uniform(-2.0, 2.0, (120, 3))
    low[:, axis] *= 10.0
    sides = random.uniform(0.0, 1.5, (120, 3))
    if is_whole:
        low, sides = low.round(), sides.round()
    boxes = [_corners(np.array(one)) for one in zip(low, low + sides, strict=True)]
    boxes[7] = _corners(np.array([[-30.0] * 3, [30.0] * 3]))
    some, others = dict(enumerate(boxes[:50])), dict(enumerate(boxes[50:], 1000))
    expected = {
        key: {at for at, other in others.items() if distance(box, other) == 0.0}
        for key, box in some.items()
    }
    assert {key: {*found} for key, found in touching(some, others).items()} == expected
    assert sum(map(len, expected.values())) > 70
    assert touching({}, {}) == touching({}, others) == {}
    assert touching({1: boxes[0]}, {}) == {1: []}


def test_what_touches_in_a_row_is_not_asked_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten times as many boxes, beside a ground under all of them, take ten times as many looks."""
    looks = []
    asked = touch

    def counted(one: Corners, other: Corners) -> bool:
        looks.append(1)
        return asked(one, other)

    monkeypatch.setattr(extent, "touch", counted)
    counts = []
    for number in (100, 1000):
        row = {i: ((0.0, 0.0, i * 2.0), (1.0, 1.0, i * 2.0 + 1.0)) for i in range(number)}
        ground = {-1: ((-9.0, -1.0, -9.0), (9.0, 0.0, 9.0 + 2.0 * number))}
        looks.clear()
        touching(row, {**row, **ground})
        counts.append(len(looks))
    assert 100 < counts[0] < counts[1] <= 11 * counts[0]


def _corners(box: np.ndarray) -> Corners:
    (a, b, c), (d, e, f) = box.tolist()
    return (a, b, c), (d, e, f)
