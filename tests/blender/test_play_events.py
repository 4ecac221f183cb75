# SPDX-License-Identifier: GPL-3.0-or-later
"""What may pass to Blender while joints play, and what the panel shows meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import pytest
from scenes import door

from omi_physics_joint.blender.play.settings_copy import SettingsCopy
from omi_physics_joint.blender.play.viewport.events import RegionAt, turns_view


@dataclass(frozen=True)
class Turning:
    """An event of a 3D mouse; Blender makes events by itself only."""

    type: str = "NDOF_MOTION"


@dataclass(frozen=True)
class Region:
    """A region with the view of the 3D view; without a window Blender's own has none."""

    data: bpy.types.RegionView3D


def view() -> RegionAt:
    """Return the 3D view of the window."""
    area = next(one for one in bpy.context.window.screen.areas if one.type == "VIEW_3D")
    return RegionAt(area, Region(area.spaces.active.region_3d))


@pytest.mark.parametrize("perspective", ["PERSP", "CAMERA"])
@pytest.mark.parametrize("locked", [True, False])
def test_a_camera_that_is_locked_to_the_view_does_not_follow_the_mouse(
    locked: bool, perspective: str
) -> None:
    """To look around is let through, unless that moves the camera, which is an edit."""
    place = view()
    place.area.spaces.active.lock_camera = locked
    place.region.data.view_perspective = perspective
    moves_camera = locked and perspective == "CAMERA"
    assert turns_view(bpy.context, Turning(), place) != moves_camera


def test_settings_are_lent_for_a_while_only() -> None:
    """What is changed while it plays goes to the scene; the window manager keeps nothing."""
    door()
    own = bpy.context.scene.omi_physics_preview
    own.speed = 0.5
    copied = SettingsCopy(bpy.context.scene)
    assert copied.copy.speed == 0.5
    copied.copy.speed = 2.0
    assert own.speed == 0.5
    assert copied.write_back()
    assert own.speed == 2.0
    shown = bpy.context.window_manager.omi_physics_preview
    names = [prop.identifier for prop in shown.bl_rna.properties if prop.identifier != "rna_type"]
    assert [name for name in names if shown.is_property_set(name)] == []
    again = SettingsCopy(bpy.context.scene)
    assert again.copy.speed == 2.0
    assert not again.write_back()
