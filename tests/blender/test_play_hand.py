# SPDX-License-Identifier: GPL-3.0-or-later
"""The mouse over a play: bodies are pulled, pinned and let go; the window says how it goes."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import bpy
import pytest
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Matrix, Vector
from scenes import door, select

from omi_physics_joint.blender import play
from omi_physics_joint.blender.interface.signals import signals
from omi_physics_joint.blender.overlay import extras
from omi_physics_joint.blender.play import session as session_module
from omi_physics_joint.blender.play.operators import OMI_JOINT_OT_play
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.play.viewport import control, events, screen
from omi_physics_joint.blender.play.viewport.picking import Aim, pin_under
from omi_physics_joint.drawing.played import head_of, sight_of
from omi_physics_joint.solver.report import IslandReport
from tests.layouts import Context

outlook = importlib.import_module("omi_physics_joint.blender.play.outlook")

SIDE, PIXELS = 1000, 100.0
"""Pixels of the view from above, and of a metre."""


def from_above() -> events.RegionAt:
    """Return a 3D view that looks down onto the middle of the scene."""
    view = Matrix.Translation((0.0, 0.0, -10.0))
    metres = 2.0 * PIXELS / SIDE
    window = Matrix.Diagonal((metres, metres, -0.01, 1.0))
    data = SimpleNamespace(
        view_matrix=view,
        window_matrix=window,
        perspective_matrix=window @ view,
        is_perspective=False,
        view_perspective="ORTHO",
    )
    region = SimpleNamespace(type="WINDOW", x=0, y=0, width=SIDE, height=SIDE, data=data)
    space = SimpleNamespace(active=SimpleNamespace(lock_camera=False))
    return events.RegionAt(SimpleNamespace(type="VIEW_3D", spaces=space), region)


def mouse(kind: str, value: str, x: float, y: float, *, shift: bool = False) -> SimpleNamespace:
    """Return an event at a place in m."""
    place = {"mouse_x": 0.5 * SIDE + PIXELS * x, "mouse_y": 0.5 * SIDE + PIXELS * y}
    keys = {"ctrl": False, "alt": False, "oskey": False, "shift": shift}
    return SimpleNamespace(type=kind, value=value, **place, **keys)


class Hand:
    """A play under a mouse that is pressed, moved and released over a view from above."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        place = from_above()
        for module in (control, events):
            monkeypatch.setattr(module, "region_at", lambda *_: place)
        _, self.flap, self.hinge = door(direction="GLOBAL_Y")
        self.session = play.start(bpy.context.scene)
        self.run = self.session.run
        self.node = self.session.simulated.node_of(self.flap)
        self._control = control.Control(self.session, None)
        keyconfigs = SimpleNamespace(user=SimpleNamespace(keymaps={}))
        context = bpy.context
        self.context = SimpleNamespace(
            window=context.window,
            window_manager=SimpleNamespace(keyconfigs=keyconfigs),
            preferences=context.preferences,
            scene=context.scene,
            evaluated_depsgraph_get=context.evaluated_depsgraph_get,
        )

    def does(self, kind: str, value: str, x: float, y: float, *, shift: bool = False) -> set[str]:
        """Do one thing with the mouse; return what Blender is told of it."""
        event = mouse(kind, value, x, y, shift=shift)
        told = self._control.handle(self.context, event)
        assert len(told) == 1
        return told


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    """A door that plays, under a mouse."""
    return Hand(monkeypatch)


def test_what_is_pressed_is_pulled_until_it_is_released(hand: Hand) -> None:
    """Where the body was pressed goes to where the mouse is, at the depth where it was pressed."""
    hand.does("LEFTMOUSE", "PRESS", -4.0, -4.0)
    assert hand.run.grabbed is None
    hand.does("LEFTMOUSE", "PRESS", 2.5, 0.3)
    assert hand.run.grabbed == hand.node
    hand.does("MOUSEMOVE", "NOTHING", 3.0, -0.5)
    held, target = hand.run.spring
    assert tuple(held) == pytest.approx((2.5, 0.3, 1.0), abs=1e-4)
    assert tuple(target) == pytest.approx((3.0, -0.5, 1.0), abs=1e-4)
    hand.does("LEFTMOUSE", "RELEASE", 3.0, -0.5)
    assert hand.run.grabbed is None
    assert not hand.run.pins
    play.stop()


def test_reset_takes_the_body_out_of_the_hand(hand: Hand) -> None:
    """With the button still down the mouse pulls nothing any more; its release is Blender's."""
    hand.does("LEFTMOUSE", "PRESS", 2.5, 0.3)
    hand.does("R", "PRESS", 2.5, 0.3)
    hand.does("MOUSEMOVE", "NOTHING", 3.0, -0.5)
    _, target = hand.run.spring
    assert tuple(target) == pytest.approx((2.5, 0.3, 1.0), abs=1e-4)
    hand.session.tick(STEP)
    assert hand.session.run.grabbed is None
    released = mouse("LEFTMOUSE", "RELEASE", 3.0, -0.5)
    assert hand._control.handle(hand.context, released) == {"PASS_THROUGH"}
    play.stop()


def test_the_window_that_plays_ticks_and_refuses(hand: Hand) -> None:
    """Others listen for the same play, and have neither timer nor header."""
    heard = []
    window = SimpleNamespace(tick=lambda: heard.append("tick"), refuse=lambda: heard.append("no"))
    for shown, expected in ((window, ["tick", "no"]), (None, ["tick", "no"])):
        listening = control.Control(hand.session, shown)
        listening.handle(hand.context, mouse("TIMER1", "NOTHING", 0.0, 0.0))
        listening.handle(hand.context, mouse("G", "PRESS", -4.0, -4.0))
        assert heard == expected
    play.stop()


@pytest.mark.parametrize(("x", "y"), [(2.5, 0.3), (1.5, -0.6)])
def test_a_pin_holds_until_it_or_its_body_is_clicked(hand: Hand, x: float, y: float) -> None:
    """Released with Shift the body is pinned where it is held; a click lets it go again."""
    hand.does("LEFTMOUSE", "PRESS", 2.5, 0.3)
    hand.does("LEFTMOUSE", "RELEASE", 2.5, 0.3, shift=True)
    assert list(hand.run.pins) == [hand.node]
    assert hand.run.grabbed is None
    hand.does("LEFTMOUSE", "PRESS", x, y)
    assert not hand.run.pins
    assert hand.run.grabbed is None
    play.stop()


def test_p_pins_the_body_under_the_mouse(hand: Hand) -> None:
    """Without a button, by the point that is seen there; over nothing and over a pin it waits."""
    hand.does("P", "PRESS", -4.0, -4.0)
    assert not hand.run.pins
    hand.does("P", "PRESS", 2.5, 0.3)
    hand.does("P", "PRESS", 2.4, 0.2)
    assert list(hand.run.pins) == [hand.node]
    assert tuple(hand.run.pins[hand.node]) == pytest.approx((2.5, 0.3, 1.0), abs=1e-4)
    assert hand.run.grabbed is None
    hand.does("LEFTMOUSE", "PRESS", 2.5, 0.3)
    assert not hand.run.pins
    play.stop()


@pytest.mark.parametrize(
    ("share", "is_hit"), [(-0.5, False), (0.0, True), (0.5, True), (1.0, True), (1.5, False)]
)
def test_a_pin_is_hit_from_its_point_to_its_head(hand: Hand, share: float, is_hit: bool) -> None:
    """In the way of the needle, but not beyond its ends."""
    point, region = Vector((2.5, 0.3, 1.0)), from_above().region
    sight = sight_of(region.data.view_matrix, region.data.window_matrix, region.height)
    head = Vector(head_of(point, sight, 1.0))
    at = [location_3d_to_region_2d(region, region.data, one) for one in (point, head)]
    aim = Aim(region, tuple(at[0].lerp(at[1], share)))
    assert pin_under({hand.node: point}, 1.0, aim) == (hand.node if is_hit else None)
    play.stop()


def island(off: tuple[int, ...]) -> IslandReport:
    """Return how it went with five joints of which some were off."""
    return IslandReport((), (1, 2, 3, 4, 5), 1, 0, False, 0, (), off)


class Clock:
    """The seconds that a play is told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Return them."""
        return self.now


def test_the_window_is_drawn_as_it_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each tick takes the time since the last; texts change seldom, the view when it moves."""
    clock, drawn = Clock(), []
    monkeypatch.setattr(screen, "perf_counter", clock)
    monkeypatch.setattr(screen, "redraw", lambda *kinds: drawn.append(kinds))
    door(direction="GLOBAL_Y")
    session = play.start(bpy.context.scene)
    shown = screen.Screen(bpy.context, session)
    view, texts = ({"VIEW_3D"}, {"WINDOW"}), ({"VIEW_3D"}, {"UI"})
    for step in range(1, 4):
        clock.now += STEP
        shown.tick()
        assert session.time == pytest.approx(step * STEP)
    assert drawn == [view] * 3
    clock.now += screen.OFTEN
    shown.tick()
    assert drawn[3:] == [view, texts]
    session.is_paused = True
    clock.now += screen.OFTEN
    shown.tick()
    assert drawn[5:] == [texts]
    play.stop()


def test_the_header_says_how_it_goes_until_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """As seldom as other texts, at once where a key does nothing; then all marks are gone too."""
    clock, told = Clock(), list[str | None]()
    monkeypatch.setattr(screen, "perf_counter", clock)
    _, flap, hinge = door(direction="GLOBAL_Y")
    select(hinge)
    session = play.start(bpy.context.scene)
    area = SimpleNamespace(header_text_set=told.append)
    shown = screen.Screen(Context(area=area), session)
    said = [screen.heading(session)]
    for elapsed, is_new in ((0.0, 0), (STEP, 0), (screen.OFTEN, 1), (STEP, 0), (screen.OFTEN, 1)):
        clock.now += elapsed
        shown.tick()
        said += [screen.heading(session)] * is_new
        assert told == said
    shown.refuse()
    assert told[-1] == f"{screen.REFUSAL}   {screen.heading(session)}"
    clock.now += screen.ANSWERED
    session.run.pin(session.simulated.node_of(flap))
    shown.tick()
    assert told[-1] == screen.heading(session)
    assert extras.extras.forces
    assert extras.extras.pins
    play.stop()
    assert told[-1] is None
    assert not extras.extras.forces
    assert not extras.extras.pins


@pytest.mark.parametrize(
    ("speed", "rate", "paused", "line"),
    [
        (1.0, 1.0, False, "Playing 0.0 s"),
        (1.0, 0.5, False, "Playing 0.0 s (0.50x)"),
        (1.0, 0.5, True, "Paused 0.0 s"),
        (2.0, 2.0, False, "Playing 0.0 s (2.00x)"),
        (2.0, 0.5, False, "Playing 0.0 s (0.50x)"),
        (2.0, 1.0, False, "Playing 0.0 s (1.00x)"),
        (0.5, 0.48, False, "Playing 0.0 s (0.50x)"),
    ],
)
def test_it_is_said_how_fast_it_plays(speed: float, rate: float, paused: bool, line: str) -> None:
    """Wherever that is not as fast as life: by wish, or as it computes no faster."""
    door()
    session = play.start(bpy.context.scene)
    session.settings.speed, session.rate, session.is_paused = speed, rate, paused
    assert screen.headline(session) == line
    play.stop()


def test_the_rate_follows_what_is_computed() -> None:
    """In well under a second it is what it has been for that second, and not before a tenth."""
    door()
    session = play.start(bpy.context.scene)
    session.settings.speed = 0.25
    assert session.rate == 1.0
    session.tick(STEP)
    assert session.rate > 0.75
    for _ in range(round(2.0 / STEP)):
        session.tick(STEP)
    assert session.rate == pytest.approx(0.25, abs=0.05)
    play.stop()


def test_what_is_said_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Panels ask at every redraw; only other options are another question."""
    asked = []
    monkeypatch.setattr(session_module, "remarks", lambda *given: asked.append(given) or ["Word"])
    door()
    session = play.start(bpy.context.scene)
    assert session.remarks[0] == session.remarks[0] == "Word"
    assert len(asked) == 1
    session.settings.use_gravity = False
    session.tick(STEP)
    assert session.remarks[0] == "Word"
    assert len(asked) == 2
    play.stop()


def test_a_scene_is_looked_at_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was just found is said again while the scene is edited; another scene is another."""
    clock, asked = Clock(), []
    monkeypatch.setattr(outlook, "monotonic", clock)
    monkeypatch.setattr(outlook, "remarks", lambda *given: asked.append(given) or [])
    _, flap, _ = door()
    for pause, looks in ((0.0, 1), (0.0, 1), (0.5 * outlook.PAUSE, 1), (outlook.PAUSE, 2)):
        clock.now += pause
        flap.location.x += 0.1
        bpy.context.view_layer.update()
        signals.pose += 1
        play.outlook(bpy.context.scene)
        assert len(asked) == looks
    play.outlook(bpy.data.scenes.new("Other"))
    assert len(asked) == 3


def test_what_a_hand_and_pins_hold_by_is_named_after_joints() -> None:
    """Few of many are named, in an order that stays while they take turns at being worst."""
    off = [(3, 1, 2), (2, 3, 1)]
    few = [outlook._steady(island(one)) for one in off]
    assert few == [[1, 2, 3], [1, 2, 3]]
    many = outlook._steady(island((5, 4, 3, 2, 1)))
    assert many == [3, 4, 5, 2, 1]
    assert outlook._steady(island(())) == [1, 2, 3, 4, 5]


def test_the_key_that_plays_stops() -> None:
    """Whichever key the user has given to it."""
    own = SimpleNamespace(match_event=lambda _: SimpleNamespace(idname=OMI_JOINT_OT_play.bl_idname))
    keymaps = {"3D View": SimpleNamespace(keymap_items=own)}
    keyconfigs = SimpleNamespace(user=SimpleNamespace(keymaps=keymaps))
    context = SimpleNamespace(window_manager=SimpleNamespace(keyconfigs=keyconfigs))
    event = mouse("K", "PRESS", 0.0, 0.0)
    assert events.meaning_of(context, event, pulling=False) is events.Meaning.STOP
