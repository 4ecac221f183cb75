# SPDX-License-Identifier: GPL-3.0-or-later
"""What our part of a glTF export costs, against Blender's plain exporter on the same scene.

Run it with a Python that has bpy, from a checkout:

    python benchmarks/export.py [--runs 10] [--joints 1000] [--many 10000] [--json FILE] [--profile]

The first table exports a chain of bodies with 500-vertex meshes with our part and without, turn
about, so that a machine that slows down slows both. Python's collector runs before each: what one
export leaves would be paid by the next. The second counts the seconds inside our own hooks for a
chain of light bodies and for one ten times as long: the exporter around them is not linear itself.
Goals: a ratio of at most 1.10, and growth of at most 12.
"""

from __future__ import annotations

import argparse
import contextlib
import cProfile
import gc
import io
import json
import os
import platform
import pstats
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from math import pi
from pathlib import Path
from typing import Any

from started import Matrix, bpy, run_script

VERTICES = 500
RATIO_GOAL, GROWTH_GOAL = 1.10, 12.0
HOOKS = (
    "__init__",
    "gather_tree_filter_tag_hook",
    "vtree_after_filter_hook",
    "gather_scene_hook",
    "gather_gltf_hook",
    "gather_gltf_extensions_hook",
    "post_export_hook",
)


def grid_mesh(name: str, vertices: int) -> bpy.types.Mesh:
    """Return a mesh of about so many vertices."""
    columns = 25
    rows = max(2, vertices // columns)
    mesh = bpy.data.meshes.new(name)
    points = [(x / columns, y / rows, 0.1 * (x % 2)) for y in range(rows) for x in range(columns)]
    faces = [
        (y * columns + x, y * columns + x + 1, (y + 1) * columns + x + 1, (y + 1) * columns + x)
        for y in range(rows - 1)
        for x in range(columns - 1)
    ]
    mesh.from_pydata(points, [], faces)
    return mesh


def build_chain(joints: int, vertices: int) -> None:
    """Make a chain of bodies, each hinged to the next; without vertices the bodies are empties."""
    from omi_physics_joint.blender.bridge.write import new_settings
    from omi_physics_joint.blender.joints.authoring import add_frame
    from omi_physics_joint.model.settings.recipes import hinge

    bpy.ops.wm.read_homefile(use_empty=True)
    home = bpy.context.scene.collection
    block = new_settings(hinge(1, 0.0, pi / 2.0))
    bodies = []
    for index in range(joints + 1):
        mesh = grid_mesh(f"Link {index}", vertices) if vertices else None
        body = bpy.data.objects.new(f"Link {index}", mesh)
        home.objects.link(body)
        body.location = (float(index), 0.0, 0.0)
        body.rotation_euler = (0.1 * (index % 7), 0.2 * (index % 5), 0.0)
        body.omi_physics_body.is_body = True
        body.omi_physics_body.type = "dynamic" if index else "static"
        body.omi_physics_body.use_collider = True
        body.omi_physics_body.collider.shape.type = "convex" if vertices else "box"
        bodies.append(body)
    bpy.context.view_layer.update()
    for index in range(joints):
        place = Matrix.Translation((index + 0.5, 0.0, 0.0))
        joint = add_frame(f"Hinge {index}", bodies[index + 1], place, 0.1)
        joint.omi_physics_joint.is_joint = True
        joint.omi_physics_joint.settings = block
        joint.omi_physics_joint.connected_body = bodies[index]
    bpy.context.view_layer.update()


def export_seconds(path: Path, *, ours: bool) -> float:
    """Export the scene and return how long it took."""
    bpy.context.scene.omi_physics_joint.use_export = ours
    quiet = io.StringIO()
    gc.collect()
    start = time.perf_counter()
    with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
        bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLB", export_animations=False)
    return time.perf_counter() - start


@contextlib.contextmanager
def counted_hooks(profile: cProfile.Profile | None = None) -> Iterator[dict[str, float]]:
    """Count the seconds inside each of our hooks."""
    from omi_physics_joint.blender.gltf_hooks.exported.exporting import GltfExport

    seconds: dict[str, float] = {}
    originals = {name: getattr(GltfExport, name) for name in HOOKS}

    def counted(name: str, hook: Callable[..., None]) -> Callable[..., None]:
        def wrapper(*arguments: object) -> None:
            start = time.perf_counter()
            if profile is not None:
                profile.enable()
            try:
                hook(*arguments)
            finally:
                if profile is not None:
                    profile.disable()
                seconds[name] = seconds.get(name, 0.0) + time.perf_counter() - start

        return wrapper

    try:
        for name, hook in originals.items():
            setattr(GltfExport, name, counted(name, hook))
        yield seconds
    finally:
        for name, hook in originals.items():
            setattr(GltfExport, name, hook)


def compare(joints: int, runs: int, path: Path) -> dict[str, Any]:
    """Export with our part and without, turn about."""
    build_chain(joints, VERTICES)
    for ours in (False, True):  # the first export of a session loads modules
        export_seconds(path, ours=ours)
    plain: list[float] = []
    with_us: list[float] = []
    around: list[float] = []
    for _ in range(runs):
        plain.append(export_seconds(path, ours=False))
        with counted_hooks() as seconds:
            with_us.append(export_seconds(path, ours=True))
        around.append(with_us[-1] - sum(seconds.values()))
    plain_s, ours_s, around_s = map(statistics.median, (plain, with_us, around))
    return {
        "joints": joints,
        "runs": runs,
        "plain_s": plain_s,
        "ours_s": ours_s,
        "ratio": ours_s / plain_s,
        "ratio_around_hooks": around_s / plain_s,
        "goal": RATIO_GOAL,
    }


def own_seconds(joints: int, runs: int, path: Path) -> dict[str, float]:
    """Return the least seconds in each of our hooks, over some runs, for a chain of empties."""
    build_chain(joints, 0)
    best: dict[str, float] = {}
    for _ in range(runs):
        with counted_hooks() as seconds:
            export_seconds(path, ours=True)
        if not best or sum(seconds.values()) < sum(best.values()):
            best = seconds
    return best


def main() -> None:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--joints", type=int, default=1000)
    parser.add_argument("--many", type=int, default=10000, help="joints of the long chain")
    parser.add_argument("--json", type=Path, help="also write the figures there")
    parser.add_argument("--profile", action="store_true", help="print what our hooks spend time on")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chain.glb"
        if options.profile:
            profiled(options.many, path)
            return
        result = {
            "blender": bpy.app.version_string,
            "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
            "export": compare(options.joints, options.runs, path),
            "own": growth(options.joints, options.many, path),
        }
    report(result)
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")


def growth(joints: int, many: int, path: Path) -> dict[str, Any]:
    """Return our own seconds for a short chain and a long one."""
    few_s, many_s = own_seconds(joints, 5, path), own_seconds(many, 2, path)
    total = sum(few_s.values()), sum(many_s.values())
    return {
        "joints": [joints, many],
        "seconds": list(total),
        "hooks": [few_s, many_s],
        "growth": total[1] / total[0],
        "goal": GROWTH_GOAL * many / joints / 10.0,
    }


def profiled(joints: int, path: Path) -> None:
    """Print where our hooks spend their time."""
    build_chain(joints, 0)
    export_seconds(path, ours=True)
    profile = cProfile.Profile()
    with counted_hooks(profile):
        export_seconds(path, ours=True)
    pstats.Stats(profile, stream=sys.stdout).sort_stats("cumulative").print_stats(45)


def report(result: dict[str, Any]) -> None:
    """Print the tables."""
    export, own = result["export"], result["own"]
    print(f"\nBlender {result['blender']}, {result['machine']}")
    print(f"\n{export['joints']} joints, {VERTICES}-vertex meshes, median of {export['runs']} runs")
    print(f"  plain exporter  {export['plain_s']:8.3f} s")
    print(f"  with joints     {export['ours_s']:8.3f} s")
    print(f"  ratio           {export['ratio']:8.3f}    goal <= {export['goal']:.2f}")
    print(f"  around our hooks{export['ratio_around_hooks']:8.3f}")
    few, many = own["joints"]
    print(f"\nseconds in our own hooks {few:>10} {many:>10} joints")
    for name in own["hooks"][1]:
        pair = [hooks.get(name, 0.0) for hooks in own["hooks"]]
        print(f"  {name:<28} {pair[0]:8.4f} {pair[1]:10.4f}")
    print(f"  {'together':<28} {own['seconds'][0]:8.4f} {own['seconds'][1]:10.4f}")
    print(f"  growth {own['growth']:.2f}    goal <= {own['goal']:.1f}\n", flush=True)


if __name__ == "__main__":
    run_script(main)
