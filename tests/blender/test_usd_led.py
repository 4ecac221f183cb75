# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that animations lead, in stages that Blender's exporter writes."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

from tests.blender.test_usd import codes, exported, with_usd
from tests.scenes import door

__all__ = ["with_usd"]


@pytest.mark.parametrize("above", [0, 1, 2])
@pytest.mark.parametrize("is_written", [False, True])
def test_a_led_body_that_the_file_does_not_move_is_named(
    is_written: bool, above: int, tmp_path: Path
) -> None:
    """Blender's exporter writes no animation unless it is told to; also of what is above a body."""
    frame, _, _ = door()
    frame.omi_physics_body.type = "kinematic"
    for index in range(above):
        root = bpy.data.objects.new(f"Root {index}", None)
        bpy.context.scene.collection.objects.link(root)
        frame.parent, frame = root, root
    for time, place in ((1, 0.0), (20, 2.0)):
        frame.location.x = place
        frame.keyframe_insert("location", frame=time)
    contents = exported(tmp_path / "led.usda", export_animation=is_written)
    assert ("body-not-led" in codes()) is not is_written
    assert bool(contents.led) is is_written
