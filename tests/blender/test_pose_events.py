# SPDX-License-Identifier: GPL-3.0-or-later
"""What the mouse and the keyboard do while a body is posed by hand."""

from __future__ import annotations

from types import FunctionType, SimpleNamespace

import numpy as np
import pytest

from omi_physics_joint.blender.posing import operators as posing
from omi_physics_joint.blender.posing.operators import OMI_JOINT_OT_pose_drag

FUNCTIONS = {
    name: one for name, one in vars(OMI_JOINT_OT_pose_drag).items() if isinstance(one, FunctionType)
}
"""What the operator does; only Blender can make one of itself, and that needs a window."""
Floats = np.ndarray
LEFT, BELOW = 100, 50
"""Pixels beside the view in its window."""


class Hand:
    """A mouse that holds a body, and what became of what it did."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, reached: bool = True) -> None:
        self.moves: list[tuple[list[float], bool, bool]] = []
        self.ended, self.headers, self.told = "", list[str | None](), list[str]()
        self.drag = SimpleNamespace(
            place=np.array((0.0, 0.0, 7.0)),
            story="Knee: Turn 5°",
            obstacle="",
            session=SimpleNamespace(linked=(), moving=SimpleNamespace(issues=())),
            confirm=lambda _: self._end("kept"),
            cancel=lambda: self._end("put back"),
            move=lambda to, *, snap, upright: self._move(to, snap, upright),
        )
        monkeypatch.setattr(posing, "take_hold", lambda *_: self.drag)
        monkeypatch.setattr(posing, "Aim", _Aim)
        self._reached, self.lost = reached, False
        self._context = SimpleNamespace(
            region=SimpleNamespace(x=LEFT, y=BELOW),
            area=SimpleNamespace(header_text_set=self.headers.append, tag_redraw=lambda: None),
            workspace=SimpleNamespace(status_text_set=lambda _: None),
            window_manager=SimpleNamespace(modal_handler_add=lambda _: True),
        )
        self._operator = type("Posing", (), FUNCTIONS)()
        self._operator.report = lambda _, text: self.told.append(text)
        self.became = self._operator.invoke(self._context, self._event("LEFTMOUSE", "PRESS"))

    def does(self, kind: str, value: str, *, ctrl: bool = False) -> int:
        """Do one thing, some pixels off the press, and return how often the body moves by it."""
        before = len(self.moves)
        event = self._event(kind, value, 3, 4, ctrl=ctrl)
        self.became = self._operator.modal(self._context, event)
        return len(self.moves) - before

    def _event(self, kind: str, value: str, *off: int, ctrl: bool = False) -> SimpleNamespace:
        pressed = {"mouse_prev_press_x": LEFT + 20, "mouse_prev_press_y": BELOW + 30}
        x, y = off or (0, 0)
        place = {"mouse_x": LEFT + 20 + x, "mouse_y": BELOW + 30 + y}
        return SimpleNamespace(type=kind, value=value, ctrl=ctrl, **pressed, **place)

    def _move(self, to: Floats, snap: bool, upright: bool) -> SimpleNamespace:
        if self.lost:
            raise ReferenceError
        self.moves.append((to.tolist(), snap, upright))
        return SimpleNamespace(reached=self._reached)

    def _end(self, how: str) -> None:
        assert not self.ended
        self.ended = how


class _Aim:
    """A view in which a pixel is a metre."""

    def __init__(self, _region: object, at: tuple[float, float]) -> None:
        self._at = at

    def point_at_depth(self, _place: Floats) -> Floats:
        """Return the place of the pixel."""
        return np.array((*self._at, 0.0))


@pytest.mark.parametrize(
    ("kind", "value", "moves", "ended"),
    [
        ("MOUSEMOVE", "NOTHING", 1, ""),
        ("LEFT_CTRL", "PRESS", 1, ""),
        ("RIGHT_CTRL", "PRESS", 1, ""),
        ("LEFT_CTRL", "RELEASE", 0, ""),
        ("R", "PRESS", 1, ""),
        ("R", "RELEASE", 0, ""),
        ("TIMER", "NOTHING", 0, ""),
        ("LEFTMOUSE", "PRESS", 0, ""),
        ("LEFTMOUSE", "RELEASE", 0, "kept"),
        ("RET", "PRESS", 0, "kept"),
        ("NUMPAD_ENTER", "PRESS", 0, "kept"),
        ("ESC", "PRESS", 0, "put back"),
        ("RIGHTMOUSE", "PRESS", 0, "put back"),
    ],
)
def test_each_event_does_what_the_keys_in_the_status_bar_say(
    kind: str, value: str, moves: int, ended: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing else; what ends it takes its words out of the header."""
    hand = Hand(monkeypatch)
    assert (hand.became, len(hand.moves)) == ({"RUNNING_MODAL"}, 1)
    assert hand.does(kind, value) == moves
    became = {"": "RUNNING_MODAL", "kept": "FINISHED", "put back": "CANCELLED"}[ended]
    assert (hand.ended, hand.became) == (ended, {became})
    assert (hand.headers[-1] is None) is bool(ended)


def test_the_body_goes_as_far_as_the_mouse(monkeypatch: pytest.MonkeyPatch) -> None:
    """From where the button was pressed; Ctrl snaps as long as it is held, R turns a lock over."""
    hand = Hand(monkeypatch)
    assert hand.moves == [([0.0, 0.0, 7.0], False, False)]
    there = [3.0, 4.0, 7.0]
    for kind, value, ctrl, upright in (
        ("MOUSEMOVE", "NOTHING", False, False),
        ("MOUSEMOVE", "NOTHING", True, False),
        ("R", "PRESS", False, True),
        ("MOUSEMOVE", "NOTHING", True, True),
        ("R", "PRESS", False, False),
    ):
        hand.does(kind, value, ctrl=ctrl)
        assert hand.moves[-1] == (there, ctrl, upright)


@pytest.mark.parametrize("reached", [True, False])
@pytest.mark.parametrize(
    ("story", "obstacle", "said"),
    [
        ("Knee: Turn 5°", "", "Knee: Turn 5°"),
        ("", "They lock.", "They lock."),
        ("", "", "nothing moves"),
    ],
)
def test_the_header_says_what_moves_or_why_nothing_does(
    story: str, obstacle: str, said: str, reached: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And that joints hold it back, where that is not what it says anyhow."""
    hand = Hand(monkeypatch, reached=reached)
    hand.drag.story, hand.drag.obstacle = story, obstacle
    hand.does("MOUSEMOVE", "NOTHING")
    limited = "" if reached or obstacle else "   (limited by joints)"
    assert hand.headers[-1] == f"Pose Joints: {said}{limited}"


def test_a_body_that_is_deleted_meanwhile_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left is put back, and a sentence says why."""
    hand = Hand(monkeypatch)
    hand.lost = True
    hand.does("MOUSEMOVE", "NOTHING")
    assert (hand.ended, hand.became) == ("put back", {"CANCELLED"})
    assert hand.told == ["A body was deleted: posing stopped"]
