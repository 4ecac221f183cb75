# SPDX-License-Identifier: GPL-3.0-or-later
"""Check and export, from the sidebar."""

from __future__ import annotations

from pathlib import Path

import bpy
from window.sight import Waiting, area_of, rect_of, rect_of_view
from window.steps import Ui, step

from omi_physics_joint.blender.check.report import is_old

from .scenes import hinged_door, matrices, select


@step(hinged_door)
def check_button(ui: Ui) -> Waiting:
    """The button Check Joints says what it found, in the sidebar only."""
    sidebar, outliner = rect_of("VIEW_3D", "UI"), rect_of("OUTLINER", "")
    yield from ui.open_panel("check")
    button = yield from ui.find("omi_joint.check")
    yield from ui.park()
    before = ui.look("before")
    yield from ui.click(*button)
    yield from ui.park()
    after = ui.look("checked")
    ui.state("there is a report", bool(bpy.context.window_manager.omi_physics_joint.title), True)
    ui.changed("the report in the sidebar", before, after, sidebar)
    ui.same("the outliner", before, after, outliner)


def _is_old() -> bool:
    return is_old(bpy.context.window_manager.omi_physics_joint, bpy.context.scene)


@step(hinged_door)
def results_are_old_when_a_body_is_moved(ui: Ui) -> Waiting:
    """After Check the door is moved with G, after another one it is weighed: results are old."""
    sidebar = rect_of("VIEW_3D", "UI")
    door = bpy.data.objects["Door"]
    mass = door.omi_physics_body.mass
    select(door)
    yield from ui.calm()  # until then the editor does not know of an active object
    area_of("PROPERTIES").spaces.active.context = "PHYSICS"
    yield from ui.open_panel("check")
    button = yield from ui.find("omi_joint.check")
    yield from ui.click(*button)
    yield from ui.park()
    before = ui.look("checked")
    ui.state("results are old at first", _is_old(), False)
    yield from ui.rest_mouse()
    for key in ("g", "x", "0", "period", "4", "Return"):
        yield from ui.key(key)
    yield from ui.park()
    moved = ui.look("moved")
    ui.state("results are old when the door was moved", _is_old(), True)
    ui.changed("the line of results in the sidebar", before, moved, sidebar)
    yield from ui.click(*button)
    yield from ui.park()
    again = ui.look("checked again")
    ui.state("results are old when checked again", _is_old(), False)
    ui.changed("the line of results when checked again", moved, again, sidebar)
    x, y = yield from ui.find("omi_physics_body.mass", kind="PROPERTIES", part="WINDOW")
    yield from ui.drag((x, y), (x + 60, y))
    yield from ui.park()
    weighed = ui.look("weighed")
    ui.state("the mass is another one", door.omi_physics_body.mass != mass, True)
    ui.state("results are old when the door was weighed", _is_old(), True)
    ui.changed("the line of results when weighed", again, weighed, sidebar)


@step(hinged_door)
def export_dialog(ui: Ui) -> Waiting:
    """Export glTF... opens the dialog with our options; Esc closes it and nothing has changed."""
    view = rect_of_view()
    objects = matrices()
    yield from ui.open_panel("export")
    button = yield from ui.find("export_scene.gltf")
    yield from ui.park()
    before = ui.look("before")
    yield from ui.click(*button)
    yield from ui.wait(1.0)
    yield from ui.calm()
    opened = ui.look("dialog")
    browser = area_of("FILE_BROWSER")
    ui.state("a file browser is open", browser is not None, True)
    where = rect_of("FILE_BROWSER", "") if browser else view
    ui.changed("the dialog", before, opened, where)
    if browser:
        yield from ui.point(*where.middle)
        yield from ui.key("Escape")
        yield from ui.wait(0.5)
    yield from ui.park()
    closed = ui.look("closed")
    ui.state("the file browser is gone", area_of("FILE_BROWSER"), None)
    ui.state("objects stay", matrices(), objects)
    ui.same("the 3D view after Esc", before, closed, view)


@step(hinged_door)
def export_a_file(ui: Ui) -> Waiting:
    """The dialog's own button writes a file that holds the joint, and closes the dialog."""
    view = rect_of_view()
    objects = matrices()
    target = Path(bpy.data.filepath).with_suffix(".glb")
    target.unlink(missing_ok=True)
    yield from ui.open_panel("export")
    button = yield from ui.find("export_scene.gltf")
    yield from ui.park()
    before = ui.look("before")
    yield from ui.click(*button)
    yield from ui.until(lambda: area_of("FILE_BROWSER") is not None, 5.0)
    yield from ui.calm()
    opened = ui.look("dialog")
    ui.changed("the dialog", before, opened, view)
    if area_of("FILE_BROWSER"):
        yield from ui.press("file.execute", kind="FILE_BROWSER", part="EXECUTE")
        yield from ui.until(target.exists)
    yield from ui.park()
    closed = ui.look("exported")
    written = target.read_bytes() if target.exists() else b""
    ui.state("the file holds the joint", b"OMI_physics_joint" in written, True)
    ui.state("the file browser is gone", area_of("FILE_BROWSER"), None)
    ui.state("objects stay", matrices(), objects)
    ui.same("the 3D view", before, closed, view)
