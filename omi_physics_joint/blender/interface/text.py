# SPDX-License-Identifier: GPL-3.0-or-later
"""Text in panels, measured in the user's font and never cut off; and keys in the status bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import blf
from bpy.types import Context, Header, UILayout, WorkSpace

FONT = 0
"""Blender's own font."""
ICON, BOX = 28.0, 10.0
"""Pixels that an icon and the border of a box take from a line, at a scale of one."""
MARGINS = 33.0
"""Pixels of a panel that hold no text: its borders and those of the text."""
TABS = 19.0
"""Pixels that the tabs of a sidebar take besides."""
ROW = 26.0
"""Pixels that the borders of a list and of a text in it take from each part of a row."""
BAR = 20.0
"""Pixels that the scroll bar of a list takes from its rows."""
SIDE_BY_SIDE = 215.0
"""Pixels of a panel's text from which on two things stand beside each other."""
LEAST = 20.0
"""Pixels that text has in any case."""
NEAR = 1e-3
"""Pixels by which text may be too wide: what was just made to fit does."""
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"

Measure = Callable[[str], float]
"""Returns how wide a text is drawn, in pixels."""
Hint = tuple[str, tuple[str, ...]]
"""What is done, and the icons of the keys that do it."""
WIDE = {"EVENT_ESC": "  ", "EVENT_CTRL": "  ", "EVENT_SPACEKEY": "      "}
"""Icons that are wider than the place that Blender leaves them, and what makes up for it."""


def draw_text(
    layout: UILayout,
    context: Context,
    text: str,
    icon: str = "NONE",
    *,
    boxes: int = 0,
    rows: int = 0,
) -> None:
    """Draw text over as many lines as it takes in so many boxes, with an icon before the first.

    If rows are given it has exactly so many, so that nothing below ever moves.
    """
    column = layout.column(align=True)
    column.scale_y = 0.8
    found = lines(text, room(context, icon=icon != "NONE", boxes=boxes), measure(context), rows)
    for number, line in enumerate([*found, *[""] * (rows - len(found))]):
        shown = "BLANK1" if number and icon != "NONE" else icon
        column.label(text=line, icon=shown, translate=False)


def room(context: Context, *, icon: bool = False, boxes: int = 0, bar: bool = False) -> float:
    """Return how many pixels a line of text has in a panel of the region of a context.

    It may stand behind an icon, in boxes, and in a list that has a scroll bar.
    """
    tabs = TABS if context.region.type == "UI" else 0.0
    taken = MARGINS + ICON * icon + BOX * boxes + BAR * bar + tabs
    scale = _scale(context)
    return float(max(context.region.width - taken * scale, LEAST * scale))


def is_narrow(context: Context) -> bool:
    """Return whether two buttons or a name and its field do not fit beside each other."""
    return room(context) < SIDE_BY_SIDE * _scale(context)


def measure(context: Context) -> Measure:
    """Return what measures text as panels draw it."""
    size = context.preferences.ui_styles[0].widget.points * _scale(context)
    return lambda text: _width(text, size)


def fits(
    context: Context, text: str, share: float, *, icon: bool = False, bar: bool = False
) -> bool:
    """Return whether text fits into a part of a row of a list; see ``room``."""
    return _needed(context, text, icon=icon) <= share * room(context, bar=bar) + NEAR


def filled(
    context: Context, text: str, share: float, *, icon: bool = False, bar: bool = False
) -> str:
    """Return text with spaces behind it that fill a part of a row of a list.

    Blender writes the text of a button into its middle; so it stands at the left.
    """
    left = share * room(context, bar=bar) - _needed(context, text, icon=icon)
    space = measure(context)(" ")
    return text + " " * int(max(left, 0.0) / space) if space > 0.0 else text


def parted(
    context: Context, left: str, rights: Sequence[str], usual: float, *, bar: bool = False
) -> tuple[float, str]:
    """Return the part of a row of a list that its left text gets, and which text stands beside it.

    An icon stands before it. The first text beside it is taken that leaves it whole; where even the
    last one does not, the left text is cut, but keeps the usual part.
    """
    whole = room(context, bar=bar) + NEAR
    name = _needed(context, left, icon=True) / whole
    for right in rights:
        beside = 1.0 - _needed(context, right, icon=False) / whole
        if name <= beside:
            return min(max(usual, name), beside), right
    return max(beside, usual), right


def _needed(context: Context, text: str, *, icon: bool) -> float:
    """Return how many pixels of a row of a list text takes, with its borders and its icon."""
    return measure(context)(text) + (ICON + 0.5 * ROW if icon else ROW) * _scale(context)


def _scale(context: Context) -> float:
    """Return how large the interface is drawn; Blender without a window says 0."""
    return context.preferences.system.ui_scale or 1.0


@lru_cache(maxsize=4096)
def _width(text: str, size: float) -> float:
    blf.size(FONT, size)
    return float(blf.dimensions(FONT, text)[0])


def lines(text: str, width: float, measured: Measure, most: int = 0) -> list[str]:
    """Put text into lines of a width in pixels; a word that is too long goes on in the next one.

    If there may be only so many, the last one ends in an ellipsis; 0 is any number.
    """
    found: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if measured(longer) <= width:
            line = longer
            continue
        found += [line] if line else []
        *whole, line = _pieces(word, width, measured)
        found += whole
    found.append(line)
    if most and len(found) > most:
        found[most - 1 :] = [shortened(" ".join(found[most - 1 :]), width, measured)]
    return found


def shortened(text: str, width: float, measured: Measure) -> str:
    """Return text, without its end and with an ellipsis where it is too long."""
    if measured(text) <= width:
        return text
    while text and measured(text + ELLIPSIS) > width:
        text = text[:-1].rstrip()
    return text + ELLIPSIS


def _pieces(word: str, width: float, measured: Measure) -> list[str]:
    """Cut a word that is wider than a line."""
    pieces = [""]
    for character in word:
        if pieces[-1] and measured(pieces[-1] + character) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces


def show_keys(workspace: WorkSpace, hints: Sequence[Hint]) -> None:
    """Show hints until the text is cleared with None."""

    def draw(header: Header, _context: Context) -> None:
        for name, icons in hints:
            row = header.layout.row(align=True)
            for icon in icons[:-1]:
                row.label(text="", icon=icon)
            row.label(text=WIDE.get(icons[-1], "") + name, icon=icons[-1])
            header.layout.separator(factor=2.0)

    workspace.status_text_set(draw)
