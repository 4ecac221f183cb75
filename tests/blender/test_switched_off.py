# SPDX-License-Identifier: GPL-3.0-or-later
"""What is switched off is neither drawn nor done, and is said where a user waits for it."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
import pytest

from omi_physics_joint.blender import play
from omi_physics_joint.blender.overlay import extras
from omi_physics_joint.blender.overlay.panels import OMI_JOINT_PT_overlay
from omi_physics_joint.blender.play.viewport.screen import show_extras
from omi_physics_joint.blender.simulated import running
from omi_physics_joint.blender.timeline import panels as strip
from omi_physics_joint.blender.timeline.cache.storage import told_cache
from omi_physics_joint.solver.engines.kernel import Kernel
from tests.blender.noted_card import NotedCard
from tests.blender.test_play_contacts import pair, started
from tests.blender.test_timeline import falling_door, simulate
from tests.layouts import Context, Drawing


@pytest.mark.usefixtures("contacts")
@pytest.mark.parametrize("forces", [False, True])
@pytest.mark.parametrize("touches", [False, True])
@pytest.mark.parametrize("floor", [False, True])
def test_play_draws_what_is_switched_on_and_nothing_else(
    floor: bool, touches: bool, forces: bool
) -> None:
    """The floor, touches with outlines, and forces: each by its own switch."""
    pair()
    joint = next(obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint)
    session = started(0.5, use_floor=floor)
    session.settings.show_contacts, session.settings.show_forces = touches, forces
    show_extras(session, [joint])
    shown = extras.extras
    assert (shown.floor is not None) is floor
    assert (shown.touches is not None) is (touches and floor)
    assert bool(shown.forces) is forces
    assert shown.spring is None
    assert not (*shown.pins, *shown.broken)
    play.stop()
    extras.show()


@pytest.mark.parametrize("forces", [False, True])
@pytest.mark.parametrize("touches", [False, True])
@pytest.mark.parametrize("values", [False, True])
def test_what_changes_nothing_that_is_shown_is_grey(
    values: bool, touches: bool, forces: bool
) -> None:
    """Numbers are beside values, and the size of forces is that of touches too."""
    scene = bpy.context.scene
    settings = scene.omi_physics_preview
    scene.omi_physics_overlay.values = values
    settings.show_contacts, settings.show_forces = touches, forces
    panel = Drawing(OMI_JOINT_PT_overlay)
    overlay = SimpleNamespace(show_overlays=True)
    panel.draw(Context(scene=scene, space_data=SimpleNamespace(overlay=overlay)))
    fields = panel.layout.fields
    assert fields["text"].active is values
    assert fields["force_size"].active is (touches or forces)
    assert fields["line_width"].active


@pytest.mark.parametrize("all_of_it", [False, True])
@pytest.mark.parametrize("ours", [False, True])
def test_where_nothing_is_shown_all_is_grey(ours: bool, all_of_it: bool) -> None:
    """Blender's switch of all overlays counts as ours does."""
    scene = bpy.context.scene
    scene.omi_physics_overlay.show = ours
    panel = Drawing(OMI_JOINT_PT_overlay)
    overlay = SimpleNamespace(show_overlays=all_of_it)
    panel.draw(Context(scene=scene, space_data=SimpleNamespace(overlay=overlay)))
    assert panel.layout.fields["frames"].active is (ours and all_of_it)


@pytest.mark.parametrize("outdated", [False, True])
@pytest.mark.parametrize("is_simulated", [False, True])
@pytest.mark.parametrize("is_on", [False, True])
def test_the_strip_is_drawn_in_editors_that_show_caches(
    is_on: bool, is_simulated: bool, outdated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Along the frames of what is simulated, in the colour of whether it is still right."""
    falling_door()
    if is_simulated:
        simulate()
        told_cache(bpy.context.scene).outdated = "a test" if outdated else ""
    card = NotedCard()
    card.put_in(monkeypatch, strip)
    # Blender draws a frame at ten pixels here.
    view = SimpleNamespace(view_to_region=lambda x, _y, clip: (10.0 * x, 0.0))
    region = SimpleNamespace(view2d=view, width=5000, height=100)
    stands = SimpleNamespace(
        scene=bpy.context.scene, space_data=SimpleNamespace(show_cache=is_on), region=region
    )
    corners = None
    if is_on and is_simulated:
        cache = told_cache(bpy.context.scene)
        corners = strip.strip_of(region, cache.frame_start, cache.frame_end)
        assert corners[1][0] - corners[0][0] == 10.0 * (cache.frame_end - cache.frame_start)
    stands.preferences = bpy.context.preferences
    monkeypatch.setattr(strip, "bpy", SimpleNamespace(context=stands))
    strip.draw()
    drawn = card.taken()
    if corners is None:
        assert not drawn
        return
    colour = strip.OUTDATED if outdated else strip.VALID
    (line,) = [one for one in drawn if one.startswith("UNIFORM_COLOR")]
    assert f"color ({' '.join(f'{one:g}' for one in colour)})" in line
    assert drawn[0] == "blend ALPHA"
    assert drawn[-1] == "blend NONE"


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("steps", ["exact", "godot"])
@pytest.mark.parametrize("contacts", [False, True])
def test_why_bodies_do_not_touch_is_said_by_what_would_let_them(
    contacts: bool, steps: str, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first of what is in the way; nothing where nothing is."""
    library = SimpleNamespace() if compiled else None
    monkeypatch.setattr(running, "kernel", lambda: Kernel(library, reason="a test"))  # type: ignore[arg-type]
    settings = bpy.context.scene.omi_physics_preview
    settings.use_contacts, settings.steps = contacts, steps
    said = running.why_apart(settings)
    if not contacts:
        assert said.endswith("Contacts is off")
    elif steps == "godot":
        assert said.endswith("As Godot has no contacts")
    else:
        assert said.endswith("" if compiled else "need the compiled solver")
        assert bool(said) is not compiled
