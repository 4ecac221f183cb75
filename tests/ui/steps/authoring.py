# SPDX-License-Identifier: GPL-3.0-or-later
"""Making and changing joints with the mouse, and taking it back with Ctrl+Z."""

from __future__ import annotations

import bpy
from window.sight import Rect, Waiting, rect_of, rect_of_view
from window.steps import Ui, step

from .scenes import bounds, frame_and_door, hinged_door, joints, matrices, select

ROW = 14
"""Pixels above and below the middle of a button that belong to it."""


def _made_and_undone(ui: Ui, kind: str) -> Waiting:
    """Press the button of one kind, judge; undo, judge."""
    view, timeline = rect_of_view(), rect_of("DOPESHEET_EDITOR", "")
    objects = sorted(bpy.data.objects.keys())
    before = ui.look("before")
    yield from ui.press("omi_joint.create", f"kind='{kind.upper()}'")
    yield from ui.park()
    after = ui.look("made")
    ui.state("joints", joints(), [f"Door {kind}"])
    ui.changed("the joint in the 3D view", before, after, view)
    ui.same("the timeline", before, after, timeline)
    yield from ui.key_in_view("ctrl+z")
    undone = ui.look("undone")
    ui.state("objects after Ctrl+Z", sorted(bpy.data.objects.keys()), objects)
    ui.same("the 3D view after Ctrl+Z", before, undone, view)


@step(frame_and_door)
def hinge_button(ui: Ui) -> Waiting:
    """The button Hinge makes a joint, and one Ctrl+Z takes it away."""
    yield from _made_and_undone(ui, "Hinge")


@step(frame_and_door)
def sidebar_stands_still(ui: Ui) -> Waiting:
    """A joint that is made, left, chosen again in the list or added moves no button above that."""
    sidebar = rect_of("VIEW_3D", "UI")
    _, play = yield from ui.find("omi_joint.play()")
    row = Rect(sidebar.left, play - ROW, sidebar.width, 2 * ROW)
    yield from ui.park()
    before = ui.look("before")
    yield from ui.press("omi_joint.create", "kind='HINGE'")
    yield from ui.park()
    made = ui.look("made")
    ui.changed("the list and the active joint", before, made, sidebar)
    ui.state("joints", joints(), ["Door Hinge"])
    ui.same("the button Play with a joint", before, made, row)
    select(bpy.data.objects["Frame"])
    yield from ui.park()
    ui.same("the button Play with a body", before, ui.look("body"), row)
    yield from ui.press("omi_joint.select_joint")
    ui.state("what is active", bpy.context.view_layer.objects.active.name, "Door Hinge")
    hinge = bpy.data.objects["Door Hinge"]
    for _ in range(3):
        hinge.users_collection[0].objects.link(hinge.copy())
    yield from ui.park()
    four = ui.look("four joints")
    ui.changed("the list", made, four, sidebar)
    ui.same("the button Play with four joints", made, four, row)


@step(frame_and_door)
def slider_button(ui: Ui) -> Waiting:
    """The button Slider makes a joint, and one Ctrl+Z takes it away."""
    yield from _made_and_undone(ui, "Slider")


@step(frame_and_door)
def pin_button(ui: Ui) -> Waiting:
    """The button Pin makes a joint, and one Ctrl+Z takes it away."""
    yield from _made_and_undone(ui, "Pin")


@step(frame_and_door)
def weld_button(ui: Ui) -> Waiting:
    """The button Weld makes a joint, and one Ctrl+Z takes it away."""
    yield from _made_and_undone(ui, "Weld")


@step(hinged_door)
def drag_a_bound_in_the_sidebar(ui: Ui) -> Waiting:
    """Dragging the upper bound's number changes it and moves nothing; Ctrl+Z brings it back."""
    sidebar, view = rect_of("VIEW_3D", "UI"), rect_of_view()
    objects, start = matrices(), bounds()
    before = ui.look("before")
    x, y = yield from ui.find("angular_max")
    yield from ui.drag((x, y), (x - 60, y))
    yield from ui.park()
    after = ui.look("dragged")
    low, high = bounds()
    ui.state("the bound is smaller", low == start[0] and high < start[1], True)
    ui.state("objects stay", matrices(), objects)
    ui.changed("the number in the sidebar", before, after, sidebar)
    yield from ui.key_in_view("ctrl+z")
    undone = ui.look("undone")
    ui.state("bounds after Ctrl+Z", bounds(), start)
    ui.same("the 3D view after Ctrl+Z", before, undone, view)
