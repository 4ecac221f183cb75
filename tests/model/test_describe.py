# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints are called what the table of the specification calls them, or described."""

from __future__ import annotations

from dataclasses import replace
from math import inf, radians

import pytest

from omi_physics_joint.model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld
from omi_physics_joint.model.wording.describe import sentence, special_name, title

FIXED_LINEAR = Limit(linear_axes=AXES, min=0.0, max=0.0)
CYLINDER = replace(
    slider(0, -1.0, 1.0),
    limits=(
        *slider(0, -1.0, 1.0).limits[:2],
        Limit(angular_axes=(1, 2), min=0.0, max=0.0),
        Limit(angular_axes=(0,), min=-1.0, max=1.0),
    ),
)
CROSSED = replace(CYLINDER, limits=(*slider(1, -1.0, 1.0).limits[:2], *CYLINDER.limits[2:]))
HELD_ASIDE = JointSettings(
    limits=(Limit(linear_axes=AXES, min=0.1, max=0.1), Limit(angular_axes=AXES, min=0.0, max=0.0))
)


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (weld(), "Weld"),
        (pin(), "Pin"),
        *((hinge(axis, -1.0, 2.0), "Hinge") for axis in AXES),
        *((hinge(axis, high=2.0), "Hinge") for axis in AXES),
        *((slider(axis, -1.0, 2.0), "Slider") for axis in AXES),
        (CYLINDER, "Slider"),
        (JointSettings(), ""),
        (hinge(0), ""),
        (slider(0), ""),
        (CROSSED, ""),
        (HELD_ASIDE, ""),
        (JointSettings(limits=(FIXED_LINEAR, Limit(angular_axes=(0,), min=-1, max=1))), ""),
    ],
)
def test_special_cases_are_those_of_the_table(settings: JointSettings, name: str) -> None:
    """Weld, pin, hinge and slider as the specification has them, in any axis; nothing else."""
    assert special_name(settings) == name


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (weld(), "holds everything"),
        (pin(), "turns freely in all directions"),
        (JointSettings(), "slides freely in all directions, turns freely in all directions"),
        (hinge(2, 0.0, radians(90.0)), "turns from 0° to 90°"),
        (hinge(1), "turns freely"),
        (hinge(0, high=radians(30.0)), "turns up to 30°"),
        (slider(0, -0.25, 1.75), "slides from -0.25 m to 1.75 m"),
        (CYLINDER, "slides from -1 m to 1 m, turns from -57.3° to 57.3°"),
        (CROSSED, "slides along Y from -1 m to 1 m, turns about X from -57.3° to 57.3°"),
        (slider(2, low=0.5), "slides from 0.5 m on"),
        (
            replace(slider(0, -0.25, 1.75), limits=slider(0, -0.25, 1.75).limits[:2]),
            "slides along X from -0.25 m to 1.75 m, turns freely in all directions",
        ),
        (
            JointSettings(limits=(Limit(AXES, AXES, 0.1, 0.1),)),
            "is held at 0.1 m along X, is held at 0.1 m along Y, is held at 0.1 m along Z, "
            "is held at 5.73° about X, is held at 5.73° about Y, is held at 5.73° about Z",
        ),
    ],
)
def test_sentences_say_the_degrees_of_freedom(settings: JointSettings, words: str) -> None:
    """Whatever a joint leaves free is said in metres and degrees."""
    assert sentence(settings) == words


def test_drives_are_said_once_for_each_axis() -> None:
    """A driven axis is named, and named once."""
    motor = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2)
    push = Drive(Freedom.LINEAR, DriveMode.FORCE, 0)
    driven = replace(hinge(2), drives=(motor, motor, push))
    assert sentence(driven) == "turns freely, driven about Z and along X"
    assert sentence(replace(hinge(2), drives=(motor,))) == "turns freely, driven"
    assert sentence(replace(pin(), drives=(motor,))).endswith(", driven about Z")


@pytest.mark.parametrize(
    ("turns", "words"),
    [(11095.0, "11095°"), (100.0, "100°"), (-2500.0, "-2500°"), (1e-4, "0.0001°")],
)
def test_angles_are_said_in_full(turns: float, words: str) -> None:
    """No sentence has a power of ten in it."""
    assert sentence(hinge(1, high=radians(turns))) == f"turns up to {words}"


def test_quantities_are_said_as_the_caller_wants() -> None:
    """Whoever shows a sentence decides in which units."""
    inches = sentence(slider(0, 0.0, 0.0254), lambda value, _: f"{value / 0.0254:g} in")
    assert inches == "slides from 0 in to 1 in"


def test_title_prefers_the_name() -> None:
    """A joint with a name of its own is called by it, others by their sentence."""
    assert title(weld()) == "Weld"
    assert title(hinge(0)) == "turns freely"


@pytest.mark.parametrize("axis", AXES)
def test_recipes_leave_exactly_their_axis(axis: int) -> None:
    """A bare hinge and a bare slider have no limit on their own axis, and hold the rest."""
    for settings, own in ((hinge(axis), ((), (axis,))), (slider(axis), ((axis,), ()))):
        linear = [a for limit in settings.limits for a in limit.linear_axes]
        angular = [a for limit in settings.limits for a in limit.angular_axes]
        assert sorted(linear) == [a for a in AXES if a not in own[0]]
        assert sorted(angular) == [a for a in AXES if a not in own[1]]
        assert all(limit.is_fixed and not limit.is_soft for limit in settings.limits)


def test_recipes_take_one_bound_alone() -> None:
    """A one-sided hinge has its one bound and no other."""
    (*_, limit) = hinge(2, low=-0.5).limits
    assert (limit.min, limit.max, limit.angular_axes) == (-0.5, inf, (2,))
