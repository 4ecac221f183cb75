# SPDX-License-Identifier: GPL-3.0-or-later
"""The redo box: every operator, adjusted, does what it does when it is pressed so at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import radians
from pathlib import Path
from typing import Any

import bpy
import pytest
from mathutils import Vector

from omi_physics_joint.blender import CLASSES, addon_id
from omi_physics_joint.blender.bridge.write import new_settings
from omi_physics_joint.model.settings.recipes import weld
from tests.blender.everything import differences, everything
from tests.redo import adjust, press
from tests.scenes import box, joined, select, separated

PRESETS = Path(addon_id.__file__).parents[2] / "presets" / "omi_physics_joint"
FAR = Vector((0.3, -0.2, 0.5))


def moved(obj: bpy.types.Object) -> bpy.types.Object:
    """Put an object where no origin of the world hides a stale matrix."""
    obj.location += FAR
    obj.rotation_euler = (0.1, 0.2, 0.3)
    obj.scale = (1.0, 0.5, 1.5)
    bpy.context.view_layer.update()
    return obj


def pair() -> None:
    """Select a frame and a door."""
    select(moved(box("Frame")), moved(box("Door", (2.2, 0.0, 1.0))))


def several() -> None:
    """Select four links, the highest active."""
    links = [moved(box(f"Link {index}", (0.0, 0.0, -3.0 * index))) for index in (2, 0, 3, 1)]
    select(*links, links[1])


def one_joint() -> None:
    """Select a hinge of a door."""
    pair()
    frame, leaf = bpy.context.selected_objects
    joined("HINGE", bpy.data.objects["Frame"], bpy.data.objects["Door"], place="MIDDLE")
    assert {frame.name, leaf.name} == {"Frame", "Door"}


def apart() -> None:
    """Select a hinge whose joint was moved away."""
    one_joint()
    separated(bpy.context.object)
    bpy.context.object.location.x += 0.4
    bpy.context.view_layer.update()


def two_joints() -> None:
    """Select two pins of four that share their settings."""
    several()
    bpy.ops.omi_joint.create(kind="PIN", chain=True, place="MIDDLE")
    bpy.context.view_layer.update()
    select(*bpy.context.selected_objects[:2])


def two_kinds() -> None:
    """Select two joints that have different settings."""
    two_joints()
    other, active = bpy.context.selected_objects[:2]
    other.omi_physics_joint.settings = new_settings(weld())
    select(other, active)


def free_joint() -> None:
    """Select a hinge without a range."""
    pair()
    bpy.ops.omi_joint.create(kind="HINGE", use_range=False)


def no_partner() -> None:
    """Select a joint that has lost its second body, and the body that it needs."""
    one_joint()
    joint = bpy.context.object
    joint.omi_physics_joint.connected_body = None
    select(joint, bpy.data.objects["Frame"])


def bodies() -> None:
    """Select two bodies that differ, and a joint."""
    one_joint()
    joint = bpy.context.object
    select(joint, bpy.data.objects["Frame"], bpy.data.objects["Door"])


def scaled_bodies() -> None:
    """Select two bodies whose size is in their scale."""
    pair()
    for obj in bpy.context.selected_objects:
        obj.scale *= 1.7
    bpy.ops.omi_joint.body_add(type="dynamic")
    bpy.context.view_layer.update()


def rigid_bodies() -> None:
    """Select two rigid bodies of Blender and the constraint between them."""
    pair()
    holder = bpy.data.objects.new("Constraint", None)
    holder.location = (1.0, 0.5, 0.2)
    bpy.context.scene.collection.objects.link(holder)
    objects = [bpy.data.objects[name] for name in ("Frame", "Door", "Constraint")]
    bpy.ops.rigidbody.world_add()
    for obj in objects[:2]:
        select(obj)
        bpy.ops.rigidbody.object_add(type="ACTIVE" if obj.name == "Door" else "PASSIVE")
    select(holder)
    bpy.ops.rigidbody.constraint_add(type="HINGE")
    holder.rigid_body_constraint.object1, holder.rigid_body_constraint.object2 = objects[:2]
    select(*objects)
    bpy.context.view_layer.update()


def trigger_parts() -> None:
    """Select a trigger and one below it."""
    below, above = box("Part", (3.0, 0.0, 0.0)), box("Trigger")
    below.parent = above
    for obj in (below, above):
        obj.omi_physics_body.use_trigger = True
    select(below, above)


def checked() -> None:
    """Show what Check finds of a joint whose frames are apart."""
    apart()
    check("frames-apart")


def under_static() -> None:
    """Show what Check finds of a joint below the body that stands."""
    one_joint()
    for name, motion in (("Frame", "dynamic"), ("Door", "static")):
        bpy.data.objects[name].omi_physics_body.type = motion
    check("joint-under-static")


def check(code: str) -> None:
    """Check, and bring the issue of a code to the head of the list."""
    bpy.ops.omi_joint.check()
    issues = bpy.context.window_manager.omi_physics_joint.issues
    issues.move([issue.code for issue in issues].index(code), 0)


def posed() -> None:
    """Select a door that stands ajar."""
    one_joint()
    select(bpy.data.objects["Door"])
    bpy.ops.omi_joint.pose_zero()
    bpy.data.objects["Door"].rotation_euler.z += 0.01
    bpy.context.view_layer.update()


def simulated() -> None:
    """Show a frame of simulated motion."""
    one_joint()
    bpy.data.objects["Frame"].omi_physics_body.type = "dynamic"
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 8
    bpy.ops.omi_joint.simulate()
    bpy.context.scene.frame_set(5)


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
    found = {key: value for key, value in everything().items() if ".depsgraph." not in key}
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
