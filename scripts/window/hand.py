# SPDX-License-Identifier: GPL-3.0-or-later
"""The hand at mouse and keyboard: real input events of the X server, sent by xdotool."""

from __future__ import annotations

import subprocess


class Hand:
    """Moves the mouse and presses buttons and keys on the screen that DISPLAY names.

    A tied hand still moves the mouse and scrolls, but presses nothing: with it, every step of a
    test must be seen to fail, or the step could not fail at all.
    """

    def __init__(self, tied: bool = False) -> None:
        """Take the hand; tied or free."""
        self.tied = tied

    def move(self, x: int, y: int) -> None:
        """Move the mouse to a pixel."""
        self._do("mousemove", str(x), str(y))

    def down(self, button: int = 1) -> None:
        """Press a mouse button and hold it: 1 left, 2 middle, 3 right."""
        self._press("mousedown", str(button))

    def up(self, button: int = 1) -> None:
        """Let a mouse button go."""
        self._press("mouseup", str(button))

    def scroll(self, clicks: int) -> None:
        """Turn the wheel, down where the number is positive."""
        self._do("click", "--repeat", str(abs(clicks)), "5" if clicks > 0 else "4")

    def key(self, name: str) -> None:
        """Press and let go a key such as "Return" or "ctrl+z", as xdotool names them."""
        self._press("key", name)

    def hold(self, name: str) -> None:
        """Press a key and hold it."""
        self._press("keydown", name)

    def let_go(self, name: str) -> None:
        """Let a held key go."""
        self._press("keyup", name)

    def _press(self, *arguments: str) -> None:
        if not self.tied:
            self._do(*arguments)

    def _do(self, *arguments: str) -> None:
        subprocess.run(["xdotool", *arguments], check=True, stdin=subprocess.DEVNULL)
