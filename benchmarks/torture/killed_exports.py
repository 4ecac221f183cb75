# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports of the command line that are killed: the old files or the new ones, never a mixture."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from random import Random

from .cases import FoundError, Tally
from .in_blender import bpy, empty_file, press
from .odd_scenes import make_scene

LONGEST = 12.0
"""s, somewhat more than an export takes on a loaded machine."""
MOMENT = 0.03
"""s after the first sign of writing within which a half of the kills happens."""


def case(chance: Random, folder: Path, tally: Tally) -> None:
    """Kill one export over files that are there, and look at them."""
    kind = chance.choice(("glb", "gltf"))
    source, outputs = _prepared(kind)
    output = folder / "out"
    output.mkdir()
    old = {name: data + b" " * 8 for name, data in outputs.items()}
    for name, data in old.items():
        (output / name).write_bytes(data)
    command = _command(source, output, kind)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + chance.uniform(0.0, LONGEST)
    at_writing = chance.random() < 0.5
    while process.poll() is None and (at_writing or time.monotonic() < end):
        if at_writing and _contents(output) != old:
            time.sleep(chance.uniform(0.0, MOMENT))
            break
        time.sleep(0.002)
    ended = process.poll() is not None
    process.kill()
    process.wait()
    found = _contents(output)
    now = {name: found.get(name) for name in old}
    if now not in (old, outputs):
        new = [name for name in old if now[name] == outputs[name]]
        torn = [name for name in old if now[name] not in (old[name], outputs[name])]
        message = f"killed {kind}: {torn} torn, {new} new, the rest old"
        raise FoundError(message)
    tally.count("ended first" if ended else "killed")
    tally.count("new files" if now == outputs else "old files")
    tally.count("left something beside them", len(found) > len(old))


@cache
def _prepared(kind: str) -> tuple[Path, dict[str, bytes]]:
    """Return a .blend file and what its export gives."""
    folder = Path(tempfile.mkdtemp(prefix="omi_torture_kill_"))
    empty_file()
    make_scene(Random(1))
    source = folder / "scene.blend"
    press(bpy.ops.wm.save_as_mainfile, filepath=str(source))
    output = folder / "out"
    subprocess.run(_command(source, output, kind), capture_output=True, check=False)
    found = _contents(output)
    if f"scene.{kind}" not in found:
        message = "the export to be killed does not work at all"
        raise FoundError(message)
    return source, found


def _command(source: Path, output: Path, kind: str) -> list[str]:
    words = ["export", str(source), "--output-dir", str(output), "--format", kind]
    return [sys.executable, "-m", "omi_physics_joint", *words]


def _contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder; what vanishes meanwhile is not there."""
    found = {}
    for path in folder.rglob("*"):
        try:
            found[path.relative_to(folder).as_posix()] = path.read_bytes()
        except OSError:
            continue
    return found
