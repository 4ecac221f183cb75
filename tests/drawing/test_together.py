# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds on several axes together are drawn round, at their true size."""

from __future__ import annotations

from dataclasses import replace
from math import cos, inf, sin

import numpy as np
import pytest

from omi_physics_joint.drawing.bounds import has_two_sides, reversed_settings
from omi_physics_joint.drawing.joint_table import (
    Poses,
    columns_of,
    drawn_frames,
    joint_table,
    joint_values,
)
from omi_physics_joint.drawing.layout import Floats
from omi_physics_joint.drawing.marks.pointers import STAR, pointers
from omi_physics_joint.drawing.marks.together import SWEEP
from omi_physics_joint.drawing.picture import limits_sketch
from omi_physics_joint.drawing.strokes import Role
from omi_physics_joint.drawing.value_labels import value_labels
from omi_physics_joint.drawing.world_lines import joined_lines
from omi_physics_joint.model.geometry.transform import (
    matrix_from,
    multiply,
    quaternion_from_rotation,
)
from omi_physics_joint.model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.coordinates import axis_rotation, relative
from omi_physics_joint.model.settings.together import together_in
from tests.drawing.views import random_frame

TURNS = Limit((), AXES, 0.0, 0.0)
PLACE = Limit(AXES, (), 0.0, 0.0)
ROPE = JointSettings(limits=(Limit(AXES, (), -inf, 2.0, together=True), TURNS))
TUBE = JointSettings(limits=(Limit((0, 2), (), 0.5, 2.0, together=True), TURNS))
CONE = JointSettings(limits=(PLACE, Limit((), (0, 2), -inf, 0.7, together=True)))
WHOLE = JointSettings(limits=(PLACE, Limit((), AXES, -inf, 0.7, together=True)))


def test_a_rope_is_a_sphere_of_its_length() -> None:
    """Nothing of it is farther out, and the three circles are there; no open rails."""
    points = limits_sketch(ROPE, 0.3).lines.reshape(-1, 3)
    out = np.linalg.norm(points, axis=1)
    assert out.max() == pytest.approx(2.0)
    for axis in AXES:
        assert (np.isclose(out, 2.0) & np.isclose(points[:, axis], 0.0)).sum() >= 100


def test_a_tube_is_a_disc_with_a_hole() -> None:
    """Two circles about Y, of the bounds; Y itself is free and has its rail."""
    points = limits_sketch(TUBE, 0.3).lines.reshape(-1, 3)
    flat = points[np.isclose(points[:, 1], 0.0)]
    out = np.linalg.norm(flat[:, [0, 2]], axis=1)
    for radius in (0.5, 2.0):
        assert np.isclose(out, radius).sum() >= 60
    assert np.linalg.norm(points[:, [0, 2]], axis=1).max() == pytest.approx(2.0)


def test_a_cone_is_round_and_true() -> None:
    """Its rim is 0.7 rad from Y all the way round."""
    points = limits_sketch(CONE, 0.5).lines.reshape(-1, 3)
    rim = points[np.isclose(points[:, 1], 0.5 * cos(0.7)) & (np.abs(points[:, 0]) > 0.0)]
    assert len(rim) >= 100
    assert np.linalg.norm(rim[:, [0, 2]], axis=1) == pytest.approx(0.5 * sin(0.7))
    assert columns_of(CONE).pointing == 1


def test_a_whole_angle_has_an_arc_about_each_axis() -> None:
    """No rings: it is bounded about all of them."""
    points = limits_sketch(WHOLE, 0.5).lines.reshape(-1, 3)
    assert np.linalg.norm(points, axis=1).max() == pytest.approx(0.5)
    for axis in AXES:
        angles = np.arctan2(points[:, (axis + 2) % 3], points[:, (axis + 1) % 3])
        arc = np.isclose(points[:, axis], 0.0) & np.isclose(np.linalg.norm(points, axis=1), 0.5)
        assert np.isclose(angles[arc], 0.7).any()
        assert np.isclose(angles[arc], -0.7).any()


def test_what_gives_way_has_a_spring() -> None:
    """A soft rope reaches beyond its bound."""
    soft = replace(ROPE, limits=(replace(ROPE.limits[0], stiffness=9.0), TURNS))
    assert np.linalg.norm(limits_sketch(soft, 0.3).lines, axis=-1).max() > 2.05


def test_from_the_other_side_a_distance_is_the_same() -> None:
    """Reversed values have the same distance: the limit does not change, others do."""
    assert has_two_sides(TUBE)
    assert reversed_settings(TUBE).limits[0] == TUBE.limits[0]
    mixed = Limit((0, 2), (1,), 0.1, 0.2, together=True)
    first, second = reversed_settings(JointSettings(limits=(mixed,))).limits
    assert (first.min, first.max, second.min, second.max) == (0.1, 0.2, -0.2, -0.1)


SPACE = JointSettings(
    limits=(
        Limit(AXES, (), 0.1, 0.4, together=True),
        Limit((0, 2), (), 0.1, 0.4, together=True),
        Limit((), (0, 1), 0.1, 0.4, stiffness=9.0, together=True),
        Limit((), (1, 2), 0.1, 0.4, together=True),
        Limit((), AXES, 0.1, 0.4, together=True),
    )
)
"""All kinds at once, so that a pose is beyond several of them."""


def posed(
    settings: JointSettings, place: tuple[float, float, float], turns: tuple[float, ...]
) -> tuple[Floats, Floats]:
    """Return the frames of a joint at a place, turned about X, then Y, then Z."""
    x, y, z = (axis_rotation(axis, angle) for axis, angle in enumerate(turns))
    rotation = multiply(z, multiply(y, x))
    joint = random_frame(np.random.default_rng(5))
    return np.array(joint), np.array(joint) @ np.array(matrix_from(rotation, place))


def red_lines(
    settings: JointSettings, frames: tuple[Floats, Floats], *, from_partner: bool = False
) -> Floats:
    """Return the red lines of a joint in the joint frame."""
    table = joint_table([settings], [0.5], [from_partner])
    joints, partners = (frame[None] for frame in frames)
    which = np.arange(1)
    values = joint_values(table, joints, partners, which)
    bases = drawn_frames(table, joints, partners)
    lines = joined_lines(pointers(table, Poses(bases, partners, values), which))
    inverse = np.linalg.inv(bases[0])
    red = lines.lines[lines.roles == Role.VIOLATED]
    return np.asarray(red @ inverse[:3, :3].T + inverse[:3, 3])


POSES = [
    ((0.5, 0.6, -0.7), (0.9, -0.4, 0.7)),
    ((-0.3, 0.2, 0.9), (-2.0, 1.3, 0.2)),
    ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ((0.0, 0.3, 0.0), (0.0, 0.0, 2.5)),
]


@pytest.mark.parametrize(("place", "turns"), POSES)
def test_what_is_drawn_red_is_what_the_model_says(
    place: tuple[float, float, float], turns: tuple[float, ...]
) -> None:
    """Distance, lean and whole angle are those of the model, in any pose, and so is the excess."""
    joint, partner = posed(SPACE, place, turns)
    table = joint_table([SPACE], [0.5])
    values = joint_values(table, joint[None], partner[None], np.arange(1))
    where, rotation = relative(tuple(map(tuple, joint)), tuple(map(tuple, partner)))
    wanted = [one.value(where, quaternion_from_rotation(rotation)) for one in table.together.bounds]
    assert table.together.at(values) == pytest.approx(wanted, abs=1e-9)
    over = [max(value - 0.4, 0.0) + min(value - 0.1, 0.0) for value in wanted]
    assert table.together.beyond(values) == pytest.approx(over, abs=1e-6)


@pytest.mark.parametrize("index", range(len(SPACE.limits)))
@pytest.mark.parametrize(("place", "turns"), POSES[:2])
def test_a_red_line_leads_from_the_bound_to_the_pose(
    place: tuple[float, float, float], turns: tuple[float, ...], index: int
) -> None:
    """It begins at the bound, ends where the connected frame is, and a rigid one ends in a star."""
    settings = JointSettings(limits=(SPACE.limits[index],))
    frames = posed(settings, place, turns)
    red = red_lines(settings, frames)
    (one,) = together_in(settings.limits)
    start, end = red[0, 0], red[SWEEP - 1, 1]
    assert len(red) == SWEEP + (0 if settings.limits[0].is_soft else len(STAR))
    if one.freedom is Freedom.LINEAR:
        assert end == pytest.approx(place)
        assert np.linalg.norm(start[list(one.axes)]) == pytest.approx(0.4)
        return
    assert np.linalg.norm(red[:SWEEP].reshape(-1, 3), axis=1) == pytest.approx(0.5)
    if len(one.axes) < len(AXES):
        pointing = np.linalg.inv(frames[0])[:3, :3] @ frames[1][:3, one.left_axis]
        assert end == pytest.approx(0.5 * pointing)
        assert start[one.left_axis] == pytest.approx(0.5 * cos(0.4))
        return
    where, rotation = relative(*(tuple(map(tuple, frame)) for frame in frames))
    whole = one.value(where, quaternion_from_rotation(rotation))
    swept = 2.0 * np.arcsin(np.linalg.norm(end - start) / 2.0 / 0.5)
    assert swept == pytest.approx(whole - 0.4)


def test_within_bounds_together_nothing_is_red() -> None:
    """Nor on them, as near as single precision has it."""
    for place, turns in (((0.2, 0.1, 0.1), (0.2, 0.0, 0.15)), ((0.4 + 1e-6, 0.0, 0.0), (0.2,) * 3)):
        assert not len(red_lines(SPACE, posed(SPACE, place, turns)))


def test_from_the_other_side_the_same_is_red() -> None:
    """A tube is seen from its connected frame, where its values have the other sign."""
    frames = posed(TUBE, (1.5, 0.3, 2.5), (0.0, 0.0, 0.0))
    red = red_lines(TUBE, frames, from_partner=True)
    assert red[SWEEP - 1, 1] == pytest.approx((-1.5, -0.3, -2.5))
    assert np.hypot(*red[0, 0, [0, 2]]) == pytest.approx(2.0)


def test_a_sphere_may_stand_about_either_end() -> None:
    """Of a body on a rope, however it turns, the sphere is about where the rope is fastened."""
    swinging = JointSettings(limits=ROPE.limits[:1])
    frames = posed(swinging, (1.5, 0.3, 2.5), (0.9, -0.4, 0.7))
    red = red_lines(swinging, frames, from_partner=True)
    place = (np.linalg.inv(frames[1]) @ frames[0])[:3, 3]
    assert red[SWEEP - 1, 1] == pytest.approx(place)
    assert red[0, 0] == pytest.approx(2.0 * place / np.linalg.norm(place))
    assert has_two_sides(swinging)
    spring = Drive(Freedom.LINEAR, DriveMode.FORCE, 0, position_target=0.0, stiffness=1.0)
    for other in (
        replace(swinging, drives=(spring,)),
        JointSettings(limits=(*swinging.limits, Limit((0,), (), -1.0, 1.0))),
        JointSettings(limits=(replace(ROPE.limits[0], linear_axes=(0, 1)),)),
        JointSettings(limits=(PLACE,)),
        JointSettings(limits=(replace(PLACE, together=True),)),
        JointSettings(),
    ):
        assert not has_two_sides(other)


def test_one_number_stands_for_axes_that_have_none_of_their_own() -> None:
    """A rope says its length, not X, Y and Z; what is beyond is marked."""
    frames = posed(ROPE, (2.0, 1.0, 2.0), (0.0, 0.0, 0.0))
    table = joint_table([ROPE], [0.5])
    values = joint_values(table, frames[0][None], frames[1][None], np.arange(1))
    (label,) = value_labels(table, frames[0][None], values, 0)
    assert (label.axis, label.value, label.violated) == ("Distance", pytest.approx(3.0), True)
    table = joint_table([CONE], [0.5])
    labels = [*value_labels(table, frames[0][None], np.zeros((1, 6)), 0)]
    assert [(one.axis, one.violated) for one in labels] == [("Z", False), ("Lean", False)]


@pytest.mark.parametrize(
    ("settings", "marked"),
    [
        (ROPE, set()),
        (TUBE, {1}),
        (CONE, {4}),
        (WHOLE, {3, 4, 5}),
        (replace(WHOLE, limits=(*ROPE.limits[:1], WHOLE.limits[1])), {3, 4, 5}),
        (replace(CONE, limits=(TUBE.limits[0], CONE.limits[1])), {1, 4}),
        (JointSettings(limits=(PLACE,)), set()),
    ],
)
def test_each_axis_that_has_an_arc_or_a_rail_shows_where_it_stands(
    settings: JointSettings, marked: set[int]
) -> None:
    """What is round has one mark for all its axes; of a whole angle each has its own."""
    joint, _ = posed(settings, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    table = joint_table([settings], [0.5])
    labels = value_labels(table, joint[None], np.zeros((1, 6)), 0)
    assert set(np.flatnonzero(~(table.held | table.rounded)[0])) == marked
    names = [one.axis for one in labels if one.axis in set("XYZ")]
    assert names == ["XZY"[at % 3] for at in sorted(marked)]  # as Blender has them
