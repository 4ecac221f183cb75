# SPDX-License-Identifier: GPL-3.0-or-later
"""How mechanisms move by each option of Play and of Simulate, as an approved text."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees

import bpy
import pytest

from examples.gallery import EXHIBITS, build_gallery
from omi_physics_joint.blender import play
from omi_physics_joint.blender.data.joint import OmiJointSettings
from omi_physics_joint.blender.overlay import extras
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.play.viewport.screen import heading, show_extras
from tests.approved import approved
from tests.blender.noted_card import numbers
from tests.blender.stored import changes, stored
from tests.scenes import box, door, joined, select

TICKS = 30


def flap() -> None:
    """A flap falls on a soft hinge, beside a weld that breaks by a force."""
    frame, leaf, hinge = door(direction="GLOBAL_Y")
    leaf.omi_physics_body.mass = 2.0
    block: OmiJointSettings = hinge.omi_physics_joint.settings
    block.limits[0].use_stiffness = True
    weak = joined("WELD", frame, box("Weak", (0.0, 4.0, 0.0)))
    weak.omi_physics_breaking.use_breaking = weak.omi_physics_breaking.use_force = True
    weak.omi_physics_breaking.force = 1.0
    select(hinge, leaf)


OPTIONS: dict[str, dict[str, object]] = {
    "Play, as it is at first.": {},
    "Selected joints alone.": {"which": "SELECTED"},
    "A quarter of the speed.": {"speed": 0.25},
    "Without gravity.": {"use_gravity": False},
    "With one substep.": {"use_substeps": True, "substeps": 1},
    "Soft limits as springs.": {"soft_locks": "literal"},
    "Soft limits as rigid ones.": {"soft_locks": "rigid"},
    "Without forces.": {"show_forces": False},
    "In a loop of 0.3 s.": {"use_loop": True, "loop_seconds": 0.3},
    "Joints do not break.": {"use_breaking": False},
    "As Godot.": {"steps": "godot"},
    "As Godot, with a ghost.": {"steps": "godot", "show_ghost": True},
}


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Leave nothing of play behind."""
    yield
    play.stop()
    extras.show()


def places() -> list[str]:
    """Return where bodies that move are now."""
    bpy.context.view_layer.update()
    found = []
    for obj in bpy.context.scene.objects:
        if obj.omi_physics_body.is_body and obj.omi_physics_body.type != "static":
            place, turn, _ = obj.matrix_world.decompose()
            angles = numbers(map(degrees, turn.to_euler()), 1)
            found.append(f"{obj.name} at {numbers(place, 3)}, turned {angles}")
    return sorted(found)


def played(ticks: int = TICKS) -> list[str]:
    """Play, and return what is seen then, and what is another when it has stopped."""
    before = stored()
    session = play.start(bpy.context.scene, bpy.context.selected_objects)
    session.clock = lambda: 0.0
    for _ in range(ticks):
        session.tick(STEP)
    show_extras(session, bpy.context.selected_objects)
    found = [heading(session), *places()]
    found += [f"broken: {name}" for name, _ in session.broken]
    found += [
        f"{one.kind} {numbers(one.vector, 1)}, {one.longest:.3g} m at most"
        for one in extras.extras.forces
    ]
    for one in extras.extras.outlined:
        found += [f"ghost: {text}" for _, text in one.notes]
    play.stop()
    return [*found, *(f"left: {line}" for line in changes(before, stored()))]


def test_play_by_its_options() -> None:
    """After half a second everything is where somebody has read, and as before after Stop."""
    found = {}
    for sentence, options in OPTIONS.items():
        bpy.ops.wm.read_homefile(use_empty=True)
        flap()
        for name, chosen in options.items():
            setattr(bpy.context.scene.omi_physics_preview, name, chosen)
        found[sentence] = played()
    for exhibit in EXHIBITS:
        bpy.ops.wm.read_homefile(use_empty=True)
        build_gallery([exhibit], columns=1)
        found[f"The gallery's {exhibit.title}."] = played()
    approved("moved_by_play.txt", found)


def ranges() -> Iterator[str]:
    """Choose frames in all ways, and yield what was chosen."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 12
    yield "Frames of the scene."
    scene.use_preview_range = True
    scene.frame_preview_start, scene.frame_preview_end = 4, 9
    yield "Frames of its preview range."
    options = scene.omi_physics_timeline
    options.range, options.frame_start, options.frame_end = "CUSTOM", 3, 11
    yield "Frames of one's own choice."
    scene.render.fps = 12
    yield "At twelve frames a second."
    scene.omi_physics_preview.steps = "godot"
    yield "As Godot."
    scene.omi_physics_preview.use_gravity = False
    yield "Without gravity in Play's options."


def test_simulations_by_their_options() -> None:
    """In each frame that is shown bodies are where somebody has read, and at rest without."""
    flap()
    found = {}
    before = places()
    for sentence in ranges():
        scene = bpy.context.scene
        assert bpy.ops.omi_joint.simulate() == {"FINISHED"}
        found[sentence] = lines = []
        for frame in (3, 5, 9, 12):
            scene.frame_set(frame)
            lines += [f"{frame}: {line}" for line in places()]
        assert bpy.ops.omi_joint.free_cache() == {"FINISHED"}
        assert places() == before
    approved("moved_by_simulate.txt", found)
