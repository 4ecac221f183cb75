# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that cannot all hold are said in one sentence, with sizes that matter and a fix."""

from __future__ import annotations

from omi_physics_joint.model.wording.contradiction import ALONE, TOGETHER, cannot_hold
from omi_physics_joint.model.wording.words import metric


def test_one_two_and_many() -> None:
    """One joint cannot hold, two cannot both, more cannot all; names beyond so many are counted."""
    assert cannot_hold(["A"], (0.004, 0.0), metric) == ("A cannot hold: up to 4 mm apart", ALONE)
    assert cannot_hold(["A", "B"], (0.0, 0.5), metric, when="in 3 frames") == (
        "A and B cannot both hold in 3 frames: up to 28.65\N{DEGREE SIGN} askew",
        TOGETHER,
    )
    message, _ = cannot_hold([*"ABCDE"], (0.02, 0.1), metric, most=3)
    assert message == (
        "A, B and 3 others cannot all hold: up to 0.02 m apart and 5.73\N{DEGREE SIGN} askew"
    )


def test_what_does_not_matter_is_not_told() -> None:
    """Rounding beside a real size is left out, and no size at all leaves the sentence whole."""
    message, _ = cannot_hold(["A", "B"], (0.05, 1e-8), metric)
    assert message == "A and B cannot both hold: up to 0.05 m apart"
    assert cannot_hold(["A", "B"], (0.0, 0.0), metric)[0] == "A and B cannot both hold"
