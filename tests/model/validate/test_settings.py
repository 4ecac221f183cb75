# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of limits and drives, in numbers that an artist can find again."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan, radians
from typing import Any

import pytest

from omi_physics_joint.model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.recipes import slider
from omi_physics_joint.model.settings.spans import span_on, spans_of
from omi_physics_joint.model.shape import Box, Plane
from omi_physics_joint.model.validate import BLENDER_AXES, GLTF_AXES, AxisWords, check
from tests.model.building import codes, pair

LINEAR, ANGULAR = Freedom


def said(settings: JointSettings, code: str, words: AxisWords = GLTF_AXES) -> list[str]:
    """Return the messages with a code."""
    return [x.message for x in check(pair(settings), axis_names=words) if x.code == code]


def limits(*several: Limit) -> JointSettings:
    """Return settings with limits only."""
    return JointSettings("Settings", several)


def test_reversed_bounds_are_said_as_the_artist_typed_them() -> None:
    """In Blender [0.5, -0.25] along the Z of glTF was typed as 0.25 and -0.5 along Y."""
    reversed_z = limits(Limit((2,), (), 0.5, -0.25))
    (plain,) = said(reversed_z, "limit-reversed")
    assert "along Z has its minimum, 0.5 m, above its maximum, -0.25 m" in plain
    (blender,) = said(reversed_z, "limit-reversed", BLENDER_AXES)
    assert "along Y has its minimum, 0.25 m, above its maximum, -0.5 m" in blender


def test_angles_are_said_in_degrees() -> None:
    """No artist thinks in radians."""
    turned = limits(Limit((), (0,), radians(30.0), radians(-45.0)))
    (message,) = said(turned, "limit-reversed")
    assert "about X has its minimum, 30°, above its maximum, -45°" in message


def test_a_limit_is_called_by_its_axes_or_its_number() -> None:
    """A limit without axes can only be counted."""
    (message,) = said(limits(Limit((0,), (), 0.0, 0.0), Limit(min=0.0)), "limit-without-axes")
    assert message.startswith("Limit 2 ")
    (message,) = said(limits(Limit((0, 2), (1,))), "limit-without-bound", BLENDER_AXES)
    assert message.startswith("The limit along X and Y and about Z ")


@pytest.mark.parametrize(
    "numbers",
    [
        {"min": nan},
        {"max": nan},
        {"min": inf},
        {"max": -inf},
        {"stiffness": nan},
        {"damping": inf},
        {"damping": nan},
    ],
)
def test_limits_need_usable_numbers(numbers: dict[str, Any]) -> None:
    """A bound of infinity on the wrong side, or no number at all, is an error."""
    limit = Limit((0,), (), -1.0, 1.0, 10.0, 1.0)
    assert "limit-number" not in codes(check(pair(limits(limit))))
    assert "limit-number" in codes(check(pair(limits(replace(limit, **numbers)))))


@pytest.mark.parametrize(
    "numbers",
    [
        {"position_target": inf},
        {"velocity_target": nan},
        {"stiffness": inf},
        {"damping": nan},
        {"max_force": nan},
    ],
)
def test_drives_need_usable_numbers(numbers: dict[str, Any]) -> None:
    """Only the largest force of a drive may be infinite."""
    drive = Drive(LINEAR, DriveMode.FORCE, 0, inf, 0.0, 0.0, 1.0, 1.0)
    assert "drive-number" not in codes(check(pair(JointSettings(drives=(drive,)))))
    broken = JointSettings(drives=(replace(drive, **numbers),))
    assert "drive-number" in codes(check(pair(broken)))


@pytest.mark.parametrize("member", ["stiffness", "damping", "max_force"])
def test_negative_drives_are_named(member: str) -> None:
    """Each negative value is named, the largest force of an angular drive as a torque."""
    changes: dict[str, Any] = {member: -2.0}
    drive = replace(Drive(ANGULAR, DriveMode.FORCE, 0), **changes)
    (message,) = said(JointSettings(drives=(drive,)), "drive-negative")
    assert member.replace("max_force", "largest torque") in message
    assert "-2" in message


def test_rigid_lock_wins_over_a_drive_and_says_where() -> None:
    """The value at which the axis is held is said, in the sign of the reader's axis."""
    drive = Drive(LINEAR, DriveMode.FORCE, 2, position_target=0.0, stiffness=1.0)
    settings = JointSettings(limits=(Limit((2,), (), 0.3, 0.3),), drives=(drive,))
    assert "held at 0.3 m" in said(settings, "drive-on-lock")[0]
    assert "held at -0.3 m" in said(settings, "drive-on-lock", BLENDER_AXES)[0]


def test_drive_beyond_bound_says_both_numbers() -> None:
    """Where the drive pulls and where it stops, in the sign of the reader's axis."""
    drive = Drive(LINEAR, DriveMode.FORCE, 2, position_target=2.0, stiffness=1.0)
    settings = replace(slider(2, -1.0, 1.0), drives=(drive,))
    assert "pulls to 2 m, beyond the limit at 1 m" in said(settings, "drive-beyond-bound")[0]
    blender = said(settings, "drive-beyond-bound", BLENDER_AXES)[0]
    assert "along Y pulls to -2 m, beyond the limit at -1 m" in blender


def test_damped_spring_is_no_motor_without_damping() -> None:
    """A spring with a target velocity of zero, as a KHR file spells it, may be undamped."""
    spring = Drive(LINEAR, DriveMode.FORCE, 0, inf, 0.5, 0.0, 10.0, 0.0)
    found = codes(check(pair(replace(slider(0, -1.0, 1.0), drives=(spring,)))))
    assert "velocity-without-damping" not in found


def test_spans_tell_soft_from_rigid() -> None:
    """Soft limits bound an axis but do not lock it rigidly, and contradict nothing."""
    soft, rigid = Limit((0,), (), 1.0, 1.0, 5.0), Limit((0,), (), -2.0, 0.5)
    span = span_on(spans_of((soft, rigid)), LINEAR, 0)
    assert (span.low, span.high) == (1.0, 1.0)
    assert (span.rigid_low, span.rigid_high) == (-2.0, 0.5)
    assert span.is_locked
    assert not span.is_rigidly_locked
    assert not span.contradiction
    assert span_on(spans_of((soft, rigid)), ANGULAR, 0).is_free


@pytest.mark.parametrize("axis", AXES)
def test_words_follow_the_axes_of_blender(axis: int) -> None:
    """In Blender X, Y, Z of glTF are X, Z and backwards Y, in name and in sign."""
    assert BLENDER_AXES.name(axis) == ("X", "Z", "Y")[axis]
    assert BLENDER_AXES.value(LINEAR, axis, 2.0) == ("2 m", "2 m", "-2 m")[axis]
    bounds = [("-1 m", "2 m"), ("-1 m", "2 m"), ("-2 m", "1 m")][axis]
    assert BLENDER_AXES.bounds(LINEAR, axis, -1.0, 2.0) == bounds
    assert GLTF_AXES.name(axis) == "XYZ"[axis]


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_motor_wants_no_stiffness_and_no_position(way: float) -> None:
    """Told how fast to turn and how hard, a drive is complete."""
    motor = Drive(ANGULAR, DriveMode.FORCE, 2, velocity_target=way, damping=1.0, max_force=9.0)
    found = codes(check(pair(JointSettings("Motor", (), (motor,)))))
    assert not [code for code in found if code.startswith(("drive-", "position-", "velocity-"))]


def test_a_range_in_which_nothing_moves_is_said_with_its_size() -> None:
    """A tenth of a millimetre is no room but for tiny bodies; equal bounds are a lock."""
    narrow = limits(Limit((0,), (), 0.25, 0.2501))
    (plain,) = said(narrow, "limit-narrow")
    assert plain == "Nothing can move along X: minimum and maximum are 0.1 mm apart."
    small = replace(pair(narrow), shapes=(Box((0.001, 0.001, 0.001)),))
    assert "limit-narrow" not in codes(check(small))
    for wide in (Limit((0,), (), 0.25, 0.25), Limit((0,), (), 0.25, 0.2501, stiffness=9.0)):
        assert said(limits(wide), "limit-narrow") == []
    narrow_turn = limits(Limit((), (1,), 0.0, radians(0.05)))
    assert "limit-narrow" in codes(check(replace(small, settings=(narrow_turn,))))
    (turn,) = said(narrow_turn, "limit-narrow", BLENDER_AXES)
    assert turn.startswith("Nothing can move about Z: minimum and maximum are 0.05\N{DEGREE SIGN}")


ROPE = Limit(AXES, (), -inf, 1.0, together=True)
AWAY = Limit((2,), (), 2.0, 3.0)


def test_a_radius_outside_of_ranges_contradicts_them() -> None:
    """Who is 2 m away along one axis is never within 1 m; where one gives way, they may be."""
    (message,) = said(limits(ROPE, AWAY), "limits-contradict")
    assert message == (
        "The limit along X, Y and Z allows a distance of at most 1 m, and other limits leave "
        "at least 2 m: they cannot all hold."
    )
    assert not said(limits(ROPE, replace(AWAY, stiffness=5.0)), "limits-contradict")
    assert not said(limits(replace(ROPE, stiffness=5.0), AWAY), "limits-contradict")
    near = [Limit((axis,), (), -1.0, 1.0) for axis in AXES]
    (message,) = said(limits(replace(ROPE, min=2.0, max=inf), *near), "limits-contradict")
    assert "at least 2 m, and other limits leave at most 1.732 m" in message
    (message,) = said(limits(replace(ROPE, min=2.0, max=3.0), ROPE), "limits-contradict")
    assert "at least 2 m, and other limits leave at most 1 m" in message


def test_what_is_never_reached_is_said_with_what_stops_before() -> None:
    """By name and number, in Blender's axes where the reader thinks in them."""
    (message,) = said(limits(ROPE, replace(AWAY, min=-3.0)), "limit-never-reached", BLENDER_AXES)
    assert message == (
        "The limit along Y is never reached: a limit on several axes together stops at 1 m."
    )
    box = [Limit((axis,), (), -1.0, 1.0) for axis in AXES]
    (message,) = said(limits(*box, replace(ROPE, max=3.0)), "limit-never-reached")
    assert message.endswith("never reached: other limits leave a distance of at most 1.732 m.")
    whole = Limit((), AXES, 0.1, inf, together=True)
    lean = Limit((), (0, 1), 0.5, inf, together=True)
    (message,) = said(limits(lean, whole), "limit-never-reached")
    assert "other limits leave a turn in all of at least 28.65°" in message


def test_what_omi_cannot_say_is_no_matter_where_files_have_none_of_it() -> None:
    """A rope and a plane are warned of only where OMI's extensions are written."""
    floor = replace(pair(limits(ROPE)), shapes=(Plane(),))
    lost = {"limit-together", "plane-as-box"}
    assert codes(check(floor, spoken=frozenset(("omi",)))) >= lost
    assert not codes(check(floor, spoken=frozenset(("khr",)))) & lost


def test_no_distance_is_below_zero_and_no_angle_over_half_a_turn() -> None:
    """Such a bound is an error, and nothing else is said of it."""
    (message,) = said(limits(replace(ROPE, max=-1.0), AWAY), "limit-impossible")
    assert "a distance of at most -1 m, and none is below zero" in message
    assert not said(limits(replace(ROPE, max=-1.0), AWAY), "limits-contradict")
    cone = Limit((), (0, 1), radians(200.0), inf, together=True)
    (message,) = said(limits(cone), "limit-impossible")
    assert "a lean of at least 200°, and none is over 180°" in message


def test_a_spring_that_pulls_out_of_a_sphere_rests_on_it() -> None:
    """As one that pulls beyond a bound of its own axis."""
    spring = Drive(LINEAR, DriveMode.FORCE, 0, position_target=-1.5, stiffness=3.0)
    (message,) = said(replace(limits(ROPE), drives=(spring,)), "drive-beyond-bound")
    assert "pulls to -1.5 m, beyond the limit at -1 m" in message
    spring = replace(spring, position_target=1.5)
    (message,) = said(replace(limits(ROPE), drives=(spring,)), "drive-beyond-bound")
    assert "pulls to 1.5 m, beyond the limit at 1 m" in message
