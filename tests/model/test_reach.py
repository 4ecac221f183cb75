# SPDX-License-Identifier: GPL-3.0-or-later
"""What limits leave of each other: never too little, and all of it can be reached."""

from __future__ import annotations

from math import inf, pi, sqrt

import numpy as np
import pytest

from omi_physics_joint.model.geometry.transform import rotation_from_quaternion
from omi_physics_joint.model.joint import AXES, Freedom, Limit
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.settings.coordinates import excesses
from omi_physics_joint.model.settings.reach import idle_limits, left_by, most_about
from omi_physics_joint.model.settings.spans import spans_of
from omi_physics_joint.model.settings.together import together_in

SEED = 20
TRIES = 20000


def on(axes: tuple[int, ...], low: float, high: float, *, turns: bool = False) -> Limit:
    """Return a bound on axes together."""
    return Limit(*(((), axes) if turns else (axes, ())), low, high, together=True)


def along(axis: int, low: float, high: float) -> Limit:
    """Return a bound on a distance along one axis."""
    return Limit((axis,), (), low, high)


def about(axis: int, low: float, high: float) -> Limit:
    """Return a bound on an angle about one axis."""
    return Limit((), (axis,), low, high)


BOXES = {
    "all": [(-0.7, 0.4), (0.2, 0.9), (-0.5, -0.1)],
    "free": [(-0.7, 0.4), (0.2, 0.9), (-inf, inf)],
    "held": [(0.0, 0.0), (-1.0, 1.0), (0.3, 0.3)],
    "wide": [(-3.0, 2.0), (0.5, 3.1), (-0.2, 0.2)],
}


@pytest.mark.long
@pytest.mark.parametrize("axes", [(0, 1), (0, 2), (1, 2), AXES])
@pytest.mark.parametrize("freedom", list(Freedom))
@pytest.mark.parametrize("box", BOXES)
def test_what_single_axes_leave_of_several(
    box: str, freedom: Freedom, axes: tuple[int, ...]
) -> None:
    """Random poses within the box are within what is said, and some come close to its ends."""
    turns = freedom is Freedom.ANGULAR
    make = about if turns else along
    limits = [make(axis, *BOXES[box][axis]) for axis in AXES]
    (one,) = together_in([on(axes, -inf, 1.0, turns=turns)])
    low, high = left_by(one, limits)
    random = np.random.default_rng(SEED)
    ends = np.clip(np.array(BOXES[box]), *((-pi, pi) if turns else (-5.0, 5.0)))
    at = ends[:, 0] + random.beta(0.15, 0.15, (TRIES, 3)) * (ends[:, 1] - ends[:, 0])
    if turns:
        t = np.tan(0.5 * at)
        found = [one.value((0.0,) * 3, (*row, 1.0)) for row in t.tolist()]
    else:
        found = [one.value(row, (0.0, 0.0, 0.0, 1.0)) for row in at.tolist()]
    assert min(found) >= low - 1e-9
    assert max(found) <= high + 1e-9
    assert min(found) <= low + 0.1
    assert max(found) >= min(high, 5.0) - 0.1


@pytest.mark.parametrize("twist", [0.0, 0.8, 2.5, inf])
def test_what_a_cone_leaves_of_an_axis(twist: float) -> None:
    """Random rotations within a cone and a twist about it turn about the axis as far as is said."""
    cone = on((0, 1), -inf, 0.6, turns=True)
    limits = [cone, about(2, -twist, twist)]
    most = most_about(Freedom.ANGULAR, 0, limits)
    random = np.random.default_rng(SEED)
    lean = 0.6 * random.uniform(0.98, 1.0, TRIES)
    way = random.uniform(-pi, pi, TRIES)
    turn = random.choice([-1.0, 1.0], TRIES) * random.uniform(0.98, 1.0, TRIES) * min(twist, pi)
    s, c = np.sin(0.5 * lean), np.cos(0.5 * lean)
    x, y = s * np.cos(way), s * np.sin(way)
    q = np.stack((x, y, c * np.sin(0.5 * turn), c * np.cos(0.5 * turn)), axis=1)
    found = np.abs(2.0 * np.arctan2(q[:, 0], q[:, 3]))
    found = np.minimum(found, 2.0 * pi - found)
    assert found.max() <= most + 1e-9
    assert found.max() >= min(most, pi) - 0.1
    spans = spans_of(limits)
    (one,) = together_in(limits)
    for row in q[:50].tolist():
        beyond = excesses(spans, (0.0,) * 3, rotation_from_quaternion(tuple(row)))
        assert beyond == pytest.approx((0.0,) * 6)
        assert one.value((0.0,) * 3, row) <= 0.6


IDLE: dict[str, tuple[list[Limit], tuple[int, ...]]] = {
    "a box within a sphere": ([along(a, -1.0, 1.0) for a in AXES] + [on(AXES, -inf, 2.0)], (3,)),
    "its corner on it": (
        [along(a, -1.0, 1.0) for a in AXES] + [on(AXES, -inf, sqrt(3.0))],
        (3,),
    ),
    "its corner beyond it": ([along(a, -1.0, 1.0) for a in AXES] + [on(AXES, -inf, 1.7)], ()),
    "a range beyond a sphere": ([on(AXES, -inf, 2.0), along(0, -2.0, 2.5)], (1,)),
    "two ranges beyond a sphere": (
        [on(AXES, -inf, 2.0), along(0, -2.0, 2.5), along(1, -3.0, 3.0)],
        (1, 2),
    ),
    "a disc around a soft sphere": (
        [on((0, 1), -inf, 3.0), Limit(AXES, (), -inf, 2.0, 50.0, together=True)],
        (),
    ),
    "one side beyond it": ([on(AXES, -inf, 2.0), along(0, -1.0, 2.5)], ()),
    "a range in a soft sphere": (
        [Limit(AXES, (), -inf, 2.0, 50.0, together=True), along(0, -3.0, 3.0)],
        (),
    ),
    "both stop each other": (
        [along(1, 0.0, 0.0), along(2, 0.0, 0.0), along(0, -1.0, 1.0), on(AXES, -inf, 1.0)],
        (2,),
    ),
    "a rope between welded bodies": ([Limit(AXES, (), 0.0, 0.0), on(AXES, -inf, 1.0)], (1,)),
    "a disc outside of a sphere": ([on((0, 1), -inf, 3.0), on(AXES, -inf, 2.0)], (0,)),
    "a disc in a sphere": ([on((0, 1), -inf, 1.0), on(AXES, -inf, 2.0)], ()),
    "a minimum within another": ([on((0, 1), 1.0, inf), on(AXES, 0.5, inf)], (1,)),
    "the same twice": ([on(AXES, -inf, 2.0)] * 2, (0,)),
    "twists in a cone": (
        [about(2, 0.0, 0.0), about(0, -0.8, 0.8), on((0, 1), -inf, 0.8, turns=True)],
        (1,),
    ),
    "twists in a cone that twists": (
        [about(2, -0.1, 0.1), about(0, -0.8, 0.8), on((0, 1), -inf, 0.8, turns=True)],
        (),
    ),
    "twists in a whole angle": (
        [about(0, -0.8, 0.8), on(AXES, -inf, 0.8, turns=True)],
        (0,),
    ),
    "a cone in a whole angle": (
        [on((0, 1), -inf, 0.9, turns=True), on(AXES, -inf, 0.8, turns=True)],
        (0,),
    ),
    "a cone across a hinge": (
        [about(0, 0.0, 0.0), about(1, 0.0, 0.0), on((0, 1), -inf, 0.8, turns=True)],
        (2,),
    ),
    "no cone": ([on((0, 1), -inf, pi, turns=True)], (0,)),
    "a keyed sphere": (
        [
            Limit(AXES, (), -inf, 2.0, together=True, keys=(Keys("max", (0.0,), (2.0,)),)),
            along(0, -2.5, 2.5),
        ],
        (),
    ),
    "single axes only": ([along(0, -1.0, 1.0), along(0, -2.0, 2.0)], ()),
}


@pytest.mark.parametrize("case", IDLE)
def test_what_is_never_reached(case: str) -> None:
    """Only what stops behind others; of two that stop at one place, one."""
    limits, idle = IDLE[case]
    assert idle_limits(limits) == idle
