# SPDX-License-Identifier: GPL-3.0-or-later
"""Check and export, from the sidebar."""

from __future__ import annotations

from pathlib import Path

import bpy
from window.sight import Waiting, area_of, rect_of, rect_of_view
from window.steps import Ui, step

from .scenes import hinged_door, matrices


@step(hinged_door)
def check_button(ui: Ui) -> Waiting:
    """The button Check Joints says what it found, in the sidebar only."""
    sidebar, outliner = rect_of("VIEW_3D", "UI"), rect_of("OUTLINER", "")
    button = yield from ui.find("omi_joint.check")
    yield from ui.park()
    before = ui.look("before")
    yield from ui.click(*button)
    yield from ui.park()
    after = ui.look("checked")
    ui.state("there is a report", bool(bpy.context.window_manager.omi_physics_joint.title), True)
    ui.changed("the report in the sidebar", before, after, sidebar)
    ui.same("the outliner", before, after, outliner)


@step(hinged_door)
def export_dialog(ui: Ui) -> Waiting:
    """Export glTF... opens the dialog with our options; Esc closes it and nothing has changed."""
    view = rect_of_view()
    objects = matrices()
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
