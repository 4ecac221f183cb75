# SPDX-License-Identifier: GPL-3.0-or-later
"""The coordinates of a joint at rest are measured as the conventions of the project say."""

from __future__ import annotations

from math import atan2, hypot, pi, radians
from random import Random
from typing import Any

import pytest

from omi_physics_joint.model.geometry.transform import (
    Matrix,
    difference,
    linear_part,
    multiply,
    quaternion_from_rotation,
    transpose,
)
from omi_physics_joint.model.joint import AXES, Freedom, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.readers import Reader
from omi_physics_joint.model.settings.coordinates import (
    angles_of,
    axis_rotation,
    coordinates,
    excesses,
    relative,
)
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld
from omi_physics_joint.model.settings.spans import spans_of
from omi_physics_joint.model.validate import BLENDER_AXES, check
from tests.model.building import (
    motion_on,
    pair,
    product,
    random_rigid,
    shift,
    turn,
    turned,
)

LINEAR, ANGULAR = Freedom

OMI_GODOT = frozenset((Reader.GODOT_OMI,))


def outside(settings: JointSettings, motion: Matrix) -> tuple[float, ...]:
    """Return how far a motion out of coinciding frames leads out of the limits."""
    joint = random_rigid(Random(4))
    return excesses(spans_of(settings.limits), *relative(joint, product(joint, motion)))


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("freedom", list(Freedom))
def test_excess_has_the_sign_and_size_of_the_way_out(freedom: Freedom, axis: int) -> None:
    """Above the upper bound is positive, below the lower one negative, on that axis alone."""
    maker = slider if freedom is Freedom.LINEAR else hinge
    settings = maker(axis, -0.2, 0.9)
    place = axis + (0 if freedom is LINEAR else 3)
    for value, expected in ((1.0, 0.1), (0.9, 0.0), (-0.2, 0.0), (-0.5, -0.3)):
        found = outside(settings, motion_on(freedom, axis, value))
        assert found[place] == pytest.approx(expected, abs=1e-12)
        assert [x for i, x in enumerate(found) if i != place] == pytest.approx([0.0] * 5, abs=1e-12)


@pytest.mark.parametrize("axis", AXES)
def test_hinge_is_good_for_the_full_circle(axis: int) -> None:
    """A turn of 170 degrees about any axis, Y too, is read as that and not folded back."""
    settings = hinge(axis, radians(-175.0), radians(175.0))
    assert outside(settings, turn(axis, radians(170.0))) == pytest.approx([0.0] * 6, abs=1e-12)
    beyond = outside(settings, turn(axis, radians(178.0)))
    assert beyond[3 + axis] == pytest.approx(radians(3.0))


@pytest.mark.parametrize("axis", AXES)
def test_a_range_may_lie_turns_away(axis: int) -> None:
    """A range from 170 to 190 degrees holds the pose at -175 degrees."""
    settings = hinge(axis, radians(170.0), radians(190.0))
    assert outside(settings, turn(axis, radians(-175.0)))[3 + axis] == 0.0


def test_one_bound_does_not_count_turns() -> None:
    """With an upper bound alone, a pose above it is outside, not a whole turn below."""
    assert outside(hinge(2, high=0.1), turn(2, 0.5))[5] == pytest.approx(0.4)


@pytest.mark.parametrize("free", AXES)
def test_locks_away_from_zero_are_no_excess(free: int) -> None:
    """A hinge that is locked aside, about both other axes, reads its own turn exactly."""
    locks = {axis: 0.3 + 0.2 * axis for axis in AXES if axis != free}
    settings = JointSettings(
        limits=(
            *(Limit((), (axis,), value, value) for axis, value in locks.items()),
            Limit((), (free,), -2.0, 2.0),
        )
    )
    angles = {**locks, free: 2.5}
    motion = turned(*(angles[axis] for axis in AXES))
    expected = [0.0] * 6
    expected[3 + free] = 0.5
    assert outside(settings, motion) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("free", AXES)
def test_tilt_of_a_hinge_lies_on_the_axis_it_is_about(free: int) -> None:
    """A hinge that leans about one of its locked axes leans by that angle about that axis."""
    for axis in AXES:
        if axis == free:
            continue
        expected = [0.0] * 6
        expected[3 + axis] = 0.4
        assert outside(hinge(free, -1.0, 1.0), turn(axis, 0.4)) == pytest.approx(expected)


@pytest.mark.parametrize("free", AXES)
def test_upside_down_hinge_leans_by_half_a_turn(free: int) -> None:
    """The worst tilt, where no direction is the right one, is still reported in full."""
    spans = spans_of(hinge(free).limits)
    flipped = tuple(
        tuple((1.0 if i == (free + 1) % 3 else -1.0) if i == j else 0.0 for j in AXES) for i in AXES
    )
    assert hypot(*excesses(spans, (0.0, 0.0, 0.0), flipped)) == pytest.approx(pi)
    assert hypot(*outside(hinge(free), turn((free + 1) % 3, pi))) == pytest.approx(pi)


@pytest.mark.parametrize("seed", range(30))
def test_three_angles_rebuild_the_rotation(seed: int) -> None:
    """The angle about each axis is the tangent that the quaternion has there, twice its half."""
    rotation = linear_part(random_rigid(Random(seed)))
    angles = angles_of(spans_of(pin().limits)[3:], rotation)
    assert difference(linear_part(turned(*angles)), rotation) < 1e-12
    assert max(map(abs, angles)) <= pi
    x, y, z, w = quaternion_from_rotation(rotation)
    assert angles == pytest.approx([2.0 * atan2(part, w) for part in (x, y, z)])


@pytest.mark.parametrize("seed", range(10))
def test_an_angle_is_the_twist_about_its_axis(seed: int) -> None:
    """Taken out about its axis, in front or behind, it leaves a turn about an axis across."""
    rotation = linear_part(random_rigid(Random(seed)))
    angles = angles_of(spans_of(pin().limits)[3:], rotation)
    for axis in AXES:
        back = axis_rotation(axis, -angles[axis])
        for rest in (multiply(back, rotation), multiply(rotation, back)):
            assert abs(quaternion_from_rotation(rest)[axis]) < 1e-12


@pytest.mark.parametrize("seed", range(10))
def test_the_inverse_has_the_same_angles_the_other_way(seed: int) -> None:
    """Seen from the connected frame every angle has the other sign, three free ones too."""
    rotation = linear_part(random_rigid(Random(seed)))
    spans = spans_of(pin().limits)[3:]
    back = angles_of(spans, transpose(rotation))
    assert back == pytest.approx([-angle for angle in angles_of(spans, rotation)])


@pytest.mark.parametrize("seed", range(10))
def test_names_of_axes_do_not_matter(seed: int) -> None:
    """Called Y, Z and X instead of X, Y and Z, the axes have the angles that they had."""
    rotation = linear_part(random_rigid(Random(seed)))
    spans = spans_of(pin().limits)[3:]
    renamed = tuple(tuple(rotation[(i + 2) % 3][(j + 2) % 3] for j in AXES) for i in AXES)
    x, y, z = angles_of(spans, rotation)
    assert angles_of(spans, renamed) == pytest.approx((z, x, y))


@pytest.mark.parametrize("locked", AXES)
@pytest.mark.parametrize("at", [0.0, 0.7])
def test_beyond_a_quarter_turn_nothing_is_special(locked: int, at: float) -> None:
    """With one angle locked the other two are read past a quarter turn, whichever they are."""
    limits = [Limit((), (locked,), at, at)]
    limits += [Limit((), (axis,), -3.0, 3.0) for axis in AXES if axis != locked]
    angles = [1.9, -2.4, 2.1]
    angles[locked] = at
    spans = spans_of(limits)[3:]
    assert angles_of(spans, linear_part(turned(*angles))) == pytest.approx(angles, abs=1e-12)


@pytest.mark.parametrize("free", AXES)
@pytest.mark.parametrize("at", [0.0, 0.4])
def test_locks_hold_through_the_full_circle(free: int, at: float) -> None:
    """At half a turn of a hinge its locks read what they are, not what rounding left of nothing."""
    locks = [Limit((), (axis,), at, at) for axis in AXES if axis != free]
    angles = [at] * 3
    for value in (3.0, pi - 1e-9, pi, -pi + 1e-9):
        angles[free] = value
        x, y, z = angles
        rotation = linear_part(turned(x, y, z))
        found = angles_of(spans_of(locks)[3:], rotation)
        assert [found[a] for a in AXES if a != free] == pytest.approx([at, at], abs=1e-7)


@pytest.mark.parametrize("axis", AXES)
def test_axis_rotation_is_the_turn(axis: int) -> None:
    """The rotation about an axis agrees with its quaternion."""
    assert difference(axis_rotation(axis, 0.7), linear_part(turn(axis, 0.7))) < 1e-15


def test_relative_pose_is_connected_in_joint() -> None:
    """The sign rule: the place of the connected frame, in the axes of the joint frame."""
    joint = product(shift(0, 1.0), turn(2, pi / 2.0))
    place, rotation = relative(joint, product(joint, shift(1, 0.3), turn(0, 0.2)))
    assert place == pytest.approx((0.0, 0.3, 0.0))
    assert difference(rotation, linear_part(turn(0, 0.2))) < 1e-15


def message(mechanism: Mechanism, code: str, **words: Any) -> str:
    """Return the message of the one issue with a code."""
    found = check(mechanism, readers=OMI_GODOT, **words)
    (issue,) = (x for x in found if x.code == code)
    return issue.message


def test_distances_and_angles_are_said_with_units() -> None:
    """How far frames are apart, and a joint outside its limits, is said in m, mm and degrees."""
    joint = random_rigid(Random(6))
    motion = product(shift(0, 0.25), turn(2, radians(70.0)))
    apart = pair(hinge(2, 0.0, radians(40.0)), joint, product(joint, motion))
    assert "0.25 m and 70° apart" in message(apart, "frames-apart")
    assert "by 0.25 m along X and 30° about Z" in message(apart, "rest-outside-limits")
    near = pair(weld(), joint, product(joint, shift(0, 0.002)))
    assert "are 2 mm apart" in message(near, "frames-apart")


def test_blender_reads_its_own_axes() -> None:
    """What glTF calls Z is Y in Blender, and glTF's Y is Blender's Z."""
    joint = random_rigid(Random(6))
    for axis, name in ((0, "X"), (1, "Z"), (2, "Y")):
        outside_by = pair(weld(), joint, product(joint, turn(axis, 0.2)))
        said = message(outside_by, "rest-outside-limits", axis_names=BLENDER_AXES)
        assert f"about {name}" in said


def test_coordinates_name_the_value_that_the_limits_mean() -> None:
    """A hinge that may turn from 90 to 270 degrees stands at 200, not at -160."""
    joint = random_rigid(Random(2))
    connected = product(product(joint, shift(1, 0.2)), turn(1, radians(-160.0)))
    wide = spans_of(hinge(1, radians(90.0), radians(270.0)).limits)
    expected = (0.0, 0.2, 0.0, 0.0, radians(200.0), 0.0)
    assert coordinates(wide, joint, connected) == pytest.approx(expected, abs=1e-12)
    narrow = spans_of(hinge(1, radians(-170.0), radians(0.0)).limits)
    assert coordinates(narrow, joint, connected)[4] == pytest.approx(radians(-160.0))
