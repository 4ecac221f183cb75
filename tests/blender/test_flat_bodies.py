# SPDX-License-Identifier: GPL-3.0-or-later
"""A body that is scaled to nothing along an axis is named, and stops nobody who looks."""

from __future__ import annotations

from itertools import product

import bpy
import numpy as np
import pytest
from scenes import box, issues, joined

from omi_physics_joint.blender.between_bodies.forms import FittedBox


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("which", ["Frame", "Door"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_check_names_what_is_flat(axis: int, which: str, when: str) -> None:
    """Whether it was so as it was joined or became so; an endless error hid all findings."""
    frame, leaf = box("Frame"), box("Door", (2.0, 0.0, 0.0))
    if when == "after":
        joined("HINGE", frame, leaf)
    bpy.data.objects[which].scale[axis] = 0.0
    bpy.context.view_layer.update()
    if when == "before":
        joined("HINGE", frame, leaf)
    assert "body-flat" in issues()


@pytest.mark.parametrize("half", [*product((0.0, 0.004, 1.0), repeat=3)])
def test_what_has_no_width_is_no_plate(half: tuple[float, ...]) -> None:
    """A line and a point are thin along more than one direction, however thin that is."""
    sizes = sorted(half, reverse=True)
    box = FittedBox(np.eye(3), np.zeros(3), np.array(sizes))
    assert box.is_plate() is (sizes[1] > 0.0 and sizes[2] < 0.01 * sizes[1])
    assert box.is_bar is (sizes[1] < sizes[0] or not sizes[0])
