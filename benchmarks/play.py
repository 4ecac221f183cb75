# SPDX-License-Identifier: GPL-3.0-or-later
"""What one frame of play costs, beside Blender's rigid-body playback of the same scene.

Run it with a Python that has bpy, from a checkout:

    python benchmarks/play.py [--frames 120] [--rounds 5] [--json FILE] [--profile SCENE]

Each scene is built twice: once with our joints, and once with Blender's rigid bodies and
constraints at its own settings (10 substeps). Rounds of both take turns, so that a machine that
slows down slows both; each round begins at rest. A frame is what happens between two redraws:
solve, write, and ``view_layer.update`` here, ``frame_set`` there, which does the same. Drawing is
not in it. Goals: at most 12 ms a frame with 30 joints, 35 ms with 300, and with 100 boxes that
touch less than Blender takes.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import platform
import pstats
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from math import pi
from pathlib import Path

from started import Matrix, bpy, run_script

FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
FRAME = 1.0 / 60.0
GOALS = {30: 12.0, 100: 16.7, 300: 35.0}
"""Joints, or boxes that touch -> ms a frame at most."""
SPACING = 3.0
CUBE = 0.2
"""m, the side of a box that touches."""
Triple = tuple[float, float, float]
Pair = tuple[bpy.types.Object, bpy.types.Object]
"""The body that stands, and the one that moves."""


class Builder:
    """Makes bodies and joints, ours or Blender's."""

    def __init__(self, *, ours: bool) -> None:
        """Begin with an empty scene."""
        bpy.ops.wm.read_homefile(use_empty=True)
        self.ours = ours
        self.scene = bpy.context.scene
        self.scene.render.fps = 60
        self.mesh = bpy.data.meshes.new("Link")
        corners = [(x, y, z) for x in (-0.4, 0.4) for y in (-0.1, 0.1) for z in (-0.05, 0.05)]
        self.mesh.from_pydata(corners, [], FACES)
        self.blocks: dict[str, bpy.types.NodeTree] = {}
        if not ours:
            bpy.ops.rigidbody.world_add()
            world = self.scene.rigidbody_world
            world.collection = bpy.data.collections.new("Bodies")
            world.constraints = bpy.data.collections.new("Constraints")
            world.point_cache.frame_end = 10_000

    def body(self, place: Triple, *, moves: bool = True) -> bpy.types.Object:
        """Add a link of a metre, along X."""
        obj = self._object(self.mesh, place)
        if self.ours:
            obj.omi_physics_body.is_body = True
            obj.omi_physics_body.type = "dynamic" if moves else "static"
        else:
            self.scene.rigidbody_world.collection.objects.link(obj)
            obj.rigid_body.type = "ACTIVE" if moves else "PASSIVE"
            # Ours knows no contacts: nothing touches here either.
            obj.rigid_body.collision_collections = [False] * 20
        return obj

    def box(self, place: Triple, size: Triple, turn: Triple, *, moves: bool = True) -> None:
        """Add a box that touches others, with a friction of 0.6."""
        mesh = bpy.data.meshes.new("Box")
        corners = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
        mesh.from_pydata(
            [[a * s for a, s in zip(c, size, strict=True)] for c in corners], [], FACES
        )
        obj = self._object(mesh, place)
        obj.rotation_euler = turn
        if self.ours:
            body = obj.omi_physics_body
            body.is_body, body.type = True, "dynamic" if moves else "static"
            body.use_collider = True
            body.collider.shape.type, body.collider.shape.size = "box", size
        else:
            self.scene.rigidbody_world.collection.objects.link(obj)
            obj.rigid_body.type = "ACTIVE" if moves else "PASSIVE"
            obj.rigid_body.collision_shape, obj.rigid_body.friction = "BOX", 0.6**0.5

    def _object(self, mesh: bpy.types.Mesh, place: Triple) -> bpy.types.Object:
        obj = bpy.data.objects.new("Body", mesh)
        self.scene.collection.objects.link(obj)
        obj.location = place
        return obj

    def join(self, kind: str, pair: Pair, place: tuple[float, float, float]) -> None:
        """Join two bodies by a hinge about Y with bounds, a slider along Z, or a pin."""
        if self.ours:
            self._join_ours(kind, pair, Matrix.Translation(place))
        else:
            self._join_theirs(kind, pair, place)

    def _join_ours(self, kind: str, pair: Pair, where: Matrix) -> None:
        from omi_physics_joint.blender.bridge.write import new_settings
        from omi_physics_joint.blender.joints.authoring import add_frame
        from omi_physics_joint.model.settings.recipes import hinge, pin, slider

        make = {
            "hinge": lambda: hinge(1, -0.6 * pi, 0.6 * pi),
            "slider": lambda: slider(2, -1.0, 1.0),
            "pin": pin,
        }
        if kind not in self.blocks:
            self.blocks[kind] = new_settings(make[kind]())
        bpy.context.view_layer.update()
        joint = add_frame("Joint", pair[1], where, 0.1)
        joint.omi_physics_joint.is_joint = True
        joint.omi_physics_joint.settings = self.blocks[kind]
        joint.omi_physics_joint.connected_body = pair[0]

    def _join_theirs(self, kind: str, pair: Pair, place: tuple[float, float, float]) -> None:
        empty = bpy.data.objects.new("Joint", None)
        self.scene.collection.objects.link(empty)
        empty.location = place
        self.scene.rigidbody_world.constraints.objects.link(empty)
        constraint = empty.rigid_body_constraint
        constraint.type = {"hinge": "HINGE", "slider": "SLIDER", "pin": "POINT"}[kind]
        constraint.object1, constraint.object2 = pair
        if kind == "hinge":
            empty.rotation_euler = (pi / 2.0, 0.0, 0.0)  # its hinges turn about Z
            constraint.use_limit_ang_z = True
            constraint.limit_ang_z_lower, constraint.limit_ang_z_upper = -0.6 * pi, 0.6 * pi
        elif kind == "slider":
            empty.rotation_euler = (0.0, -pi / 2.0, 0.0)  # its sliders slide along X
            constraint.use_limit_lin_x = True
            constraint.limit_lin_x_lower, constraint.limit_lin_x_upper = -1.0, 1.0


def chain(builder: Builder, row: int, links: int, kind: str = "hinge") -> None:
    """Add links in a row, from a post."""
    y = SPACING * row
    before = builder.body((0.0, y, 0.0), moves=False)
    for number in range(1, links + 1):
        link = builder.body((float(number), y, 0.0))
        builder.join(kind, (before, link), (number - 0.5, y, 0.0))
        before = link


def doors(builder: Builder, count: int, kinds: tuple[str, ...] = ("hinge",)) -> None:
    """Add posts with one moving body each."""
    for number in range(count):
        x, y = SPACING * (number % 20), -SPACING * (1 + number // 20)
        post, leaf = builder.body((x, y, 0.0), moves=False), builder.body((x + 1.0, y, 0.0))
        builder.join(kinds[number % len(kinds)], (post, leaf), (x + 0.5, y, 0.0))


def mixed(builder: Builder, joints: int) -> None:
    """Add half of the joints in chains of 5 and 10 of two kinds, half as doors of three kinds."""
    for row in range(joints // 30):
        chain(builder, 2 * row, 5, "pin")
        chain(builder, 2 * row + 1, 10)
    doors(builder, joints - 15 * (joints // 30), ("hinge", "slider", "pin"))


def boxes(builder: Builder, high: int, *, apart: float, turned: float = 0.0) -> None:
    """Add 100 boxes on a floor, so many above each other, and so far, m, turned anyhow."""
    builder.box((0.0, 0.0, -0.5), (20.0, 20.0, 1.0), (0.0, 0.0, 0.0), moves=False)
    chance, columns = random.Random(1), 100 // high
    side = round(columns**0.5 + 0.4)
    for number in range(100):
        column, layer = number % columns, number // columns
        wide = 3.0 * CUBE if not turned else CUBE + apart
        place = (column % side * wide, column // side * wide, 0.5 * CUBE + layer * (CUBE + apart))
        x, y, z = (chance.uniform(-turned, turned) for _ in range(3))
        builder.box(place, (CUBE, CUBE, CUBE), (x, y, z))


SCENES: dict[str, tuple[int, Callable[[Builder], None]]] = {
    "chain of 30": (30, lambda b: chain(b, 0, 30)),
    "30 doors": (30, lambda b: doors(b, 30)),
    "mixed 30": (30, lambda b: mixed(b, 30)),
    "10 chains of 30": (300, lambda b: [chain(b, row, 30) for row in range(10)]),
    "300 doors": (300, lambda b: doors(b, 300)),
    "mixed 300": (300, lambda b: mixed(b, 300)),
    "100 boxes on a floor": (100, lambda b: boxes(b, 1, apart=0.0)),
    "20 stacks of 5": (100, lambda b: boxes(b, 5, apart=0.0)),
    "heap of 100 boxes": (100, lambda b: boxes(b, 4, apart=0.1, turned=0.5)),
}


def our_round(frames: int) -> tuple[list[float], list[float]]:
    """Play from rest; return ms of each frame, and ms of solving in it."""
    from omi_physics_joint.blender import play

    session = play.start(bpy.context.scene)
    solving: list[float] = []
    plain = session.run.step

    def step(dt: float) -> None:
        began = time.perf_counter()
        plain(dt)
        solving.append(1e3 * (time.perf_counter() - began))

    session.run.step = step
    times = []
    for _ in range(frames):
        began = time.perf_counter()
        if not session.tick(FRAME):
            raise SystemExit(session.reason or "nothing moved")
        times.append(1e3 * (time.perf_counter() - began))
    play.stop()
    return times, solving


def their_round(frames: int) -> list[float]:
    """Play Blender's rigid bodies from rest, uncached; return ms of each frame."""
    scene = bpy.context.scene
    scene.frame_set(1)
    bpy.ops.ptcache.free_bake_all()
    times = []
    for number in range(frames):
        began = time.perf_counter()
        scene.frame_set(number + 2)
        times.append(1e3 * (time.perf_counter() - began))
    return times


def build(name: str, *, ours: bool) -> str:
    """Save a scene, and return where."""
    SCENES[name][1](Builder(ours=ours))
    path = os.path.join(tempfile.gettempdir(), f"omi_play_{os.getpid()}_{ours}.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    return path


def measure(name: str, frames: int, rounds: int) -> dict[str, float | str]:
    """Play both scenes turn about."""
    files = {ours: build(name, ours=ours) for ours in (True, False)}
    ours: list[float] = []
    solving: list[float] = []
    theirs: list[float] = []
    ratios: list[float] = []
    for _ in range(rounds):
        bpy.ops.wm.open_mainfile(filepath=files[True])
        mine, parts = our_round(frames)
        bpy.ops.wm.open_mainfile(filepath=files[False])
        other = their_round(frames)
        ours += mine
        solving += parts
        theirs += other
        ratios.append(statistics.median(mine) / statistics.median(other))
    for path in files.values():
        os.unlink(path)
    return {
        "scene": name,
        "joints": SCENES[name][0],
        "p10": statistics.quantiles(ours, n=10)[0],
        "median": statistics.median(ours),
        "p95": statistics.quantiles(ours, n=20)[-1],
        "solve": statistics.median(solving),
        "blender": statistics.median(theirs),
        "ratio": statistics.median(ratios),
        "goal": GOALS[SCENES[name][0]],
    }


def profile(name: str, frames: int) -> None:
    """Show where the time of our part goes."""
    bpy.ops.wm.open_mainfile(filepath=build(name, ours=True))
    watch = cProfile.Profile()
    watch.enable()
    our_round(frames)
    watch.disable()
    pstats.Stats(watch).sort_stats("tottime").print_stats(25)


def main() -> None:
    """Measure all scenes and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=120)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scenes", nargs="*", default=list(SCENES))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--profile", choices=SCENES)
    options = parser.parse_args()
    if options.profile:
        profile(options.profile, options.frames)
        return
    print(f"Blender {bpy.app.version_string}, Python {platform.python_version()}")
    print("| scene | ms a frame | 10 % below | 95 % below | solving | goal | Blender | ratio |")
    print("|-|-|-|-|-|-|-|-|")
    rows = []
    for name in options.scenes:
        row = measure(name, options.frames, options.rounds)
        rows.append(row)
        print(
            "| {scene} | {median:.1f} | {p10:.1f} | {p95:.1f} | {solve:.1f} | {goal:.0f} "
            "| {blender:.1f} | {ratio:.2f} |".format(**row),
            flush=True,
        )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), "utf-8")


if __name__ == "__main__":
    run_script(main)
