# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that cannot all hold are said in one sentence, with sizes that matter and a fix."""

from __future__ import annotations

from omi_physics_joint.model.wording.shortcomings import (
    ALONE,
    TOGETHER,
    cannot_hold,
    not_followed,
    only_roughly,
)
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


def test_what_is_not_exact_is_said_with_names_and_frames() -> None:
    """In how many frames, at which rate, and what to do about it."""
    assert only_roughly(["A"], "in 2 frames") == "Only roughly computed in 2 frames: A"
    because = "Only roughly computed in 2 frames, as they cannot all hold: A and B"
    assert only_roughly(["A", "B"], "in 2 frames", lost=True) == because
    assert not_followed(["A", "B"], 60.0, 1, "Play slower") == (
        "What pushes A and B is too stiff to be followed at 60 frames a second: "
        "it gave way otherwise in 1 frame",
        "Play slower, or make springs, drives and stops softer",
    )
