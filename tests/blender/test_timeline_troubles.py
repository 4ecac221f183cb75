# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run over the timeline says of joints that could not be met, at its end."""

from __future__ import annotations

import pytest

from omi_physics_joint.blender.timeline.recording import Troubles
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.wording.words import metric
from omi_physics_joint.solver.report import IslandReport


@pytest.mark.parametrize(
    ("off", "named"),
    [
        ((), "A, B and C cannot all hold"),
        ((2,), "C cannot hold"),
        ((2, 1), "C and B cannot both hold"),
    ],
)
def test_joints_that_are_off_are_named(off: tuple[int, ...], named: str) -> None:
    """Where it is known which; else all of their mechanism, with the worst of all frames."""
    said = Troubles(Mechanism(tuple(map(Node, "ABC"))), 24.0, metric)
    for frame, apart in ((3, 0.25), (4, 0.5), (5, 0.125)):
        report = IslandReport((), (0, 1, 2), 1, 0, False, 0, (), off, apart, 0.0)
        said.note(frame, [report], [])
    (issue,) = said.issues()
    assert issue.message == f"{named} at this frame and 2 more: up to 0.5 m apart."
