# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers that are dragged: what Alt does to the other bound, and what it leaves when let go."""

from __future__ import annotations

import bpy
import pytest
from blender.mouse import handle
from scenes import box, joined

from omi_physics_joint.blender.bridge.write import new_settings
from omi_physics_joint.blender.dragging.begin import begin
from omi_physics_joint.model.joint import JointSettings, Limit


def test_the_other_bound_returns_when_alt_is_let_go() -> None:
    """While Alt is held both bounds move alike; without it the other one is where it was."""
    joint = joined("WELD", box("Frame"), box("Door", (2.0, 0.0, 0.0)))
    limit = Limit(angular_axes=(1,), min=-0.5, max=0.5)
    joint.omi_physics_joint.settings = new_settings(JointSettings("Range", (limit,)))
    item = joint.omi_physics_joint.settings.limits[0]
    drag = begin(bpy.context, joint, handle(joint, "max").handle)
    for value, mirror, low, high in (
        (0.9, True, -0.9, 0.9),
        (0.7, False, -0.5, 0.7),
        (0.2, True, -0.2, 0.2),
        (-0.8, False, -0.5, -0.5),
    ):
        drag.set(value, mirror=mirror)
        found = (item.angular_min, item.angular_max)
        assert found == pytest.approx((low, high)), (value, mirror)
