# SPDX-License-Identifier: GPL-3.0-or-later
"""Play as Godot steps, with the exact motion beside it as a ghost."""

from __future__ import annotations

from window.sight import Waiting, rect_of, rect_of_view
from window.steps import Ui, step

from omi_physics_joint.blender import play
from omi_physics_joint.blender.overlay import extras

from .scenes import boom, matrices

FAR = 3.0
"""Degrees from which a difference is seen."""
BELOW = 33
"""Pixels from the row of the friction to the header of Options."""


def _apart() -> float:
    """Return the largest difference that is told, in degrees or cm."""
    session = play.current()
    ghost = None if session is None else session.ghost
    return max((one.size for one in ghost.differences()), default=0.0) if ghost else 0.0


def _open_options(ui: Ui) -> Waiting:
    """Open Play's panel Options, which has no help in its header, below the row of the friction."""
    _, y = yield from ui.find("floor_friction")
    place = rect_of("VIEW_3D", "UI")
    yield from ui.click(place.left + round(0.4 * place.width), y + BELOW)
    yield from ui.calm()


@step(boom)
def the_ghost_of_the_exact_motion(ui: Ui) -> Waiting:
    """With a ghost both motions are seen, and one once it is switched off; Esc leaves nothing."""
    view, sidebar = rect_of_view(), rect_of("VIEW_3D", "UI")
    objects = matrices()
    yield from _open_options(ui)
    before = ui.look("before")
    yield from ui.press("show_ghost")
    yield from ui.press("omi_joint.play()")
    yield from ui.rest_mouse()
    yield from ui.until(lambda: _apart() > FAR, 1.0 if ui.hand.tied else 30.0)
    yield from ui.key("space")
    yield from ui.wait(0.5)
    both = ui.look("both motions")
    ui.state("bodies in outline", [len(one.outlines) for one in extras.extras.outlined], [2])
    ui.state("joints with a difference", any(one.notes for one in extras.extras.outlined), True)
    ui.changed("the panel", before, both, sidebar)
    ui.changed("the bars in the 3D view", before, both, view)
    yield from ui.press("show_ghost")
    yield from ui.rest_mouse()
    yield from ui.wait(0.5)
    alone = ui.look("ghost off")
    ui.changed("the 3D view without the ghost", both, alone, view)
    ui.state("the ghost", extras.extras.outlined, ())
    yield from ui.key_in_view("Escape")
    yield from ui.calm()
    after = ui.look("stopped")
    ui.state("matrices after Esc", matrices(), objects)
    ui.changed("the 3D view since it played", alone, after, view)
