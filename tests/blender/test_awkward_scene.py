# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene as people have them plays, simulates, bakes and goes back as a plain one does.

Bodies hang below scaled groups, have other rotation modes and deltas, are hidden or in another
scene too; a joint is muted; frames begin at 7 and have a rate of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Quaternion
from numpy.typing import NDArray
from omi_export import export, reading

from omi_physics_joint.blender import play
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.model.geometry.axes import Y_UP_FROM_Z_UP
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.solver import Simulation
from tests.awkward import NAME, chains
from tests.blender.empties import build
from tests.blender.everything import differences, everything

KINDS = (
    "a hinge with bounds",
    "a hinge with a servo",
    "a slider with a spring",
    "a cone",
    "a rope",
)
MODES = ("QUATERNION", "AXIS_ANGLE", "XYZ", "ZYX")
FRAMES, START = 9, 7
NEAR = 1e-4
"""Of poses, in m: single precision 20 m off."""
Poses = dict[str, NDArray[np.float64]]


def mechanism() -> Mechanism:
    """Return chains of which one has lost its hand: its wrist is muted."""
    found = chains(KINDS).mechanism
    muted = NAME.format(f"{KINDS[0]} wrist")
    nodes = tuple(
        replace(one, joint=replace(one.joint, enabled=False)) if one.name == muted else one
        for one in found.nodes
    )
    return replace(found, nodes=nodes)


@cache
def expected() -> tuple[Poses, ...]:
    """Return where bodies are in each frame, as the solver alone has it."""
    return tuple(moved(mechanism()))


def moved(of: Mechanism) -> Iterator[Poses]:
    """Yield where bodies are that forces move, in each frame."""
    simulation = Simulation(of)
    for _ in range(FRAMES):
        places, turns = simulation.positions.tolist(), simulation.rotations.tolist()
        yield {
            of.nodes[node].name: np.array(compose(tuple(place), tuple(turn)))
            for node, place, turn in zip(simulation.body_nodes, places, turns, strict=True)
            if of.is_dynamic(node)
        }
        simulation.step(STEP)


@pytest.fixture
def scene() -> bpy.types.Scene:
    """Return the scene."""
    made = bpy.context.scene
    objects = build(mechanism(), made.collection)
    bpy.context.view_layer.update()
    bodies = [one for one in objects if one.omi_physics_body.is_body]
    for number, obj in enumerate(bodies):
        world = obj.matrix_world.copy()
        obj.rotation_mode = MODES[number % len(MODES)]
        obj.delta_location, obj.delta_scale = (0.1, -0.2, 0.3), (2.0, -0.5, 4.0)
        obj.delta_rotation_euler = (0.2, 0.1, -0.3)
        obj.delta_rotation_quaternion = Quaternion((0.9, 0.1, -0.2, 0.3)).normalized()
        obj.matrix_world = world
        bpy.context.view_layer.update()
    for obj in (bodies[1], objects[-1]):
        obj.hide_set(True)
    bodies[4].hide_viewport = bodies[5].hide_render = True
    bpy.data.scenes.new("Other").collection.objects.link(bodies[2])
    made.use_preview_range = True
    made.frame_preview_start, made.frame_preview_end = START, START + FRAMES - 1
    made.render.fps, made.render.fps_base = 120, 2.0
    made.unit_settings.scale_length, made.unit_settings.length_unit = 0.01, "CENTIMETERS"
    made.frame_set(START + 3, subframe=0.25)
    return made


def off(frame: int) -> float:
    """Return how far objects are at most from where they are to be."""
    bpy.context.view_layer.update()
    worlds = {
        name: Y_UP_FROM_Z_UP.matrix([list(row) for row in bpy.data.objects[name].matrix_world])
        for name in expected()[frame]
    }
    return apart({name: np.array(rigid_frame(world)) for name, world in worlds.items()}, frame)


def apart(found: Poses, frame: int) -> float:
    """Return how far bodies are at most from where they are to be."""
    return max(float(np.abs(found[name] - pose).max()) for name, pose in expected()[frame].items())


@pytest.mark.usefixtures("contacts")  # for the hand that nothing holds
def test_it_plays_and_is_put_back(scene: bpy.types.Scene) -> None:
    """Each frame of play, and all data after it."""
    before = everything()
    session = play.start(scene)
    session.clock = lambda: 0.0
    for frame in range(1, FRAMES):
        assert session.tick(STEP), session.reason
        assert off(frame) < NEAR, frame
    play.stop()
    assert differences(before, everything()) == []


@pytest.mark.usefixtures("contacts")  # for the hand that nothing holds
def test_it_is_simulated_and_baked(scene: bpy.types.Scene) -> None:
    """Each frame of the timeline, from the cache and from keys; at rest before and between."""
    assert off(0) < NEAR
    assert bpy.ops.omi_joint.simulate() == {"FINISHED"}
    for bakes in (False, True):
        if bakes:
            scene.frame_set(START + 3, subframe=0.25)
            assert bpy.ops.omi_joint.bake() == {"FINISHED"}
            assert (scene.frame_current, scene.frame_subframe) == (START + 3, 0.25)
        for frame in range(FRAMES):
            scene.frame_set(START + frame)
            assert off(frame) < NEAR, (frame, bakes)


@pytest.mark.usefixtures("scene")
def test_its_file_moves_likewise(tmp_path: Path) -> None:
    """The solver makes of the file what it makes of the mechanism."""
    written = reading(export(tmp_path / "awkward.glb")).mechanism
    for frame, poses in enumerate(moved(written)):
        assert apart(poses, frame) < NEAR
