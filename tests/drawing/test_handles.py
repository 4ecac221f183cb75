# SPDX-License-Identifier: GPL-3.0-or-later
"""Which handles a joint has, where they are, and which way their numbers run."""

from __future__ import annotations

from dataclasses import replace
from math import inf, pi, radians

import numpy as np
import pytest

from omi_physics_joint.drawing.layout import arc_point, rail_point
from omi_physics_joint.drawing.mouse.drag import AxisDrag
from omi_physics_joint.drawing.mouse.handles import (
    Handle,
    Part,
    arc_of,
    chosen,
    frame_handles,
    handles_of,
    inward_of,
    mirror_room,
    place_of,
    room_of,
    sense_of,
)
from omi_physics_joint.drawing.mouse.picking import vector
from omi_physics_joint.drawing.picture import limits_sketch
from omi_physics_joint.model.geometry.axes import Y_UP_FROM_Z_UP
from omi_physics_joint.model.geometry.transform import IDENTITY, minus, translation_of
from omi_physics_joint.model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.recipes import hinge, slider, weld
from omi_physics_joint.model.settings.spans import span_on, spans_of
from omi_physics_joint.model.settings.together import together_in
from tests.drawing.views import looking, random_frame

HINGE = hinge(1, 0.0, radians(90.0))


def handles(settings: JointSettings) -> tuple[Handle, ...]:
    """Return the handles of settings in Blender's axes."""
    return handles_of(settings, Y_UP_FROM_Z_UP)


def test_a_hinge_has_two_handles_and_a_weld_none() -> None:
    """Locks have no handles, bounds of a range have one each."""
    assert [handle.part for handle in handles(HINGE)] == [Part.MIN, Part.MAX]
    assert [handle.value for handle in handles(slider(0, -1.0, 2.0))] == [-1.0, 2.0]
    assert handles(weld()) == ()


def test_bounds_that_are_off_have_no_handle() -> None:
    """An axis that is free on one side has a handle on the other."""
    assert handles(JointSettings(limits=(Limit(angular_axes=(0,), max=1.0),)))[0].part is Part.MAX
    assert handles(JointSettings(limits=(Limit(angular_axes=(0,)),))) == ()


def test_a_limit_of_several_axes_has_handles_on_each() -> None:
    """All of them edit the same limit."""
    settings = JointSettings(limits=(Limit(angular_axes=(0, 1, 2), min=-1.0, max=1.0),))
    found = handles(settings)
    assert len(found) == 6
    assert {handle.index for handle in found} == {0}
    assert len({handle.name for handle in found}) == 6


@pytest.mark.parametrize("axes", [{"linear_axes": (0,)}, {"angular_axes": (0,)}])
def test_a_lock_away_from_zero_keeps_its_handles(axes: dict[str, tuple[int, ...]]) -> None:
    """It holds one axis where somebody put it, and is dragged from there; several have none."""
    assert len(handles(JointSettings(limits=(Limit(**axes, min=0.5, max=0.5),)))) == 2
    several = {name: (0, 1) for name in axes}
    assert handles(JointSettings(limits=(Limit(**several, min=0.5, max=0.5),))) == ()


def test_a_lock_keeps_its_handles_while_it_is_dragged() -> None:
    """Bounds that meet on the way stay in sight."""
    settings = JointSettings(limits=(Limit(linear_axes=(0,), min=0.0, max=0.0),))
    assert handles_of(settings, Y_UP_FROM_Z_UP) == ()
    assert len(handles_of(settings, Y_UP_FROM_Z_UP, (Part.MAX, 0))) == 2


def test_springs_have_a_handle_at_their_target_and_motors_none() -> None:
    """A drive is dragged where it has a position to go to."""
    spring = Drive(Freedom.LINEAR, DriveMode.FORCE, 2, position_target=0.25)
    motor = Drive(Freedom.ANGULAR, DriveMode.FORCE, 0, velocity_target=1.0)
    found = handles(JointSettings(drives=(motor, spring)))
    assert [(one.part, one.index, one.value) for one in found] == [(Part.TARGET, 1, 0.25)]
    assert chosen(found, "target", 1, 2) == found[0]
    assert chosen(found, "target", 0, 0) is None


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("freedom", list(Freedom))
def test_handles_are_where_the_model_has_its_bounds(axis: int, freedom: Freedom) -> None:
    """Both bounds of a listed limit are drawn at the bounds that solver and file use.

    On Blender's Y the model's axis is turned round: there the listed maximum is the model's
    minimum. A copy of the number without its sign fails here.
    """
    axes = {f"{freedom}_axes": (axis,)}
    settings = JointSettings(limits=(Limit(min=-0.2, max=0.9, **axes),))
    frame = random_frame(np.random.default_rng(axis))
    spans = spans_of(Y_UP_FROM_Z_UP.settings(settings).limits)
    span = span_on(spans, freedom, Y_UP_FROM_Z_UP.axis[axis])
    listed = {handle.part: handle for handle in handles(settings)}
    ordered = (listed[Part.MIN], listed[Part.MAX])
    if Y_UP_FROM_Z_UP.sign[axis] < 0:
        ordered = ordered[::-1]
    for handle, value in zip(ordered, (span.low, span.high), strict=True):
        assert handle.coordinate == value
        expected = (
            rail_point(frame, span.axis, value)
            if freedom is Freedom.LINEAR
            else arc_point(frame, span.axis, value, 0.7)
        )
        assert place_of(handle, frame, 0.7) == pytest.approx(vector(expected))


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("freedom", list(Freedom))
def test_the_listed_number_grows_as_its_drawn_bound_goes_there(axis: int, freedom: Freedom) -> None:
    """Dragging along the drawn points of growing listed numbers makes the number grow as much."""
    target = Drive(freedom, DriveMode.FORCE, axis, position_target=0.1)
    frame = random_frame(np.random.default_rng([axis, 7]))
    handle = handles(JointSettings(drives=(target,)))[0]
    origin = translation_of(frame)
    column = np.array(frame)[:3, handle.axis]
    across = np.array(frame)[:3, (handle.axis + 1) % 3]
    eye = np.array(origin) + (5.0 * column + across if freedom is Freedom.ANGULAR else 5.0 * across)
    view = looking(eye, origin)
    arm = minus(place_of(handle, frame, 1.0), origin)
    drag = AxisDrag(freedom, frame, handle.axis, arm)
    total = 0.0
    for value in np.linspace(0.1, 0.6, 6):
        moved = handles(
            JointSettings(
                drives=(Drive(freedom, DriveMode.FORCE, axis, position_target=float(value)),)
            )
        )[0]
        pixel = view.pixel(place_of(moved, frame, 1.0))
        assert pixel is not None
        total += handle.sign * drag.moved(view, pixel)
    assert total == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("freedom", list(Freedom))
def test_bounds_face_the_room_between_them(axis: int, freedom: Freedom) -> None:
    """A small step inward from a bound is a place that the limit allows."""
    axes = {f"{freedom}_axes": (axis,)}
    settings = JointSettings(limits=(Limit(min=0.2, max=0.9, **axes),))
    frame = random_frame(np.random.default_rng([axis, 9]))
    low, high = (place_of(handle, frame, 1.0) for handle in handles(settings))
    for handle, here, there in zip(handles(settings), (low, high), (high, low), strict=True):
        assert np.dot(inward_of(handle, frame), minus(there, here)) > 0.0


def test_the_frame_has_a_handle_to_move_and_one_for_each_axis() -> None:
    """Arcs lie about the axis that they turn about, at one radius."""
    frame = random_frame(np.random.default_rng(1))
    found = frame_handles(Y_UP_FROM_Z_UP)
    assert [handle.part for handle in found] == [Part.MOVE, Part.TURN, Part.TURN, Part.TURN]
    assert place_of(found[0], frame, 1.0) == translation_of(frame)
    for handle in found[1:]:
        corners = np.subtract(arc_of(handle, frame, 2.0), translation_of(frame))
        assert corners @ np.array(frame)[:3, handle.axis] == pytest.approx(0.0, abs=1e-12)
        assert np.linalg.norm(corners, axis=1) == pytest.approx(1.1)
        assert place_of(handle, frame, 2.0) in arc_of(handle, frame, 2.0)


def test_a_bound_has_room_up_to_the_other_one() -> None:
    """A minimum stops at its maximum and the other way round; a target goes anywhere."""
    assert room_of(Part.MIN, -1.0, 2.0) == (-inf, 2.0)
    assert room_of(Part.MAX, -1.0, 2.0) == (-1.0, inf)
    assert room_of(Part.TARGET, -1.0, 2.0) == (-inf, inf)
    assert mirror_room(Part.MIN) == (-inf, 0.0)
    assert mirror_room(Part.MAX) == (0.0, inf)


def bounded(axes: tuple[int, ...], *, turns: bool = False, low: float = 0.3) -> JointSettings:
    """Return settings with one bound on axes together, from some distance or angle to 0.9."""
    names = {"angular_axes" if turns else "linear_axes": axes}
    return JointSettings(limits=(Limit(min=low, max=0.9, together=True, **names),))


TOGETHER = [(axes, turns) for turns in (False, True) for axes in ((0, 1), (0, 2), (1, 2), AXES)]


@pytest.mark.parametrize(("axes", "turns"), TOGETHER)
def test_handles_of_axes_together_lie_on_what_is_drawn(
    axes: tuple[int, ...], *, turns: bool
) -> None:
    """Each is on the circle, the rim or the arc of its bound, and faces the room between them."""
    settings = bounded(axes, turns=turns)
    found = handles(settings)
    assert len({handle.name for handle in found}) == len(found) == 2 * len(axes)
    model = Y_UP_FROM_Z_UP.settings(settings)
    lines = limits_sketch(model, 0.7).lines.reshape(-1, 3)
    for handle in found:
        place = place_of(handle, IDENTITY, 0.7)
        assert np.abs(lines - place).sum(axis=1).min() < 1e-2, handle.name
        if handle.freedom is Freedom.ANGULAR and len(axes) < len(AXES):
            (one,) = together_in(model.limits)
            assert place[one.left_axis] == pytest.approx(0.7 * np.cos(handle.value))
        ahead = np.add(place, np.multiply(1e-3, inward_of(handle, IDENTITY)))
        other = next(
            one
            for one in found
            if one.part != handle.part and one.listed_axis == handle.listed_axis
        )
        there = place_of(other, IDENTITY, 0.7)
        assert np.linalg.norm(ahead - there) < np.linalg.norm(np.subtract(place, there))


@pytest.mark.parametrize(("axes", "turns"), TOGETHER)
def test_a_bound_together_follows_the_mouse(axes: tuple[int, ...], *, turns: bool) -> None:
    """Along the drawn places of growing bounds the number grows as much, on whichever axis."""
    frame = random_frame(np.random.default_rng([len(axes), turns]))
    for part in (Part.MIN, Part.MAX):
        for number in range(len(axes)):
            before = [one for one in handles(bounded(axes, turns=turns)) if one.part is part][
                number
            ]
            column = np.array(frame)[:3, before.axis]
            across = np.array(frame)[:3, (before.axis + 1) % 3]
            origin = translation_of(frame)
            eye = np.array(origin) + (5.0 * column + across if turns else 5.0 * across)
            view = looking(eye, origin)
            drag = AxisDrag(
                before.freedom, frame, before.axis, minus(place_of(before, frame, 1.0), origin)
            )
            total = 0.0
            for value in np.linspace(before.value, before.value + 0.5, 6):
                pixel = view.pixel(place_of(replace(before, value=float(value)), frame, 1.0))
                assert pixel is not None
                total += before.sign * drag.moved(view, pixel)
            assert total == pytest.approx(0.5, abs=1e-6)


def test_a_minimum_together_up_to_zero_has_no_handle() -> None:
    """It bounds nothing; but one that is dragged there can be dragged back."""
    settings = bounded(AXES, low=-0.5)
    assert {handle.part for handle in handles(settings)} == {Part.MAX}
    held = handles_of(settings, Y_UP_FROM_Z_UP, (Part.MIN, 0))
    assert {handle.part for handle in held} == {Part.MIN, Part.MAX}
    rod = JointSettings(limits=(Limit(AXES, (), 0.9, 0.9, together=True),))
    assert len(handles(rod)) == 6
    pin = JointSettings(limits=(Limit(AXES, (), 0.0, 0.0, together=True),))
    assert handles(pin) == ()


def test_bounds_together_stay_where_they_make_sense() -> None:
    """No distance is below zero and no angle over half a turn; axes by themselves go anywhere."""
    assert sense_of(handles(bounded(AXES))[0]) == (0.0, inf)
    assert sense_of(handles(bounded((0, 1), turns=True))[0]) == (0.0, pi)
    assert sense_of(handles(HINGE)[0]) == (-inf, inf)


def test_bounds_together_have_the_colour_of_what_is_drawn() -> None:
    """A disc and a cone that of the axis they leave, arcs each their own, a sphere none."""
    assert {one.hue for one in handles(bounded((0, 2)))} == {1}
    assert {one.hue for one in handles(bounded((0, 1), turns=True))} == {2}
    assert {one.hue for one in handles(bounded(AXES, turns=True))} == {0, 1, 2}
    assert {one.hue for one in handles(bounded(AXES))} == {None}
    assert {one.hue for one in handles(slider(0, -1.0, 2.0))} == {0}
