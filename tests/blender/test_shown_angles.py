# SPDX-License-Identifier: GPL-3.0-or-later
"""Angles in panels: as fine as handles and labels say them."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_joint.blender.operators.create import OMI_OT_create
from omi_physics_joint.blender.properties.limits import OmiDrive, OmiLimit
from omi_physics_joint.blender.properties.pose import OmiPose

GROUPS = (OmiLimit, OmiDrive, OmiPose)


def angles(group: type) -> dict[str, bpy.types.FloatProperty]:
    """Return the angles of a class by name."""
    return {one.identifier: one for one in group.bl_rna.properties if one.subtype == "ANGLE"}


@pytest.mark.parametrize("group", GROUPS)
def test_half_degrees_are_shown(group: type) -> None:
    """Blender shows whole degrees for two digits: every angle asks for one more."""
    found = angles(group)
    assert found
    assert all(one.precision >= 3 for one in found.values()), sorted(found)


def test_half_degrees_are_shown_in_the_dialog() -> None:
    """The same holds where a joint is made."""
    found = [
        one
        for one in bpy.ops.omi_joint.create.get_rna_type().properties
        if one.type == "FLOAT" and one.subtype == "ANGLE"
    ]
    assert found
    assert all(one.precision >= 3 for one in found), OMI_OT_create.bl_label
