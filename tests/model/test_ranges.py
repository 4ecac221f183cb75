# SPDX-License-Identifier: GPL-3.0-or-later
"""What several limits leave of one degree of freedom."""

from __future__ import annotations

from math import inf, nan

import pytest

from omi_physics_joint.model.joint import AXES, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.spans import (
    axis_range,
    is_free,
    locked_axes,
    spans_of,
)

LINEAR, ANGULAR = Freedom


def ranges(*bounds: tuple[float, float]) -> JointSettings:
    """Return settings with several limits along X."""
    return JointSettings(limits=tuple(Limit((0,), (), low, high) for low, high in bounds))


@pytest.mark.parametrize(
    ("bounds", "left"),
    [
        ([], (-inf, inf)),
        ([(-1.0, 2.0)], (-1.0, 2.0)),
        ([(-1.0, inf), (-inf, 2.0)], (-1.0, 2.0)),
        ([(-1.0, 2.0), (0.0, 3.0)], (0.0, 2.0)),
        ([(-1.0, 1.0), (1.0, 2.0)], (1.0, 1.0)),
        ([(2.0, 3.0), (-1.0, 1.0)], (2.0, 3.0)),
        ([(2.0, 3.0), (-1.0, 1.0), (2.5, 9.0)], (2.5, 3.0)),
        ([(1.0, -1.0)], (-inf, inf)),
        ([(nan, nan), (-1.0, 1.0)], (-1.0, 1.0)),
    ],
)
def test_ranges_intersect_and_the_first_wins(
    bounds: list[tuple[float, float]], left: tuple[float, float]
) -> None:
    """Limits on one axis intersect; one that would leave nothing is left out."""
    assert axis_range(ranges(*bounds), LINEAR, 0) == left


def test_axes_and_kinds_do_not_mix() -> None:
    """A limit acts on the axes it names and on no others."""
    settings = JointSettings(limits=(Limit((0, 2), (1,), 0.0, 0.0),))
    assert locked_axes(settings, LINEAR) == (0, 2)
    assert locked_axes(settings, ANGULAR) == (1,)
    assert [is_free(settings, LINEAR, axis) for axis in AXES] == [False, True, False]
    assert spans_of(settings.limits)[3].limits == ()


def test_a_lock_may_be_away_from_zero() -> None:
    """An axis held at any one value is locked; one with room is not."""
    assert locked_axes(ranges((0.3, 0.3)), LINEAR) == (0,)
    assert locked_axes(ranges((0.3, 0.4)), LINEAR) == ()
    assert locked_axes(ranges(), LINEAR) == ()


@pytest.mark.parametrize(
    ("bounds", "free"),
    [
        ([], True),
        ([(-inf, inf)], True),
        ([(-1.0, inf)], False),
        ([(-inf, 1.0)], False),
        ([(-1.0, 1.0)], False),
        ([(-inf, 1.0), (-1.0, inf)], False),
    ],
)
def test_one_bound_is_a_bound(bounds: list[tuple[float, float]], free: bool) -> None:
    """An axis that ends on one side only is not free, here and in its span."""
    settings = ranges(*bounds)
    assert spans_of(settings.limits)[0].is_free is free
    assert is_free(settings, LINEAR, 0) is free
