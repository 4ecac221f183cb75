# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on for Godot builds of a file, and says of it, is what Python has Godot told.

Each language is the other's specification. Nothing moves here: `make test-godot` does that too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from omi_physics_joint.model.mechanics.sagging import carried_rigidly
from tests.approved import approved

from .bodies import body_differences
from .files import Built
from .joints import joint_differences
from .lines import lines_of
from .odd_bodies import omissions, surfaces, trees
from .odd_documents import Json, backwards, write_odd
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


BY_ORDER = {
    "Materials and filters.": "a body in Godot has the material of its first shape",
    "Joints whose nodes are bodies, hold something, or are used by others.": "said of the first",
}
"""Where what comes first in a file counts."""


def test_the_order_of_nodes_in_a_file_means_nothing(
    look: Callable[[list[Path]], list[Built]], tmp_path: Path
) -> None:
    """Built from the last node to the first, it is the same scene, of which the same is said."""
    every = omissions() | surfaces() | trees() | joints() | animations() | pointers()
    assert {*BY_ORDER} <= {*every}
    files = {
        sentence: one
        for sentence, one in every.items()
        if sentence not in BY_ORDER and "GODOT_single_root" not in json.dumps(one)
    }
    (tmp_path / "backwards").mkdir()
    turned = {sentence: backwards(one) for sentence, one in files.items()}
    before = _lines(look, tmp_path, files)
    after = _lines(look, tmp_path / "backwards", turned)
    for sentence, lines in before.items():
        assert _unordered(lines) == _unordered(after[sentence]), sentence


def _unordered(lines: list[str]) -> list[str]:
    """Return lines, and what each of them lists, sorted and without numbers of nodes."""
    plain = (re.sub(r"(node |nodes/)\d+", r"\1N", line) for line in lines)
    return sorted(", ".join(sorted(re.split(r", |: ", line))) for line in plain)


def _lines(
    look: Callable[[list[Path]], list[Built]], folder: Path, files: Mapping[str, Json]
) -> dict[str, list[str]]:
    """Return what becomes of odd files, by the sentence that says what each is."""
    paths = write_odd(folder, files)
    made = look([*paths.values()])
    return {sentence: [*lines_of(one.made)] for sentence, one in zip(paths, made, strict=True)}
