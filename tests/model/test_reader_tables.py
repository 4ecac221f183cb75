# SPDX-License-Identifier: GPL-3.0-or-later
"""The page about readers shows the table that Check uses."""

from __future__ import annotations

from omi_physics_joint.model.readers import DIFFERENCES, PROFILES
from scripts.reader_tables import PAGE, UNSAID, page


def test_the_page_is_written_of_the_table() -> None:
    """The page has the table of now; else run `python -m scripts.reader_tables`."""
    text = PAGE.read_text("utf-8")
    assert page(text) == text


def test_every_difference_is_in_the_table_with_how_it_is_known() -> None:
    """Each reader has a row, each code a line, with a word on how it is known and what to do."""
    shown = PAGE.read_text("utf-8")
    assert f"| {UNSAID} |" not in shown
    assert all(f"| {profile.name} |" in shown for profile in PROFILES.values())
    for code, difference in DIFFERENCES.items():
        (line,) = (one for one in shown.splitlines() if one.startswith(f"| `{code}` |"))
        assert difference.mend in line
        assert "measured" in line or "read" in line
