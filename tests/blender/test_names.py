# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender calls our classes: as the source does, and in a name space of our own."""

from __future__ import annotations

import bpy

STORED = {"OmiJointSettings", "OmiMotionCache"}
"""Types of data-blocks, which .blend files hold by these names."""


def ours(base: type = bpy.types.bpy_struct) -> dict[str, str]:
    """Return what Blender and the source call each class of ours."""
    found = {}
    for kind in base.__subclasses__():
        found |= ours(kind)
        if kind.__module__.startswith("omi_physics_joint.") and "bl_rna" in vars(kind):
            found[kind.bl_rna.identifier] = kind.__name__
    return found


def test_classes_are_called_as_in_the_source() -> None:
    """A name that Blender says, in a message or in modal_operators, is found in the source."""
    found = ours()
    assert len(found) > 100
    assert {name: source for name, source in found.items() if source != name} == {}


def test_names_claim_no_more_than_our_own() -> None:
    """Other add-ons of the OMI group may call theirs OMI_..., or Omi..."""
    assert {name for name in ours() if not name.startswith("OMI_JOINT_")} == STORED
