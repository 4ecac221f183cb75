# SPDX-License-Identifier: GPL-3.0-or-later
"""A body that is scaled to nothing along an axis is named, and stops nobody who looks."""

from __future__ import annotations

import bpy
import pytest
from scenes import box, issues, joined


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
