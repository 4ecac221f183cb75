# SPDX-License-Identifier: GPL-3.0-or-later
"""How the memory of Blender grows over many imports and exports.

Run it with a Python that has bpy, from a checkout, on Linux:

    python benchmarks/memory.py [--cycles 200] [--joints 100] [--off] [--exports]

A chain is exported once and then imported into an empty file and exported again, over and over, or
only exported. Goal: at most 10 MB from the tenth cycle to the last. How many objects Python has
then, when its collector has run, is no matter of chance.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import os
import tempfile
from pathlib import Path

from export import build_chain
from started import bpy, run_script

WARM = 10
GOAL = 10.0


def megabytes() -> float:
    """Return the memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cycles", type=int, default=200)
    parser.add_argument("--joints", type=int, default=100)
    parser.add_argument("--off", action="store_true", help="our part of exports off")
    parser.add_argument("--exports", action="store_true", help="the same file is exported again")
    options = parser.parse_args()
    found: list[float] = []
    objects: list[int] = []
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "chain.glb")
        build_chain(options.joints, 0)
        for cycle in range(options.cycles + 1):
            quiet = io.StringIO()
            with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
                if cycle and not options.exports:
                    bpy.ops.wm.read_homefile(use_empty=True)
                    bpy.ops.import_scene.gltf(filepath=path)
                bpy.context.scene.omi_physics_joint.use_export = not options.off
                bpy.ops.export_scene.gltf(filepath=path)
            found.append(megabytes())
            if cycle in (WARM, options.cycles):
                gc.collect()
                objects.append(len(gc.get_objects()))
    warm = found[min(WARM, len(found) - 1)]
    print(f"\nBlender {bpy.app.version_string}, {options.cycles} cycles of {options.joints} joints")
    print(f"  after {WARM}: {warm:.1f} MB, at last: {found[-1]:.1f} MB, most: {max(found):.1f} MB")
    print(f"  objects of Python: {' and '.join(map(str, objects))}")
    print(f"  grown by {found[-1] - warm:+.1f} MB    goal <= {GOAL:.0f}", flush=True)


if __name__ == "__main__":
    run_script(main)
