# SPDX-License-Identifier: GPL-3.0-or-later
"""A joint that is one object: moved by hand with its bodies, and given another body in a panel."""

from __future__ import annotations

import bpy
from mathutils import Matrix
from window.sight import Waiting, area_of, rect_of, rect_of_view, window
from window.steps import Ui, step

from omi_physics_joint.blender.bridge.poses.second_frames import second_world

from .scenes import box, hinged_door, matrices, select

EDITOR = {"kind": "PROPERTIES", "part": "WINDOW"}


def _is_together() -> bool:
    """Return whether both frames of the joint are at one place."""
    hinge = bpy.data.objects["Door Hinge"]
    gap = hinge.matrix_world.inverted() @ second_world(hinge) - Matrix.Identity(4)
    return max(abs(value) for row in gap for value in row) < 1e-5


def door_and_wall() -> None:
    """Hang the door, and put up a wall that is a body too."""
    hinged_door()
    with bpy.context.temp_override(window=window()):
        wall = box("Wall", (-0.8, 0.4, 1.0), (0.1, 0.2, 2.0))
    wall.omi_physics_body.is_body = True
    wall.omi_physics_body.type = "static"
    select(bpy.data.objects["Door Hinge"])


@step(hinged_door)
def move_the_door_by_hand(ui: Ui) -> Waiting:
    """G on the door takes its hinge along, whole; Ctrl+Z and Ctrl+Shift+Z go there and back."""
    view = rect_of_view()
    select(bpy.data.objects["Door"])
    yield from ui.park()
    before, start = ui.look("before"), matrices()
    yield from ui.rest_mouse()
    for key in ("g", "x", "0", "period", "4", "Return"):
        yield from ui.key(key)
    yield from ui.park()
    after, moved = ui.look("moved"), matrices()
    ui.state("the door has moved", moved != start, True)
    ui.state("the frames are together", _is_together(), True)
    ui.changed("the 3D view", before, after, view)
    yield from ui.key_in_view("ctrl+z")
    ui.state("objects after Ctrl+Z", matrices(), start)
    yield from ui.key_in_view("ctrl+shift+z")
    ui.look("again")
    ui.state("objects after Ctrl+Shift+Z", matrices(), moved)
    ui.state("the frames are still together", _is_together(), True)


@step(door_and_wall)
def pick_another_second_body(ui: Ui) -> Waiting:
    """The second body is chosen in its field; one Ctrl+Z gives the old one back."""
    editor = rect_of("PROPERTIES", "WINDOW")
    yield from ui.park()
    area_of("PROPERTIES").spaces.active.context = "PHYSICS"
    yield from ui.calm()
    before = ui.look("before")
    yield from ui.press("connected_body", **EDITOR)
    yield from ui.wait(0.5)
    for key in ("W", "a", "l", "l"):
        yield from ui.key(key)
    yield from ui.wait(0.5)
    ui.look("list")
    yield from ui.key("Return")
    yield from ui.park()
    after = ui.look("chosen")
    ui.state("the second body", _second(), "Wall")
    ui.state("the frames are together", _is_together(), True)
    ui.changed("the panel", before, after, editor)
    yield from ui.key_in_view("ctrl+z")
    ui.look("undone")
    ui.state("the second body after Ctrl+Z", _second(), "Frame")


def _second() -> str:
    return str(bpy.data.objects["Door Hinge"].omi_physics_joint.connected_body.name)


@step(hinged_door)
def swap_the_sides_of_a_hinge(ui: Ui) -> Waiting:
    """Swap Sides puts the hinge below the other body and moves no body; Ctrl+Z takes it back."""
    editor, places = rect_of("PROPERTIES", "WINDOW"), _bodies()
    yield from ui.park()
    area_of("PROPERTIES").spaces.active.context = "PHYSICS"
    yield from ui.calm()
    before = ui.look("before")
    ui.state("body above, connected body", _ends(), ("Door", "Frame"))
    yield from ui.press("omi_joint.swap_sides", **EDITOR)
    yield from ui.park()
    after = ui.look("swapped")
    ui.state("body above, connected body, when swapped", _ends(), ("Frame", "Door"))
    ui.state("bodies", _bodies(), places)
    ui.state("the frames are together", _is_together(), True)
    ui.changed("the bodies in Properties", before, after, editor)
    yield from ui.key_in_view("ctrl+z")
    ui.look("undone")
    ui.state("body above, connected body, after Ctrl+Z", _ends(), ("Door", "Frame"))


def _ends() -> tuple[str, str]:
    """Return the names of the body above the hinge and of its connected body."""
    hinge = bpy.data.objects["Door Hinge"]
    return hinge.parent.name, hinge.omi_physics_joint.connected_body.name


def _bodies() -> dict[str, object]:
    """Return where the bodies of the hinge are."""
    every = matrices()
    return {name: every[name] for name in ("Door", "Frame")}
