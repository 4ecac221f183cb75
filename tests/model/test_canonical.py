# SPDX-License-Identifier: GPL-3.0-or-later
"""The one spelling of a joint keeps its meaning and is a fixed point of itself."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings

from omi_physics_joint.model.joint import (
    AXES,
    Drive,
    DriveMode,
    Freedom,
    JointSettings,
    Limit,
    on_axes,
)
from omi_physics_joint.model.settings.canonical import canonical, is_idle
from omi_physics_joint.model.settings.recipes import pin, weld
from omi_physics_joint.model.settings.spans import axis_range, spans_of
from tests.model.building import same_joint
from tests.model.strategies import any_settings


@pytest.mark.long
@given(any_settings())
@settings(deadline=None)
def test_canonical_is_a_fixed_point(settings: JointSettings) -> None:
    """The canonical spelling of the canonical spelling is itself."""
    once = canonical(settings)
    assert canonical(once) == once


@pytest.mark.long
@given(any_settings())
@settings(deadline=None)
def test_canonical_keeps_every_range(settings: JointSettings) -> None:
    """Each of the six degrees of freedom keeps its room."""
    spelled = canonical(settings)
    for freedom in Freedom:
        for axis in AXES:
            before = axis_range(settings, freedom, axis)
            assert axis_range(spelled, freedom, axis) == before


@pytest.mark.long
@given(any_settings())
@settings(deadline=None)
def test_canonical_keeps_what_acts_on_every_axis(settings: JointSettings) -> None:
    """On each axis the same limits act, in the same order, and soft ones as often as before."""

    def acting(limits: tuple[Limit, ...]) -> list[tuple[float, ...]]:
        said: list[tuple[float, ...]] = []
        for x in limits:
            numbers = (x.min, x.max, x.stiffness, x.damping)
            if not is_idle(x) and (x.is_soft or numbers not in said):
                said.append(numbers)
        return said

    spelled = canonical(settings)
    for before, after in zip(spans_of(settings.limits), spans_of(spelled.limits), strict=True):
        assert acting(after.limits) == acting(before.limits)


@pytest.mark.long
@given(any_settings())
@settings(deadline=None)
def test_canonical_limits_are_what_every_reader_understands(settings: JointSettings) -> None:
    """No limit mixes kinds of axes, shares a range between axes, or does nothing."""
    spelled = canonical(settings)
    for limit in spelled.limits:
        assert bool(limit.linear_axes) != bool(limit.angular_axes)
        assert limit.is_fixed or len(limit.linear_axes + limit.angular_axes) == 1
        assert not is_idle(limit)
    order = [(bool(x.angular_axes), (x.linear_axes + x.angular_axes)[0]) for x in spelled.limits]
    assert order == sorted(order)
    driven = [(drive.type is Freedom.ANGULAR, drive.axis) for drive in spelled.drives]
    assert driven == sorted(driven)


def test_order_of_axes_and_limits_does_not_matter() -> None:
    """The same joint spelled in another order is the same joint."""
    one = JointSettings("A", (Limit((2, 0), (1, 0), 0.0, 0.0), Limit((1,), (), -1.0, 1.0)))
    other = JointSettings(
        "B",
        (
            Limit((1,), (), -1.0, 1.0),
            Limit((), (0, 1), 0.0, 0.0),
            Limit((0,), (), 0.0, 0.0),
            Limit((2,), (), 0.0, 0.0),
        ),
    )
    assert same_joint(one, other)


@pytest.mark.parametrize(
    "change",
    [{"min": -0.1}, {"max": 0.1}, {"stiffness": 5.0}, {"damping": 1.0}, {"linear_axes": (0, 1)}],
)
def test_other_numbers_are_another_joint(change: dict[str, Any]) -> None:
    """A joint that differs in any number or axis is not the same."""
    limits = weld().limits
    assert not same_joint(weld(), replace(weld(), limits=(replace(limits[0], **change), limits[1])))


def test_weld_is_not_a_pin_and_drives_count() -> None:
    """Joints that differ in what they hold or drive are not the same."""
    assert not same_joint(weld(), pin())
    drive = Drive(Freedom.ANGULAR, DriveMode.FORCE, 1, velocity_target=1.0, damping=1.0)
    assert not same_joint(pin(), replace(pin(), drives=(drive,)))


@pytest.mark.parametrize(
    ("limit", "idle"),
    [
        (Limit(min=0.0, max=0.0), True),
        (Limit(linear_axes=(0,)), True),
        (Limit(linear_axes=(0,), min=0.0), False),
        (Limit(angular_axes=(0,), max=inf, min=-1.0), False),
    ],
)
def test_a_limit_without_axis_or_bound_is_idle(limit: Limit, idle: bool) -> None:
    """A limit does something only if it has an axis and a bound."""
    assert is_idle(limit) is idle


def test_on_axes_leaves_the_other_kind_empty() -> None:
    """A limit put on axes of one kind has none of the other, and keeps its numbers."""
    limit = Limit((0, 1), (2,), -1.0, 2.0, 3.0, 4.0, '{"x":1}')
    assert on_axes(limit, Freedom.LINEAR, (2,)) == replace(limit, linear_axes=(2,), angular_axes=())
    assert on_axes(limit, Freedom.ANGULAR, (1,)) == replace(
        limit, linear_axes=(), angular_axes=(1,)
    )


def test_contradicting_limits_keep_their_order() -> None:
    """The first limit still wins where a later, fixed one contradicts it."""
    first, second = Limit((), (0,), 1.0, 1.0), Limit((), (0, 1), 0.0, 0.0)
    spelled = canonical(JointSettings(limits=(first, second)))
    assert axis_range(spelled, Freedom.ANGULAR, 0) == (1.0, 1.0)
    assert spelled.limits == (first, Limit((), (0,), 0.0, 0.0), Limit((), (1,), 0.0, 0.0))


def test_soft_limits_said_twice_stay_twice() -> None:
    """Two equal springs pull twice as hard as one; two equal locks hold no better."""
    soft, rigid = Limit((0,), (), 0.0, 0.0, stiffness=5.0), Limit((0,), (), 0.0, 0.0)
    assert canonical(JointSettings(limits=(soft, soft))).limits == (soft, soft)
    assert canonical(JointSettings(limits=(rigid, rigid))).limits == (rigid,)


@pytest.mark.parametrize(
    "idle",
    [
        Limit(linear_axes=(0,)),
        Limit(linear_axes=(0, 1), angular_axes=(2,), stiffness=3.0),
        Limit(min=0.0, max=0.0),
    ],
)
def test_what_limits_nothing_falls_away(idle: Limit) -> None:
    """Before or after the others, on their axes too, it leaves the spelling as it was."""
    for several in ((*weld().limits, idle), (idle, *weld().limits)):
        assert canonical(replace(weld(), limits=several)) == canonical(weld())
    assert canonical(JointSettings("", (idle,))).limits == ()
