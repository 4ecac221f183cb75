# SPDX-License-Identifier: GPL-3.0-or-later
"""The exact motion beside what plays as Godot: drawn, told, and never left anywhere."""

from __future__ import annotations

from math import degrees

import bpy
import numpy as np
import pytest

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.write import fill_drive
from omi_physics_joint.blender.overlay import extras, labels
from omi_physics_joint.blender.play import outlines as drawn
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.play.viewport.screen import show_extras
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom
from tests.blender.everything import differences, everything
from tests.scenes import box, joined, level_bar

SECONDS = 0.5


@pytest.fixture(autouse=True)
def bar() -> bpy.types.Object:
    """A bar that hangs level on a hinge about Y, on a post, with a knob below it."""
    bar = level_bar()
    knob = box("Knob", (0.8, 0.0, 0.2))
    knob.parent, knob.matrix_parent_inverse = bar, bar.matrix_world.inverted()
    options = bpy.context.scene.omi_physics_preview
    options.steps, options.show_ghost = "godot", True
    bpy.context.view_layer.update()
    return bar


def played(session: play.PlaySession, seconds: float = SECONDS) -> None:
    """Let a session play as the window does."""
    session.clock = lambda: 0.0
    for _ in range(round(seconds / STEP)):
        assert session.tick(STEP), session.reason
        show_extras(session, ())


def place(steps: str) -> np.ndarray:
    """Return the matrix of the bar after the same time of play in some steps alone."""
    options = bpy.context.scene.omi_physics_preview
    options.steps, options.show_ghost = steps, False
    session = play.start(bpy.context.scene)
    played(session)
    matrix = np.array(bpy.data.objects["Bar"].matrix_world)
    play.stop()
    return matrix


@pytest.mark.parametrize("keyed", [False, True])
def test_the_ghost_is_where_the_exact_play_is_and_the_object_as_godot(
    bar: bpy.types.Object, keyed: bool
) -> None:
    """Both come from the same mechanism; what is told is the angle between them."""
    if keyed:
        (block,) = bpy.data.node_groups
        drive = block.drives.add()
        motor = Drive(Freedom.ANGULAR, DriveMode.FORCE, 1, damping=5.0, velocity_target=0.0)
        fill_drive(drive, motor)
        for frame, speed in ((1, 0.0), (12, 3.0)):
            drive.angular_velocity_target = speed
            drive.keyframe_insert("angular_velocity_target", frame=frame)
    session = play.start(bpy.context.scene)
    played(session)
    (ghost,) = extras.extras.outlined
    (world,), shown = ghost.worlds, np.array(bar.matrix_world)
    (difference,) = session.ghost.differences()
    ((point, text),) = ghost.notes
    play.stop()
    assert shown == pytest.approx(place("godot"), abs=1e-6)
    assert world == pytest.approx(place("exact"), abs=1e-6)
    columns = [matrix[:3, 0] / np.linalg.norm(matrix[:3, 0]) for matrix in (world, shown)]
    apart = degrees(np.arccos(columns[0] @ columns[1]))
    assert degrees(difference.angle) == pytest.approx(apart, abs=1e-3)
    assert apart > 1.0
    assert text == f"{apart:.3g}\N{DEGREE SIGN}"
    assert point == pytest.approx((0.3, 0.0, 0.0), abs=0.01)


def test_the_outline_has_what_hangs_below_the_body() -> None:
    """A knob on a bar is drawn with it, where it is on the bar."""
    session = play.start(bpy.context.scene)
    (outline,) = session.ghost.outlines.sketches
    assert len(outline.lines) == 24
    matrix = np.array(bpy.data.objects["Bar"].matrix_world)
    points = outline.lines.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    knob = bpy.data.objects["Knob"]
    corners = [knob.matrix_world @ vertex.co for vertex in knob.data.vertices]
    assert points.max(0) == pytest.approx(np.max(corners, axis=0), abs=1e-5)
    play.stop()


def test_large_meshes_are_boxes_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body of a million vertices costs no more than a box."""
    monkeypatch.setattr(drawn, "MOST", 7)
    session = play.start(bpy.context.scene)
    assert session.ghost.outlines.boxed == ["Bar", "Knob"]
    assert session.ghost.remark == "Ghost drawn as a box: Bar and Knob, as their meshes are large"
    assert len(session.ghost.outlines.sketches[0].lines) == 24
    play.stop()


@pytest.mark.parametrize("end", ["stop", "undo", "deleted"])
def test_nothing_is_left_of_it(end: str, bar: bpy.types.Object) -> None:
    """Whatever ends the play, nothing is drawn any more and no object has moved."""
    before = everything()
    session = play.start(bpy.context.scene)
    session.at_end.append(extras.show)  # as the window does
    played(session)
    if end == "deleted":
        bpy.data.objects.remove(bpy.data.objects["Post"])
        bpy.data.objects.remove(bar)
        assert not session.tick(STEP)
        assert "was deleted" in session.reason
    elif end == "undo":
        bpy.app.handlers.undo_pre[-1](bpy.context.scene)
    play.stop()
    assert session.is_over
    assert extras.extras.outlined == ()
    if end != "deleted":
        assert not differences(before, everything())


def test_it_is_switched_on_and_off_while_it_plays() -> None:
    """On, both begin at rest together; off, the play goes on where it is."""
    options = bpy.context.scene.omi_physics_preview
    options.show_ghost = False
    session = play.start(bpy.context.scene)
    played(session)
    assert session.ghost is None
    session.settings.show_ghost = True
    played(session, STEP)
    assert session.time == pytest.approx(STEP)
    assert session.ghost is not None
    played(session)
    time = session.time
    marks = session.marks
    session.settings.show_ghost = False
    assert session.marks != marks
    show_extras(session, ())
    assert extras.extras.outlined == ()
    played(session, STEP)
    assert session.ghost is None
    assert session.time == pytest.approx(time + STEP)
    session.settings.show_ghost = True
    session.settings.steps = "exact"
    played(session, STEP)
    assert session.ghost is None
    play.stop()
    assert options.show_ghost


def test_what_is_pulled_and_pinned_is_in_both(bar: bpy.types.Object) -> None:
    """So what they differ by is what steps do, and not the hand; gravity likewise."""
    session = play.start(bpy.context.scene)
    run = session.run
    node = next(i for i, one in enumerate(session.simulated.mechanism.nodes) if one.name == "Bar")
    run.grab(node, (0.6, 0.0, 0.0))
    run.drag((0.4, 0.0, 0.3))
    played(session, 2.0)
    pulled = extras.extras.outlined[0].worlds[0][2, 3]
    assert pulled == pytest.approx(bar.matrix_world.translation.z, abs=0.02)
    assert pulled > 0.2
    run.drag((0.4, 0.0, -0.3))
    played(session, 2.0)
    pulled = extras.extras.outlined[0].worlds[0][2, 3]
    assert pulled == pytest.approx(bar.matrix_world.translation.z, abs=0.02)
    assert pulled < -0.2
    run.pin(node)
    played(session, 2.0)
    assert extras.extras.outlined[0].worlds[0] == pytest.approx(
        np.array(bar.matrix_world), abs=0.01
    )
    pinned = extras.extras.outlined[0].worlds[0]
    run.unpin(node)
    session.settings.use_gravity = False
    played(session, 1.0)
    assert extras.extras.outlined[0].worlds[0] == pytest.approx(pinned, abs=0.01)
    play.stop()


def test_a_muted_joint_has_no_note() -> None:
    """What does not play cannot be apart."""
    post, other = bpy.data.objects["Post"], box("Other", (0.0, 2.0, 0.0))
    bpy.context.scene.cursor.location = (0.0, 1.0, 0.0)
    muted = joined("HINGE", post, other, direction="GLOBAL_X", use_range=False)
    muted.omi_physics_joint.mute = True
    session = play.start(bpy.context.scene)
    played(session)
    assert len(extras.extras.outlined[0].notes) == 1
    play.stop()


def test_notes_that_would_meet_are_left_out() -> None:
    """The first ones say most; what the active joint is told by stands above its values."""

    def text(aside: float) -> labels._Text:
        return labels._Text((0.0, 0.0, 0.0), "text", labels.VIOLATED, aside)

    values = [(text(8.0), 100.0, 100.0), (text(8.0), 101.0, 101.0)]
    notes = [(text(30.0), 100.0, 100.0), (text(30.0), 400.0, 100.0), (text(30.0), 410.0, 104.0)]
    found = list(labels._arranged(values, notes, 1.0))
    wanted = [values[0][0], values[1][0], notes[0][0], notes[1][0]]
    assert [one[0] for one in found] == wanted
    low, middle, high = (y for _, _, y in found[:3])
    assert min(high - middle, middle - low) > labels.SIZE


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_numbers_keep_their_distance_however_large_pixels_are(scale: float) -> None:
    """What stands beside and above each other does so by so many of the screen's own pixels."""
    found = {}
    for size in (1.0, scale):
        values, notes = (
            [
                (labels._Text((0.0, 0.0, 0.0), "text", labels.VIOLATED, aside), x * size, y * size)
                for aside, x, y in places
            ]
            for places in (
                [(8.0, 100.0, 100.0), (30.0, 101.0, 101.0)],
                [(30.0, 100.0, 100.0), (30.0, 170.0, 104.0), (30.0, 400.0, 100.0)],
            )
        )
        found[size] = [(x / size, y / size) for _, x, y in labels._arranged(values, notes, size)]
    assert np.array(found[scale]) == pytest.approx(np.array(found[1.0]))
