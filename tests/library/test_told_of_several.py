# SPDX-License-Identifier: GPL-3.0-or-later
"""What is told of motion counts what it leaves out, and says one of one and several of several."""

from __future__ import annotations

import json
from dataclasses import replace
from math import radians
from pathlib import Path
from types import SimpleNamespace

import pytest
from omi_documents import FIXED, settings_of

from omi_physics_joint import check
from omi_physics_joint.library.motion.noted import Beside, RunTroubles
from omi_physics_joint.library.motion.trying import TOLD, _ends
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.validate import SCENE
from omi_physics_joint.model.wording.words import metric
from omi_physics_joint.solver import JointDifference
from omi_physics_joint.solver.report import IslandReport

THREE = "'A' 90\N{DEGREE SIGN}, 'B' 89\N{DEGREE SIGN}, 'C' 88\N{DEGREE SIGN}"
NAMES = dict(enumerate("ABCDEF"))
FRAMES = ((0.25, 3), (0.5, 7), (0.125, 5))
"""How far joints were apart in m, and how many points of contact were left out."""


def away(count: int) -> list[JointDifference]:
    """Return differences of so many joints, the first one's the largest."""
    return [JointDifference(i, radians(90.0 - i), 0.0, True, False) for i in range(count)]


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (1, "'A' 90\N{DEGREE SIGN} ends"),
        (2, "'A' 90\N{DEGREE SIGN} and 'B' 89\N{DEGREE SIGN} end"),
        (
            TOLD + 1,
            f"{THREE} and 1 more joint end",
        ),
        (
            TOLD + 3,
            f"{THREE} and 3 more joints end",
        ),
    ],
)
def test_joints_that_end_elsewhere_are_named(count: int, words: str) -> None:
    """And pointed at where it is one alone: several are of the scene."""
    mechanism = Mechanism(tuple(map(Node, NAMES.values())))
    (issue,) = _ends(mechanism, SimpleNamespace(differences=lambda: away(count)), metric)
    assert issue.message == f"Moved as Godot moves, after 2 s {words} elsewhere."
    assert (issue.where, issue.node) == (("A", 0) if count == 1 else (SCENE, None))


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("count", range(5))
def test_joints_beside_the_exact_motion_are_counted(count: int, most: int) -> None:
    """Those that are not listed, and the most that each was away, in whichever frame."""
    beside = Beside.__new__(Beside)
    beside._exact = SimpleNamespace(retune=lambda _: None, step=lambda _: None)
    beside._most = {}
    for far in (0.5, 1.0, 0.25):
        found = [replace(one, angle=far * one.angle, distance=far) for one in away(count)]
        beside._comparison = SimpleNamespace(differences=lambda found=found: found)
        beside.advance(0.1, ())
    said = beside.document(NAMES)
    assert [one["distance"] for one in said.values()] == [1.0] * count
    lines = list(beside.lines(NAMES, most))
    assert sum(line.startswith("joint ") for line in lines) == min(count, most)
    left = {1: "1 joint more", 2: "2 joints more", 3: "3 joints more"}.get(count - most)
    ends = [f"{left}, less far from the exact motion"] if left else []
    assert lines[min(count, most) :] == (
        ends if count else ["no joint is elsewhere than in the exact motion"]
    )


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0)])
def test_the_worst_of_all_frames_is_told(order: tuple[int, ...]) -> None:
    """In whichever frame that was, and how often each happened."""
    troubles = RunTroubles()
    for frame in order:
        apart, lost = FRAMES[frame]
        island = IslandReport((), (0, 1), 1, 0, False, 0, (), (), apart, 0.0)
        stiff = [SimpleNamespace(unfollowed=(3,) if frame else (3, 4))]
        report = SimpleNamespace(
            not_met=[island], first_order=[], left_out=lost, not_followed=stiff
        )
        troubles.note(report)
    said = {one.code: one.message for one in troubles.issues((), NAMES, 3, 60.0)}
    assert said["motion-not-met"] == "A and B cannot both hold in 3 frames: up to 0.5 m apart."
    assert "7 points" in said["contacts-left-out"]
    assert "in 3 frames" in said["motion-not-followed"]


@pytest.mark.parametrize("reader", ["spec", "babylon", "godot"])
def test_angles_as_if_in_degrees_are_told_whoever_reads(reader: str) -> None:
    """Also who hears that a reader does not count so far: that is what comes of it, not why."""
    gltf = settings_of(FIXED, {"angularAxes": [2], "min": -90.0, "max": 45.0})
    found = [one.code for one in check(json.dumps(gltf).encode(), [reader])]
    assert found.count("angle-in-degrees") == 1
    assert ("godot-full-turn" in found) is (reader == "godot")


def test_angles_of_a_robot_as_if_in_degrees_are_told_once(tmp_path: Path) -> None:
    """In the words of its format, not also in those of the glTF file that it is read as."""
    limit = '<limit lower="-90" upper="90" effort="1" velocity="1"/>'
    ends = '<parent link="a"/><child link="b"/><axis xyz="0 0 1"/>'
    joint = f'<joint name="j" type="revolute">{ends}{limit}</joint>'
    path = tmp_path / "arm.urdf"
    path.write_text(f'<robot name="r"><link name="a"/><link name="b"/>{joint}</robot>', "utf-8")
    assert [one.code for one in check(path) if "degrees" in one.code] == ["urdf-degrees"]
