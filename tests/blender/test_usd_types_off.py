# SPDX-License-Identifier: GPL-3.0-or-later
"""What the USD exporter leaves out for its type is told of as that."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from scenes import door, select

from omi_physics_joint.blender.usd_hooks import HAS_USD
from omi_physics_joint.usd.stage import is_available


@pytest.mark.parametrize("chosen", ["all", "none"])
def test_a_body_whose_type_is_off_is_told_of_as_that(tmp_path: Path, chosen: str) -> None:
    """It is not for want of being selected, where all or nothing is."""
    if not (HAS_USD and is_available()):
        pytest.skip("this Blender has no USD, or no pxr")
    objects = door()
    bpy.ops.object.select_all(action="DESELECT")
    if chosen == "all":
        select(*objects)
    bpy.ops.wm.usd_export(filepath=str(tmp_path / "off.usda"), export_meshes=False)
    issues = bpy.context.window_manager.omi_physics_joint.issues
    (told,) = (one for one in issues if one.code == "partner-left-out")
    assert "selected" not in told.message
    assert "Meshes" in told.fix
