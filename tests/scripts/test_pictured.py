# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the documents show what the add-on shows now."""

from __future__ import annotations

import pytest

from scripts import pictured

IMAGES = pictured.ROOT / "docs" / "images"


def test_it_is_known_of_every_picture_what_it_shows() -> None:
    """A new picture is said to be of something."""
    assert {path.name for path in IMAGES.iterdir()} == set(pictured.SHOWS) == set(pictured.notes())


@pytest.mark.parametrize("picture", pictured.SHOWS)
def test_a_picture_shows_what_is_shown_now(picture: str) -> None:
    """Nothing on it has another name, place or form since it was taken."""
    is_same = pictured.shown(picture) == pictured.notes()[picture]
    assert is_same, f"make pictures BLENDER=... ARGS='--only {picture.partition('.')[0]}', and look"


def test_words_below_a_heading_are_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever names what a picture shows names a heading, or is told so."""
    text = (pictured.APPROVED / "shown_in_sidebar.txt").read_text("utf-8")
    line = next(one for one in text.splitlines() if one and not one.startswith("#"))
    monkeypatch.setitem(pictured.SHOWS, "panels.png", (("shown_in_sidebar", line),))
    with pytest.raises(ValueError, match="no heading"):
        pictured.shown("panels.png")
