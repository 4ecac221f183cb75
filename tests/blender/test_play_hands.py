# SPDX-License-Identifier: GPL-3.0-or-later
"""How keys and the hand leave a play: paused or going, led bodies led, one undo step or none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from omi_physics_joint.blender import play
from omi_physics_joint.blender.play import operators
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.play.viewport import control, events
from tests.blender.test_play_hand import Hand, hand, mouse
from tests.blender.test_play_while_it_goes import led

__all__ = ["hand"]


@pytest.mark.parametrize("by_key", [False, True])
def test_pause_goes_on_when_it_is_pressed_once_more(hand: Hand, by_key: bool) -> None:
    """By its button and by its key, again and again; time stands meanwhile and no longer."""
    for is_paused in (True, False, True, False):
        if by_key:
            hand.does("SPACE", "PRESS", -4.0, -4.0)
        else:
            assert bpy.ops.omi_joint.play_pause() == {"FINISHED"}
        assert hand.session.is_paused is is_paused
        time = hand.session.time
        hand.session.tick(STEP)
        assert (hand.session.time == time) is is_paused
    play.stop()


@pytest.mark.parametrize("what", ["nothing", "hand", "pin"])
def test_what_is_led_goes_on_while_something_is_held(what: str) -> None:
    """The crank is where its keys say, whoever pulls at its arm."""
    led()
    session = play.start(bpy.context.scene)
    session.clock = lambda: 0.0
    crank, arm = (bpy.data.objects[name] for name in ("Crank", "Arm"))
    node = session.simulated.node_of(arm)
    if what != "nothing":
        session.run.grab(node, tuple(arm.matrix_world.translation))
    if what == "pin":
        session.run.pin(node)
    simulation = session.run.simulation
    row = next(
        at
        for at, body in enumerate(simulation.body_nodes)
        if session.simulated.name(body) == "Crank"
    )
    for _ in range(12):
        session.tick(STEP)
        there = np.array(simulation.positions[row])
        keyed = crank.matrix_world.translation
        assert there == pytest.approx((keyed.x, keyed.z, -keyed.y), abs=1e-4)
    assert crank.matrix_world.translation.y > 0.05
    play.stop()


@pytest.mark.parametrize("ends", ["ESC", "undo", "stopped"])
@pytest.mark.parametrize("changed", [False, True])
@pytest.mark.parametrize("has_screen", [False, True])
def test_changed_settings_are_one_undo_step_but_before_an_undo(
    hand: Hand, ends: str, changed: bool, has_screen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Undo is for what was done before the play; of several windows only one pushes the step."""
    pushed: list[str] = []
    edit = SimpleNamespace(undo_push=lambda *, message: pushed.append(message))
    stands = SimpleNamespace(ops=SimpleNamespace(ed=edit), data=bpy.data)
    monkeypatch.setattr(control, "bpy", stands)
    window = SimpleNamespace(tick=lambda: None, refuse=lambda: None) if has_screen else None
    listening = control.Control(hand.session, window)
    if changed:
        hand.session.settings.speed = 0.5
    event = mouse("ESC", "PRESS", -4.0, -4.0)
    if ends == "undo":
        event = mouse("Z", "PRESS", -4.0, -4.0)
        event.ctrl = True
    elif ends == "stopped":
        hand.session.stop("by somebody else")
        event = mouse("TIMER", "NOTHING", -4.0, -4.0)
    told = listening.handle(hand.context, event)
    assert ("PASS_THROUGH" in told) is (ends != "ESC")
    assert pushed == ["Settings of Play"] * (changed and has_screen and ends != "undo")
    assert bpy.context.scene.omi_physics_preview.speed == (0.5 if changed else 1.0)


@pytest.mark.parametrize("value", ["RELEASE", "CLICK", "NOTHING"])
@pytest.mark.parametrize("key", [*events.KEYS, "ctrl Z", "ctrl S", "oskey Z"])
def test_keys_command_where_they_are_pressed_and_then_no_more(
    hand: Hand, key: str, value: str
) -> None:
    """What comes after is of the same key, or of one that a dialog had before."""
    *held, kind = key.split()
    event = mouse(kind, value, -4.0, -4.0)
    for name in held:
        setattr(event, name, True)
    for is_paused in (False, True):
        hand.session.is_paused = is_paused
        assert events.meaning_of(hand.context, event, pulling=False) is events.Meaning.NOTHING
        assert hand._control.handle(hand.context, event) == {"RUNNING_MODAL"}
        assert hand.session.is_paused is is_paused
        assert not hand.session.is_over
    assert not hand.run.pins
    play.stop()


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("mine", range(3))
def test_each_other_window_is_guarded(
    count: int, mine: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, and within itself; the one in which play was pressed listens already."""
    windows = [f"Window {number}" for number in range(count)]
    mine = min(mine, count - 1)
    there, guarded, listening = [windows[mine]], [], []

    @contextmanager
    def within(*, window: str, **_: object) -> Iterator[None]:
        there.append(window)
        yield
        there.pop()

    ours = SimpleNamespace(play_guard=lambda _: guarded.append(there[-1]))
    monkeypatch.setattr(operators, "bpy", SimpleNamespace(ops=SimpleNamespace(omi_joint=ours)))
    monkeypatch.setattr(control.Control, "begin", lambda _: None)
    manager = SimpleNamespace(windows=windows, modal_handler_add=listening.append)
    context = SimpleNamespace(window=windows[mine], window_manager=manager, temp_override=within)
    pressed = SimpleNamespace()
    assert operators.OMI_JOINT_OT_play.execute(pressed, context) == {"RUNNING_MODAL"}
    assert guarded == [one for one in windows if one != windows[mine]]
    assert listening == [pressed]
