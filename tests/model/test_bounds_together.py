# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds on several axes together: how they are said, and when a rest pose breaks them."""

from __future__ import annotations

from dataclasses import replace
from math import inf, pi, radians

import pytest

from omi_physics_joint.model.joint import AXES, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.spans import axis_range, is_free, spans_of, spans_within
from omi_physics_joint.model.settings.together import all_apart, together_in
from omi_physics_joint.model.validate import check
from omi_physics_joint.model.wording.describe import sentence, special_name
from tests.solver.building import Builder

PIN = Limit(AXES, (), 0.0, 0.0)
STILL = Limit((), AXES, 0.0, 0.0)


def on(axes: tuple[int, ...], low: float, high: float, *, turns: bool = False) -> Limit:
    """Return a bound on axes together."""
    return Limit(*(((), axes) if turns else (axes, ())), low, high, together=True)


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        ((on(AXES, -inf, 2.0), STILL), "slides within 2 m of the point"),
        ((on(AXES, 1.0, 2.0), STILL), "slides 1 m to 2 m from the point"),
        ((on(AXES, 1.0, inf), STILL), "slides at least 1 m from the point"),
        ((on(AXES, 2.0, 2.0), STILL), "is held 2 m from the point"),
        (
            (on((0, 2), -inf, 2.0), Limit((1,), (), 0.0, 0.0), STILL),
            "slides within 2 m of the line along Y",
        ),
        (
            (PIN, Limit((), (2,), 0.0, 0.0), on((0, 1), -inf, radians(40.0), turns=True)),
            "leans in a cone of 40\N{DEGREE SIGN} about Z",
        ),
        (
            (PIN, Limit((), (2,), 0.0, 0.0), on((0, 1), 0.5 * pi, 0.75 * pi, turns=True)),
            "leans 90\N{DEGREE SIGN} to 135\N{DEGREE SIGN} from Z",
        ),
        ((PIN, on(AXES, -inf, 1.5 * pi / 3.0, turns=True)), "turns up to 90\N{DEGREE SIGN} in all"),
    ],
)
def test_sentences(limits: tuple[Limit, ...], says: str) -> None:
    """Say what may be where."""
    assert sentence(JointSettings(limits=limits)) == says


def test_a_pin_in_a_cone_is_no_special_case() -> None:
    """A "Pin" turns freely; this one does not."""
    assert special_name(JointSettings(limits=(PIN,))) == "Pin"
    assert not special_name(JointSettings(limits=(PIN, on((0, 1), -inf, 1.0, turns=True))))


def test_axes_by_themselves() -> None:
    """No axis has a bound of its own, none is free, and others are told the largest box within."""
    settings = JointSettings(limits=(on((0, 1), -inf, 2.0),))
    assert axis_range(settings, Freedom.LINEAR, 0) == (-inf, inf)
    assert not is_free(settings, Freedom.LINEAR, 0)
    assert is_free(settings, Freedom.LINEAR, 2)
    assert spans_of(settings.limits)[0].is_free
    assert spans_within(settings.limits)[0].high == pytest.approx(2.0**0.5)
    assert not together_in(all_apart(settings.limits))


def test_an_axis_with_a_narrower_bound_needs_no_other() -> None:
    """Readers that take only one limit of an axis get the narrower one, and so does a soft cone."""
    cone = on((0, 1), -inf, 1.0, turns=True)
    narrow, held = Limit((), (0,), -0.2, 0.3), Limit((), (1,), 0.0, 0.0)
    apart = all_apart((cone,))[0]
    assert all_apart((cone, narrow)) == (replace(apart, angular_axes=(1,)), narrow)
    assert all_apart((cone, narrow, held)) == (narrow, held)
    wide, soft = replace(narrow, max=0.9), replace(narrow, stiffness=5.0)
    assert all_apart((cone, wide, soft)) == (apart, wide, soft)
    mixed = Limit((0, 1), (2,), 0.1, 0.5, together=True)
    first, second = all_apart((mixed,))
    assert (first.linear_axes, first.angular_axes, first.together) == ((0, 1), (), False)
    assert (second.linear_axes, second.angular_axes, second.min) == ((), (2,), 0.1)


@pytest.mark.parametrize(
    ("place", "words"),
    [((0.6, 0.8, 0.0), ""), ((0.9, 0.9, 0.0), "0.1728 m"), ((0.06, 0.08, 0.0), "0.3 m")],
)
def test_a_rest_pose_out_of_reach(place: tuple[float, float, float], words: str) -> None:
    """Between 0.4 and 1.1 m of the point, whatever each axis says; words tell by how much."""
    made = Builder()
    ground = made.ground()
    body = made.body(place)
    settings = JointSettings(limits=(on(AXES, 0.4, 1.1), STILL))
    made.joint(ground, body, settings, connected_place=place)
    found = [one for one in check(made.mechanism()) if one.code == "rest-outside-limits"]
    assert len(found) == bool(words)
    assert all(f"{words} of its distance from a point" in one.message for one in found)
