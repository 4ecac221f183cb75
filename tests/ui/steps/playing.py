# SPDX-License-Identifier: GPL-3.0-or-later
"""Playing joints in the 3D view, pulling at them, and getting everything back."""

from __future__ import annotations

from math import degrees

import bpy
from mathutils import Vector
from window.sight import Waiting, on_screen, rect_of, rect_of_view
from window.steps import Ui, step

from omi_physics_joint.blender import play
from omi_physics_joint.blender.overlay import extras

from .scenes import bounds, matrices, ragdoll, rope, trapdoor

NEAR = 0.5
"""Degrees within which the flap is at its bound."""
STILL = 1.0
"""Seconds after which the flap lies still on its bound."""

FREE_END = Vector((0.45, 0.0, 0.03))
"""Where the flap is taken hold of, as it sees it."""


def _opened() -> float:
    """Return by how many degrees the flap has fallen."""
    return degrees(bpy.data.objects["Flap"].matrix_world.to_euler().y)


def _fall(ui: Ui) -> Waiting:
    """Wait until the flap lies on its bound: a tied hand waits in vain, but not for long."""
    _, high = bounds()
    yield from ui.until(lambda: _opened() > high - NEAR, 1.0 if ui.hand.tied else 15.0)
    yield from ui.wait(STILL)


@step(trapdoor)
def play_and_escape(ui: Ui) -> Waiting:
    """Play moves the flap to its bound and no further; Esc puts back every matrix, bit by bit."""
    view, outliner = rect_of_view(), rect_of("OUTLINER", "")
    objects = matrices()
    before = ui.look("before")
    yield from ui.press("omi_joint.play()")
    yield from ui.rest_mouse()
    yield from _fall(ui)
    during = ui.look("playing")
    _, high = bounds()
    angle = _opened()
    ui.state(f"the flap at {angle:.2f} is at its bound {high:g}", abs(angle - high) < NEAR, True)
    ui.changed("the flap in the 3D view", before, during, view)
    ui.same("the outliner while playing", before, during, outliner)
    yield from ui.key_in_view("Escape")
    after = ui.look("stopped")
    ui.state("matrices after Esc", matrices(), objects)
    ui.same("the 3D view after Esc", before, after, view)


@step(trapdoor)
def play_by_shortcut(ui: Ui) -> Waiting:
    """The shortcut starts the play, and once more stops it."""
    view = rect_of_view()
    objects = matrices()
    before = ui.look("before")
    yield from ui.rest_mouse()
    yield from ui.key("shift+alt+space")
    yield from _fall(ui)
    during = ui.look("playing")
    ui.state("the flap has fallen", _opened() > 1.0, True)
    ui.changed("the flap in the 3D view", before, during, view)
    yield from ui.key("shift+alt+space")
    yield from ui.park()
    after = ui.look("stopped")
    ui.state("matrices after the shortcut", matrices(), objects)
    ui.same("the 3D view after the shortcut", before, after, view)


@step(trapdoor)
def undo_while_playing(ui: Ui) -> Waiting:
    """Ctrl+Z while playing stops, and undoes what was done before, whatever was set meanwhile."""
    view = rect_of_view()
    objects = matrices()
    with_joint = sorted(bpy.data.objects.keys())
    before = ui.look("before")
    bpy.data.objects["Flap"].location.x += 0.25
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Move the flap")
    yield from ui.press("omi_joint.play()")
    yield from ui.rest_mouse()
    yield from _fall(ui)
    during = ui.look("playing")
    ui.state("the flap has fallen", _opened() > 1.0, True)
    yield from ui.press("use_gravity")
    yield from ui.key_in_view("ctrl+z")
    after = ui.look("undone")
    ui.state("objects", sorted(bpy.data.objects.keys()), with_joint)
    ui.state("matrices after Ctrl+Z", matrices(), objects)
    ui.same("the 3D view after Ctrl+Z", before, after, view)
    ui.changed("the 3D view since playing", during, after, view)


@step(trapdoor)
def pull_a_body(ui: Ui) -> Waiting:
    """A body that plays follows the mouse inside its limits, falls again, and comes back by Esc."""
    view = rect_of_view()
    objects = matrices()
    before = ui.look("before")
    yield from ui.press("omi_joint.play()")
    yield from ui.rest_mouse()
    yield from _fall(ui)
    fallen = _opened()
    flap = bpy.data.objects["Flap"].matrix_world
    start = on_screen(tuple(flap @ FREE_END))
    yield from ui.point(*start)
    ui.hand.down()
    for lift in range(0, 300, 20):
        yield from ui.point(start[0], start[1] - lift)
    yield from ui.wait(0.6)
    pulled = ui.look("pulled")
    raised = _opened()
    low, high = bounds()
    ui.state(f"pulled from {fallen:.1f} up to {raised:.1f}", raised < fallen - 5.0, True)
    ui.state("inside its limits", low - NEAR <= raised <= high + NEAR, True)
    ui.changed("the flap in the 3D view", before, pulled, view)
    ui.hand.up()
    yield from _fall(ui)
    ui.state("let go, it falls again", _opened() > raised + 5.0, True)
    yield from ui.key_in_view("Escape")
    after = ui.look("stopped")
    ui.state("matrices after Esc", matrices(), objects)
    ui.same("the 3D view after Esc", before, after, view)


def _is_pulled() -> bool:
    """Return whether the spring of a pull is shown."""
    return extras.extras.spring is not None


def _largest_force() -> float:
    """Return the largest component of what is shown, N or N m."""
    arrows = extras.extras.forces
    return max((max(map(abs, arrow.vector)) for arrow in arrows), default=0.0)


@step(rope)
def forces_suit_a_rope(ui: Ui) -> Waiting:
    """A rope that is pulled shows forces that stay near it; a pin is seen, and a click lets go."""
    view = rect_of_view()
    objects = matrices()
    before = ui.look("before")
    yield from ui.press("omi_joint.play()")
    yield from ui.rest_mouse()
    yield from ui.until(lambda: extras.extras.forces != ())
    last = bpy.data.objects["Link 4"]
    start = on_screen(tuple(last.matrix_world.translation))
    yield from ui.point(*start)
    ui.hand.down()
    yield from ui.until(_is_pulled, 1.0 if ui.hand.tied else 15.0)
    for piece in range(1, 16):
        yield from ui.point(start[0] + 16 * piece, start[1] - 10 * piece)
    yield from ui.wait(2.0)
    pulled = ui.look("pulled")
    ui.changed("the rope in the 3D view", before, pulled, view)
    # A step that was not followed exactly, as in a jerk of the mouse, shows no forces.
    yield from ui.until(lambda: _largest_force() > 20.0, 1.0 if ui.hand.tied else 15.0)
    largest = _largest_force()
    ui.state(f"a joint bears {largest:.0f} N", largest > 20.0, True)
    yield from ui.key("p")
    yield from ui.until(lambda: extras.extras.pins != (), 1.0 if ui.hand.tied else 15.0)
    ui.hand.up()
    yield from ui.wait(2.0)
    pinned = ui.look("pinned")
    ui.state("pins", len(extras.extras.pins), 1)
    ui.changed("the pin in the 3D view", pulled, pinned, view)
    point = Vector(extras.extras.pins[0] if extras.extras.pins else (0.0, 0.0, 0.0))
    x, y = on_screen(tuple(point))
    yield from ui.click(x + 9, y - 26)
    yield from ui.until(lambda: extras.extras.pins == ())
    ui.look("let go")
    ui.state("pins after a click on the head of the pin", len(extras.extras.pins), 0)
    yield from ui.key_in_view("Escape")
    after = ui.look("stopped")
    ui.state("matrices after Esc", matrices(), objects)
    ui.changed("the 3D view since it was pinned", pinned, after, view)


def _on_floor() -> bool:
    """Return whether what plays lies on the floor that is drawn."""
    touches = extras.extras.touches
    return extras.extras.floor is not None and touches is not None and len(touches.points) > 2


@step(ragdoll)
def a_ragdoll_lies_on_the_floor(ui: Ui) -> Waiting:
    """Play: it falls, lies on a floor that is drawn, and comes back by Esc."""
    view = rect_of_view()
    objects = matrices()
    yield from ui.calm()
    before = ui.look("before")
    yield from ui.press("omi_joint.play()")
    yield from ui.rest_mouse()
    yield from ui.until(_on_floor, 1.0 if ui.hand.tied else 40.0)
    during = ui.look("lying")
    ui.state("it lies on the floor", _on_floor(), True)
    ui.changed("bodies and floor in the 3D view", before, during, view)
    yield from ui.key_in_view("Escape")
    after = ui.look("stopped")
    ui.state("matrices after Esc", matrices(), objects)
    ui.changed("the floor is gone from the 3D view", during, after, view)


@step(ragdoll)
def what_nothing_holds_is_said(ui: Ui) -> Waiting:
    """Contacts off: the panel says before and while it plays that nothing holds the torso."""
    view, sidebar = rect_of_view(), rect_of("VIEW_3D", "UI")
    objects = matrices()
    yield from ui.press("use_contacts")
    yield from ui.calm()
    before = ui.look("before")
    yield from ui.press("omi_joint.play()")
    yield from ui.rest_mouse()
    yield from ui.wait(0.7)
    during = ui.look("playing")
    session = play.current()
    said = [] if session is None else session.remarks
    wanted = [
        "Nothing holds Torso: it falls. Switch Contacts on, join it to a static body, or turn "
        "gravity off"
    ]
    ui.state("what play says", said, wanted)
    ui.changed("the panel", before, during, sidebar)
    ui.changed("the bodies", before, during, view)
    yield from ui.key_in_view("Escape")
    ui.look("stopped")
    ui.state("matrices after Esc", matrices(), objects)
