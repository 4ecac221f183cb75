# SPDX-License-Identifier: GPL-3.0-or-later
"""What each option of an operator changes, as an approved text beside what is done without it."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import Any

import bpy

from tests.approved import approved
from tests.blender.stored import Stored, changes, stored
from tests.blender.test_redo import CASES, Case
from tests.blender.test_redo import changes as options_of
from tests.layouts import said
from tests.redo import press

MOST = 3
"""Things that are named of those that one option changes; the rest is counted."""


def result(case: Case, change: dict[str, Any]) -> tuple[set[str], Stored]:
    """Press the button of a case with an option, and return what is stored then."""
    bpy.ops.wm.read_homefile(use_empty=True)
    with contextlib.redirect_stdout(io.StringIO()):
        case.scene()
        bpy.context.view_layer.update()
        done = press(case.identifier, **{**case.options, **change})
    return done, stored()


def in_lines(case: Case) -> Iterator[str]:
    """Yield what is another with each option than without."""
    first, *others = options_of(case)
    _, usual = result(case, first)
    found: dict[tuple[str, ...], list[str]] = {}
    for change in others:
        done, other = result(case, change)
        told = " ".join(f"{name} {said(one)}" for name, one in change.items())
        lines = changes(usual, other) if done == {"FINISHED"} else ["refused"]
        lines.sort(key=lambda line: (line[0] == "-", line[:9] == "selection", line[0] != "+"))
        rest = [f"and {len(lines) - MOST} more"] * (len(lines) > MOST)
        found.setdefault((*lines[:MOST], *rest), []).append(told)
    for lines, those in found.items():
        yield f"{', '.join(those)}:{'' if lines else ' the same'}"
        yield from (f"  {line}" for line in lines)


def by_case(cases: list[Case]) -> dict[str, list[str]]:
    """Return what options change by a sentence about what is pressed."""
    found = {}
    for case in cases:
        lines = list(in_lines(case))
        if lines:
            options = "".join(f" {name} {said(one)}" for name, one in case.options.items())
            found[f"{case.identifier}{options}. {case.scene.__doc__}"] = lines
    return found


def test_options_of_new_joints() -> None:
    """Each option of Add Joint has the effect that somebody has read."""
    new = [case for case in CASES if case.identifier == "omi_joint.create"]
    approved("options_of_new_joints.txt", by_case(new))


def test_options_of_other_operators() -> None:
    """Each option in a redo box has the effect that somebody has read."""
    others = [case for case in CASES if case.identifier != "omi_joint.create"]
    approved("options_of_others.txt", by_case(others))
