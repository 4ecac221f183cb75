# SPDX-License-Identifier: GPL-3.0-or-later
"""For whom a scene is: chosen in the sidebar, and what Check says then."""

from __future__ import annotations

import bpy
from window.sight import Waiting, rect_of
from window.steps import Ui, step

from .scenes import hinged_door

ROW, FIFTH = 26, 157
"""Pixels from the button of Check up to the one of the readers, and to the fifth of them."""


@step(hinged_door)
def another_reader(ui: Ui) -> Waiting:
    """The button of the readers opens them; a click on another one is what Check speaks of."""
    report = bpy.context.window_manager.omi_physics_joint
    options = bpy.context.scene.omi_physics_joint
    sidebar = rect_of("VIEW_3D", "UI")
    yield from ui.open_panel("check")
    x, y = yield from ui.find("omi_joint.check")
    yield from ui.click(x, y)
    yield from ui.park()
    before = ui.look("checked for Godot")
    usual = {issue.code for issue in report.issues}
    ui.state("the readers", set(options.readers), {"GODOT"})
    yield from ui.click(x, y - ROW)
    yield from ui.wait(0.5)
    ui.look("readers")
    yield from ui.click(x, y - FIFTH)
    yield from ui.park()
    ui.state("the readers after a click", set(options.readers), {"UNITY"})
    chosen = ui.look("chosen")
    ui.changed("the button of the readers", before, chosen, sidebar)
    yield from ui.click(x, y)
    yield from ui.park()
    ui.look("checked for Unity")
    found = {issue.code for issue in report.issues}
    ui.state("Godot is no longer spoken of", {c for c in found & usual if "godot" in c}, set())
    ui.state("Unity is spoken of", any(code.startswith("unity-") for code in found), True)
