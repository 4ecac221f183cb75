# SPDX-License-Identifier: GPL-3.0-or-later
"""A refusal names the data-block that is in the way, by its own name."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import pytest

from omi_physics_joint.blender.check import settings_fixes, since_joined
from omi_physics_joint.blender.joints.authoring import AuthoringError
from omi_physics_joint.blender.simulated.reading import SimulatedScene
from tests.scenes import box, door, select

MENDED = (
    settings_fixes.free_motor,
    settings_fixes.drop_idle_limits,
    settings_fixes.as_force,
    since_joined.grow_along,
)


@pytest.mark.parametrize("mend", MENDED, ids=lambda one: one.__name__)
def test_settings_that_are_animated_are_named(mend: Callable[[bpy.types.Object], str]) -> None:
    """They have keys, not the joints that share them: there a user would look in vain."""
    _, _, hinge = door(angle_min=0.0, angle_max=1.0)
    block = hinge.omi_physics_joint.settings
    block.name = "Shared by Doors"
    limit = block.limits[-1]
    limit.axes = (True, True, True)
    block.limits.add().freedom = "linear"
    block.limits[-1].linear_max = 0.5
    block.keyframe_insert("limits[0].angular_max", frame=1)
    hinge.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    with pytest.raises(AuthoringError, match=r"^Shared by Doors is animated: "):
        mend(hinge)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_what_is_told_of_several_leads_to_the_first_that_is_named(count: int) -> None:
    """A button beside it selects that one: the others may not even be in the text."""
    door()
    for number in range(count):
        select(box(f"Loose {number}", (9.0 * number, 9.0, 0.0)))
        assert bpy.ops.omi_joint.body_add(type="dynamic") == {"FINISHED"}
    simulated = SimulatedScene(bpy.context.scene, "ALL", ())
    (issue,) = [one for one in simulated.issues if one.code == "body-stays"]
    assert issue.node is not None
    assert simulated.name(issue.node) == "Loose 0"
    assert issue.where.startswith("Loose 0")
