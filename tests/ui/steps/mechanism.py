# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole mechanism: shown as a tree, selected, and moved in one go."""

from __future__ import annotations

import bpy
from mathutils import Matrix
from window.sight import Waiting, rect_of_view, window
from window.steps import Ui, step

from omi_physics_joint.blender.bridge.poses.second_frames import second_world

from .scenes import box, matrices, select, show, trapdoor

LINKS = ("Link 0", "Link 1", "Link 2")


def ring() -> None:
    """Join three boxes in a ring, which nothing holds; the heaviest one is not active."""
    with bpy.context.temp_override(window=window()):
        bodies = [box(name, (0.6 * n, 0.0, 1.0), (0.5, 0.1, 0.2)) for n, name in enumerate(LINKS)]
        for moving, still in ((1, 0), (2, 1), (0, 2)):
            select(bodies[still], bodies[moving])
            bpy.context.scene.cursor.location = (0.3 * (moving + still), 0.0, 1.0)
            bpy.ops.omi_joint.create("EXEC_DEFAULT", kind="HINGE")
        for body in bodies:
            body.omi_physics_body.type = "dynamic"
        bodies[1].omi_physics_body.mass = 50.0
        bpy.context.view_layer.update()
    show(*LINKS)
    select(bodies[0])


def _apart() -> float:
    """Return how far the two frames of a joint are from each other at most."""
    joints = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    gaps = (one.matrix_world.inverted() @ second_world(one) - Matrix.Identity(4) for one in joints)
    return max(abs(value) for gap in gaps for row in gap for value in row)


@step(ring)
def move_a_whole_mechanism(ui: Ui) -> Waiting:
    """Move All takes all bodies along; Esc and one Ctrl+Z bring them back; a loop is selected."""
    view = rect_of_view()
    for topic in ("pose", "mechanism"):
        yield from ui.open_panel(topic)
    yield from ui.park()
    before, start = ui.look("before"), matrices()
    ui.state("the root in the panel", len((yield from ui.find("select_joint", "Link 1"))), 2)
    yield from ui.press("omi_joint.move_mechanism")
    yield from ui.rest_mouse()
    yield from ui.key("Escape")
    yield from ui.park()
    ui.state("objects after Esc", matrices(), start)
    yield from ui.press("omi_joint.move_mechanism")
    yield from ui.rest_mouse()
    for key in ("z", "0", "period", "4", "Return"):
        yield from ui.key(key)
    yield from ui.park()
    after = ui.look("moved")
    heights = [round(bpy.data.objects[name].matrix_world.translation.z, 4) for name in LINKS]
    ui.state("heights", heights, [1.4, 1.4, 1.4])
    ui.state("frames are together", _apart() < 1e-5, True)
    ui.state("what is active", bpy.context.view_layer.objects.active.name, "Link 1")
    ui.changed("the 3D view", before, after, view)
    yield from ui.key_in_view("ctrl+z")
    ui.look("undone")
    ui.state("objects after Ctrl+Z", matrices(), start)
    yield from ui.press("select_joint", "Hinge")
    yield from ui.park()
    ui.look("loop")
    ui.state("a joint is active", bpy.context.view_layer.objects.active.type, "EMPTY")


def falling() -> None:
    """Simulate a flap that falls open."""
    trapdoor()
    with bpy.context.temp_override(window=window()):
        bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 40
        bpy.ops.omi_joint.simulate("EXEC_DEFAULT", True)
        for obj in bpy.context.scene.objects:
            obj.select_set(True)


@step(falling)
def copy_what_stands_open(ui: Ui) -> Waiting:
    """Shift D of all in a frame in which the flap is open: the copy is closed, two metres on."""
    yield from ui.park()
    rest = matrices()["Flap"]
    with bpy.context.temp_override(window=window()):
        bpy.context.scene.frame_set(30)
    yield from ui.wait(1.0)
    before = ui.look("open")
    ui.state("the flap is closed at frame 30", matrices()["Flap"] == rest, False)
    yield from ui.rest_mouse()
    yield from ui.key("shift+d")
    yield from ui.wait(1.5)  # the timeline looks for edits now and then
    for key in ("y", "2", "Return"):
        yield from ui.key(key)
    yield from ui.wait(1.5)
    yield from ui.park()
    ui.changed("the 3D view", before, ui.look("copied"), rect_of_view())
    found = [round(value, 4) for value in matrices()["Flap.001"]]
    ui.state("the copy", found, [round(v + 2.0 * (at == 7), 4) for at, v in enumerate(rest)])
