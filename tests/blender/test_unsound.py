# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that hold nothing, for want of a body or of sensible bounds, look so and say why."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from omi_physics_joint.blender.check.fixes import promise
from omi_physics_joint.blender.handles.places import placed_handles
from omi_physics_joint.blender.interface import signals
from omi_physics_joint.blender.joints.parts import fault_of
from omi_physics_joint.blender.overlay.drawn_joints import REST, DrawnJoints
from omi_physics_joint.drawing.picture import Parts
from omi_physics_joint.drawing.strokes import Role
from tests.scenes import door, issues, select


def roles() -> tuple[bool, bool]:
    """Return whether joints are drawn as broken ones, and whether with a value."""
    bpy.context.view_layer.update()
    seen = DrawnJoints()
    seen.refresh(bpy.context.scene, bpy.context.view_layer)
    colours = np.zeros((4, len(Role), 4), np.float32)
    colours[:, :, 0] = np.arange(len(Role))
    lines = seen.picture(REST, seen.visible, Parts(), colours).lines.values()
    shown = {round(float(role)) for batch in lines for role in batch.colours[:, 0]}
    return Role.BROKEN in shown, Role.VALUE in shown


@pytest.mark.parametrize(
    "lost", ["Door", "Frame", "parent", "no body", "same body", "bounds", "nothing"]
)
def test_joints_that_hold_nothing_are_drawn_as_broken_ones(lost: str) -> None:
    """Without one of its bodies, or with its minimum above its maximum, a joint looks so."""
    frame, leaf, joint = door()
    data = joint.omi_physics_joint
    select(joint)
    assert roles() == (False, True)
    assert len(placed_handles(joint, frame=False)) == 2
    if lost == "bounds":
        data.settings.limits[2].angular_min = 3.0
    elif lost == "no body":
        frame.omi_physics_body.is_body = False
        signals.signals.structure += 1
    elif lost == "same body":
        data.connected_body = leaf
    elif lost == "parent":
        joint.parent = None
    elif lost == "nothing":
        data.connected_body = None
    else:
        with bpy.context.temp_override(selected_objects=[bpy.data.objects[lost]]):
            bpy.ops.object.delete()
    joint = bpy.data.objects["Door Hinge"]
    assert roles() == (True, False)
    assert fault_of(joint, bpy.context.scene) == {
        "Door": "Door is in no scene: deleted, joined into another object or not copied along",
        "parent": "No body",
        "Frame": "Frame is in no scene: deleted, joined into another object or not copied along",
        "no body": "Frame is no physics body",
        "same body": "Both sides are Door",
        "bounds": "Minimum above maximum",
        "nothing": "No second body",
    }.get(lost)
    dragged = {"bounds": 2, "no body": 2, "same body": 2}.get(lost, 0)
    assert len(placed_handles(joint, frame=False)) == dragged


def test_a_limit_whose_bounds_are_reversed_is_swapped_by_fix() -> None:
    """The error in Check has a Fix, which says what it does, and the joint is drawn whole again."""
    _, _, joint = door()
    item = joint.omi_physics_joint.settings.limits[2]
    item.angular_min, item.angular_max = 2.0, 0.5
    assert issues()["limit-reversed"] == "error"
    assert promise("limit-reversed", joint) == "Fix: swap minimum and maximum"
    found = bpy.context.window_manager.omi_physics_joint.issues
    (index,) = [number for number, one in enumerate(found) if one.code == "limit-reversed"]
    bpy.ops.omi_joint.issue_fix("EXEC_DEFAULT", True, index=index)
    assert (item.angular_min, item.angular_max) == (0.5, 2.0)
    assert "limit-reversed" not in issues()
    assert roles() == (False, True)
