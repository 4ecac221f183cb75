# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles in the 3D view: a bound dragged, typed, and given up."""

from __future__ import annotations

from math import dist, radians

import bpy
from mathutils import Matrix
from window.sight import Waiting, area_of, on_screen, rect_of, rect_of_view
from window.steps import Ui, step

from omi_physics_joint.blender.check.report import is_old
from omi_physics_joint.blender.handles.places import placed_handles
from omi_physics_joint.drawing.mouse.handles import Part

from .scenes import bounds, hinged_door, lengths, matrices, rod

WANTED = 40.0
"""Degrees that the upper bound is dragged to, from 90."""
NEAR = 1.5
"""Degrees that it may be off: a pixel of the mouse is about half a degree here."""
CLOSE = 0.04
"""Metres that a length may be off: a pixel is about a centimetre."""
BACK = 5.0
"""Pixels from where a bound is to the middle of its handle."""


def _joint() -> bpy.types.Object:
    return next(obj for obj in bpy.context.scene.objects if obj.omi_physics_joint.is_joint)


def _upper() -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the pixels of the upper bound's handle, and of where it is at the wanted angle."""
    joint = _joint()
    place = next(one for one in placed_handles(joint) if one.handle.part is Part.MAX)
    lower = next(one for one in placed_handles(joint) if one.handle.part is Part.MIN)
    pivot = joint.matrix_world.translation
    axis = (lower.point - pivot).cross(place.point - pivot)  # from the lower one to the upper
    back = Matrix.Rotation(radians(WANTED - 90.0), 3, axis)
    there = pivot + back @ (place.point - pivot)
    return on_screen(place.point), on_screen(there)


@step(hinged_door)
def drag_a_bound(ui: Ui) -> Waiting:
    """The handle of the upper bound follows the mouse, and one Ctrl+Z takes it back."""
    view, sidebar = rect_of_view(), rect_of("VIEW_3D", "UI")
    objects, start = matrices(), bounds()
    before = ui.look("before")
    yield from ui.drag(*_upper(), pieces=12)
    yield from ui.park()
    after = ui.look("dragged")
    low, high = bounds()
    ui.state("the lower bound", low, start[0])
    ui.state(f"the upper bound {high:g} is near {WANTED:g}", abs(high - WANTED) < NEAR, True)
    ui.state("objects stay", matrices(), objects)
    ui.changed("the joint in the 3D view", before, after, view)
    ui.changed("the number in the sidebar", before, after, sidebar)
    yield from ui.key_in_view("ctrl+z")
    undone = ui.look("undone")
    ui.state("bounds after Ctrl+Z", bounds(), start)
    ui.same("the 3D view after Ctrl+Z", before, undone, view)


@step(hinged_door)
def a_drag_makes_old_what_check_found(ui: Ui) -> Waiting:
    """Check, drag a bound: the results are of another joint, and are said to be."""
    report = bpy.context.window_manager.omi_physics_joint
    bpy.data.objects["Door"].scale.x = 1.1  # of which there is a hint
    yield from ui.open_panel("check")
    yield from ui.press("omi_joint.check")
    yield from ui.park()
    before = ui.look("checked")
    ui.state("something was found", len(report.issues) > 0, True)
    ui.state("it is new", is_old(report, bpy.context.scene), False)
    yield from ui.drag(*_upper(), pieces=12)
    yield from ui.park()
    ui.state("it is old after a drag", is_old(report, bpy.context.scene), True)
    ui.changed("what the sidebar says of it", before, ui.look("dragged"), rect_of("VIEW_3D", "UI"))


@step(hinged_door)
def type_a_bound(ui: Ui) -> Waiting:
    """Digits typed while the handle is held set the bound exactly."""
    view, outliner = rect_of_view(), rect_of("OUTLINER", "")
    before = ui.look("before")
    handle, _ = _upper()
    yield from ui.point(*handle)
    yield from ui.wait(0.3)
    ui.hand.down()
    yield from ui.wait(0.2)
    for digit in "65":
        yield from ui.key(digit)
    yield from ui.key("Return")
    ui.hand.up()
    yield from ui.park()
    after = ui.look("typed")
    ui.state("bounds in degrees", bounds(), (0.0, 65.0))
    ui.changed("the joint in the 3D view", before, after, view)
    ui.same("the outliner", before, after, outliner)


@step(hinged_door)
def click_on_a_handle(ui: Ui) -> Waiting:
    """A click changes nothing and lets go; with Ctrl it keeps hold for digits."""
    view = rect_of_view()
    objects, start = matrices(), bounds()
    before = ui.look("before")
    handle, there = _upper()
    yield from ui.point(*handle)
    yield from ui.wait(0.3)
    ui.hand.down()
    yield from ui.point(handle[0] + 1, handle[1] + 1)
    ui.hand.up()
    yield from ui.point(*there)
    yield from ui.park()
    clicked = ui.look("clicked")
    ui.state("bounds after a click", bounds(), start)
    ui.state("objects stay", matrices(), objects)
    ui.same("the 3D view after a click", before, clicked, view)
    ui.hand.hold("ctrl")
    yield from ui.click(*handle)
    ui.hand.let_go("ctrl")
    yield from ui.point(*there)
    ui.state("bounds after a click with Ctrl", bounds(), start)
    for digit in "65":
        yield from ui.key(digit)
    yield from ui.key("Return")
    yield from ui.park()
    ui.state("bounds in degrees", bounds(), (0.0, 65.0))


@step(hinged_door)
def give_up_a_drag(ui: Ui) -> Waiting:
    """Esc while a handle is dragged leaves no trace: not in numbers, not in the picture."""
    view = rect_of_view()
    objects, start = matrices(), bounds()
    before = ui.look("before")
    handle, there = _upper()
    yield from ui.point(*handle)
    yield from ui.wait(0.3)
    ui.hand.down()
    yield from ui.point(*_between(handle, there, 0.5))
    yield from ui.point(*there)
    yield from ui.wait(0.3)
    held = ui.look("held")
    ui.state("the bound follows the mouse", bounds() != start, True)
    ui.changed("the joint in the 3D view while it is held", before, held, view)
    yield from ui.key("Escape")
    ui.hand.up()
    yield from ui.park()
    after = ui.look("given_up")
    ui.state("bounds after Esc", bounds(), start)
    ui.state("objects stay", matrices(), objects)
    ui.same("the 3D view after Esc", before, after, view)


def _between(a: tuple[int, int], b: tuple[int, int], part: float) -> tuple[int, int]:
    return round(a[0] + part * (b[0] - a[0])), round(a[1] + part * (b[1] - a[1]))


def _out(grow: float) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the pixels of a handle of a rod's sphere, and of where it is some metres farther out.

    It is the one that is seen best from the side. The maximum is taken hold of by its back.
    """
    joint = _joint()
    pivot = on_screen(joint.matrix_world.translation)
    places = [one for one in placed_handles(joint) if one.handle.part is Part.MAX]
    place = max(places, key=lambda one: dist(on_screen(one.point), pivot))
    way = (place.point - joint.matrix_world.translation).normalized()
    here, there = on_screen(place.point), on_screen(place.point + grow * way)
    back = _between(here, there, BACK / dist(here, there))
    return back, (there[0] + back[0] - here[0], there[1] + back[1] - here[1])


@step(rod)
def drag_a_radius(ui: Ui) -> Waiting:
    """The sphere grows with its handle, the minimum stays, and one Ctrl+Z takes it back."""
    view, sidebar = rect_of_view(), rect_of("VIEW_3D", "UI")
    before = ui.look("before")
    yield from ui.drag(*_out(0.3), pieces=12)
    yield from ui.park()
    after = ui.look("dragged")
    low, high = lengths()
    ui.state("the minimum in m", low, 1.0)
    ui.state(f"the maximum {high:g} m is near 1.3 m", abs(high - 1.3) < CLOSE, True)
    ui.changed("the sphere in the 3D view", before, after, view)
    ui.changed("the number in the sidebar", before, after, sidebar)
    yield from ui.key_in_view("ctrl+z")
    undone = ui.look("undone")
    ui.state("bounds after Ctrl+Z", lengths(), (1.0, 1.0))
    ui.same("the 3D view after Ctrl+Z", before, undone, view)


@step(rod)
def drag_a_rod(ui: Ui) -> Waiting:
    """With Alt both bounds go the same way: the rod becomes longer and stays a rod."""
    view = rect_of_view()
    before = ui.look("before")
    yield from ui.drag(*_out(0.3), pieces=12, hold="alt")
    yield from ui.park()
    after = ui.look("dragged")
    low, high = lengths()
    ui.state("minimum and maximum are one", low, high)
    ui.state(f"the length {high:g} m is near 1.3 m", abs(high - 1.3) < CLOSE, True)
    ui.changed("the sphere in the 3D view", before, after, view)


@step(hinged_door)
def properties_follow_a_drag(ui: Ui) -> Waiting:
    """The Properties editor shows the new bound while it is dragged, and the mouse is elsewhere."""
    editor = rect_of("PROPERTIES", "WINDOW")
    start = bounds()
    yield from ui.calm()  # until then the editor does not know of an active object
    area_of("PROPERTIES").spaces.active.context = "PHYSICS"
    yield from ui.calm()
    before = ui.look("before")
    grab, goal = _upper()
    yield from ui.point(*grab)
    ui.hand.down()
    for piece in range(1, 9):
        share = piece / 8.0
        yield from ui.point(*(round(a + share * (b - a)) for a, b in zip(grab, goal, strict=True)))
    yield from ui.wait(0.5)
    during = ui.look("dragging")
    ui.state("the bound is another one", bounds() != start, True)
    ui.changed("the Properties editor while dragging", before, during, editor)
    yield from ui.key("Escape")
    ui.hand.up()
    yield from ui.calm()
    after = ui.look("given up")
    ui.state("bounds after Esc", bounds(), start)
    ui.same("the Properties editor after Esc", before, after, editor)
