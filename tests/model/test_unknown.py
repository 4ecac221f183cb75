# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of articulations is found among members of others, whatever these are."""

from __future__ import annotations

import pytest

from omi_physics_joint.model.unknown import (
    EXCLUDED,
    ROOT,
    extras_in,
    members_in,
    saying,
    says,
)

ODD = ("", "{}", "null", "3", "true", '"text"', "[]", "[1]", '["extras"]', "{", "[" * 100_000)
ODD_EXTRAS = tuple(f'{{"extras": {text}, "x": 1}}' for text in ODD[1:9])
KINDS = pytest.mark.parametrize("text", [*ODD, *ODD_EXTRAS], ids=lambda text: text[:12])


@KINDS
def test_odd_members_say_nothing(text: str) -> None:
    """No text is a fault; what is no object has no members, and no extras."""
    members = members_in(text)
    assert members.get("x") == (1 if text in ODD_EXTRAS else None)
    assert extras_in(text) == {}
    assert not any(says(text, word) for word in (ROOT, EXCLUDED))


@KINDS
@pytest.mark.parametrize("word", [ROOT, EXCLUDED])
def test_odd_members_can_be_made_to_say_it(word: str, text: str) -> None:
    """Beside what they said; the other word stays unsaid."""
    made = saying(text, word)
    assert [one for one in (ROOT, EXCLUDED) if says(made, one)] == [word]
    assert {**members_in(text), "extras": {word: True}} == members_in(made)
