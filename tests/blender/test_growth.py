# SPDX-License-Identifier: GPL-3.0-or-later
"""Twice as many joints take twice as many steps, not four times as many.

Steps are counted, not timed: lines of Python that run (Blender's exporter and importer left out),
and a step for each object where Blender is made to look at all of them.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import bpy
import pytest

from omi_physics_joint.blender.between_bodies.descendants import one_look
from omi_physics_joint.blender.data import scene
from omi_physics_joint.blender.joints.authoring import suit_size
from omi_physics_joint.blender.joints.parts import fault_of
from tests.scenes import select

LOOKS_AT_ALL = {"batch_remove", "user_map", "users_collection", "users_scene"}
"""Functions of Blender's that look at all objects once for each call."""
FEW = 24
ALLOWED = 2000
"""Steps that a function may take above twice as many; one for each joint and object is 10,000."""


class Steps:
    """Counts steps while it is entered."""

    def __init__(self) -> None:
        self._ours: dict[CodeType, bool] = {}
        self.where: Counter[str] = Counter()
        """By the name of a function."""

    def __enter__(self) -> Steps:
        sys.settrace(self._called)
        sys.setprofile(self._profiled)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        sys.setprofile(None)

    def _called(self, frame: FrameType, _event: str, _arg: object) -> Callable[..., Any] | None:
        code = frame.f_code
        if code not in self._ours:
            self._ours[code] = "io_scene_gltf2" not in code.co_filename
        return self._line if self._ours[code] else None

    def _line(self, frame: FrameType, event: str, _arg: object) -> Callable[..., Any]:
        if event == "line":
            self.where[frame.f_code.co_qualname] += 1
        return self._line

    def _profiled(self, frame: FrameType, event: str, arg: object) -> None:
        called = {"c_call": getattr(arg, "__name__", ""), "call": frame.f_code.co_name}
        if called.get(event) in LOOKS_AT_ALL:
            self.where[called[event]] += len(bpy.data.objects)


def pairs(count: int) -> list[tuple[bpy.types.Object, bpy.types.Object]]:
    """Make pairs of bodies that are empties above what is seen of them, side by side."""
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.mesh.primitive_cube_add()
    cube = bpy.context.object.data
    bpy.data.objects.remove(bpy.context.object)
    found = []
    for number in range(count):
        bodies = []
        for x, motion in ((0.0, "static"), (2.0, "dynamic")):
            body = bpy.data.objects.new(f"{motion} {number}", None)
            seen = bpy.data.objects.new(f"Seen {motion} {number}", cube)
            for obj in (body, seen):
                bpy.context.scene.collection.objects.link(obj)
            seen.parent, body.location = body, (x, 3.0 * number, 0.0)
            body.omi_physics_body.is_body = True
            body.omi_physics_body.type = motion
            seen.omi_physics_body.use_collider = True
            bodies.append(body)
        found.append((bodies[0], bodies[1]))
    bpy.context.view_layer.update()
    return found


def joints(count: int) -> list[bpy.types.Object]:
    """Make pairs with a joint each, and select all joints."""
    bodies, found = pairs(count), []
    block = bpy.data.node_groups.new("Weld", "OmiJointSettings")
    block.limits.add().axes = (True, True, True)
    for static, dynamic in bodies:
        joint = bpy.data.objects.new(f"Joint of {dynamic.name}", None)
        bpy.context.scene.collection.objects.link(joint)
        joint.parent, joint.location = dynamic, (-1.0, 0.0, 0.0)
        data = joint.omi_physics_joint
        data.is_joint, data.settings, data.connected_body = True, block, static
        found.append(joint)
    bpy.context.view_layer.update()
    select(*found)
    return found


def steps_of(press: Callable[..., set[str]], **options: object) -> Steps:
    """Press a button and return how many steps it took."""
    with Steps() as steps:
        done = press(**options)
    assert done == {"FINISHED"}
    return steps


def create(count: int, _folder: Path) -> Steps:
    """Join all bodies to one, in a chain."""
    bodies = [body for pair in pairs(count) for body in pair]
    select(*bodies)
    return steps_of(bpy.ops.omi_joint.create, kind="HINGE", chain=True)


def check(count: int, _folder: Path) -> Steps:
    """Check all joints, half of which are in another scene."""
    found, here = joints(count), bpy.context.scene.collection.objects
    other = bpy.data.scenes.new("Other").collection.objects
    for joint in found[::2]:
        other.link(joint)
        here.unlink(joint)
    return steps_of(bpy.ops.omi_joint.check)


def redraw(count: int, _folder: Path) -> Steps:
    """Say what is wrong with joints, as the list and the panels do."""
    with Steps() as steps:
        for joint in joints(count):
            fault_of(joint, bpy.context.scene)
    return steps


def remove(count: int, _folder: Path) -> Steps:
    """Remove all joints."""
    joints(count)
    return steps_of(bpy.ops.omi_joint.remove)


def separate(count: int, _folder: Path) -> Steps:
    """Give all joints second frames."""
    joints(count)
    return steps_of(bpy.ops.omi_joint.separate_frames)


def merge(count: int, _folder: Path) -> Steps:
    """Take all second frames away again."""
    joints(count)
    bpy.ops.omi_joint.separate_frames()
    return steps_of(bpy.ops.omi_joint.separate_frames, use_separate=False)


def import_file(count: int, folder: Path) -> Steps:
    """Import a file of joints."""
    made = len(joints(count))
    path = str(folder / f"{count}.glb")
    bpy.ops.export_scene.gltf(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    steps = steps_of(bpy.ops.import_scene.gltf, filepath=path)
    assert sum(obj.omi_physics_joint.is_joint for obj in bpy.data.objects) == made
    return steps


@pytest.mark.parametrize("action", [create, check, redraw, remove, separate, merge, import_file])
def test_steps_grow_with_joints(action: Callable[[int, Path], Steps], tmp_path: Path) -> None:
    """Twice as many joints among twice as many objects take about twice as many steps."""
    few, many = action(FEW, tmp_path), action(2 * FEW, tmp_path)
    more = many.where - few.where - few.where
    assert all(steps < ALLOWED for steps in more.values()), more.most_common(3)


def create_one() -> Steps:
    """Join two bodies of which each has another joint."""
    found = bpy.context.selected_objects
    select(*(joint.parent for joint in found[:2]))
    return steps_of(bpy.ops.omi_joint.create, kind="HINGE")


def flip_one() -> Steps:
    """Turn a joint round."""
    return steps_of(bpy.ops.omi_joint.flip)


def retype_one() -> Steps:
    """Make a hinge a slider."""
    return steps_of(bpy.ops.omi_joint.change_type, kind="SLIDER")


def remove_one() -> Steps:
    """Remove a joint that has a second frame of its own."""
    bpy.ops.omi_joint.separate_frames()
    return steps_of(bpy.ops.omi_joint.remove)


@pytest.mark.parametrize(
    ("action", "most"), [(create_one, 15), (flip_one, 0), (retype_one, 5), (remove_one, 14)]
)
def test_one_joint_takes_few_looks(action: Callable[[], Steps], most: int) -> None:
    """What is done to one joint looks at all objects once or twice, or not at all."""
    done, objects = [], []
    for count in (FEW, 2 * FEW):
        found = joints(count)
        bpy.ops.omi_joint.change_type(kind="HINGE")
        select(*found[: 2 if action is create_one else 1])
        done.append(action())
        objects.append(len(bpy.data.objects))
    more = done[1].where - done[0].where
    assert more.total() <= most * (objects[1] - objects[0]), more.most_common(3)


def test_an_active_joint_has_blender_build_nothing_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """The field of the first body follows without an update, at which Blender builds all anew."""
    (first, second), updates = joints(2), []
    monkeypatch.setattr(scene, "retargets", [lambda *_: updates.append(1)])
    for joint in (first, second, None):
        bpy.context.view_layer.objects.active = joint
        bpy.context.view_layer.update()
        followed = bpy.context.scene.omi_physics_joint.first_body
        assert followed == (joint and joint.parent)
    assert not updates


def test_one_look_sees_what_blender_sees() -> None:
    """The size of an empty body is that of what is below it, also where all were looked at once."""
    joint = joints(2)[0]
    sizes = []
    suit_size(joint)
    sizes.append(joint.empty_display_size)
    with one_look():
        suit_size(joint)
    sizes.append(joint.empty_display_size)
    assert sizes == pytest.approx([0.7, 0.7])
