# SPDX-License-Identifier: GPL-3.0-or-later
"""Played, simulated and exported are one motion: the timeline of a scene, and its file alone.

Scenes stand as people's do: turned anyhow, some metres from the origin, in single precision.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from math import pi
from pathlib import Path
from random import Random

import bpy
import pytest
from mathutils import Matrix, Quaternion, Vector

from examples.gallery import EXHIBITS, build_gallery
from omi_physics_joint.blender.presets.files import SUBDIR
from omi_physics_joint.blender.registration import ROOT
from omi_physics_joint.cli.command import main
from tests.scenes import box, joined, select, separated

FRAMES, FPS = 25, 24
NEAR, TURNED = 1e-4, 0.1 * pi / 180.0
"""m and rad by which the two may be apart."""
UPRIGHT = Matrix.Rotation(-pi / 2.0, 4, "X")
"""glTF from Blender."""
PRESETS = sorted(path.stem for path in (ROOT / "presets" / SUBDIR).glob("*.json"))

AT_A_DISTANCE = {"Strut", "Distance_Joint"}


def anywhere(draw: Random) -> Matrix:
    """Return a place up to 20 m from the origin, turned anyhow."""
    turn = Quaternion([draw.gauss(0.0, 1.0) for _ in range(4)]).normalized()
    return (
        Matrix.Translation([draw.uniform(-12.0, 12.0) for _ in range(3)])
        @ turn.to_matrix().to_4x4()
    )


def put(there: Matrix, objects: list[bpy.types.Object]) -> None:
    """Move what has no parent, and with it all that has."""
    for obj in objects:
        if obj.parent is None:
            obj.matrix_world = there @ obj.matrix_world
    bpy.context.view_layer.update()


def door(number: int, draw: Random) -> None:
    """Make a door as the Hinge button does, pushed open, in a place of its own."""
    before = set(bpy.data.objects)
    frame, leaf = box(f"Frame {number}"), box(f"Leaf {number}", (0.55, 0.0, 0.0))
    frame.scale, leaf.scale = (0.05, 0.05, 1.0), (0.45, 0.02, 0.9)
    bpy.context.scene.cursor.location = (0.05, 0.0, 0.0)
    bpy.context.view_layer.update()
    joined("HINGE", frame, leaf, use_range=True, angle_min=0.0, angle_max=pi / 2.0)
    leaf.omi_physics_body.angular_velocity = (0.0, 0.0, 1.2)
    put(anywhere(draw), sorted(set(bpy.data.objects) - before, key=lambda one: one.name))


def doors() -> None:
    """Make 24 doors."""
    draw = Random(20261123)
    for number in range(24):
        door(number, draw)
    bpy.context.scene.use_gravity = False


def preset(name: str) -> Callable[[], None]:
    """Return what makes two bodies with a shipped preset between them, turned anyhow."""

    def build() -> None:
        frame, leaf = box("Frame"), box("Leaf", (1.4, 0.3, 0.2))
        frame.scale, leaf.scale = (0.2, 0.2, 0.2), (0.5, 0.2, 0.1)
        bpy.context.scene.cursor.location = (0.5, 0.1, 0.0)
        bpy.context.view_layer.update()
        joint = joined("PIN", frame, leaf)
        leaf.omi_physics_body.angular_velocity = (0.2, 0.5, 0.9)
        path = ROOT / "presets" / SUBDIR / f"{name}.json"
        select(joint)
        assert bpy.ops.omi_joint.preset_apply(filepath=str(path)) == {"FINISHED"}
        if name in AT_A_DISTANCE:  # from a point that it stands in it could go anywhere
            separated(joint).matrix_world.translation += Vector((0.4, 0.7, 0.1))
        put(anywhere(Random(name)), list(bpy.data.objects))

    return build


def exhibit(number: int) -> Callable[[], None]:
    """Return what builds one of the gallery, turned anyhow."""

    def build() -> None:
        build_gallery([EXHIBITS[number]], columns=1)
        put(anywhere(Random(number)), list(bpy.data.objects))

    return build


SCENES: dict[str, Callable[[], None]] = {
    "24 doors": doors,
    **{exhibit_.title: exhibit(number) for number, exhibit_ in enumerate(EXHIBITS)},
    **{f"preset {name}": preset(name) for name in PRESETS},
}


def moved_by(path: Path) -> dict[str, dict[str, list[list[float]]]]:
    """Return the poses of all bodies, by name, that ``simulate`` finds in a file."""
    out = path.with_suffix(".json")
    words = ["simulate", str(path), "--fps", str(FPS), "--seconds", str((FRAMES - 1) / FPS)]
    assert main([*words, "--contacts", "--floor", "--json", str(out)]) == 0
    bodies = json.loads(out.read_text("utf-8"))["bodies"]
    assert isinstance(bodies, dict)
    return bodies


def moves(poses: dict[str, list[list[float]]]) -> bool:
    """Return whether any pose is another than the first."""
    first, *others = zip(poses["translation"], poses["rotation"], strict=True)
    apart = (
        abs(a - b)
        for one in others
        for x, y in zip(one, first, strict=True)
        for a, b in zip(x, y, strict=True)
    )
    return max(apart) > 1e-5


def one_motion(path: Path, start: int = 1) -> dict[str, dict[str, list[list[float]]]]:
    """Hold the timeline to what a file of the scene does, and return that.

    Blender's files begin at frame 0, which matters to what is keyed.
    """
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = start, start + FRAMES - 1, FPS
    scene.frame_set(start)
    bpy.ops.export_scene.gltf(filepath=str(path), export_apply=True)
    found = moved_by(path)
    assert bpy.ops.omi_joint.simulate() == {"FINISHED"}
    dynamic = [obj for obj in bpy.data.objects if obj.name in found]
    assert dynamic
    for frame in range(FRAMES):
        scene.frame_set(start + frame)
        for obj in dynamic:
            place, turn, _ = (UPRIGHT @ obj.matrix_world @ UPRIGHT.inverted()).decompose()
            x, y, z, w = found[obj.name]["rotation"][frame]
            there = Vector(found[obj.name]["translation"][frame])
            assert (place - there).length < NEAR, (obj.name, frame)
            off = turn.rotation_difference(Quaternion((w, x, y, z))).angle
            assert min(off, 2.0 * pi - off) < TURNED, (obj.name, frame)
    return found


@pytest.mark.parametrize("name", SCENES)
def test_file_and_timeline_are_one_motion(name: str, tmp_path: Path) -> None:
    """Within 0.1 degrees and 0.1 mm, for a second."""
    SCENES[name]()
    found = one_motion(tmp_path / "scene.glb")
    assert name == "preset Weld" or any(moves(one) for one in found.values())
