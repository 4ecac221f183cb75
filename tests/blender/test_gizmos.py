# SPDX-License-Identifier: GPL-3.0-or-later
"""Which handle the mouse is on."""

from __future__ import annotations

from math import dist
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from blender.mouse import side_view
from scenes import box, door, joined

from omi_physics_joint.blender.handles.gizmos.handle import MOVE_COLOR, REACH, _color, is_hit
from omi_physics_joint.blender.handles.gizmos.shapes import RADIUS, right_edge
from omi_physics_joint.blender.handles.places import grips, placed_handles
from omi_physics_joint.blender.overlay.batches import user_theme
from omi_physics_joint.drawing.mouse.handles import Part


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
