# SPDX-License-Identifier: GPL-3.0-or-later
"""Fix of one of two: what stands in a scene twice is told of twice, and mended one by one.

Scenes are those of ``faults``, each with a copy of all that is in it some way off; the joints of
both share their settings, as copies do.
"""

from __future__ import annotations

import bpy
import pytest
from mathutils import Vector

from omi_physics_joint.blender.bridge.read_settings import settings_of
from tests.blender.faults import accelerated
from tests.blender.stored import stored
from tests.blender.test_fix_of_each_code import SCENES, Told, told

SHARED = {"reversed_range", "narrow", "motor_at_bound", "idle_limit", "accelerated"}
"""Where the fault is in the settings that both share: told once, and mended for both."""
WHOLE = {"separated_part"}
"""Where the name of a copy says no more what it was separated from."""


def copied() -> dict[str, str]:
    """Copy all there is, and return the name of each copy."""
    for obj in bpy.context.scene.objects:
        obj.select_set(True)
        obj["original"] = obj.name
    bpy.ops.object.duplicate()
    copies = list(bpy.context.selected_objects)
    for copy in copies:
        copy.select_set(False)
        if copy.parent is None:
            copy.location += Vector((60.0, 5.0, 0.0))
    bpy.context.view_layer.update()
    return {copy["original"]: copy.name for copy in copies}


def press(code: str, name: str) -> None:
    """Press Fix of a line of the list."""
    lines = bpy.context.window_manager.omi_physics_joint.issues
    index = next(i for i, one in enumerate(lines) if (one.code, one.object_name) == (code, name))
    assert bpy.ops.omi_joint.issue_fix(index=index) == {"FINISHED"}


def of_the(names: list[str]) -> list[object]:
    """Return what is stored of some objects, and what their joints say."""
    state = stored()
    joints = (bpy.data.objects[one] for one in names if one in bpy.context.scene.objects)
    said = [settings_of(one) for one in joints if one.omi_physics_joint.settings is not None]
    return [*(state.get(f"'{name}'") for name in names), *said]


@pytest.mark.parametrize("scene", sorted(SCENES.keys() - WHOLE))
def test_fix_of_one_leaves_the_other(scene: str) -> None:
    """The copy is mended; the other stays as it is and told of, and is mended then."""
    code, make = SCENES[scene]
    make()
    copies = copied()
    sides = [list(copies), list(copies.values())]
    before, was = told(), of_the(sides[0])
    named = [sorted(one for one in told_of(code, before) if one in side) for side in sides]
    if scene in SHARED:
        assert [len(one) for one in named] == [1, 0]
        press(code, named[0][0])
        assert not told_of(code, told())
        return
    assert named[0]
    assert sorted(copies[one] for one in named[0]) == named[1]
    left, one = named[0][0], named[1][0]
    press(code, one)
    now = told()
    assert (code, one) not in now
    if scene == "second_body_unlinked":  # both copies have lost the same one
        assert (code, left) not in now
        return
    assert (code, left) in now
    assert of_the(sides[0]) == was
    press(code, left)
    assert (code, left) not in told()


def told_of(code: str, found: Told) -> list[str]:
    """Return of whom something is told."""
    return [name for one, name in found if one == code]


def test_drives_that_shared_their_settings_are_weighed_each_by_what_it_moves() -> None:
    """Of two doors alike, one three times as heavy, it gets three times the spring, in one go."""
    accelerated()
    hinges = [one for pair in copied().items() for one in pair if one.startswith("Door Hinge")]
    bodies = (bpy.data.objects[one].omi_physics_body for one in ("Door", "Door.001"))
    light, heavy = bodies
    heavy.mass = 3.0 * light.mass
    told()
    press("godot-acceleration", hinges[0])
    drives = [settings_of(bpy.data.objects[one]).drives[0] for one in hinges]
    for field, old in (("stiffness", 30.0), ("damping", 2.0)):
        less, more = (getattr(one, field) for one in drives)
        assert less != old
        assert more == pytest.approx(3.0 * less, rel=1e-4)
