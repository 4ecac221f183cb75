# SPDX-License-Identifier: GPL-3.0-or-later
"""What every operator refuses, says and changes in each situation, as approved texts."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import Any

import bpy
import pytest

from omi_physics_joint.blender import CLASSES, play
from tests.approved import approved
from tests.blender import situations as are
from tests.blender.situations import Situation
from tests.blender.stored import Stored, changes, stored

OURS = bpy.ops.omi_joint
WHERE = (
    are.nothing,
    are.pair,
    are.edited_mesh,
    are.one_joint,
    are.motored,
    are.two_joints,
    are.two_kinds,
    are.no_settings,
    are.alone,
    are.no_partner,
    are.apart,
    are.second_frame,
    are.linkage,
    are.bodies,
    are.plain_body,
    are.trigger_parts,
    are.rigid_bodies,
    are.checked,
    are.ajar,
    are.simulated,
)
NEEDED: dict[str, dict[str, Any]] = {
    "create": {"kind": "HINGE"},
    "change_drive": {"kind": "SPRING"},
    "change_type": {"kind": "SLIDER"},
    "list_edit": {"target": "drives", "action": "ADD", "freedom": "angular"},
    "preset_apply": {"filepath": str(are.PRESETS / "Drawer.json")},
    "preset_overwrite": {"filepath": str(are.PRESETS / "Drawer.json")},
    "select_joint": {"object_name": "Door Hinge"},
}
"""What buttons say to operators that cannot do without."""
LEVELS = ("Info: ", "Warning: ", "Error: ")
ELSEWHERE = {
    "help",
    "run",
    "import_robot",
    "export_robot",
    "preset_save",
    "move_mechanism",
    "play_guard",
}
"""They reach for files, browsers, views and windows: tests of their own have them."""
ON_JOINTS = ("joints", "create")


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    """Leave nothing playing behind."""
    yield
    play.stop()


def pressed(name: str, **options: Any) -> str:
    """Press a button and return what it says, or why it does nothing."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        try:
            done = getattr(OURS, name)("EXEC_DEFAULT", **options)
        except RuntimeError as refusal:
            return " ".join(str(refusal).partition("poll() ")[2].split() or str(refusal).split())
    reports = [line for line in told.getvalue().splitlines() if line.startswith(LEVELS)]
    return " ".join([*sorted(done - {"FINISHED"}), *reports]) or "Done, without a word."


def answers(names: list[str]) -> dict[str, list[str]]:
    """Return by operator what it says and changes in each situation, what is usual first."""
    found: dict[str, dict[str, list[str]]] = {name: {} for name in names}
    for situation in WHERE:
        before = built(situation)
        for name in names:
            text = pressed(name, **NEEDED.get(name, {}))
            changed = changes(before, stored())
            told = "\n".join([text, *(f"  {line}" for line in changed)])
            found[name].setdefault(told, []).append(situation.__name__)
            if changed:
                before = built(situation)
    return {
        f"{getattr(OURS, name).get_rna_type().name} (omi_joint.{name}).": list(in_lines(told))
        for name, told in found.items()
    }


def in_lines(told: dict[str, list[str]]) -> Iterator[str]:
    """Yield what was said and changed below the names of the situations."""
    usual = max(told, key=lambda what: len(told[what]))
    for what in sorted(told, key=lambda what: what != usual):
        answer, *changed = what.split("\n")
        elsewhere = "anywhere" if len(told) == 1 else "elsewhere"
        yield f"{elsewhere if what == usual else ', '.join(told[what])}: {answer}"
        yield from changed


def built(situation: Situation) -> Stored:
    """Build a situation anew and return what is stored."""
    play.stop()
    bpy.ops.wm.read_homefile(use_empty=True)
    with contextlib.redirect_stdout(io.StringIO()):
        situation()
    bpy.context.scene.frame_end = 8
    return stored()


def names_of(*, joints: bool) -> list[str]:
    """Return the operators that make joints and change them, or all others."""
    features = {getattr(one, "bl_idname", ""): one.__module__.split(".")[2] for one in CLASSES}
    names = [name for name in dir(OURS) if name not in ELSEWHERE]
    return [name for name in names if (features.get(f"omi_joint.{name}") in ON_JOINTS) is joints]


def test_operators_on_joints() -> None:
    """In each situation they refuse, say and change what somebody has read."""
    approved("operators_on_joints.txt", answers(names_of(joints=True)))


def test_operators_on_everything_else() -> None:
    """In each situation they refuse, say and change what somebody has read."""
    approved("operators_on_others.txt", answers(names_of(joints=False)))
