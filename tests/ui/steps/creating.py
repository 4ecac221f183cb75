# SPDX-License-Identifier: GPL-3.0-or-later
"""A rope and a door as an artist makes them, adjusted in the redo box after the fact."""

from __future__ import annotations

import bpy
from window.sight import Waiting, on_screen, rect_of, rect_of_view, window
from window.steps import Ui, step

from omi_physics_joint.blender.bridge.placed import bodies_of

from .scenes import bounds, box, frame_and_door, joints, matrices, select, show

LINKS = 10
LAST, ROW = 17, 23
"""Pixels from the bottom of the redo box to its last row, and from row to row."""
WARNED = 4
"""Lines at the bottom of the box of a star whose last links are far from the first."""


def rope_names() -> list[str]:
    """Return the names of the links from above, in no order."""
    return [f"Link {7 * number % LINKS}" for number in range(LINKS)]


def rope() -> None:
    """Put up ten links, one below the other, that are named in no order."""
    with bpy.context.temp_override(window=window()):
        names = rope_names()
        for number, name in enumerate(names):
            box(name, (0.0, 0.0, 3.0 - 0.3 * number), (0.1, 0.1, 0.28))
    show(*names)
    select(bpy.data.objects[names[1]])


def open_redo_box(ui: Ui) -> Waiting:
    """Open the box at the bottom left of the 3D view."""
    found = rect_of("VIEW_3D", "HUD")
    yield from ui.click(found.left + 20, found.middle[1])
    yield from ui.park()


def click_row(ui: Ui, row: int) -> Waiting:
    """Click on a row of the open redo box, counted from its bottom."""
    found = rect_of("VIEW_3D", "HUD")
    x, y = found.left + round(0.45 * found.width), found.top + found.height - LAST - ROW * row
    yield from ui.click(x, y)
    yield from ui.park()


def pairs() -> list[frozenset[str]]:
    """Return the names of the bodies that each joint joins."""
    found = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    return [frozenset(body.name for body in bodies_of(obj) if body is not None) for obj in found]


@step(rope)
def rope_of_ten_in_five_clicks(ui: Ui) -> Waiting:
    """All links, the top one, Pin, the redo box, Chain: nine pins hang on the top link in a row."""
    names = rope_names()
    yield from ui.key_in_view("a")  # 1
    ui.hand.hold("shift")
    yield from ui.click(*on_screen((0.0, -0.05, 3.0)))  # 2
    ui.hand.let_go("shift")
    yield from ui.press("omi_joint.create", "kind='PIN'")  # 3
    yield from ui.park()
    before = ui.look("star")
    yield from open_redo_box(ui)  # 4
    yield from click_row(ui, 2 + WARNED)  # 5
    after = ui.look("chain")
    wanted = {frozenset(names[number : number + 2]) for number in range(LINKS - 1)}
    ui.state("pairs", sorted(map(sorted, pairs())), sorted(map(sorted, wanted)))
    ui.state("joints", joints(), sorted(f"{name} Pin" for name in names[1:]))
    still = [name for name in names if bpy.data.objects[name].omi_physics_body.type == "static"]
    ui.state("what stands", still, names[:1])
    ui.changed("the joints in the 3D view", before, after, rect_of_view())


@step(frame_and_door)
def range_of_a_door_in_the_redo_box(ui: Ui) -> Waiting:
    """The range, unticked and ticked in the redo box, goes and comes back; the hinge stays."""
    yield from ui.press("omi_joint.create", "kind='HINGE'")
    yield from ui.park()
    place = matrices().get("Door Hinge")
    yield from open_redo_box(ui)
    before = ui.look("made")
    yield from click_row(ui, 6)
    after = ui.look("free")
    blocks = [obj.omi_physics_joint.settings for obj in bpy.data.objects]
    ui.state("limits of a free hinge", [len(block.limits) for block in blocks if block], [2])
    ui.state("joints", joints(), ["Door Hinge"])
    ui.state("the hinge stays", matrices().get("Door Hinge"), place)
    ui.changed("the arc in the 3D view", before, after, rect_of_view())
    yield from click_row(ui, 6)
    ui.state("bounds", bounds(), (0.0, 90.0))


def post_and_blades() -> None:
    """Put up a post with blades before its top, nothing selected."""
    with bpy.context.temp_override(window=window()):
        box("Post", (0.0, 0.2, 1.0), (0.2, 0.2, 2.0))
        box("Blades", (0.0, 0.05, 1.8), (1.4, 0.1, 0.2))
        bpy.context.scene.cursor.location = (9.0, 9.0, 9.0)
        show("Post", "Blades")
        bpy.ops.object.select_all(action="DESELECT")


@step(post_and_blades)
def fan_in_three_clicks(ui: Ui) -> Waiting:
    """The post, the blades, Hinge: they turn freely across their plane, about their middle."""
    before = ui.look("apart")
    yield from ui.click(*on_screen((0.0, 0.1, 0.6)))  # 1
    ui.hand.hold("shift")
    yield from ui.click(*on_screen((0.5, 0.0, 1.8)))  # 2
    ui.hand.let_go("shift")
    yield from ui.press("omi_joint.create", "kind='HINGE'")  # 3
    yield from ui.park()
    after = ui.look("joined")
    ui.state("joints", joints(), ["Blades Hinge"])
    made = [bpy.data.objects[name] for name in joints()]
    axes = [[abs(round(part, 3)) for part in obj.matrix_world.col[1][:3]] for obj in made]
    ui.state("axis", axes, [[0.0, 1.0, 0.0]])
    ui.state("limits", [len(obj.omi_physics_joint.settings.limits) for obj in made], [2])
    ui.changed("the joint in the 3D view", before, after, rect_of_view())
