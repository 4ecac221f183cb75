# SPDX-License-Identifier: GPL-3.0-or-later
"""The ghost of several bodies: what is drawn of each, what is said, and what holds it."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np
import pytest

from omi_physics_joint.blender import play
from omi_physics_joint.blender.play import outlines as drawn
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.solver import Comparison, largest
from tests.scenes import box, joined


@pytest.fixture(autouse=True)
def bars() -> Iterator[list[bpy.types.Object]]:
    """Three bars that hang on a post, each with a knob below it, played as Godot with a ghost."""
    post, made = box("Post"), []
    for index in range(3):
        bar = box(f"Bar {index}", (2.0, 4.0 * index, 0.0))
        bpy.context.scene.cursor.location = (1.0, 4.0 * index, 0.0)
        joined("HINGE", post, bar, direction="GLOBAL_Y", use_range=False)
        knob = box(f"Knob {index}", (2.0, 4.0 * index, 2.0))
        knob.parent, knob.matrix_parent_inverse = bar, bar.matrix_world.inverted()
        made.append(bar)
    options = bpy.context.scene.omi_physics_preview
    options.steps, options.show_ghost = "godot", True
    bpy.context.view_layer.update()
    yield made
    play.stop()


@pytest.mark.parametrize("hidden", [(), (0,), (1, 2), (0, 1, 2)])
def test_what_is_hidden_is_not_drawn(hidden: tuple[int, ...]) -> None:
    """Neither of one body nor of all; the others are drawn as ever."""
    for index in hidden:
        bpy.data.objects[f"Knob {index}"].hide_set(True)
    bpy.context.view_layer.update()
    session = play.start(bpy.context.scene)
    counts = [len(one.lines) for one in session.ghost.outlines.sketches]
    assert counts == [12 if index in hidden else 24 for index in range(3)]


@pytest.mark.parametrize("room", [0, 7, 8, 16, 40, 48, 1000])
def test_meshes_are_drawn_while_there_is_room_for_their_vertices(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All together have so much; the others are boxes, and are named, or counted where many."""
    monkeypatch.setattr(drawn, "MOST_OF_ALL", room)
    session = play.start(bpy.context.scene)
    boxed = session.ghost.outlines.boxed
    assert len(boxed) == max(0, 6 - room // 8)
    said = session.ghost.remark
    if not boxed:
        assert said == ""
    elif len(boxed) == 1:
        assert said == f"Ghost drawn as a box: {boxed[0]}, as its mesh is large"
    else:
        assert said.endswith(", as their meshes are large")
        named = boxed if len(boxed) <= drawn.NAMED else boxed[: drawn.NAMED - 1]
        assert all(name in said for name in named)


def test_differences_are_those_of_the_moment_however_often_they_are_asked_for() -> None:
    """A panel asks at every redraw, the view in between."""
    session = play.start(bpy.context.scene)
    session.clock = lambda: 0.0
    told = set()
    for _ in range(20):
        session.tick(STEP)
        fresh = Comparison(session.run.simulation, session.ghost.run.simulation)
        assert session.ghost.differences() == largest(fresh.differences())
        assert session.ghost.differences() is session.ghost.differences()
        told.add(str(session.ghost.differences()))
    assert len(told) == 20


def test_the_ghost_is_held_as_the_bodies_are_there_and_back(bars: list[bpy.types.Object]) -> None:
    """Pinned one after the other, let go and pinned once more: at any time both hold the same."""
    session = play.start(bpy.context.scene)
    session.clock = lambda: 0.0
    nodes = [session.simulated.node_of(bar) for bar in bars]
    for act, index in (
        ("pin", 0),
        ("pin", 1),
        ("unpin", 0),
        ("pin", 2),
        ("unpin", 1),
        ("unpin", 2),
        ("pin", 0),
    ):
        getattr(session.run, act)(nodes[index])
        before = session.ghost.run.poses()[0]
        for _ in range(3):
            session.tick(STEP)
        assert list(session.ghost.run.pins) == list(session.run.pins)
        after = session.ghost.run.poses()[0]
        rows = [session.simulated.moving.nodes.index(node) for node in nodes]
        moved = np.linalg.norm(after - before, axis=1)[rows] > 1e-4
        assert moved.tolist() == [node not in session.run.pins for node in nodes]
