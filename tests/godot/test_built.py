# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on for Godot builds of a file, and says of it, is what Python has Godot told.

Each language is the other's specification. Nothing moves here: `make test-godot` does that too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from omi_physics_joint.model.mechanics.sagging import carried_rigidly
from tests.approved import approved

from .bodies import body_differences
from .files import Built
from .joints import joint_differences
from .lines import lines_of
from .odd_bodies import omissions, surfaces, trees
from .odd_documents import Json, write_odd
from .odd_joints import animations, joints, pointers
from .said import said_by_addon, said_by_check

SHOWN = 20


def test_joints_hold_and_drive_what_files_say(cases: list[Built]) -> None:
    """Frames, sides, names of axes, kinds, bounds, drives and keys are as written for Godot."""
    found = [
        f"{one.path.name}: {said}"
        for one in cases
        for said in joint_differences(
            one.told, one.made, carried_rigidly(one.mechanism), as_told=one.is_for_godot
        )
    ]
    assert found[:SHOWN] == []


def test_bodies_weigh_and_start_as_files_say(cases: list[Built]) -> None:
    """Places, masses, centres, inertias, velocities and shapes are those of the mechanism."""
    found = [
        f"{one.path.name}: {said}"
        for one in cases
        for said in body_differences(
            one.mechanism if one.is_for_godot else one.told, one.made, points=one.points
        )
    ]
    assert found[:SHOWN] == []


def test_the_addon_says_what_check_says(cases: list[Built]) -> None:
    """Each warning of the add-on has its finding of Check, but where one of them knows more."""
    only_by_addon, only_by_check = set(), set()
    for one in cases:
        by_addon, by_check = said_by_addon(one.made["warnings"]), said_by_check(one)
        case = one.path.name.partition(".")[0]
        only_by_addon |= {f"{case}: {code}" for code, _ in by_addon - by_check}
        only_by_check |= {f"{case}: {code}" for code, _ in by_check - by_addon}
    approved(
        "godot_and_check.txt",
        {
            "The add-on says it of a case, and Check does not.": sorted(only_by_addon),
            "Check says it of a case, and the add-on does not.": sorted(only_by_check),
        },
    )


def test_odd_files_are_read_as_far_as_they_can_be(
    look: Callable[[list[Path]], list[Built]], tmp_path: Path
) -> None:
    """Defaults, older forms, triggers, filters, meshes and bones become what somebody has read."""
    approved("godot_bodies.txt", _lines(look, tmp_path, omissions() | surfaces() | trees()))


def test_odd_joints_and_animations_are_read_as_far_as_they_can_be(
    look: Callable[[list[Path]], list[Built]], tmp_path: Path
) -> None:
    """Joints with odd settings, and keys in every type of number, become what somebody has read."""
    approved("godot_joints.txt", _lines(look, tmp_path, joints() | animations() | pointers()))


def _lines(
    look: Callable[[list[Path]], list[Built]], folder: Path, files: Mapping[str, Json]
) -> dict[str, list[str]]:
    """Return what becomes of odd files, by the sentence that says what each is."""
    paths = write_odd(folder, files)
    made = look([*paths.values()])
    return {sentence: [*lines_of(one.made)] for sentence, one in zip(paths, made, strict=True)}
