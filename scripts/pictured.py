# SPDX-License-Identifier: GPL-3.0-or-later
"""Notes what the pictures of docs/images show, so that a test knows which ones are out of date.

    python -m scripts.pictured NAME ...

What is shown and drawn is kept as text in tests/approved; a picture is as old as the parts of it
that it shows. ``make pictures`` notes them for each picture that it takes. Look at it first.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
APPROVED = ROOT / "tests" / "approved"
NOTES = ROOT / "scripts" / "pictured.json"
DOOR = "The hinge of a door is selected."
SHOWS: dict[str, tuple[tuple[str, str], ...]] = {
    "door.png": (("shown_in_redo_boxes", "create kind=HINGE. "), ("overlay_joints", DOOR)),
    "export_dialog.png": (("shown_in_dialogs", "The dialog of the glTF exporter"),),
    "handles.png": (("overlay_handles", DOOR), ("overlay_joints", DOOR)),
    "mechanisms.webp": (("drawn_joints", "a hinge."), ("drawn_joints", "a slider with bounds.")),
    "overlays.png": (("drawn_joints", ""),),
    "panels.png": (
        ("shown_in_sidebar", DOOR),
        ("shown_of_joints", DOOR),
        ("shown_of_scenes", "(OMI_JOINT_PT_sidebar_play): Most of the time."),
        ("overlay_joints", DOOR),
    ),
    "play.png": (("drawn_joints", "a cone."), ("drawn_joints", "two angles.")),
    "workshop.png": (("drawn_joints", "a hinge with bounds."), ("drawn_joints", "a rope.")),
}
"""Of each picture the approved texts that say what is on it: a file, and words of its headings."""


def shown(picture: str) -> str:
    """Return what stands for all that a picture shows.

    Raises:
        ValueError: words of it are in no heading any more.
    """
    parts: list[str] = []
    for name, words in SHOWS[picture]:
        _, *sections = f"\n{(APPROVED / name).with_suffix('.txt').read_text('utf-8')}".split(
            "\n## "
        )
        found = [one for one in sections if words in one.split("\n")[0]]
        if not found:
            raise ValueError(f"{picture}: no heading of {name}.txt has {words!r}")
        parts += found
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def notes() -> dict[str, str]:
    """Return what each picture showed when it was taken."""
    read: dict[str, str] = json.loads(NOTES.read_text("utf-8"))
    return read


if __name__ == "__main__":
    taken = {Path(name).name for name in sys.argv[1:]}
    noted = {**(notes() if NOTES.exists() else {}), **{name: shown(name) for name in taken}}
    NOTES.write_text(json.dumps(noted, indent=2, sort_keys=True) + "\n", "utf-8")
