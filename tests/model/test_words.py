# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of names as people read them."""

from __future__ import annotations

from omi_physics_joint.model.wording.words import some


def test_many_names_are_cut_short() -> None:
    """As many names as wanted are told, and how many others there are."""
    assert some(["A", "B", "C"], 3) == "A, B and C"
    assert some(["A", "B", "C", "D"], 3) == "A, B and 2 others"
    assert some(["A"], 3) == "A"
