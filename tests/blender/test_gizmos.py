# SPDX-License-Identifier: GPL-3.0-or-later
"""Which handle the mouse is on."""

from __future__ import annotations

from math import dist
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from blender.mouse import handle, ranged, side_view
from scenes import box, door, joined, select, separated

from omi_physics_joint.blender.handles import gizmos, held
from omi_physics_joint.blender.handles.gizmos import (
    MOVE_COLOR,
    RADIUS,
    REACH,
    _color,
    is_hit,
    right_edge,
)
from omi_physics_joint.blender.handles.operators import begin
from omi_physics_joint.blender.handles.places import (
    grips,
    joint_at_hand,
    label_with_value,
    placed_handles,
)
from omi_physics_joint.blender.overlay.viewport import user_theme
from omi_physics_joint.drawing.mouse.handles import Part
from tests.blender.test_views import view
from tests.layouts import Context


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_mouse_is_on_one_handle_at_most(scale: float) -> None:
    """Where the mouse is on a handle all others let it pass; beyond their reach nothing is hit."""
    hinge = door()[2]
    places, view = placed_handles(hinge), side_view(hinge, 1)
    everywhere = range(len(places))
    at = grips(view, places, RADIUS * scale)
    points = [(number, shape[0]) for number, shape in enumerate(at) if len(shape) == 1]
    assert len(points) > 2
    for number, (x, y) in points:
        for shift in (0.0, 0.9 * REACH * scale, 1.1 * REACH * scale):
            mouse = (x, y + shift)
            hit = [one for one in everywhere if is_hit(view, places, one, mouse, scale)]
            assert len(hit) <= 1
            alone = all(dist(mouse, other) > 20.0 * scale for at, other in points if at != number)
            if shift == 0.0:
                assert hit == [number]
            elif alone and shift > REACH * scale:
                assert hit != [number]
            elif alone:
                assert hit == [number]
    assert not any(is_hit(view, places, one, (3.0, 3.0), scale) for one in everywhere)


def region(kind: str, x: int, width: int, alignment: str = "NONE") -> Any:
    """Return what `right_edge` asks of a region."""
    return SimpleNamespace(type=kind, x=x, width=width, alignment=alignment)


def test_what_a_handle_stands_at_is_not_written_under_the_sidebar() -> None:
    """An open sidebar lies over the view; a closed one is a pixel wide, a flipped one is left."""
    view = region("WINDOW", 100, 1000)
    for bar, right in (
        (region("UI", 850, 250, "RIGHT"), 750.0),
        (region("UI", 1099, 1, "RIGHT"), 1000.0),
        (region("UI", 100, 250, "LEFT"), 1000.0),
    ):
        area = SimpleNamespace(regions=[region("HEADER", 100, 1000, "TOP"), bar, view])
        assert right_edge(area, view) == right


@pytest.mark.parametrize("kind", ["HINGE", "SLIDER", "PIN", "WELD"])
def test_a_handle_has_the_colour_of_what_it_does(kind: str) -> None:
    """What moves the frame goes along no axis; what turns it has the colour of the axis."""
    joint = joined(kind, box("Still"), box("Moving", (3.0, 0.0, 0.0)))
    places = placed_handles(joint, values=False, frame=True)
    theme = user_theme(bpy.context)
    expected = {
        Part.MOVE: lambda _: MOVE_COLOR,
        Part.TURN: lambda handle: theme.axes[handle.hue],
    }
    assert {place.handle.part for place in places} == set(expected)
    colours = {_color(place.handle, bpy.context) for place in places}
    assert len(colours) == 4
    for place in places:
        wanted = expected[place.handle.part](place.handle)
        assert _color(place.handle, bpy.context) == tuple(wanted)


@pytest.mark.parametrize("by", ["joint", "second frame"])
def test_only_a_joint_that_the_view_shows_is_at_hand(by: str) -> None:
    """Its frames may be hidden in one view, or the joint alone; other editors hide nothing."""
    hinge, space = door()[2], view()
    chosen = hinge if by == "joint" else separated(hinge)
    select(chosen)
    context = Context(object=chosen, space_data=space)
    for shows in (True, False, True):
        space.show_object_viewport_empty = shows
        assert joint_at_hand(context) == (hinge if shows else None)
    space.show_object_viewport_empty = False
    assert joint_at_hand(Context(object=chosen, space_data=None)) == hinge
    sheet = SimpleNamespace(type="PROPERTIES")
    assert joint_at_hand(Context(object=chosen, space_data=sheet)) == hinge
    space.show_object_viewport_empty = True
    hinge.hide_set(True)
    assert joint_at_hand(context) is None


class Group:
    """Stands for a group of gizmos, as Blender makes them."""

    def __init__(self) -> None:
        self.gizmos, self.made = self, list[SimpleNamespace]()

    def __len__(self) -> int:
        return len(self.made)

    def __getitem__(self, at: int) -> SimpleNamespace:
        return self.made[at]

    def new(self, _kind: str) -> SimpleNamespace:
        """Return one more, which stands for nothing yet."""
        one = SimpleNamespace(places=(), number=0, hide=False, starts=SimpleNamespace())
        one.target_set_operator = lambda _name: one.starts
        self.made.append(one)
        return one


@pytest.mark.parametrize("values", [False, True])
@pytest.mark.parametrize("frame", [False, True])
def test_gizmos_stand_for_the_handles_of_one_joint_after_the_other(
    frame: bool, values: bool
) -> None:
    """Of more handles and of fewer: each has its place, its colour, and starts its own drag."""
    made = [joined(kind, box("A"), box("B", (3.0, 0.0, 0.0))) for kind in ("WELD", "HINGE", "PIN")]
    switches = bpy.context.scene.omi_physics_handles
    switches.show_values, switches.show_frame = values, frame
    group = Group()
    for at in (0, 1, 2, 1, 0, 1):
        select(made[at])
        gizmos.OMI_JOINT_GGT_handles.draw_prepare(group, bpy.context)
        shown = [one for one in group if not one.hide]
        wanted = placed_handles(made[at], values=values, frame=frame)
        assert [one.places[one.number] for one in shown] == list(wanted)
        assert all(one.use_draw_modal for one in shown)
        for one, its in zip(shown, (place.handle for place in wanted), strict=True):
            assert one.color == _color(its, bpy.context)
            starts = (one.starts.part, one.starts.index, one.starts.axis)
            assert starts == (its.part, its.index, str(its.listed_axis))
    bpy.context.view_layer.objects.active = None
    gizmos.OMI_JOINT_GGT_handles.draw_prepare(group, bpy.context)
    assert all(one.hide for one in group)


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("dragged", ["none", "itself", "another"])
@pytest.mark.parametrize("is_under_mouse", [False, True])
def test_a_handle_is_lit_where_it_would_be_or_is_dragged(
    is_under_mouse: bool, dragged: str, scale: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lit one says what it is and stands at, or what the drag says; arcs are drawn as lines."""
    hinge, drawn, told = door()[2], list[tuple[str, float, bool]](), list[tuple[Any, ...]]()
    view = side_view(hinge, 1)

    def noted(name: str) -> Any:
        return lambda *given, lit: drawn.append((name, given[-1], lit))

    monkeypatch.setattr(gizmos, "view_of", lambda *_: view)
    monkeypatch.setattr(gizmos, "draw_arc", noted("arc"))
    monkeypatch.setattr(gizmos, "draw_shape", noted("shape"))
    monkeypatch.setattr(gizmos, "draw_label", lambda *given: told.append(given))
    system = SimpleNamespace(ui_scale=scale)
    whole = region("WINDOW", 0, 1200)
    context = Context(
        region=whole,
        region_data=None,
        area=SimpleNamespace(regions=[whole]),
        preferences=SimpleNamespace(system=system),
    )
    places = placed_handles(hinge)
    for number, place in enumerate(places):
        drawn.clear()
        told.clear()
        other = places[number - 1].handle
        if dragged != "none":
            handle = place.handle if dragged == "itself" else other
            held.take(SimpleNamespace(handle=handle, label="so far"))
        one = SimpleNamespace(
            places=places, number=number, is_highlight=is_under_mouse, color=MOVE_COLOR
        )
        gizmos.OMI_JOINT_GT_handle.draw(one, context)
        held.let_go()
        lit = is_under_mouse if dragged == "none" else dragged == "itself"
        if gizmos.seen(view, place):
            assert drawn == [("arc" if place.arc else "shape", scale, lit)]
            text = label_with_value(place.handle, bpy.context.scene)
            text = text if dragged == "none" else "so far"
            assert [(one[1], *one[3:]) for one in told] == [(1200.0, text, scale)] * lit
        else:
            assert not drawn
            assert not told


@pytest.mark.parametrize("ends", [("min", "max"), ("min",), ("max",)])
def test_alt_moves_the_other_bound_where_there_is_one(ends: tuple[str, ...]) -> None:
    """What is not in use keeps the number that it had before."""
    hinge = door(angle_min=-0.5, angle_max=1.0)[2]
    limit = hinge.omi_physics_joint.settings.limits[ranged(hinge)]
    limit.use_min, limit.use_max = "min" in ends, "max" in ends
    before = {"min": limit.angular_min, "max": limit.angular_max}
    for part in ends:
        drag = begin(bpy.context, hinge, handle(hinge, part, ranged(hinge)).handle)
        drag.set(-0.25 if part == "min" else 0.25, mirror=True)
        now = {"min": limit.angular_min, "max": limit.angular_max}
        other = "max" if part == "min" else "min"
        assert abs(now[part]) == pytest.approx(0.25)
        assert now[other] == pytest.approx(-now[part] if len(ends) == 2 else before[other])
        drag.restore()
        assert {"min": limit.angular_min, "max": limit.angular_max} == before
