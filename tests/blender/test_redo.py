# SPDX-License-Identifier: GPL-3.0-or-later
"""The redo box: every operator, adjusted, does what it does when it is pressed so at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import radians
from typing import Any

import bpy
import pytest

from omi_physics_joint.blender import CLASSES
from tests.blender.everything import differences, everything
from tests.blender.situations import (
    PRESETS,
    apart,
    bodies,
    checked,
    free_joint,
    no_partner,
    one_joint,
    pair,
    posed,
    rigid_bodies,
    scaled_bodies,
    several,
    simulated,
    trigger_parts,
    two_joints,
    two_kinds,
    under_static,
)
from tests.redo import adjust, press


@dataclass
class Case:
    """How an operator is pressed, and what else its fields can say."""

    identifier: str
    scene: Callable[[], None]
    options: dict[str, Any] = field(default_factory=dict)
    values: dict[str, list[Any]] = field(default_factory=dict)
    """Values for what is neither a switch nor a choice of which all are tried."""


DOOR = str(PRESETS / "Door.json")
RANGES = {
    "angle_min": [radians(-20.0)],
    "angle_max": [radians(120.0)],
    "distance_min": [-0.3],
    "distance_max": [1.5],
}
CASES = (
    Case("omi_joint.create", pair, {"kind": "HINGE"}, RANGES),
    Case("omi_joint.create", pair, {"kind": "SLIDER", "place": "BOX"}, RANGES),
    Case("omi_joint.create", pair, {"kind": "PIN", "active_motion": "static"}, RANGES),
    Case("omi_joint.create", several, {"kind": "PIN", "place": "MIDDLE"}, RANGES),
    Case("omi_joint.create", several, {"kind": "HINGE", "chain": True}, RANGES),
    Case("omi_joint.reaim", one_joint),
    Case("omi_joint.reaim", apart, {"direction": "GLOBAL_X"}),
    Case("omi_joint.reaim", two_joints, {"direction": "GLOBAL_X"}),
    Case("omi_joint.change_type", one_joint, {"kind": "SLIDER"}, RANGES),
    Case("omi_joint.change_type", two_joints, {"kind": "HINGE"}, RANGES),
    Case("omi_joint.change_drive", one_joint, {"kind": "SPRING"}),
    Case("omi_joint.flip", one_joint),
    Case("omi_joint.swap_sides", one_joint),
    Case("omi_joint.snap_frames", apart),
    Case("omi_joint.separate_frames", one_joint),
    Case("omi_joint.separate_frames", apart, {"use_separate": False}),
    Case("omi_joint.remove", one_joint),
    Case("omi_joint.connect", no_partner),
    Case("omi_joint.select_second_frame", apart),
    Case("omi_joint.select_mechanism", one_joint),
    Case(
        "omi_joint.select_joint",
        two_joints,
        {"object_name": "Link 2 Pin"},
        {"object_name": ["Link 3 Pin"]},
    ),
    Case("omi_joint.settings_new", one_joint),
    Case("omi_joint.list_edit", one_joint, {"target": "limits", "action": "ADD"}),
    Case("omi_joint.settings_copy", two_kinds),
    Case("omi_joint.set_limit", two_joints, {}, RANGES),
    Case("omi_joint.limit_range", free_joint),
    Case("omi_joint.body_add", bodies),
    Case("omi_joint.body_remove", bodies),
    Case("omi_joint.body_copy", bodies),
    Case(  # Custom begins with the density that was there
        "omi_joint.mass_from_volume", scaled_bodies, {}, {"material": ["STEEL"], "density": [700.0]}
    ),
    Case(
        "omi_joint.mass_from_volume",
        scaled_bodies,
        {"material": "CUSTOM", "density": 500.0},
        {"material": ["STEEL"], "density": [700.0]},
    ),
    Case("omi_joint.center_from_volume", scaled_bodies),
    Case("omi_joint.from_rigid_body", rigid_bodies),
    Case("omi_joint.trigger_parts", trigger_parts),
    Case("omi_joint.issue_select", checked, {"index": 0}),
    Case("omi_joint.issue_fix", checked, {"index": 0}),
    Case("omi_joint.issue_fix", under_static, {"index": 0}),
    Case("omi_joint.pose_zero", posed),
    Case("omi_joint.pose_reset", posed),
    Case("omi_joint.pose_rest", posed),
    Case("omi_joint.pose_key", posed),
    Case("omi_joint.simulate", one_joint),
    Case("omi_joint.go_to_rest", simulated),
    Case("omi_joint.free_cache", simulated),
    Case(
        "omi_joint.bake",
        simulated,
        {"use_all": False, "frame_start": 1, "frame_end": 8},
        {"frame_start": [3], "frame_end": [6], "step": [2], "tolerance": [0.01]},
    ),
    Case("omi_joint.preset_apply", one_joint, {"filepath": DOOR}),
    Case("omi_joint.preset_overwrite", two_joints, {"filepath": DOOR}),
)


def changes(case: Case) -> Iterator[dict[str, Any]]:
    """Yield each change that the redo box of an operator lets one make, and none at all."""
    yield {}
    module, name = case.identifier.split(".")
    properties = getattr(getattr(bpy.ops, module), name).get_rna_type().properties
    for prop in properties:
        if prop.identifier == "rna_type" or prop.is_hidden:
            continue  # the redo box does not show it
        if prop.type == "ENUM" and prop.identifier not in case.values:
            values = [item.identifier for item in prop.enum_items]
        elif prop.type == "BOOLEAN":
            values = [True, False]
        else:
            values = case.values.get(prop.identifier, [])
            assert values, f"{case.identifier} has no other value for {prop.identifier}"
        now = case.options.get(prop.identifier, prop.default)
        yield from ({prop.identifier: value} for value in values if value != now)


def result() -> dict[str, Any]:
    """Return the whole file, and what is selected."""
    found = everything(but="depsgraph")
    active = bpy.context.object
    found["active"] = active.name if active else ""
    found["selected"] = sorted(obj.name for obj in bpy.context.selected_objects)
    return found


def started(case: Case) -> None:
    """Build the scene of a case anew."""
    bpy.ops.wm.read_homefile(use_empty=True)
    case.scene()
    bpy.context.view_layer.update()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.identifier}-{case.scene.__name__}")
def test_adjusted_is_as_if_it_had_been_pressed_so(case: Case) -> None:
    """Adjusting any field of the last operator gives what pressing it with that value gives.

    A value that is refused leaves what was made before.
    """
    wrong = []
    for change in changes(case):
        started(case)
        at_once = press(case.identifier, **{**case.options, **change})
        expected = result()
        started(case)
        assert press(case.identifier, **case.options) == {"FINISHED"}
        if at_once == {"CANCELLED"}:
            expected = result()
        adjust(**change)
        different = differences(expected, result())
        wrong += [f"{change} ({at_once}): {line}" for line in different[:3]]
    assert wrong == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.identifier}-{case.scene.__name__}")
def test_one_undo_takes_back_what_was_pressed(case: Case) -> None:
    """Undo after an operator brings the scene before it, neither the one before that nor a part."""
    started(case)
    before = result()
    assert press(case.identifier, **case.options) == {"FINISHED"}
    bpy.ops.ed.undo()
    assert differences(before, result()) == []


def test_every_operator_that_can_be_adjusted_has_a_case() -> None:
    """An operator with a redo box stands in the table above."""
    found = set()
    for one in CLASSES:
        flags = getattr(one, "bl_options", set())
        is_operator = issubclass(one, bpy.types.Operator)
        if is_operator and "REGISTER" in flags and flags & {"UNDO", "UNDO_GROUPED"}:
            found.add(one.bl_idname)
    assert {case.identifier for case in CASES} == found
