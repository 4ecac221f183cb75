# SPDX-License-Identifier: GPL-3.0-or-later
"""Where things are on the screen: areas and regions, points of the scene, buttons of panels."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import bpy  # noqa: TID251 - this runs inside Blender
from bpy_extras.view3d_utils import location_3d_to_region_2d

from .hand import Hand
from .screen import Rect

Waiting = Generator[float, None, None]
"""What takes time: yields seconds to wait, so that Blender can draw and handle events."""

SCAN = 9
"""Pixels between two places where a button is looked for; a button is twice as high."""
COLUMNS = (0.5, 0.2, 0.8, 0.93)
"""Where buttons are looked for in a region, as parts of its width."""
HELP = (0.8,)
"""Where the help button of a panel's header is."""
EDGE = 14
"""Pixels at the edges of a region in which a click would take hold of the edge."""
STRIP = 60
"""Pixels at the bottom of the 3D view in which the mouse can rest."""
PAGES, PAGE = 2, 12
"""How many pages of a region are looked at, and clicks of the wheel from one to the next."""
SCROLLED = 0.5
"""Seconds until a region has scrolled."""
HOVER = 0.02
"""Seconds until Blender knows what is under the mouse."""


def window(number: int = 0) -> Any:  # noqa: ANN401 - Blender's own type
    """Return one of the windows; no context says it inside a timer."""
    return bpy.context.window_manager.windows[number]


def area_of(kind: str) -> Any:  # noqa: ANN401
    """Return the area of one kind, in whatever window, or None."""
    windows = bpy.context.window_manager.windows
    areas = (area for each in windows for area in each.screen.areas)
    return next((area for area in areas if area.type == kind), None)


def window_of(area: Any) -> Any:  # noqa: ANN401
    """Return the window that an area is in."""
    return next(each for each in bpy.context.window_manager.windows if area in each.screen.areas[:])


def region_of(kind: str, part: str = "WINDOW") -> Any:  # noqa: ANN401
    """Return a region of the area of one kind: its WINDOW, UI (sidebar), HEADER ..."""
    return next(region for region in area_of(kind).regions if region.type == part)


def rect_of(kind: str, part: str = "WINDOW") -> Rect:
    """Return where a region, or with part="" a whole area, is on the screen."""
    area = area_of(kind)
    inside = region_of(kind, part) if part else area
    left, top = _on_screen(area, inside.x, inside.y + inside.height)
    return Rect(left, top, inside.width, inside.height)


def rect_of_view() -> Rect:
    """Return where the 3D view shows the scene.

    Without the regions that lie upon it, and without a strip at the bottom for the mouse.
    """
    whole, tools = rect_of("VIEW_3D"), rect_of("VIEW_3D", "TOOLS")
    sidebar, settings = rect_of("VIEW_3D", "UI"), rect_of("VIEW_3D", "TOOL_HEADER")
    left, top = tools.left + tools.width, settings.top + settings.height
    return Rect(left, top, sidebar.left - left, whole.top + whole.height - top - STRIP)


def _on_screen(area: Any, x: float, y: float) -> tuple[int, int]:  # noqa: ANN401
    """Return the pixel from the top left of a point that a window counts from its bottom left."""
    owner = window_of(area)
    screen_height = window().height  # the first window fills the screen
    return owner.x + round(x), screen_height - owner.y - round(y)


def on_screen(point: tuple[float, float, float]) -> tuple[int, int]:
    """Return the pixel where a point of the scene is drawn in the 3D view.

    Raises:
        ValueError: If it lies behind the viewer.
    """
    area, region = area_of("VIEW_3D"), region_of("VIEW_3D")
    place = location_3d_to_region_2d(region, area.spaces[0].region_3d, point)
    if place is None:
        raise ValueError("%s is behind the viewer" % (point,))
    return _on_screen(area, region.x + place.x, region.y + place.y)


def button_under_mouse(kind: str, part: str) -> str:
    """Return what the button under the mouse does or shows, "" where there is none.

    Blender itself tells it: what Copy Python Command and Copy Data Path put onto the clipboard.
    """
    manager = bpy.context.window_manager
    kept, manager.clipboard = manager.clipboard, ""
    area = area_of(kind)
    override = {"window": window_of(area), "area": area, "region": region_of(kind, part)}
    with bpy.context.temp_override(**override):
        for copy in (bpy.ops.ui.copy_python_command_button, bpy.ops.ui.copy_data_path_button):
            if not manager.clipboard and copy.poll():
                copy()
    found, manager.clipboard = manager.clipboard, kept
    return str(found)


def find_button(
    hand: Hand,
    kind: str,
    part: str,
    wanted: Callable[[str], bool],
    columns: tuple[float, ...] = COLUMNS,
) -> Generator[float, None, tuple[int, int] | None]:
    """Look for a button with the mouse, from the top, and leave the mouse on it.

    What is not to be seen is scrolled to.

    Args:
        hand: that moves the mouse.
        kind: of the area.
        part: the region in it.
        wanted: says of what a button does ("bpy.ops.omi_joint.check()") or shows
            ("omi_physics_joint.strict") whether it is the one.
        columns: where to look, as parts of the width of the region.

    Returns:
        The pixel of its middle row, or None if it is not there.
    """
    place = rect_of(kind, part)
    for _ in range(PAGES):
        found = yield from _find_on_page(hand, kind, part, wanted, columns)
        if found is not None:
            hand.move(*found)
            yield HOVER
            return found
        hand.move(*place.middle)
        hand.scroll(PAGE)
        yield SCROLLED
    return None


def _find_on_page(
    hand: Hand, kind: str, part: str, wanted: Callable[[str], bool], columns: tuple[float, ...]
) -> Generator[float, None, tuple[int, int] | None]:
    """Look for a button in what is to be seen of a region."""
    place = rect_of(kind, part)
    for column in columns:
        x = place.left + round(column * place.width)
        hits: list[int] = []
        for y in range(place.top + EDGE, place.top + place.height - EDGE, SCAN):
            hand.move(x, y)
            yield HOVER
            if wanted(button_under_mouse(kind, part)):
                hits.append(y)
            elif hits:
                break
        if hits:
            return x, (hits[0] + hits[-1]) // 2
    return None
