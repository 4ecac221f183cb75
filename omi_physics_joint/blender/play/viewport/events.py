# SPDX-License-Identifier: GPL-3.0-or-later
"""What an event means while joints play: the user may look, pull and stop, and nothing else.

An undo step that is pushed meanwhile would hold the played pose, and nobody can listen to undo
steps. So no event goes on to Blender that could push one. Clicks in our own panel cannot: what it
shows while joints play belongs to the window manager, of which Blender keeps no steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from bpy.types import Area, Context, Event, KeyMapItem, Region, Window

PLAY = "omi_joint.play"
OUR_TAB = "Joints"
TAB_WIDTH = 25
"""Pixels at the edge of the sidebar in which its tabs are, at a scale of one."""

VIEW_OPERATORS = {
    "view3d.dolly",
    "view3d.move",
    "view3d.rotate",
    "view3d.view_all",
    "view3d.view_axis",
    "view3d.view_camera",
    "view3d.view_center_cursor",
    "view3d.view_center_pick",
    "view3d.view_orbit",
    "view3d.view_pan",
    "view3d.view_persportho",
    "view3d.view_roll",
    "view3d.view_selected",
    "view3d.zoom",
    "view3d.ndof_all",
    "view3d.ndof_orbit",
    "view3d.ndof_orbit_zoom",
    "view3d.ndof_pan",
}
"""Operators that turn the view; none of them changes data."""

QUIET = ("LEFT_", "RIGHT_", "WHEEL", "TRACKPAD", "NDOF_MOTION")
"""How types of events begin that say nothing by themselves."""

OTHER_KEYMAPS = ("Object Mode", "Object Non-modal", "3D View Tool: Select Box")
"""Keymaps that Blender asks before that of the 3D view."""


class Meaning(Enum):
    """What to do about an event."""

    NOTHING = auto()
    """Keep it from Blender."""
    REFUSED = auto()
    """Keep it from Blender, and say so: the user wanted something."""
    PASS = auto()
    """Let Blender have it: it changes nothing."""
    TICK = auto()
    STOP = auto()
    UNDO = auto()
    """Stop, then let Blender undo what was done before."""
    SAVE = auto()
    PAUSE = auto()
    RESET = auto()
    GRAB = auto()
    DRAG = auto()
    LET_GO = auto()
    PIN = auto()


@dataclass(frozen=True, slots=True)
class RegionAt:
    """What is under the mouse."""

    area: Area
    region: Region

    @property
    def is_view(self) -> bool:
        """Whether it is the 3D view itself."""
        kinds = (self.area.type, self.region.type)
        return kinds == ("VIEW_3D", "WINDOW") and self.region.data is not None

    def is_our_panel(self, x: int, scale: float) -> bool:
        """Whether a click at x in the window is for our tab of the sidebar, or for a tab."""
        if (self.area.type, self.region.type) != ("VIEW_3D", "UI"):
            return False
        on_tabs = x > self.region.x + self.region.width - TAB_WIDTH * scale
        return bool(on_tabs or self.region.active_panel_category == OUR_TAB)


def region_at(window: Window, x: int, y: int) -> RegionAt | None:
    """Return what is at a place of a window; a sidebar lies over the view that it overlaps."""

    def has(one: Area | Region) -> bool:
        return bool(one.x <= x < one.x + one.width and one.y <= y < one.y + one.height)

    for area in filter(has, window.screen.areas):
        for region in sorted(area.regions, key=lambda one: one.type == "WINDOW"):
            if has(region) and region.width > 1:
                return RegionAt(area, region)
    return None


def meaning_of(context: Context, event: Event, *, pulling: bool) -> Meaning:
    """Return what an event of a modal operator means, while a body is grabbed or not."""
    kind = event.type
    if kind.startswith("TIMER"):
        return Meaning.TICK
    if kind in {"NONE", "WINDOW_DEACTIVATE"}:
        return Meaning.PASS
    if kind in {"MOUSEMOVE", "INBETWEEN_MOUSEMOVE"}:
        return Meaning.DRAG if pulling else Meaning.PASS
    if kind == "LEFTMOUSE" and event.value == "RELEASE":
        return Meaning.LET_GO if pulling else Meaning.PASS
    command = _command(context, event) if event.value == "PRESS" else None
    meaning = command or _pointed(context, event)
    return Meaning.REFUSED if meaning is Meaning.NOTHING and _wants_something(event) else meaning


def _wants_something(event: Event) -> bool:
    """Return whether an event is a key or a button that would do something on its own."""
    return event.value == "PRESS" and not event.type.startswith(QUIET) and event.type != "OSKEY"


def _pointed(context: Context, event: Event) -> Meaning:
    """Return what an event means where the mouse is."""
    place = region_at(context.window, event.mouse_x, event.mouse_y)
    if place is not None and place.is_view:
        if turns_view(context, event, place):
            return Meaning.PASS
        presses = event.type == "LEFTMOUSE" and event.value in {"PRESS", "DOUBLE_CLICK"}
        return Meaning.GRAB if presses else Meaning.NOTHING
    if event.type == "LEFTMOUSE":
        scale = context.preferences.system.ui_scale
        ours = place is not None and place.is_our_panel(event.mouse_x, scale)
        return Meaning.PASS if ours else Meaning.NOTHING
    # With Ctrl the wheel would change the value under the mouse.
    scrolls = event.type in {"WHEELUPMOUSE", "WHEELDOWNMOUSE", "TRACKPADPAN"} and not event.ctrl
    return Meaning.PASS if scrolls else Meaning.NOTHING


KEYS = {"ESC": Meaning.STOP, "SPACE": Meaning.PAUSE, "R": Meaning.RESET, "P": Meaning.PIN}


def _command(context: Context, event: Event) -> Meaning | None:
    """Return what a key means, wherever the mouse is."""
    item = _matched(context, "3D View", event)
    if item is not None and item.idname == PLAY:
        return Meaning.STOP
    command = event.ctrl or event.oskey
    if not (command or event.alt or event.shift):
        return KEYS.get(event.type)
    if command and not event.alt and event.type == "Z":
        return Meaning.UNDO
    if command and not (event.alt or event.shift) and event.type == "S":
        return Meaning.SAVE
    return None


def turns_view(context: Context, event: Event, place: RegionAt) -> bool:
    """Return whether an event turns the view and does nothing else."""
    space = place.area.spaces.active
    if space.lock_camera and place.region.data.view_perspective == "CAMERA":
        return False  # the view then moves the camera, which is an edit
    if event.type.startswith("NDOF_MOTION"):
        return True
    if any(_matched(context, name, event) is not None for name in OTHER_KEYMAPS):
        return False
    item = _matched(context, "3D View", event)
    # Home centres the 3D cursor too where it is pressed with Shift+C, and that is an edit.
    return item is not None and item.idname in VIEW_OPERATORS and not moves_cursor(item)


def moves_cursor(item: KeyMapItem) -> bool:
    """Return whether keys that turn the view move the 3D cursor as well, as Shift+C does."""
    return item.idname == "view3d.view_all" and bool(item.properties.center)


def _matched(context: Context, name: str, event: Event) -> KeyMapItem | None:
    """Return what an event does in one of the user's keymaps."""
    keymap = context.window_manager.keyconfigs.user.keymaps.get(name)
    return None if keymap is None else keymap.keymap_items.match_event(event)
