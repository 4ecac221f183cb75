# SPDX-License-Identifier: GPL-3.0-or-later
"""What is told of motion: who touched whom, and what gave way."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from omi_physics_joint.library.motion.noted import Touched
from omi_physics_joint.library.motion.recorded_motion import RecordedMotion
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.solver import Options, SoftLocks
from tests.awkward import elsewhere
from tests.model.test_sagging import PIN, hanging

FRAMES = ({(0, 1): 2.0}, {(0, 1): 3.0, (1, 2): 9.0}, {(0, 1): 1.0, (-2, 2): 4.0})
"""N between bodies, by their nodes, in three frames."""
NAMES = {0: "Table", 1: "Book", 2: "Cup"}


def test_those_that_pressed_hardest_come_first() -> None:
    """With how long, how hard at most, and how hard at last, of as many as are asked for."""
    touched = Touched()
    for frame in FRAMES:
        forces = {pair: np.array((0.0, force, 0.0)) for pair, force in frame.items()}
        touched.note(SimpleNamespace(pressed=lambda forces=forces: forces))
    told = [
        (*one["bodies"], one["frames"], one["force"], one["last"])
        for one in touched.document(NAMES)
    ]
    assert told == [
        ("Cup", "Book", 1, 9.0, 0.0),
        ("Cup", "(floor)", 1, 4.0, 4.0),
        ("Book", "Table", 3, 3.0, 1.0),
    ]
    first, rest = touched.lines(NAMES, 1)
    assert first == "Cup touches Book in 1 frame, with 9 N at most, 0 N at last"
    assert rest == "2 pairs more that touch, less hard"


@pytest.mark.parametrize("most", range(5))
@pytest.mark.parametrize("count", range(4))
def test_what_is_left_out_is_counted_and_nothing_else(count: int, most: int) -> None:
    """Of as many pairs as are asked for none is left out; where nothing touches that is said."""
    touched = Touched()
    pairs = [(0, 1), (0, 2), (1, 2)][:count]
    forces = {pair: np.array((0.0, 1.0, 0.0)) for pair in pairs}
    touched.note(SimpleNamespace(pressed=lambda: forces))
    lines = list(touched.lines(NAMES, most))
    assert sum(" touches " in line for line in lines) == min(count, most)
    left = {1: ["1 pair more"], 2: ["2 pairs more"], 3: ["3 pairs more"]}.get(count - most, [])
    ends = ["nothing touches"] if not count else [f"{one} that touch, less hard" for one in left]
    assert lines[min(count, most) :] == ends


@pytest.mark.parametrize("locks", [SoftLocks.AUTOMATIC, SoftLocks.LITERAL])
def test_soft_limits_that_are_held_are_not_told_as_soft(locks: SoftLocks) -> None:
    """A weight on 0.3 N/m is held, unless it is asked to fall."""
    pinned = hanging(PIN)
    aside = replace(pinned.nodes[1], world=compose((0.5, 0.25, 0.0)))
    pinned = replace(pinned, nodes=(pinned.nodes[0], aside, *pinned.nodes[2:]))
    motion = RecordedMotion(elsewhere(Contents(pinned)).mechanism, Options(soft_locks=locks), 60.0)
    for _ in range(10):
        motion.advance()
    assert ("Pin, soft" in "".join(motion.summary())) is (locks is SoftLocks.LITERAL)


@pytest.mark.parametrize("most", [0.0, 0.1])
def test_only_soft_locks_are_said_to_give_way(most: float) -> None:
    """A soft range that is passed as far is an overshoot, and no lock that did not hold."""
    soft = replace(PIN, min=-most, max=most, stiffness=25.0)
    motion = RecordedMotion(hanging(soft), Options(soft_locks=SoftLocks.LITERAL), 60.0)
    for _ in range(25):
        motion.advance()
    (joint,) = motion.document()["joints"].values()
    assert joint["overshoot"] > 0.2
    given = [issue for issue in motion.issues if issue.code == "soft-lock-gave-way"]
    assert [issue.where for issue in given] == ["Pin"] * (most == 0.0)
