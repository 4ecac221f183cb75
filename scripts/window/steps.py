# SPDX-License-Identifier: GPL-3.0-or-later
"""What a step of the window tests is, and what it is given to act, to look and to judge.

A step acts with real input events and judges by state and by picture. It never raises an
assertion: what differs is noted, and the step goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path

from .hand import Hand
from .screen import Pixels, Rect, differing, marked, read_screen, write_png
from .sight import COLUMNS, HELP, STRIP, Waiting, find_button, rect_of, rect_of_view

TICK = 0.05
CALM = 0.15
"""Seconds between two looks that must be equal for the screen to stand still."""
PATIENCE = 60
"""Looks until the screen must stand still."""
REALLY = 40
"""Pixels that must differ for a picture to have changed: more than a blinking cursor."""
STRAY = 40
"""Pixels that may differ in equal pictures: edges of objects that touch come out by chance."""


class NotThereError(Exception):
    """What a step needs is not on the screen."""


@dataclass(frozen=True)
class Step:
    """One thing that a user does and what must come of it."""

    act: Callable[[Ui], Waiting]
    scene: Callable[[], None]

    @property
    def name(self) -> str:
        """The name of its function."""
        return self.act.__name__

    @property
    def sentence(self) -> str:
        """What it holds."""
        return (self.act.__doc__ or "").strip().splitlines()[0]


STEPS: list[Step] = []


def step(scene: Callable[[], None]) -> Callable[[Callable[[Ui], Waiting]], Step]:
    """Make a function a step that starts from a scene."""

    def register(act: Callable[[Ui], Waiting]) -> Step:
        STEPS.append(Step(act, scene))
        return STEPS[-1]

    return register


@dataclass
class Ui:
    """The user in front of the window: hand, eyes, and a list of what is wrong."""

    hand: Hand
    screen: Path
    pictures: Path
    """Where pictures go, as the beginning of their names."""
    state_faults: list[str] = field(default_factory=list)
    picture_faults: list[str] = field(default_factory=list)
    state_checks: int = 0
    picture_checks: int = 0
    _taken: int = 0

    def wait(self, seconds: float) -> Waiting:
        """Let Blender go on for a while."""
        yield seconds

    def until(self, reached: Callable[[], bool], longest: float = 15.0) -> Waiting:
        """Wait until something is reached, or for as long as that may take on a busy machine."""
        end = time.monotonic() + longest
        while not reached() and time.monotonic() < end:
            yield TICK

    def calm(self) -> Waiting:
        """Wait until the screen stands still."""
        before = read_screen(self.screen)
        for _ in range(PATIENCE):
            yield CALM
            now = read_screen(self.screen)
            if not differing(before, now).any():
                return
            before = now
        self.picture_faults.append("the screen did not come to rest")

    def point(self, x: int, y: int) -> Waiting:
        """Move the mouse to a pixel."""
        self.hand.move(x, y)
        yield TICK

    def park(self) -> Waiting:
        """Move the mouse to where nothing lights up, and wait for calm."""
        strip = rect_of("VIEW_3D", "HEADER")
        yield from self.point(strip.left + round(0.62 * strip.width), strip.middle[1])
        yield from self.calm()

    def click(self, x: int, y: int, button: int = 1) -> Waiting:
        """Click on a pixel."""
        yield from self.point(x, y)
        self.hand.down(button)
        yield TICK
        self.hand.up(button)
        yield TICK

    def drag(
        self, start: tuple[int, int], end: tuple[int, int], pieces: int = 8, hold: str = ""
    ) -> Waiting:
        """Drag from one pixel to another in pieces, with a key held from its second piece on."""
        yield from self.point(*start)
        self.hand.down()
        yield TICK
        for piece in range(1, pieces + 1):
            if hold and piece == 2:
                self.hand.hold(hold)
            x, y = (round(a + (b - a) * piece / pieces) for a, b in zip(start, end, strict=True))
            yield from self.point(x, y)
        self.hand.up()
        yield TICK
        if hold:
            self.hand.let_go(hold)
            yield TICK

    def key(self, name: str) -> Waiting:
        """Press a key where the mouse is."""
        self.hand.key(name)
        yield TICK

    def rest_mouse(self) -> Waiting:
        """Move the mouse into the strip at the bottom of the 3D view, where keys still reach it."""
        view = rect_of_view()
        yield from self.point(view.left + STRIP, view.top + view.height + STRIP // 2)

    def key_in_view(self, name: str) -> Waiting:
        """Press a key with the mouse in an empty corner of the 3D view, and wait for calm."""
        yield from self.rest_mouse()
        yield from self.key(name)
        yield from self.park()

    def find(
        self,
        *words: str,
        kind: str = "VIEW_3D",
        part: str = "UI",
        columns: tuple[float, ...] = COLUMNS,
    ) -> Generator[float, None, tuple[int, int]]:
        """Move the mouse onto the button that does or shows all of these words; return where.

        Raises:
            NotThereError: If there is none.
        """
        found = yield from find_button(
            self.hand, kind, part, lambda text: all(word in text for word in words), columns
        )
        if found is None:
            raise NotThereError("no button %s in %s of %s" % (" ".join(words), part, kind))
        return found

    def press(self, *words: str, kind: str = "VIEW_3D", part: str = "UI") -> Waiting:
        """Press the button that does or shows all of these words, in a region."""
        found = yield from self.find(*words, kind=kind, part=part)
        yield from self.click(*found)

    def open_panel(self, topic: str) -> Waiting:
        """Open a closed panel of the sidebar by its header, which holds the help about a topic.

        This is set-up: also a tied hand has it opened.

        Raises:
            NotThereError: If there is no such header.
        """
        kept, self.hand = self.hand, Hand()
        try:
            _, y = yield from self.find("omi_joint.help", topic, columns=HELP)
            place = rect_of("VIEW_3D", "UI")
            yield from self.click(place.left + round(0.4 * place.width), y)
        finally:
            self.hand = kept
        yield from self.calm()

    def look(self, name: str) -> Pixels:
        """Take a picture of the screen and keep it."""
        picture = read_screen(self.screen)
        if not self.hand.tied:
            self._taken += 1
            write_png(self._path(f"{self._taken}-{name}"), picture)
        return picture

    def state(self, what: str, found: object, wanted: object) -> None:
        """Note a fault unless a state is as it should be."""
        self.state_checks += 1
        if found != wanted:
            self.state_faults.append(f"{what}: {found!r}, not {wanted!r}")

    def changed(self, what: str, before: Pixels, after: Pixels, where: Rect) -> None:
        """Note a fault unless a part of the screen shows something else than before."""
        self.picture_checks += 1
        count = int(differing(before, after)[where.slices].sum())
        if count < REALLY:
            self._fault(f"{what}: {count} pixels changed", before, after)

    def same(self, what: str, before: Pixels, after: Pixels, where: Rect) -> None:
        """Note a fault if a part of the screen shows something else than before."""
        self.picture_checks += 1
        count = int(differing(before, after)[where.slices].sum())
        if count > STRAY:
            self._fault(f"{what}: {count} pixels changed", before, after)

    def _fault(self, text: str, before: Pixels, after: Pixels) -> None:
        if not self.hand.tied:
            path = self._path(f"differs-{len(self.picture_faults) + 1}")
            write_png(path, marked(before, after))
            text += f", see {path.name}"
        self.picture_faults.append(text)

    def _path(self, name: str) -> Path:
        return self.pictures.with_name(f"{self.pictures.name}-{name}.png")
