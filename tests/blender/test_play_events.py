# SPDX-License-Identifier: GPL-3.0-or-later
"""What may pass to Blender while joints play, and what the panel shows meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest
from scenes import door

from omi_physics_joint import blender
from omi_physics_joint.blender.play.session import start
from omi_physics_joint.blender.play.viewport.control import Control
from omi_physics_joint.blender.play.viewport.events import (
    OUR_TAB,
    VIEW_OPERATORS,
    Meaning,
    RegionAt,
    meaning_of,
    region_at,
    turns_view,
)
from omi_physics_joint.blender.simulated.properties import lend_settings


@dataclass(frozen=True)
class Turning:
    """An event of a 3D mouse; Blender makes events by itself only."""

    type: str = "NDOF_MOTION"


@dataclass(frozen=True)
class Region:
    """A region with the view of the 3D view; without a window Blender's own has none."""

    data: bpy.types.RegionView3D


def view() -> RegionAt:
    """Return the 3D view of the window."""
    area = next(one for one in bpy.context.window.screen.areas if one.type == "VIEW_3D")
    return RegionAt(area, Region(area.spaces.active.region_3d))


@pytest.mark.parametrize("perspective", ["PERSP", "CAMERA"])
@pytest.mark.parametrize("locked", [True, False])
def test_a_camera_that_is_locked_to_the_view_does_not_follow_the_mouse(
    locked: bool, perspective: str
) -> None:
    """To look around is let through, unless that moves the camera, which is an edit."""
    place = view()
    place.area.spaces.active.lock_camera = locked
    place.region.data.view_perspective = perspective
    moves_camera = locked and perspective == "CAMERA"
    assert turns_view(bpy.context, Turning(), place) != moves_camera


def test_what_turns_the_view_are_operators_of_blender() -> None:
    """A name that Blender has not is never let through; as a module it has none of 3D mice."""
    for name in VIEW_OPERATORS:
        group, operator = name.split(".")
        there = dir(getattr(bpy.ops, group))
        assert operator in there or (group, operator[:5]) == ("view3d", "ndof_"), name


@pytest.mark.parametrize(
    ("operator", "centers", "elsewhere", "passes"),
    [
        ("view3d.rotate", False, False, True),
        ("view3d.zoom", False, False, True),
        ("view3d.view_all", False, False, True),
        ("view3d.view_all", True, False, False),
        ("view3d.rotate", False, True, False),
        ("view3d.cursor3d", False, False, False),
        ("", False, False, False),
    ],
)
def test_keys_that_turn_the_view_pass_and_others_do_not(
    operator: str, centers: bool, elsewhere: bool, passes: bool
) -> None:
    """Whichever keys these are for the user; what moves the 3D cursor, or is taken, does not."""
    item = SimpleNamespace(idname=operator, properties=SimpleNamespace(center=centers))
    items = SimpleNamespace(match_event=lambda _: item if operator else None)
    names = ["3D View", *["Object Mode"] * elsewhere]
    keymaps = {name: SimpleNamespace(keymap_items=items) for name in names}
    keyconfigs = SimpleNamespace(user=SimpleNamespace(keymaps=keymaps))
    context = SimpleNamespace(window_manager=SimpleNamespace(keyconfigs=keyconfigs))
    place = view()
    place.region.data.view_perspective = "PERSP"
    assert turns_view(context, Turning("WHEELUPMOUSE"), place) is passes


@dataclass(frozen=True)
class Pressed:
    """A key or a step of the wheel, over a place of the window."""

    type: str
    ctrl: bool = False
    mouse_x: int = 0
    mouse_y: int = 0
    value: str = "PRESS"
    alt: bool = False
    shift: bool = False
    oskey: bool = False


def without_keymap() -> SimpleNamespace:
    """Return a context of a user whose keymap has none of our keys: Blender matches its events."""
    context = bpy.context
    keyconfigs = SimpleNamespace(user=SimpleNamespace(keymaps={}))
    manager = SimpleNamespace(keyconfigs=keyconfigs)
    return SimpleNamespace(
        window=context.window, window_manager=manager, preferences=context.preferences
    )


@pytest.mark.parametrize("kind", ["WHEELUPMOUSE", "WHEELDOWNMOUSE", "TRACKPADPAN"])
def test_the_wheel_scrolls_editors_and_changes_nothing_in_them(kind: str) -> None:
    """Over a button Ctrl and the wheel change its value, which is an edit of the played pose."""
    area = next(one for one in bpy.context.window.screen.areas if one.type == "PROPERTIES")
    for ctrl, meaning in ((False, Meaning.PASS), (True, Meaning.NOTHING)):
        event = Pressed(kind, ctrl, area.x + area.width // 2, area.y + area.height // 2)
        assert meaning_of(without_keymap(), event, pulling=False) is meaning


@pytest.mark.parametrize("is_named", [False, True])
def test_saving_stops_play_where_blender_asks_for_a_name(is_named: bool, tmp_path: Path) -> None:
    """A file that has a name is saved while it plays; a new one needs the window for its name."""
    if is_named:
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "named.blend"))
    door()
    session = start(bpy.context.scene)
    became = Control(session, None).handle(without_keymap(), Pressed("S", ctrl=True))
    assert session.is_over is not is_named
    assert became == ({"PASS_THROUGH"} if is_named else {"PASS_THROUGH", "FINISHED"})


@pytest.mark.parametrize(
    ("kind", "value", "meanings"),
    [
        ("NONE", "NOTHING", (Meaning.PASS, Meaning.PASS)),
        ("WINDOW_DEACTIVATE", "NOTHING", (Meaning.PASS, Meaning.PASS)),
        ("TIMER0", "NOTHING", (Meaning.TICK, Meaning.TICK)),
        ("MOUSEMOVE", "NOTHING", (Meaning.PASS, Meaning.DRAG)),
        ("INBETWEEN_MOUSEMOVE", "NOTHING", (Meaning.PASS, Meaning.DRAG)),
        ("LEFTMOUSE", "RELEASE", (Meaning.PASS, Meaning.LET_GO)),
        ("ESC", "PRESS", (Meaning.STOP, Meaning.STOP)),
        ("SPACE", "PRESS", (Meaning.PAUSE, Meaning.PAUSE)),
        ("R", "PRESS", (Meaning.RESET, Meaning.RESET)),
        ("P", "PRESS", (Meaning.PIN, Meaning.PIN)),
    ],
)
def test_what_events_mean_with_and_without_a_body_in_hand(
    kind: str, value: str, meanings: tuple[Meaning, Meaning]
) -> None:
    """What Blender tells its operators by itself is neither kept from it nor refused."""
    event = Pressed(kind, value=value)
    found = [meaning_of(without_keymap(), event, pulling=pulling) for pulling in (False, True)]
    assert found == list(meanings)


@pytest.mark.parametrize(
    ("area", "region", "tab", "x", "scale", "ours"),
    [
        ("VIEW_3D", "UI", OUR_TAB, 200, 1.0, True),
        ("VIEW_3D", "UI", "Item", 200, 1.0, False),
        ("VIEW_3D", "UI", "Item", 395, 1.0, True),
        ("VIEW_3D", "UI", "Item", 360, 1.0, False),
        ("VIEW_3D", "UI", "Item", 360, 2.0, True),
        ("VIEW_3D", "TOOLS", OUR_TAB, 200, 1.0, False),
        ("PROPERTIES", "UI", OUR_TAB, 395, 1.0, False),
    ],
)
def test_clicks_go_to_our_tab_and_to_tabs(
    area: str, region: str, tab: str, x: int, scale: float, ours: bool
) -> None:
    """Nothing else of a sidebar may be pressed; tabs are as wide as the interface is large."""
    sidebar = SimpleNamespace(type=region, x=100, width=300, active_panel_category=tab)
    assert RegionAt(SimpleNamespace(type=area), sidebar).is_our_panel(x, scale) is ours
    tabs = {kind.bl_category for kind in blender.CLASSES if hasattr(kind, "bl_category")}
    assert tabs == {OUR_TAB}


def test_play_is_paused_begun_again_and_stopped() -> None:
    """By buttons while it plays, which are away where nothing plays, and by Esc."""
    door()
    session = start(bpy.context.scene)
    for paused in (True, False):
        assert bpy.ops.omi_joint.play_pause() == {"FINISHED"}
        assert session.is_paused is paused
    assert bpy.ops.omi_joint.play_reset() == {"FINISHED"}
    assert Control(session, None).handle(without_keymap(), Pressed("ESC")) == {"FINISHED"}
    assert session.is_over
    for button in (bpy.ops.omi_joint.play_pause, bpy.ops.omi_joint.play_reset):
        assert not button.poll()


@pytest.mark.parametrize(
    ("kind", "value", "answered"),
    [
        ("G", "PRESS", True),
        ("TAB", "PRESS", True),
        ("F12", "PRESS", True),
        ("RIGHTMOUSE", "PRESS", True),
        ("G", "RELEASE", False),
        ("LEFT_SHIFT", "PRESS", False),
        ("RIGHT_CTRL", "PRESS", False),
        ("OSKEY", "PRESS", False),
        ("WHEELUPMOUSE", "PRESS", False),
        ("TRACKPADPAN", "NOTHING", False),
    ],
)
def test_what_the_user_wants_in_vain_is_answered(kind: str, value: str, answered: bool) -> None:
    """Keys and buttons that Play keeps from Blender are; what says nothing by itself is not."""
    meaning = meaning_of(without_keymap(), Pressed(kind, value=value), pulling=False)
    assert (meaning is Meaning.REFUSED) is answered


def test_settings_are_lent_for_a_while_only() -> None:
    """What is changed while it plays goes to the scene; the window manager keeps nothing."""
    door()
    own = bpy.context.scene.omi_physics_preview
    own.speed = 0.5
    shown = bpy.context.window_manager.omi_physics_preview
    hand_back = lend_settings(bpy.context.scene)
    assert shown.speed == 0.5
    shown.speed = 2.0
    assert own.speed == 0.5
    assert hand_back()
    assert own.speed == 2.0
    names = [prop.identifier for prop in shown.bl_rna.properties if prop.identifier != "rna_type"]
    assert [name for name in names if shown.is_property_set(name)] == []
    again = lend_settings(bpy.context.scene)
    assert shown.speed == 2.0
    assert not again()


@pytest.mark.parametrize("x", [0, 1, 99, 100, 101, 199])
@pytest.mark.parametrize("y", [0, 49, 50, 99])
def test_each_pixel_of_a_window_is_of_one_area(x: int, y: int) -> None:
    """Also where one ends and the next begins; beyond the last there is nothing."""
    rows = [(left, low) for left in (0, 100) for low in (0, 50)]
    areas = []
    for left, low in rows:
        place = {"x": left, "y": low, "width": 100, "height": 50}
        regions = [SimpleNamespace(type="WINDOW", **place)]
        areas.append(SimpleNamespace(regions=regions, **place))
    window = SimpleNamespace(screen=SimpleNamespace(areas=areas))
    found = region_at(window, x, y)
    assert found is not None
    assert (found.area.x, found.area.y) == (100 * (x // 100), 50 * (y // 50))
    assert found.region is found.area.regions[0]
    assert region_at(window, x + 200, y) is None
    assert region_at(window, x, y - 100) is None
