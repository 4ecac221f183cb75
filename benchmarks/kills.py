# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports that are killed in the moment of writing, and what they leave of older files.

Run it with a Python that has bpy, from a checkout, on Linux:

    python benchmarks/kills.py [--kills 200] [--seed 1] [--vertices 200000]

Two scenes that differ in one number are exported, each as .glb and as .gltf with its .bin. Then one
is exported over the other by a process that is killed at a random time after its files have begun
to appear, .glb and .gltf, strict and not in turn. What is there then must be the files of one of
the two scenes, whole. Goal: 0 torn.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import shutil
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path

from export import build_chain
from started import bpy, run_script

ASIDE = ".omi_physics_joint_"
FORMS = {"glb": "GLB", "gltf": "GLTF_SEPARATE"}
LOOK = 0.0003
"""s between two looks at the folder."""


def show(number: int) -> None:
    """Make the first or the second scene of the one that is there."""
    for mesh in bpy.data.meshes:
        mesh.vertices[0].co.z = 0.25 * number


def export(target: Path, *, strict: bool) -> None:
    """Export the scene."""
    bpy.context.scene.omi_physics_joint.strict = strict
    form = FORMS[target.suffix[1:]]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        bpy.ops.export_scene.gltf(filepath=str(target), export_format=form, export_animations=False)


def started(target: Path, *, strict: bool) -> int:
    """Export in a process of its own; return its id."""
    child = os.fork()
    if child == 0:
        export(target, strict=strict)
        os._exit(0)
    return child


def has_ended(child: int) -> bool:
    """Return whether a process has ended by itself."""
    return os.waitpid(child, os.WNOHANG)[0] != 0


def aside(folder: Path) -> set[str]:
    """Return the folders that files are written aside in."""
    return {path.name for path in folder.iterdir() if path.name.startswith(ASIDE)}


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, but for what lies aside."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def writing_seconds(target: Path) -> float:
    """Return how long the files of an export lie aside."""
    child, since, last = started(target, strict=False), 0.0, 0.0
    while not has_ended(child):
        if aside(target.parent):
            last = time.monotonic()
            since = since or last
        time.sleep(LOOK)
    return last - since


def is_killed(target: Path, most: float, *, strict: bool) -> bool:
    """Export and kill it at a random time while it writes; False where it was faster."""
    before = aside(target.parent)
    child = started(target, strict=strict)
    while not aside(target.parent) - before:
        if has_ended(child):
            return False
        time.sleep(LOOK)
    time.sleep(random.uniform(0.0, most))
    if has_ended(child):
        return False
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def main() -> None:
    """Kill, look, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vertices", type=int, default=200000)
    options = parser.parse_args()
    random.seed(options.seed)
    home = Path(tempfile.mkdtemp(prefix="omi_kills_"))
    build_chain(4, options.vertices // 4)
    whole: dict[str, list[dict[str, bytes]]] = {form: [] for form in FORMS}
    for form in FORMS:
        (home / form).mkdir()
        for number in (1, 0):
            show(number)
            export(home / form / f"a.{form}", strict=False)
            whole[form].insert(0, contents(home / form))
    seconds = {form: writing_seconds(home / form / f"a.{form}") for form in FORMS}
    found: Counter[str] = Counter()
    kills = 0
    while kills < options.kills:
        form, strict = ("glb", "gltf")[kills % 2], bool(kills // 2 % 2)
        old = whole[form].index(contents(home / form))
        show(1 - old)
        if not is_killed(home / form / f"a.{form}", 1.05 * seconds[form], strict=strict):
            continue
        kills += 1
        new = contents(home / form)
        if new in whole[form]:
            found["old files" if whole[form].index(new) == old else "new files"] += 1
            continue
        found["torn"] += 1
        for name, data in whole[form][0].items():
            (home / form / name).write_bytes(data)
    size = {form: sum(map(len, files[0].values())) for form, files in whole.items()}
    left = sum(len(aside(home / form)) for form in FORMS)
    print(f"\nBlender {bpy.app.version_string}: {kills} kills, seed {options.seed}")
    print(f"  bytes {size}, written in {seconds} s")
    print(f"  {dict(found)}    goal: none torn; {left} folders left over", flush=True)
    shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    run_script(main)
