# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases as Blender exports them, once it has imported them: files as users have them.

    python -m benchmarks.godot.exported --output FOLDER [--only WORD ... | --random N --seed N]

In a Python with Blender. `benchmarks.godot.run --exported` measures what lies in the folder then.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import bpy
import addon_utils

from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.model.target import Target

from .cases import chosen, file_name
from .documents import write
from .random_cases import random_cases

SUFFIX = ".glb"


def main(words: Sequence[str]) -> int:
    """Export with the words of the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="benchmarks.godot.exported", description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--only", nargs="+", default=[], help="cases whose names have these words")
    parser.add_argument("--random", type=int, default=0, help="how many cases to draw instead")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn")
    arguments, _ = parser.parse_known_args(words)
    folder: Path = arguments.output.resolve() / "exported"
    folder.mkdir(parents=True, exist_ok=True)
    addon_utils.enable("omi_physics_joint", default_set=True)
    cases = chosen(arguments.only)
    if arguments.random > 0:
        cases = random_cases(arguments.random, arguments.seed)
    for name, case in cases.items():
        plain = folder / f"{file_name(name)}.gltf"
        write(case, plain, Target.SPECIFIED, tuple(Spoken))
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.import_scene.gltf(filepath=str(plain))
        bpy.ops.export_scene.gltf(filepath=str(plain.with_suffix(SUFFIX)))
        plain.unlink()
    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    code = main(sys.argv[1:])
    os._exit(code)  # Blender's module may hang or crash when its Python ends
