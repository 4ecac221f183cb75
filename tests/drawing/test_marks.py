# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of marks: what is drawn of one joint in its own frame, and where that is in the world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from math import inf, pi
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from omi_physics_joint.drawing.joint_table import columns_of
from omi_physics_joint.drawing.marks.discs_and_cones import draw_swing, sides
from omi_physics_joint.drawing.marks.frame_marks import (
    HEAD,
    HOLLOW,
    SOLID,
    WIDTH,
    joint_frame_mark,
    partner_frame_mark,
    pin_mark,
    weld_mark,
)
from omi_physics_joint.drawing.marks.pointers import DIAMOND, STAR
from omi_physics_joint.drawing.marks.sliding import drawn_range
from omi_physics_joint.drawing.marks.turning import OPEN
from omi_physics_joint.drawing.picture import drives_sketch, limits_sketch
from omi_physics_joint.drawing.strokes import (
    BODY_DIMMED,
    FIXED,
    Pen,
    Role,
    Sketch,
    Theme,
    axis_role,
    zigzag,
)
from omi_physics_joint.drawing.world_lines import placed_sketches
from omi_physics_joint.model.geometry.axes import Z_UP_FROM_Y_UP
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.model.settings.spans import spans_of

SIZE = 0.5
Floats = NDArray[np.floating[Any]]


def on_arc(sketch: Sketch, axis: int) -> Floats:
    """Return the angles of both ends of all segments that lie on the arc about an axis."""
    lines = sketch.lines
    flat = (np.abs(lines[..., axis]) < 1e-12).all(axis=1)
    round_ = np.isclose(np.linalg.norm(lines, axis=2), SIZE, rtol=1e-12).all(axis=1)
    ends = lines[flat & round_]
    turned: Floats = np.arctan2(ends[..., (axis + 2) % 3], ends[..., (axis + 1) % 3])
    return turned


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_an_arc_with_one_end_starts_there_and_is_dashed(axis: int, way: float) -> None:
    """One bound: the arc begins at it, goes three quarters round that way, and has gaps."""
    bounds = (0.3, inf) if way > 0.0 else (-inf, 0.3)
    angles = on_arc(limits_sketch(recipes.hinge(axis, *bounds), SIZE), axis)
    gone = np.sort(np.mod(way * (angles - 0.3) + 1e-9, 2.0 * pi), axis=1)
    gone = gone[np.argsort(gone[:, 0])]
    assert gone[0, 0] == pytest.approx(0.0, abs=1e-8)
    assert OPEN - 0.2 < gone.max() <= OPEN + 1e-8
    assert (gone[1:, 0] > gone[:-1, 1] + 1e-6).any()


def test_every_point_is_in_its_frame() -> None:
    """Lines and surfaces of a sketch stand in each of its frames as a transform puts them there."""
    settings = JointSettings(
        "",
        (
            Limit(linear_axes=AXES, min=0.0, max=0.0),
            Limit(angular_axes=(0, 1), min=-0.5, max=0.7),
            Limit(angular_axes=(2,), min=0.0, max=0.0),
        ),
    )
    sketch = limits_sketch(settings, SIZE)
    assert len(sketch.triangles)
    frames = np.array(
        [
            compose((1.0, 2.0, -3.0), (0.5, -0.5, 0.5, 0.5)),
            compose((-7.0, 0.1, 4.0), (0.0, 0.6, 0.0, 0.8)),
        ]
    )
    (world,) = placed_sketches([sketch, sketch], frames, np.array([5, 8]))
    for found, own in ((world.lines, sketch.lines), (world.triangles, sketch.triangles)):
        expected = np.concatenate([own @ f[:3, :3].T + f[:3, 3] for f in frames])
        assert found == pytest.approx(expected, abs=1e-12)
    assert world.owners.tolist() == [5] * len(sketch.lines) + [8] * len(sketch.lines)
    assert world.fill_owners.tolist() == [5] * len(sketch.fills) + [8] * len(sketch.fills)
    assert world.roles.tolist() == 2 * sketch.roles.tolist()


@pytest.mark.parametrize("mark", [joint_frame_mark, partner_frame_mark])
@pytest.mark.parametrize("axis", AXES)
def test_arrows_point_where_the_axes_of_the_empty_do(
    mark: Callable[[float], Sketch], axis: int
) -> None:
    """The green one along Blender's Y, which is against Z in the file; a plain copy fails."""
    sketch = mark(SIZE)
    points = sketch.lines[sketch.roles == Role(axis)].reshape(-1, 3)
    farthest = points[np.linalg.norm(points, axis=1).argmax()]
    there = np.array(Z_UP_FROM_Y_UP.vector(farthest)) / np.linalg.norm(farthest)
    assert there == pytest.approx(np.eye(3)[axis])


@pytest.mark.parametrize("axis", AXES)
def test_hollow_arrows_hold_the_solid_ones(axis: int) -> None:
    """The arrow of the partner is longer, as wide as said, and has barbs twice as wide."""
    mark, way = partner_frame_mark(SIZE), Z_UP_FROM_Y_UP.sign[axis]
    hollow = way * mark.lines[mark.roles == axis_role(axis)].reshape(-1, 3) / SIZE
    along, aside = hollow[:, axis], np.linalg.norm(np.delete(hollow, axis, axis=1), axis=1)
    assert (along.min(), along.max()) == pytest.approx((0.09, HOLLOW))
    neck = np.isclose(along, HOLLOW - HEAD)
    assert sorted(set(np.round(aside[neck], 9))) == pytest.approx([WIDTH, 2.0 * WIDTH])
    assert aside[np.isclose(along, 0.09)] == pytest.approx(WIDTH)
    assert aside[np.isclose(along, HOLLOW)] == pytest.approx(0.0, abs=1e-12)
    own = joint_frame_mark(SIZE)
    solid = way * own.lines[own.roles == axis_role(axis)].reshape(-1, 3)[:, axis] / SIZE
    assert (solid.min(), solid.max()) == pytest.approx((0.0, SOLID))


def test_a_cone_has_a_thick_rim_and_springs_where_it_gives_way() -> None:
    """The rim is one thick line all round; a soft side has a thin zigzag outside of it as well."""
    soft = Limit(angular_axes=(0,), min=-0.5, max=0.5, stiffness=3.0)
    rigid = Limit(angular_axes=(0,), min=-0.5, max=0.5)
    other = Limit(angular_axes=(1,), min=-0.3, max=0.8)
    reach = []
    for limit in (rigid, soft):
        spans = spans_of((limit, other, Limit(angular_axes=(2,), min=0.0, max=0.0)))[3:]
        pen = Pen()
        draw_swing(pen, spans, 2, SIZE)
        sketch = pen.sketch()
        rim = np.concatenate([SIZE * edge for edge, _ in sides(spans, 2)])
        thick = sketch.lines[sketch.thick].reshape(-1, 3)
        assert {tuple(p) for p in np.round(thick, 9)} == {tuple(p) for p in np.round(rim, 9)}
        reach.append(np.linalg.norm(sketch.lines[~sketch.thick], axis=2).max())
    assert reach[0] == pytest.approx(SIZE)
    assert reach[1] > 1.05 * SIZE


def test_a_box_has_twelve_edges() -> None:
    """Three ranges along the axes are a box: one edge between every two neighbouring corners."""
    low, high = (-0.1, -0.2, -0.3), (0.4, 0.5, 0.6)
    limits = tuple(Limit(linear_axes=(a,), min=low[a], max=high[a]) for a in AXES)
    sketch = limits_sketch(JointSettings("", limits), SIZE)
    edges = sketch.lines[(sketch.roles == Role.BODY) & sketch.thick]
    found = {frozenset(tuple(np.round(end, 9)) for end in edge) for edge in edges}
    corners = list(product(*zip(low, high, strict=True)))
    neighbours = {
        frozenset((one, other))
        for one in corners
        for other in corners
        if sum(a != b for a, b in zip(one, other, strict=True)) == 1
    }
    assert found == neighbours


def test_teeth_of_a_spring() -> None:
    """A spring of two teeth goes to one side, to the other, twice, and ends on its line."""
    assert zigzag(2).tolist() == [0.0, 1.0, -1.0, 1.0, -1.0, 0.0]
    assert zigzag(1).tolist() == [0.0, 1.0, -1.0, 0.0]


def limited(**soft: float) -> list[JointSettings]:
    """Return turns, slides, boxes and cones, with both ends, with one and with none."""
    place, turns = (Limit(**{f"{k}_axes": AXES}, min=0.0, max=0.0) for k in ("linear", "angular"))
    found = [recipes.weld(), recipes.pin()]
    for low, high in ((-0.4, 0.9), (-inf, 0.3), (-0.2, inf), (-inf, inf)):
        for kind, still in (("linear", turns), ("angular", place)):
            for free in ((0,), (1, 2), AXES):
                held = tuple(axis for axis in AXES if axis not in free)
                ways = {f"{kind}_axes": free, "min": low, "max": high}
                others = [Limit(**{f"{kind}_axes": held}, min=0.0, max=0.0)] if held else []
                limits = (still, *others, Limit(**ways, **soft))
                found.append(JointSettings("", limits))
    return found


def larger(settings: JointSettings, factor: float) -> JointSettings:
    """Return settings whose lengths are longer, and all else the same."""
    return replace(
        settings,
        limits=tuple(
            replace(one, min=one.min * factor, max=one.max * factor) if one.linear_axes else one
            for one in settings.limits
        ),
        drives=tuple(
            replace(one, position_target=one.position_target * factor)
            if one.type is Freedom.LINEAR and one.position_target is not None
            else one
            for one in settings.drives
        ),
    )


@pytest.mark.parametrize("soft", [{}, {"stiffness": 3.0}])
def test_limits_of_a_larger_joint_are_drawn_larger(soft: dict[str, float]) -> None:
    """Every part grows with the display size: twice the joint is twice the picture."""
    for settings in limited(**soft):
        once, twice = (
            limits_sketch(settings, SIZE),
            limits_sketch(larger(settings, 2.0), 2.0 * SIZE),
        )
        assert twice.lines == pytest.approx(2.0 * once.lines, abs=1e-12)
        assert twice.triangles == pytest.approx(2.0 * once.triangles, abs=1e-12)
        assert np.abs(once.lines).max(initial=0.0) <= 4.0 * SIZE


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("freedom", list(Freedom))
@pytest.mark.parametrize("goal", [{"position_target": 0.4, "stiffness": 2.0}, {"damping": 1.0}])
def test_drives_of_a_larger_joint_are_drawn_larger(
    axis: int, freedom: Freedom, goal: dict[str, float]
) -> None:
    """Flags and arrows of drives grow with the display size as well."""
    speed = None if "stiffness" in goal else -1.0
    drive = Drive(freedom, DriveMode.FORCE, axis, velocity_target=speed, **goal)
    settings = JointSettings("", (), (drive,))
    once, twice = drives_sketch(settings, SIZE), drives_sketch(larger(settings, 2.0), 2.0 * SIZE)
    assert len(once.lines)
    assert twice.lines == pytest.approx(2.0 * once.lines, abs=1e-12)


def test_colours_are_colours() -> None:
    """Each part of each colour lies between none and full."""
    for colour in (*FIXED.values(), BODY_DIMMED, *Theme().axes, Theme().selected, Theme().active):
        assert len(colour) == 3
        assert all(0.0 <= part <= 1.0 for part in colour)


@pytest.mark.parametrize("mark", [joint_frame_mark, partner_frame_mark, pin_mark, weld_mark])
def test_marks_grow_with_the_joint(mark: Callable[[float], Sketch]) -> None:
    """Frames and the cube of a weld are as large as the display size says."""
    assert mark(2.0 * SIZE).lines == pytest.approx(2.0 * mark(SIZE).lines, abs=1e-12)
    assert np.abs(mark(SIZE).lines).max() <= 0.5 * SIZE


def test_a_weld_is_a_cube_whose_faces_are_crossed() -> None:
    """Twelve edges, and on each of six faces both diagonals, which meet in its middle."""
    lines = weld_mark(SIZE).lines
    half = np.abs(lines).max()
    assert np.abs(lines) == pytest.approx(np.full(lines.shape, half))  # only corners are joined
    apart = (np.abs(lines[:, 1] - lines[:, 0]) > half).sum(axis=1)
    assert sorted(apart) == [1] * 12 + [2] * 12
    middles = lines[apart == 2].mean(axis=1)
    assert len(np.unique(np.round(middles, 9) + 0.0, axis=0)) == 6
    assert np.linalg.norm(middles, axis=1) == pytest.approx(np.full(12, half))


def test_a_pin_is_a_small_ball_unless_something_is_limited_or_driven() -> None:
    """Nothing of a free pin tells more than its place; a range or a drive has rings and values."""
    pin = recipes.pin()
    drive = Drive(Freedom.ANGULAR, DriveMode.FORCE, 1, velocity_target=1.0)
    leaning = Limit(angular_axes=(0, 1), max=0.5, together=True)
    twisting = Limit(angular_axes=(2,), min=-1.0, max=1.0)
    assert np.linalg.norm(limits_sketch(pin, SIZE).lines, axis=2).max() < 0.2 * SIZE
    assert columns_of(pin).rounded == [False] * 3 + [True] * 3
    for other in (
        replace(pin, drives=(drive,)),
        replace(pin, limits=(*pin.limits, leaning)),
        replace(pin, limits=(*pin.limits, twisting)),
        JointSettings(),
    ):
        assert np.linalg.norm(limits_sketch(other, SIZE).lines, axis=2).max() > 0.9 * SIZE
        assert not all(columns_of(other).rounded[3:])


def test_a_diamond_is_closed_and_crossed() -> None:
    """The pointer of a slider: four equal sides around its middle, and a cross that looks out."""
    sides, cross = DIAMOND[:4], DIAMOND[4:]
    ends, count = np.unique(np.round(sides.reshape(-1, 3), 9) + 0.0, axis=0, return_counts=True)
    assert count.tolist() == [2, 2, 2, 2]
    assert np.linalg.norm(ends, axis=1) == pytest.approx(np.full(4, 0.1))
    assert np.linalg.norm(sides[:, 1] - sides[:, 0], axis=1) == pytest.approx(np.full(4, 0.02**0.5))
    assert cross[:, 1] == pytest.approx(-cross[:, 0])
    assert np.abs(cross[:, 0]) == pytest.approx(np.diag([0.16, 0.16, 0.0])[:2])


def test_a_broken_bound_has_a_star_of_the_diagonals_of_a_cube() -> None:
    """So it is a cross from wherever it is seen."""
    assert STAR[:, 1] == pytest.approx(-STAR[:, 0])
    assert np.abs(STAR) == pytest.approx(np.full((4, 2, 3), 0.1))
    apart = np.abs(STAR[:, 1] @ STAR[:, 1].T)  # no two are the same diagonal
    assert apart == pytest.approx(0.01 + 0.02 * np.eye(4))


@pytest.mark.parametrize("axis", AXES)
def test_hollow_arrows_are_alike_on_both_sides(axis: int) -> None:
    """After half a turn about itself the arrow of the partner is the same arrow."""
    mark = partner_frame_mark(SIZE)
    strokes = mark.lines[mark.roles == axis_role(axis)]

    def drawn(lines: Floats) -> set[frozenset[tuple[float, ...]]]:
        return {frozenset(tuple(np.round(end, 9) + 0.0) for end in line) for line in lines}

    half_turn = np.where(np.arange(3) == axis, 1.0, -1.0)
    assert drawn(strokes * half_turn) == drawn(strokes)


def test_edges_of_an_open_box_are_dashed_as_far_as_its_rail() -> None:
    """Along an axis without an upper bound the edges begin at the lower one and have gaps."""
    held = Limit(linear_axes=(2,), angular_axes=AXES, min=0.0, max=0.0)
    ranges = (Limit(linear_axes=(0,), min=-0.2, max=0.4), Limit(linear_axes=(1,), min=-0.1))
    settings = JointSettings("", (held, *ranges))
    sketch = limits_sketch(settings, SIZE)
    far = drawn_range(spans_of(settings.limits)[1], SIZE)[1]
    edges = sketch.lines[(sketch.roles == Role.BODY) & sketch.thick]
    assert far > 0.4
    for side in (-0.2, 0.4):
        dashes = edges[(edges[..., 0] == side).all(axis=1)]
        assert (dashes[..., 1].min(), dashes[..., 1].max()) == pytest.approx((-0.1, far))
        lengths = np.abs(dashes[:, 1, 1] - dashes[:, 0, 1])
        assert (lengths > 0.0).all()
        assert lengths.sum() < 0.8 * (far + 0.1)
    across = edges[(edges[:, 0, 0] != edges[:, 1, 0])]
    assert across[..., 1].ravel().tolist() == [-0.1, -0.1], "no edge where it is open"


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_heads_of_a_motor_point_the_way_it_pushes(axis: int, way: float) -> None:
    """Two heads on the shaft, the first at its end; each opens backwards, to both sides alike."""
    drive = Drive(Freedom.LINEAR, DriveMode.FORCE, axis, velocity_target=way, damping=1.0)
    sketch = drives_sketch(JointSettings("", (), (drive,)), SIZE)
    shaft, heads = sketch.lines[0], sketch.lines[1:]
    assert way * (shaft[1] - shaft[0])[axis] > SIZE / 2.0
    barbs, tips = heads[:, 0] - shaft[1], heads[:, 1] - shaft[1]
    assert np.delete(tips, axis, axis=1) == pytest.approx(0.0, abs=1e-12)
    assert tips[:2] == pytest.approx(0.0, abs=1e-12)
    assert (way * tips[2:, axis] < 0.0).all()
    assert (way * (barbs - tips)[:, axis] < 0.0).all()
    for one, other in (barbs[:2], barbs[2:]):
        assert np.delete(one + other, axis) == pytest.approx(0.0, abs=1e-12)
        assert np.linalg.norm(np.delete(one, axis)) > 0.0


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_heads_of_a_turning_motor_point_the_way_it_pushes(axis: int, way: float) -> None:
    """Both heads have their tips on the arc, which goes that way about the axis, and open back."""
    drive = Drive(Freedom.ANGULAR, DriveMode.FORCE, axis, velocity_target=way, damping=1.0)
    sketch = drives_sketch(JointSettings("", (), (drive,)), SIZE)
    angles = np.arctan2(sketch.lines[..., (axis + 2) % 3], sketch.lines[..., (axis + 1) % 3])
    radii = np.linalg.norm(sketch.lines, axis=-1)
    arc, heads = slice(0, -4), slice(-4, None)
    assert (way * np.diff(angles[arc], axis=1) > 0.0).all()
    assert radii[arc] == pytest.approx(radii[0, 0])
    assert radii[heads][:, 1] == pytest.approx(radii[0, 0])
    assert angles[heads][:2, 1] == pytest.approx(angles[arc][-1, 1])
    assert (way * (angles[heads][2:, 1] - angles[arc][-1, 1]) < 0.0).all()
    assert (way * (angles[heads][:, 0] - angles[heads][:, 1]) < 0.0).all()
    sides = np.sign(radii[heads][:, 0] - radii[0, 0]).tolist()
    assert sides == [-1.0, 1.0, -1.0, 1.0]
