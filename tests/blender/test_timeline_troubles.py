# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run over the timeline says of joints that could not be met, at its end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_joint.blender.timeline import recording
from omi_physics_joint.blender.timeline.recording import troubles_told
from omi_physics_joint.library.motion.noted import RunTroubles
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.wording.words import metric
from omi_physics_joint.solver.report import IslandReport
from tests.blender.test_timeline import simulate
from tests.scenes import box, joined


def went(**troubles: Any) -> Any:
    """Return the report of a step that has nothing but these."""
    nothing = {"not_met": (), "first_order": (), "not_followed": (), "left_out": 0}
    return SimpleNamespace(**nothing | troubles)


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
    found = RunTroubles()
    for frame, apart in ((3, 0.25), (4, 0.5), (5, 0.125)):
        report = IslandReport((), (0, 1, 2), 1, 0, False, 0, (), off, apart, 0.0)
        found.note(went(not_met=[report]), frame)
    (issue,) = troubles_told(found, Mechanism(tuple(map(Node, "ABC"))), 24.0, metric)
    assert issue.message == f"{named} at this frame and 2 more: up to 0.5 m apart."


@pytest.mark.parametrize("floor", [False, True])
@pytest.mark.parametrize("wanted", [False, True])
@pytest.mark.parametrize("solid", [(), ("Frame",), ("Door",), ("Frame", "Weight")])
def test_that_nothing_touches_is_said_where_something_would(
    solid: tuple[str, ...], wanted: bool, floor: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what has no two colliders that may meet nothing is lost where the kernel is lacking."""
    monkeypatch.setattr(recording, "why_apart", lambda _: "A reason")
    bodies = {name: box(name, (4.0 * at, 0.0, 9.0)) for at, name in enumerate(("Frame", "Door"))}
    joined("HINGE", *bodies.values())
    bodies["Weight"] = box("Weight", (0.0, 9.0, 9.0))
    bodies["Weight"].omi_physics_body.is_body = True
    bodies["Weight"].omi_physics_body.type = "dynamic"
    for name, body in bodies.items():
        body.omi_physics_body.use_collider = name in solid
    scene = bpy.context.scene
    scene.omi_physics_preview.use_contacts, scene.omi_physics_preview.use_floor = wanted, floor
    scene.frame_start, scene.frame_end = 1, 2
    simulate()
    told = [one.code for one in bpy.context.window_manager.omi_physics_joint.issues]
    meet = len(solid) > 1 or (solid == ("Door",) and floor)
    assert ("contacts-lacking" in told) is (wanted and meet)
