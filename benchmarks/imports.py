# SPDX-License-Identifier: GPL-3.0-or-later
"""What our part of a glTF import costs, against Blender's plain importer on the same file.

Run it with a Python that has bpy, from a checkout:

    python benchmarks/imports.py [--rounds 4] [--joints 3033]

A file of boxes in pairs, each pair with a joint, is imported with the add-on and without, turn
about, each time by a process of its own; the least processor time of the rounds counts. Without
the add-on the second frames of joints become objects too. Goal: a ratio of at most 1.5.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from started import addon_utils, bpy, run_script

RATIO_GOAL = 1.5


def write_file(joints: int, path: Path) -> None:
    """Export so many joints, each between two boxes of its own, all with the same settings."""
    from omi_physics_joint.blender.bridge.write import new_settings
    from omi_physics_joint.model.settings.recipes import hinge

    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.mesh.primitive_cube_add(size=0.8)
    cube = bpy.context.object.data
    bpy.data.objects.remove(bpy.context.object)
    block = new_settings(hinge(1, -1.0, 1.0))
    for index in range(joints):
        still, moving = (bpy.data.objects.new(f"{kind} {index}", cube) for kind in ("A", "B"))
        joint = bpy.data.objects.new(f"Joint {index}", None)
        for obj in (still, moving, joint):
            bpy.context.scene.collection.objects.link(obj)
        x, y = 3.0 * (index % 50), 3.0 * (index // 50)
        still.location, moving.location = (x, y, 0.0), (x + 1.0, y, 0.0)
        joint.parent, joint.location = moving, (-0.5, 0.0, 0.0)
        for body, motion in ((still, "static"), (moving, "dynamic")):
            body.omi_physics_body.is_body = body.omi_physics_body.use_collider = True
            body.omi_physics_body.type = motion
        data = joint.omi_physics_joint
        data.is_joint, data.settings, data.connected_body = True, block, still
    bpy.context.view_layer.update()
    with contextlib.redirect_stdout(io.StringIO()):
        bpy.ops.export_scene.gltf(filepath=str(path))


def import_once(path: Path, *, ours: bool) -> None:
    """Import a file into an empty scene; print the s of the processor, objects and blocks."""
    if not ours:
        addon_utils.disable("omi_physics_joint", default_set=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    gc.collect()
    start = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        bpy.ops.import_scene.gltf(filepath=str(path))
    seconds = time.process_time() - start
    print("\nMEASURED", seconds, len(bpy.data.objects), len(bpy.data.node_groups), flush=True)


def measured(path: Path, *, ours: bool) -> list[float]:
    """Import a file in a process of its own; return what it prints."""
    command = [sys.executable, __file__, "--once", str(path), *(["--ours"] if ours else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    line = next(line for line in done.stdout.splitlines() if line.startswith("MEASURED"))
    return [float(word) for word in line.split()[1:]]


def main() -> None:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--joints", type=int, default=3033)
    parser.add_argument("--once", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--ours", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.once:
        import_once(options.once, ours=options.ours)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "joints.glb"
        write_file(options.joints, path)
        rounds = [
            [measured(path, ours=ours) for ours in (False, True)] for _ in range(options.rounds)
        ]
    plain, ours = (min(turn[side] for turn in rounds) for side in (0, 1))
    print(f"\nBlender {bpy.app.version_string}, {options.joints} joints")
    for name, (seconds, objects, blocks) in (("plain", plain), ("with joints", ours)):
        print(f"  {name:<12}{seconds:7.2f} s  {objects:.0f} objects, {blocks:.0f} settings blocks")
    print(f"  ratio       {ours[0] / plain[0]:7.2f}    goal <= {RATIO_GOAL}\n", flush=True)


if __name__ == "__main__":
    run_script(main)
