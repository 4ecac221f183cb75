# SPDX-License-Identifier: GPL-3.0-or-later
"""What engines are judged by."""

from __future__ import annotations

from math import degrees

from benchmarks.godot.cases import chosen
from benchmarks.godot.judging import DEGREES, Course, apart, ours

SECONDS = 0.05


def test_a_motor_that_no_frame_follows_loses_nothing() -> None:
    """Engines are judged by a motion that has its speed at once, not half an output step late."""
    case = chosen(("fast motor",))["fast motor"]
    found = ours(case, SECONDS)
    speed = case.mechanism.settings[0].drives[0].velocity_target
    assert speed is not None
    rest = {name: Course(one.start, one.start) for name, one in found.items()}
    assert abs(apart(rest, found).degrees - degrees(speed * SECONDS)) < 0.5 * DEGREES
