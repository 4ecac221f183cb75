# SPDX-License-Identifier: GPL-3.0-or-later
"""Which keys count just now, in the status bar, with Blender's own pictures of keys."""

from __future__ import annotations

from collections.abc import Sequence

from bpy.types import Context, Header, WorkSpace

Hint = tuple[str, tuple[str, ...]]
"""What is done, and the icons of the keys that do it."""
WIDE = {"EVENT_ESC": "  ", "EVENT_CTRL": "  ", "EVENT_SPACEKEY": "      "}
"""Icons that are wider than the place that Blender leaves them, and what makes up for it."""


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
