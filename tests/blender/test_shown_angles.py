# SPDX-License-Identifier: GPL-3.0-or-later
"""Angles in panels: as fine as handles and labels say them."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_joint.blender.create.operators import OMI_JOINT_OT_create
from omi_physics_joint.blender.data.limits import OMI_JOINT_PG_drive, OMI_JOINT_PG_limit
from omi_physics_joint.blender.posing.properties import OMI_JOINT_PG_pose
from omi_physics_joint.model.wording.words import DIGITS

GROUPS = (OMI_JOINT_PG_limit, OMI_JOINT_PG_drive, OMI_JOINT_PG_pose)


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
    assert all(one.precision >= 3 for one in found), OMI_JOINT_OT_create.bl_label


@pytest.mark.parametrize("group", [OMI_JOINT_PG_limit, OMI_JOINT_PG_drive, OMI_JOINT_PG_pose])
def test_fields_show_lengths_with_the_digits_that_are_said(group: type) -> None:
    """A field says 1.64', as the list and the sentence beside it do, and not 1.6'."""
    units = {"LENGTH", "VELOCITY", "ROTATION"}
    found = [one for one in group.bl_rna.properties if getattr(one, "unit", "") in units]
    assert any(one.unit == "LENGTH" for one in found)
    assert {one.identifier for one in found if one.precision != DIGITS} == set()


@pytest.mark.parametrize("name", ["create", "set_limit"])
def test_dialogs_show_lengths_with_the_digits_that_are_said(name: str) -> None:
    """The same holds where joints are made and limits set."""
    found = [
        one
        for one in getattr(bpy.ops.omi_joint, name).get_rna_type().properties
        if one.type == "FLOAT" and one.unit in {"LENGTH", "ROTATION"} and not one.is_array
    ]
    assert {one.identifier for one in found if one.precision != DIGITS} == set()
    assert len(found) >= 4
