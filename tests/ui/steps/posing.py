# SPDX-License-Identifier: GPL-3.0-or-later
"""Posing a mechanism through its joints, without simulating."""

from __future__ import annotations

from math import degrees

import bpy
from window.sight import Waiting, rect_of, rect_of_view
from window.steps import Ui, step

from .scenes import bounds, hinged_door, matrices


def _turned() -> float:
    """Return by how many degrees the door is open."""
    return abs(degrees(bpy.data.objects["Door"].matrix_world.to_euler().z))


@step(hinged_door)
def drag_a_pose_slider(ui: Ui) -> Waiting:
    """The slider of a joint opens the door inside its limits; Ctrl+Z closes it, bit by bit."""
    view, outliner = rect_of_view(), rect_of("OUTLINER", "")
    objects = matrices()
    yield from ui.open_panel("pose")
    x, y = yield from ui.find("omi_physics_pose", "_share")
    yield from ui.park()
    before = ui.look("before")
    yield from ui.drag((x, y), (x + 40, y))
    yield from ui.park()
    after = ui.look("dragged")
    low, high = bounds()
    angle = _turned()
    ui.state(f"the door is open by {angle:.1f}", 1.0 < angle <= high - low + 0.01, True)
    ui.state("the frame stays", matrices()["Frame"], objects["Frame"])
    ui.changed("the door in the 3D view", before, after, view)
    ui.same("the outliner", before, after, outliner)
    yield from ui.key_in_view("ctrl+z")
    undone = ui.look("undone")
    ui.state("matrices after Ctrl+Z", matrices(), objects)
    ui.same("the 3D view after Ctrl+Z", before, undone, view)
