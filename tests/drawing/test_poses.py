# SPDX-License-Identifier: GPL-3.0-or-later
"""What follows the pose: values, broken bounds, arrows to targets, many joints at once."""

from __future__ import annotations

import random
from itertools import product
from math import inf, nan, pi
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from omi_physics_joint.drawing import joint_table as tables
from omi_physics_joint.drawing.bounds import beyond, ends_of, has_two_sides
from omi_physics_joint.drawing.joint_table import JointTable, Poses, joint_table, joint_values
from omi_physics_joint.drawing.layout import arc_point, rail_point
from omi_physics_joint.drawing.marks.pointers import beyond_bounds
from omi_physics_joint.drawing.picture import Parts, Picture, picture, world_lines
from omi_physics_joint.drawing.strokes import Role, Theme, palette
from omi_physics_joint.drawing.value_labels import value_labels
from omi_physics_joint.drawing.world_lines import WorldLines
from omi_physics_joint.model.geometry.axes import Z_UP_FROM_Y_UP
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.geometry.transform import matrix_from, multiply
from omi_physics_joint.model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.model.settings.coordinates import axis_rotation, coordinates
from omi_physics_joint.model.settings.spans import spans_of

SIZE = 0.5
Floats = NDArray[np.floating[Any]]


def frame(seed: int) -> Floats:
    """Return a rigid frame somewhere."""
    numbers = random.Random(seed)
    rotation = axis_rotation(0, numbers.uniform(-pi, pi))
    for axis in (1, 2):
        rotation = multiply(rotation, axis_rotation(axis, numbers.uniform(-pi, pi)))
    return np.array(matrix_from(rotation, tuple(numbers.uniform(-3.0, 3.0) for _ in range(3))))


def moved(joint: Floats, freedom: int, value: float) -> Floats:
    """Return the connected frame of a joint that stands at a value of one degree of freedom."""
    step = np.eye(4)
    if freedom < 3:
        step[freedom, 3] = value
    else:
        step[:3, :3] = axis_rotation(freedom - 3, value)
    return joint @ step


def drawn(
    settings: JointSettings, freedom: int, value: float, parts: Parts | None = None
) -> tuple[JointTable, Poses, WorldLines]:
    """Return one joint at a value, drawn."""
    table = joint_table([settings], [SIZE])
    joints = frame(3)[None]
    partners = moved(joints[0], freedom, value)[None]
    values = joint_values(table, joints, partners, np.arange(1))
    poses = Poses(joints, partners, values)
    lines = world_lines(table, poses, np.arange(1), np.zeros(1, bool), parts or Parts())
    return table, poses, lines


def points_of(lines: WorldLines, role: Role) -> Floats:
    """Return the points of all lines of one role."""
    points: Floats = lines.lines[lines.roles == role].reshape(-1, 3)
    return points


def nearest(points: Floats, place: Floats) -> float:
    """Return the distance of the nearest point."""
    return float(np.linalg.norm(points - place, axis=1).min())


@pytest.mark.parametrize("axis", AXES)
def test_the_mark_of_a_turn_stands_at_its_value(axis: int) -> None:
    """The tip of a hinge's mark is on the arc, at the value that the model reads."""
    _, poses, lines = drawn(recipes.hinge(axis, -1.0, 2.0), 3 + axis, 1.3)
    place = arc_point(poses.joints[0], axis, 1.3, SIZE)
    assert nearest(points_of(lines, Role.VALUE), place) < 1e-9


@pytest.mark.parametrize("axis", AXES)
def test_the_mark_of_a_slide_stands_at_its_value(axis: int) -> None:
    """A slider's mark is centred on the rail at the value."""
    _, poses, lines = drawn(recipes.slider(axis, -1.0, 2.0), axis, 0.8)
    middle = points_of(lines, Role.VALUE).mean(axis=0)
    assert middle == pytest.approx(rail_point(poses.joints[0], axis, 0.8))


def test_a_broken_bound_is_red_from_the_bound_to_the_value() -> None:
    """A value outside has a red line that starts at the bound, and a star; one inside has none."""
    settings = recipes.hinge(1, -0.5, 0.5)
    _, poses, lines = drawn(settings, 4, 0.9)
    red = points_of(lines, Role.VIOLATED)
    for angle in (0.5, 0.9):
        assert nearest(red, arc_point(poses.joints[0], 1, angle, SIZE)) < 1e-9
    assert len(points_of(drawn(settings, 4, 0.4)[2], Role.VIOLATED)) == 0


def test_a_value_on_its_bound_is_not_beyond_it() -> None:
    """What single precision leaves of a pose at a bound does not count as broken."""
    settings = recipes.slider(0, -1.0, 1.0)
    table, poses, lines = drawn(settings, 0, float(np.float32(1.0)) + 1e-6)
    assert not beyond_bounds(table, poses.values, np.arange(1)).any()
    assert len(points_of(lines, Role.VIOLATED)) == 0


def test_single_precision_breaks_no_bound() -> None:
    """What it leaves of a pose, 20 m out, is less than 0.1 mm; what is more is shown."""
    at = np.array([0.5, 0.50004, 0.5004, -0.00004, -0.0004])
    assert beyond(at, np.zeros(5), np.full(5, 0.5)).tolist() == [
        0.0,
        0.0,
        pytest.approx(4e-4),
        0.0,
        pytest.approx(-4e-4),
    ]


@pytest.mark.parametrize(("bound", "is_open"), [(4e5, False), (4e6, True), (nan, True)])
def test_a_bound_that_is_farther_than_anything_is_none(bound: float, is_open: bool) -> None:
    """Single precision has no place for what lies a thousand kilometres away."""
    (span, *_) = spans_of((Limit(linear_axes=(0,), min=-bound, max=bound),))
    low, high = ends_of(span)
    assert (low.is_open, high.is_open) == (is_open, is_open)


def test_beyond_a_soft_bound_there_is_no_star() -> None:
    """A soft bound may be passed: red, but without the star of a rigid one."""
    bound = {"linear_axes": (0,), "min": -0.2, "max": 0.2}
    rest = recipes.slider(0).limits
    counts = [
        len(points_of(drawn(JointSettings("", (*rest, limit)), 0, 0.4)[2], Role.VIOLATED))
        for limit in (Limit(**bound), Limit(**bound, stiffness=3.0))
    ]
    assert counts[0] > counts[1] > 0


@pytest.mark.parametrize("freedom", range(6))
def test_beyond_a_rigid_bound_there_is_a_star_on_every_axis(freedom: int) -> None:
    """Along and about each axis a rigid bound that is broken has more red than a soft one."""
    kind = "linear_axes" if freedom < 3 else "angular_axes"
    bound: dict[str, Any] = {kind: (freedom % 3,), "min": -0.2, "max": 0.2}
    recipe = recipes.slider if freedom < 3 else recipes.hinge
    rest = recipe(freedom % 3).limits
    red = []
    for limit in (Limit(**bound), Limit(**bound, stiffness=3.0)):
        _, poses, lines = drawn(JointSettings("", (*rest, limit)), freedom, 0.4)
        red.append({tuple(point) for point in np.round(points_of(lines, Role.VIOLATED), 9)})
    star = np.array(sorted(red[0] - red[1]))
    assert len(star) > 3
    on_rail = rail_point(poses.joints[0], freedom % 3, 0.4)
    middle = on_rail if freedom < 3 else arc_point(poses.joints[0], freedom % 3, 0.4, SIZE)
    assert star.mean(axis=0) == pytest.approx(middle, abs=1e-6)


def test_a_held_axis_that_is_off_is_red_too() -> None:
    """Frames of a pin that are apart break it: the line leads along the axis to the partner."""
    _, poses, lines = drawn(recipes.pin(), 2, 0.6)
    red = points_of(lines, Role.VIOLATED)
    assert nearest(red, poses.partners[0, :3, 3]) < 1e-9
    assert nearest(red, poses.joints[0, :3, 3]) < 1e-9


@pytest.mark.parametrize(("freedom", "target"), [(Freedom.ANGULAR, 1.0), (Freedom.LINEAR, 0.7)])
def test_an_arrow_leads_from_the_value_to_the_target(freedom: Freedom, target: float) -> None:
    """A drive's arrow reaches its target, and vanishes when the joint is there."""
    drive = Drive(freedom, DriveMode.FORCE, 0, position_target=target, stiffness=5.0)
    recipe = recipes.hinge if freedom is Freedom.ANGULAR else recipes.slider
    settings = JointSettings("", recipe(0).limits, (drive,))
    index = 3 if freedom is Freedom.ANGULAR else 0
    away = len(points_of(drawn(settings, index, 0.2)[2], Role.DRIVE))
    there = len(points_of(drawn(settings, index, target)[2], Role.DRIVE))
    assert away > there > 0


def test_values_are_the_models() -> None:
    """The six values of many joints are exactly those of ``model.settings.coordinates``."""
    settings = [recipes.hinge(1, -1.0, 1.0), recipes.pin(), recipes.slider(2), recipes.weld()]
    table = joint_table(settings, [SIZE] * 4)
    joints = np.array([frame(seed) for seed in range(4)])
    partners = np.array([frame(seed) for seed in range(10, 14)])
    values = joint_values(table, joints, partners, np.arange(4))
    for index, one in enumerate(settings):
        expected = coordinates(
            spans_of(one.limits), joints[index].tolist(), partners[index].tolist()
        )
        assert values[index].tolist() == list(expected)


@pytest.mark.parametrize("mirrored", [1.0, -1.0])
def test_frames_below_scaled_and_mirrored_parents_are_the_models(mirrored: float) -> None:
    """Scale, shear and mirrors are taken out as ``model.geometry.frames.rigid_frame`` does it."""
    settings = recipes.hinge(1, 0.0, 1.0)
    worlds = []
    for seed in range(6):
        scaled = frame(seed) @ np.diag((2.0, 0.5, mirrored * 3.0, 1.0))
        worlds.append(scaled @ frame(seed + 50) if seed % 2 else scaled)
    found = tables.rigid_frames(np.array(worlds), [settings] * len(worlds))
    for world, one in zip(worlds, found, strict=True):
        assert one == pytest.approx(np.array(rigid_frame(world.tolist(), settings)), abs=1e-9)
        assert np.linalg.det(one[:3, :3]) == pytest.approx(1.0)


def test_flat_and_endless_frames_do_not_stop_the_drawing() -> None:
    """A frame without extent or with numbers that are none is drawn unturned."""
    flat = np.diag((1.0, 0.0, 1.0, 1.0))
    flat[:3, 3] = (1.0, 2.0, 3.0)
    endless = np.full((4, 4), inf)
    found = tables.rigid_frames(np.array([flat, endless]), [None, None])
    assert np.isfinite(found).all()
    assert found[0, :3, 3].tolist() == [1.0, 2.0, 3.0]


def many(count: int) -> tuple[JointTable, Poses]:
    """Return joints of all kinds somewhere."""
    drive = Drive(Freedom.ANGULAR, DriveMode.FORCE, 1, position_target=0.4, velocity_target=1.0)
    kinds = (
        recipes.hinge(1, -0.4, 0.4),
        recipes.pin(),
        recipes.slider(2, -0.1, 0.3),
        recipes.weld(),
        JointSettings("", (Limit(angular_axes=(0, 1), min=-0.3, max=0.3),), (drive,)),
    )
    table = joint_table([kinds[index % 5] for index in range(count)], [SIZE] * count)
    joints = np.array([frame(seed) for seed in range(count)])
    partners = np.array([frame(seed + 7) for seed in range(count)])
    values = joint_values(table, joints, partners, np.arange(count))
    return table, Poses(joints, partners, values)


def test_some_of_many_joints_are_drawn_as_they_are_alone() -> None:
    """What is drawn of a joint does not depend on which others are drawn with it."""
    table, poses = many(15)
    whole = np.zeros(15, bool)
    every = world_lines(table, poses, np.arange(15), whole, Parts())
    for index in range(15):
        alone = world_lines(table, poses, np.array([index]), whole, Parts())
        ours = every.owners == index
        assert ours.sum() == len(alone.lines)
        found = np.sort(every.lines[ours].reshape(-1, 6), axis=0)
        assert found == pytest.approx(np.sort(alone.lines.reshape(-1, 6), axis=0))


def test_parts_that_are_not_wanted_are_not_drawn() -> None:
    """Each toggle takes its own lines away."""
    table, poses = many(10)
    which, whole = np.arange(10), np.zeros(10, bool)
    everything = len(world_lines(table, poses, which, whole, Parts()).lines)
    for part in ("frames", "limits", "values", "drives", "links"):
        fewer = world_lines(table, poses, which, whole, Parts(**{part: False}))
        assert len(fewer.lines) < everything
    nothing = world_lines(table, poses, which[:0], whole, Parts())
    assert len(nothing.lines) == 0


def test_a_broken_joint_shows_a_cross_and_no_limits() -> None:
    """A broken joint holds nothing any more: frames, a broken link and a cross are left."""
    table, poses = many(2)
    broken = np.array([True, False])
    lines = world_lines(table, poses, np.arange(2), broken, Parts())
    ours = lines.roles[lines.owners == 0]
    assert Role.BROKEN in ours
    assert Role.VALUE not in ours
    assert Role.BROKEN not in lines.roles[lines.owners == 1]


def in_colour(emphasis: int) -> Picture:
    """Return one hinge in colour."""
    _, _, lines = drawn(recipes.hinge(1, 0.0, 1.0), 4, 0.2)
    return picture(lines, np.array([emphasis]), palette(Theme()))


def test_picture_is_in_blenders_axes() -> None:
    """Points reach the graphics card as (x, -z, y) of glTF, in single precision."""
    _, _, lines = drawn(recipes.hinge(1, 0.0, 1.0), 4, 0.2)
    found = np.concatenate([one.points for one in in_colour(0).lines.values()])
    x, y, z = lines.lines.reshape(-1, 3).T
    expected = np.stack((x, -z, y), axis=1)
    assert found.dtype == np.float32
    assert np.sort(found, axis=0) == pytest.approx(np.sort(expected, axis=0), abs=1e-5)


def test_dimmed_and_selected_differ_in_weight_and_opacity() -> None:
    """What is not selected is drawn in other, thinner batches and lets more shine through."""
    dimmed, lit = in_colour(0), in_colour(2)
    assert {key[0] for key in dimmed.lines} == {0}
    assert {key[0] for key in lit.lines} == {1}
    assert dimmed.lines[0, 1].colours[:, 3].max() < lit.lines[1, 1].colours[:, 3].min()


def test_numbers_are_those_of_blenders_axes() -> None:
    """A value about glTF's Z is written as Y with the other sign, and a broken bound is marked."""
    table, poses, _ = drawn(recipes.hinge(2, -0.5, 0.5), 5, 0.8)
    (label,) = value_labels(table, poses.joints, poses.values, 0)
    assert (label.axis, label.violated) == ("", True), "it turns about no other"
    assert label.value == pytest.approx(-0.8)
    turns = JointSettings(
        "", (Limit(linear_axes=AXES, min=0.0, max=0.0), Limit(angular_axes=(0,), min=0.0, max=0.0))
    )
    table, poses, _ = drawn(turns, 5, 0.8)
    labels = {
        label.axis: label.value for label in value_labels(table, poses.joints, poses.values, 0)
    }
    assert labels == {"Z": pytest.approx(0.0), "Y": pytest.approx(-0.8)}


@pytest.mark.parametrize(("turned", "said"), [(4e-8, 0.0), (-4e-7, 0.0), (4e-6, -4e-6)])
def test_what_rounding_leaves_of_zero_is_zero(turned: float, said: float) -> None:
    """While joints play, a number does not say what single precision makes of a zero."""
    table, poses, _ = drawn(recipes.hinge(2, -0.5, 0.5), 5, turned)
    (label,) = value_labels(table, poses.joints, poses.values, 0)
    assert label.value == pytest.approx(said, rel=1e-3, abs=0.0)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("kind", ["hinge", "slider"])
def test_from_its_other_side_a_joint_says_the_same(axis: int, kind: str) -> None:
    """Seen from the connected frame the joint frame is where the mark is, and bounds agree."""
    drive = Drive(
        Freedom.ANGULAR if kind == "hinge" else Freedom.LINEAR,
        DriveMode.FORCE,
        axis,
        position_target=0.4,
    )
    recipe = recipes.hinge if kind == "hinge" else recipes.slider
    settings = JointSettings("", recipe(axis, -0.2, 0.9).limits, (drive,))
    assert has_two_sides(settings)
    table = joint_table([settings], [SIZE], [True])
    freedom = axis + (3 if kind == "hinge" else 0)
    joints = frame(3)[None]
    partners = moved(joints[0], freedom, 0.7)[None]
    values = joint_values(table, joints, partners, np.arange(1))
    assert values[0, freedom] == pytest.approx(-0.7)
    poses = Poses(joints, partners, values)
    lines = world_lines(table, poses, np.arange(1), np.zeros(1, bool), Parts())
    mark = points_of(lines, Role.VALUE)
    if kind == "hinge":
        own = joints[0, :3, 3] + SIZE * joints[0, :3, (axis + 1) % 3]  # zero of the joint frame
        assert nearest(mark, own) < 1e-9
    else:
        assert mark.mean(axis=0) == pytest.approx(joints[0, :3, 3])
    assert len(points_of(lines, Role.VIOLATED)) == 0
    beyond = moved(joints[0], freedom, 1.0)[None]
    values = joint_values(table, joints, beyond, np.arange(1))
    assert beyond_bounds(table, values, np.arange(1))[0, freedom] == pytest.approx(-0.1)
    (label,) = value_labels(table, partners, poses.values, 0)
    assert abs(label.value) == pytest.approx(0.7)
    assert np.sign(label.value) == Z_UP_FROM_Y_UP.sign[axis]


def test_what_turns_about_several_axes_has_one_side() -> None:
    """The angles of a turn and of its inverse differ: a ball stays in its own frame."""
    assert not has_two_sides(recipes.pin())
    assert has_two_sides(recipes.weld())
    for held in AXES:
        place = Limit(linear_axes=AXES, min=0.0, max=0.0)
        two = Limit(angular_axes=(held,), min=0.0, max=0.0)
        assert not has_two_sides(JointSettings("Universal", (place, two))), held
        one = Limit(angular_axes=tuple({*AXES} - {held}), min=0.0, max=0.0)
        assert has_two_sides(JointSettings("Hinge", (place, one))), held
    settings = recipes.pin()
    table = joint_table([settings], [SIZE], [True])
    assert table.signs.tolist() == [1.0]
    assert table.settings == (settings,)


def test_a_link_is_dashed_from_the_joint_to_its_partner() -> None:
    """Frames that are apart are linked by even dashes, of which both ends are at the frames."""
    links = Parts(frames=False, limits=False, values=False, drives=False)
    joint, partner = frame(3), frame(8)
    table = joint_table([recipes.pin()], [SIZE])
    by_rounding, by_little = joint.copy(), joint.copy()
    by_rounding[0, 3] += 4e-6
    by_little[0, 3] += 4e-5
    for end, count in ((joint, 0), (by_rounding, 0), (by_little, 8), (partner, 8)):
        joints, partners = joint[None], end[None]
        poses = Poses(joints, partners, np.zeros((1, 6)))
        dashes = world_lines(table, poses, np.arange(1), np.zeros(1, bool), links).lines
        assert len(dashes) == count
        way = end[:3, 3] - joint[:3, 3]
        for number, (start, stop) in enumerate(dashes):
            for at, point in ((2 * number, start), (2 * number + 1, stop)):
                part = at / (2 * count - 1)
                assert point == pytest.approx(joint[:3, 3] + part * way)


def test_what_turns_beside_its_place_has_one_side() -> None:
    """A place that is held across the axis of a hinge goes round with it, one along it does not."""
    for axis, held in product(AXES, AXES):
        limits = [Limit((one,), (), *2 * (0.3 * (one == held),)) for one in AXES]
        limits += [Limit((), (one,), 0.0, 0.0) for one in AXES if one != axis]
        assert has_two_sides(JointSettings("Beside", tuple(limits))) is (held == axis)
