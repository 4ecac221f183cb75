# SPDX-License-Identifier: GPL-3.0-or-later
"""What Fix says it did is so of one and of several, and of what slides as of what turns."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_joint.blender.check.fixes import FIXES
from tests.scenes import box, joined


@pytest.mark.parametrize("left", range(4))
@pytest.mark.parametrize("lost", [1, 2])
def test_all_lost_parts_are_taken_off_and_those_left_are_counted(left: int, lost: int) -> None:
    """Wherever they stand in the list."""
    gate = box("Gate")
    gate.omi_physics_body.use_trigger = True
    parts = [box(f"Part {at}", (3.0 * at, 3.0, 0.0)) for at in range(left + lost)]
    for part in parts:
        part.parent, part.omi_physics_body.use_trigger = gate, True
        gate.omi_physics_body.trigger.nodes.add().object = part
    for part in parts[::2][:lost] if left >= lost else parts[:lost]:
        with bpy.context.temp_override(selected_objects=[part]):
            bpy.ops.object.delete()
    said = FIXES["trigger-part-missing"].mend(gate)
    assert said == f"Gate has {left} part{'s' * (left != 1)} now."
    assert len(gate.omi_physics_body.trigger.nodes) == left
    assert all(one.object.users_collection for one in gate.omi_physics_body.trigger.nodes)


@pytest.mark.parametrize("kind", ["HINGE", "SLIDER"])
def test_a_motor_is_said_to_run_whatever_it_moves(kind: str) -> None:
    """A slider turns nothing."""
    joint = joined(kind, box("Frame"), box("Part", (3.0, 0.0, 0.0)), direction="GLOBAL_X")
    assert bpy.ops.omi_joint.change_drive(kind="MOTOR") == {"FINISHED"}
    block = joint.omi_physics_joint.settings
    freedom = "angular" if kind == "HINGE" else "linear"
    item = block.limits.add()
    item.freedom, item.axes = freedom, [axis == int(block.drives[0].axis) for axis in range(3)]
    item.use_min = item.use_max = True
    setattr(item, f"{freedom}_min", -1.0)
    setattr(item, f"{freedom}_max", 1.0)
    said = FIXES["motor-meets-bound"].mend(joint)
    assert said == f"The motor of {joint.name} runs without a range now."
