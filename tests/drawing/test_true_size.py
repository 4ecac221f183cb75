# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines lie where the limits are, and show without colour what kind of bound it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import cos, inf, isclose, nan, pi, sin
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from omi_physics_joint.drawing.layout import arc_offsets
from omi_physics_joint.drawing.marks.discs_and_cones import direction, sides, swing_axis
from omi_physics_joint.drawing.marks.turning import SPRING
from omi_physics_joint.drawing.picture import drives_sketch, limits_sketch
from omi_physics_joint.drawing.strokes import Role, Sketch, axis_role
from omi_physics_joint.model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.model.settings.spans import spans_of
from tests.model.building import turned

SIZE = 0.5
PLACE = Limit(linear_axes=(0, 1, 2), min=0.0, max=0.0)
TURNS = Limit(angular_axes=(0, 1, 2), min=0.0, max=0.0)


def hinge(axis: int, low: float, high: float, **soft: float) -> JointSettings:
    """Return a hinge whose bounds may be soft."""
    settings = recipes.hinge(axis, low, high)
    return replace(settings, limits=(*settings.limits[:-1], replace(settings.limits[-1], **soft)))


def slider(axis: int, low: float, high: float, **soft: float) -> JointSettings:
    """Return a slider whose bounds may be soft."""
    others = tuple(a for a in AXES if a != axis)
    bound = Limit(linear_axes=(axis,), min=low, max=high, **soft)
    return JointSettings("", (Limit(linear_axes=others, min=0.0, max=0.0), TURNS, bound))


def angles_on_arc(sketch: Sketch, axis: int, radius: float) -> NDArray[np.floating[Any]]:
    """Return the angles of points at a radius in the plane across an axis, in order of lines."""
    points = sketch.lines.reshape(-1, 3)
    flat = np.abs(points[:, axis]) < 1e-12
    on_arc = points[flat & np.isclose(np.linalg.norm(points, axis=1), radius, rtol=1e-12)]
    turned: NDArray[np.floating[Any]] = np.arctan2(
        on_arc[:, (axis + 2) % 3], on_arc[:, (axis + 1) % 3]
    )
    return turned


@pytest.mark.parametrize("axis", AXES)
def test_arc_begins_and_ends_at_the_bounds(axis: int) -> None:
    """The first and the last point of a hinge's arc are its limits, in degrees and in length."""
    angles = angles_on_arc(limits_sketch(hinge(axis, -0.4, 1.9), SIZE), axis, SIZE)
    assert angles[0] == pytest.approx(-0.4, abs=1e-12)
    assert angles.min() == pytest.approx(-0.4, abs=1e-12)
    assert angles.max() == pytest.approx(1.9, abs=1e-12)


@pytest.mark.parametrize("axis", AXES)
def test_rail_begins_and_ends_at_the_bounds(axis: int) -> None:
    """A slider's rail reaches from its lower to its upper bound in metres, whatever its size."""
    for size in (0.1, 3.0):
        lines = limits_sketch(slider(axis, -0.25, 1.5), size).lines
        on_axis = np.delete(np.abs(lines), axis, axis=2).max(axis=(1, 2)) < 1e-12
        ends = lines[on_axis][..., axis]
        assert (ends.min(), ends.max()) == pytest.approx((-0.25, 1.5))


def test_box_has_the_bounds_as_its_faces() -> None:
    """Three linear ranges make a box of twelve edges with exactly these corners."""
    bounds = ((-0.5, 1.0), (0.0, 0.3), (-2.0, -1.0))
    limits = tuple(
        Limit(linear_axes=(a,), min=low, max=high) for a, (low, high) in enumerate(bounds)
    )
    sketch = limits_sketch(JointSettings("", (*limits, TURNS)), SIZE)
    edges = sketch.lines[sketch.roles == Role.BODY]
    assert len(edges) == 12
    for axis, (low, high) in enumerate(bounds):
        assert {*edges[..., axis].ravel().tolist()} == {low, high}
    assert len(sketch.triangles) >= 12


def test_rectangle_lies_where_its_third_axis_is_held() -> None:
    """Two linear ranges make a rectangle at the value at which the third one is held."""
    limits = (
        Limit(linear_axes=(0,), min=-1.0, max=1.0),
        Limit(linear_axes=(1,), min=0.0, max=2.0),
        Limit(linear_axes=(2,), min=0.7, max=0.7),
    )
    sketch = limits_sketch(JointSettings("", (*limits, TURNS)), SIZE)
    edges = sketch.lines[sketch.roles == Role.BODY]
    assert len(edges) == 4
    assert edges[..., 2] == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("low", "high", "axis"), [(-3.1, 3.1, 2), (-3.1, pi, None), (-pi, 3.1, None)]
)
def test_no_cone_is_drawn_where_an_axis_may_point_back(
    low: float, high: float, axis: int | None
) -> None:
    """At half a turn two angles no longer say where it points."""
    turns = (Limit(angular_axes=(0,), min=low, max=high), Limit(angular_axes=(1,), min=-1, max=1))
    assert swing_axis(spans_of((PLACE, *turns))[3:]) == axis


def test_rim_of_a_cone_is_the_image_of_both_ranges() -> None:
    """Each point of the rim is the axis of a frame whose angles are at a bound."""
    x, y = 0.5, 0.8
    settings = JointSettings(
        "",
        (
            PLACE,
            Limit(angular_axes=(0,), min=-x, max=x),
            Limit(angular_axes=(1,), min=-y, max=y),
            Limit(angular_axes=(2,), min=-0.2, max=0.2),
        ),
    )
    spans = spans_of(settings.limits)[3:]
    assert swing_axis(spans) == 2
    edge = np.concatenate([side for side, _ in sides(spans, 2)])
    assert np.linalg.norm(edge, axis=1) == pytest.approx(1.0)
    for a, b in ((-x, -y), (-x, y), (x, -y), (x, y)):
        rotation = np.array(turned(a, b, 0.0))[:3, :3]
        assert np.abs(edge - rotation[:, 2]).max(axis=1).min() < 1e-12
    # Every point is where a turn about an axis across Z takes Z, and one angle is at its bound.
    half = np.arccos(edge[:, 2]) / 2.0
    across = np.tan(half) / np.hypot(edge[:, 0], edge[:, 1])
    a_angles, b_angles = 2.0 * np.arctan(-edge[:, 1] * across), 2.0 * np.arctan(edge[:, 0] * across)
    at_bound = np.isclose(np.abs(a_angles), x) | np.isclose(np.abs(b_angles), y)
    assert at_bound.all()


@pytest.mark.parametrize("axis", AXES)
def test_direction_is_the_models_rotation(axis: int) -> None:
    """A direction of the cone is a column of the rotation that the model reads those angles of."""
    found = direction(axis, np.array(0.3), np.array(-0.7), np.array(1.1))
    rotation = np.array(turned(0.3, -0.7, 1.1))[:3, :3]
    assert found == pytest.approx(rotation[:, axis])


def test_a_soft_bound_has_another_shape_than_a_rigid_one() -> None:
    """Without its colours, a soft bound still differs: it goes on as a spring beyond the bound."""
    rigid = limits_sketch(hinge(1, -0.5, 0.5), SIZE)
    soft = limits_sketch(hinge(1, -0.5, 0.5, stiffness=20.0), SIZE)
    assert rigid.lines.shape != soft.lines.shape
    reach = [
        np.abs(np.arctan2(s.lines[..., 0], s.lines[..., 2])[s.thick]).max() for s in (rigid, soft)
    ]
    assert reach == pytest.approx([0.5, 0.5 + SPRING], abs=1e-12)
    # A stop stands up across the arc; a spring has none.
    assert np.abs(rigid.lines[rigid.thick][..., 1]).max() > 0.0
    assert np.abs(soft.lines[soft.thick][..., 1]).max() == 0.0


def test_a_spring_ends_at_the_rigid_bound_behind_it() -> None:
    """A soft bound with a rigid one close behind: the spring reaches the stop and no further."""
    settings = slider(0, -0.2, 0.2, stiffness=5.0)
    both = replace(settings, limits=(*settings.limits, Limit(linear_axes=(0,), min=-0.3, max=0.25)))
    along = limits_sketch(both, 10.0).lines[..., 0]
    assert (along.min(), along.max()) == pytest.approx((-0.3, 0.25))


@pytest.mark.parametrize("axis", AXES)
def test_a_free_turn_is_a_closed_ring(axis: int) -> None:
    """No bounds: the arc goes all the way round."""
    angles = angles_on_arc(limits_sketch(recipes.hinge(axis), SIZE), axis, SIZE)
    gaps = np.diff(np.unique(np.round(angles, 9)))
    assert angles.min() < -pi + 0.1
    assert angles.max() > pi - 0.1
    assert gaps.max() < 0.1


def test_an_open_rail_starts_at_its_bound_and_is_dashed() -> None:
    """One bound: the rail starts there, and its dashes leave gaps."""
    lines = limits_sketch(slider(0, 0.4, inf), SIZE).lines
    on_axis = np.abs(lines[..., 1:]).max(axis=(1, 2)) < 1e-12
    ends = np.sort(lines[on_axis][..., 0], axis=1)
    ends = ends[np.argsort(ends[:, 0])]
    assert ends[0, 0] == pytest.approx(0.4)
    assert ends[-1, 1] > 0.4 + SIZE
    assert (ends[1:, 0] > ends[:-1, 1] + 1e-6).all()


def test_a_flag_stands_at_the_target() -> None:
    """The flag of a drive is centred at its target, on the arc or on the rail."""
    for freedom, target in ((Freedom.ANGULAR, 0.9), (Freedom.LINEAR, -0.3)):
        drive = Drive(freedom, DriveMode.FORCE, 2, position_target=target, stiffness=1.0)
        sketch = drives_sketch(JointSettings("", (), (drive,)), SIZE)
        corners = sketch.lines[sketch.thick].reshape(-1, 3)
        middle = corners.mean(axis=0)
        if freedom is Freedom.LINEAR:
            assert middle == pytest.approx((0.0, 0.0, target), abs=1e-12)
        else:
            along = np.arctan2(middle[1], middle[0])
            assert along == pytest.approx(target, abs=1e-12)


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_motor_points_the_way_it_turns(way: float) -> None:
    """The arrow of a motor ends further on than it begins, in the direction of its velocity."""
    drive = Drive(Freedom.ANGULAR, DriveMode.FORCE, 0, velocity_target=3.0 * way, damping=1.0)
    lines = drives_sketch(JointSettings("", (), (drive,)), SIZE).lines
    start, end = lines[0, 0], lines[-1, 1]
    turn = np.cross(start, lines[0, 1])[0]
    assert np.sign(turn) == way
    assert not np.allclose(start, end)


WEIRD = (nan, inf, -inf, 0.0, -0.0, 1e300, -1e300, 1e-300, 7.0, -7.0)


@pytest.mark.parametrize("freedom", list(Freedom))
@pytest.mark.parametrize("low", WEIRD)
def test_no_bounds_break_the_drawing(freedom: Freedom, low: float) -> None:
    """Whatever numbers stand in limits and drives, lines are finite."""
    for high in WEIRD:
        for stiffness in (inf, 3.0, 0.0):
            axes = (
                {"linear_axes": (0, 2)} if freedom is Freedom.LINEAR else {"angular_axes": (0, 2)}
            )
            limits = (
                Limit(**axes, min=low, max=high, stiffness=stiffness),
                Limit(**axes, min=-1.0, max=1.0),
            )
            drives = (
                Drive(freedom, DriveMode.FORCE, 0, position_target=low, velocity_target=high),
                Drive(freedom, DriveMode.FORCE, 9, position_target=1.0),
            )
            settings = JointSettings("", limits[: 1 + (stiffness == inf)], drives)
            for sketch in (limits_sketch(settings, SIZE), drives_sketch(settings, SIZE)):
                assert np.isfinite(sketch.lines).all()
                assert np.isfinite(sketch.triangles).all()


def test_colours_follow_blenders_axes() -> None:
    """What turns about glTF's Y is Blender's Z, what slides along glTF's Z is Blender's Y."""
    assert [axis_role(axis) for axis in AXES] == [Role.X, Role.Z, Role.Y]
    for kept, seen in ((1, {Role.X, Role.Y}), (2, {Role.X, Role.Z})):
        held = Limit(angular_axes=(kept,), min=0.0, max=0.0)
        turns = JointSettings("", (Limit(linear_axes=AXES, min=0.0, max=0.0), held))
        assert set(limits_sketch(turns, SIZE).roles) == seen


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("recipe", [hinge, slider])
def test_the_only_axis_of_a_joint_has_no_colour_of_an_axis(
    recipe: Callable[..., JointSettings], axis: int
) -> None:
    """Lines and surfaces of a hinge or a slider look the same whichever letter their axis has."""
    sketch = limits_sketch(recipe(axis, 0.0, 1.0), SIZE)
    assert {*sketch.roles, *sketch.fills} == {Role.SOLE}


def test_arc_offsets_are_at_their_radius() -> None:
    """A sanity check of the arc itself: cosine towards the zero direction, sine across."""
    point = arc_offsets(2, 0.25, SIZE)
    assert isclose(point[0], SIZE * cos(0.25))
    assert isclose(point[1], SIZE * sin(0.25))
