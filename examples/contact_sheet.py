# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays the gallery of mechanisms and joins its pictures to one that moves.

    python examples/contact_sheet.py --output docs/images/mechanisms.webp

Needs Blender as a Python module (bpy), and neither window nor graphics card: the bodies are moved
by our own solver, as they are when a joint is played in the 3D view, and drawn by Workbench.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from math import cos, radians, sin
from pathlib import Path

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="omi_sheet_"))

import bpy
import addon_utils
from mathutils import Vector

from examples.gallery import CELL, build_gallery
from examples.webp import animated
from omi_physics_joint.blender.bridge.placed import PlacedObject, placed_in_scene
from omi_physics_joint.blender.bridge.poses.moving import MovedBodies
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.solver.simulation import Simulation

SIZE = (960, 620)
PITCH = radians(24.0)
"""How far the camera looks down."""
WIDTH = 8.9
"""Metres from the left edge of the picture to the right."""
STEPS = 3
"""Steps of the solver from one picture to the next: at 20 pictures a second, 60."""


def main() -> None:
    """Build, play, draw and join."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("docs/images/mechanisms.webp"))
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rate", type=int, default=20, help="pictures a second")
    parser.add_argument("--keep", type=Path, help="folder for the single pictures")
    options = parser.parse_args()
    addon_utils.enable("omi_physics_joint", default_set=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    build_gallery()
    set_stage()
    with tempfile.TemporaryDirectory() as folder:
        keep = options.keep or Path(folder)
        keep.mkdir(parents=True, exist_ok=True)
        count = round(options.seconds * options.rate)
        pictures = [draw(keep / f"{k:03}.webp") for k in play(count, 1.0 / options.rate)]
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_bytes(animated(pictures, round(1000 / options.rate)))
    size = options.output.stat().st_size / 1e6
    print(f"drawn {options.output}: {len(pictures)} pictures, {size:.1f} MB", flush=True)


class Player:
    """Moves the bodies of one collection by their joints."""

    def __init__(self, collection: bpy.types.Collection) -> None:
        """Read the collection."""
        placed = placed_in(collection)
        reading = mechanism_from_placed(placed)
        self._simulation = Simulation(reading.mechanism)
        self._moving = MovedBodies(placed, reading.mechanism)
        self._rows = self._moving.rows_of(self._simulation.body_nodes)
        for issue in (*reading.issues, *self._simulation.issues, *self._moving.issues):
            print(f"{issue.where}: {issue.message}", file=sys.stderr)

    def go_on(self, seconds: float) -> None:
        """Move on by some time."""
        for _ in range(STEPS):
            self._simulation.step(seconds / STEPS)
        self._moving.write(
            self._simulation.positions[self._rows], self._simulation.rotations[self._rows]
        )


def placed_in(collection: bpy.types.Collection) -> list[PlacedObject]:
    """Return the objects of a collection as they are placed in the scene."""
    whole = placed_in_scene(bpy.context.scene)
    inside = set(collection.objects)

    def is_inside(node: PlacedObject) -> bool:
        # A second frame is no object: it goes with its joint.
        return (node if node.second_of is None else whole[node.second_of]).object in inside

    kept = [index for index, node in enumerate(whole) if is_inside(node)]
    new: dict[int | None, int] = {index: number for number, index in enumerate(kept)}
    return [
        replace(node, parent=new.get(node.parent), second_of=new.get(node.second_of))
        for node in (whole[index] for index in kept)
    ]


def play(count: int, step: float) -> Iterator[int]:
    """Move all mechanisms of the scene on by a step after each number that is yielded."""
    players = [Player(collection) for collection in bpy.context.scene.collection.children]
    for number in range(count):
        yield number
        for player in players:
            player.go_on(step)


def draw(path: Path) -> bytes:
    """Draw one picture and return its file."""
    bpy.context.scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    return path.read_bytes()


def set_stage() -> None:
    """Put up a floor, a camera and the light that Workbench has."""
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.type = "ORTHO"
    camera.data.ortho_scale = WIDTH
    camera.data.clip_end = 100.0
    back = Vector((0.0, -cos(PITCH), sin(PITCH)))
    camera.location = Vector((0.0, -0.5 * CELL[1], 0.72)) + 30.0 * back
    camera.rotation_euler = (-back).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.world = bpy.data.worlds.new("World")
    scene.world.color = (0.55, 0.59, 0.64)
    render, shading = scene.render, scene.display.shading
    render.engine = "BLENDER_WORKBENCH"
    render.resolution_x, render.resolution_y = SIZE
    render.image_settings.file_format = "WEBP"
    render.image_settings.quality = 82
    scene.view_settings.view_transform = "Standard"
    scene.display.render_aa = "8"
    scene.display.light_direction = (-0.45, 0.55, 0.7)
    shading.light = "STUDIO"
    shading.studio_light = "paint.sl"
    shading.color_type = "MATERIAL"
    shading.background_type = "WORLD"
    shading.show_shadows = True
    shading.shadow_intensity = 0.35
    shading.show_cavity = True
    shading.cavity_type = "BOTH"
    shading.show_object_outline = False


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # the interpreter's own end can hang or crash in some Blenders
