# SPDX-License-Identifier: GPL-3.0-or-later
"""Killed while joints play, frames of a simulation are shown, and the file is saved meanwhile."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from random import Random

from .cases import FoundError, Tally
from .in_blender import bpy, empty_file, press

READY = "moving"
LONGEST = 3.0
"""s of playing and saving before the kill."""


def case(chance: Random, folder: Path, tally: Tally) -> None:
    """Kill one Blender that plays and saves, and look whether the file is at rest."""
    path = folder / "scene.blend"
    kind = chance.choice(("play", "timeline"))
    command = [sys.executable, "-m", f"{__spec__.name}", kind, str(path)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    for line in process.stdout or ():
        if line.strip() == READY:
            break
    time.sleep(chance.uniform(0.0, LONGEST))
    if process.poll() is not None:
        message = f"{kind} ended by itself ({process.returncode})"
        raise FoundError(message)
    process.kill()
    process.wait()
    found = next((one for one in (path, path.with_suffix(".blend1")) if one.exists()), None)
    if found is None:
        message = "no file is left"
        raise FoundError(message)
    tally.count("between Blender's own renames", found != path)
    _, refused = press(bpy.ops.wm.open_mainfile, filepath=str(found))
    if refused:
        message = f"the saved file cannot be opened: {refused}"
        raise FoundError(message[:160])
    bpy.context.scene.frame_set(1)
    place = tuple(bpy.data.objects["Leaf"].location)
    if place != (2.0, 0.0, 0.0):
        message = f"{kind}: the saved file holds a moved pose: {place}"
        raise FoundError(message)
    tally.count(kind)


def _move(kind: str, path: Path) -> None:
    """Move a door and save it, until somebody ends this process."""
    from omi_physics_joint.blender import play

    _door()
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    if kind == "play":
        session = play.start(bpy.context.scene)
    else:
        bpy.ops.omi_joint.simulate()
    print(f"\n{READY}", flush=True)
    frame = 1
    while True:
        if kind == "play":
            session.tick(1.0 / 60.0)
        else:
            frame = frame % 40 + 1
            bpy.context.scene.frame_set(frame)
        if frame % 3 == 1:
            bpy.ops.wm.save_mainfile()


def _door() -> None:
    """Make a door that falls about a level hinge."""
    empty_file()
    for name, place in (("Post", 0.0), ("Leaf", 2.0)):
        bpy.ops.mesh.primitive_cube_add(location=(place, 0.0, 0.0))
        bpy.context.object.name = name
    post, leaf = bpy.data.objects["Post"], bpy.data.objects["Leaf"]
    post.select_set(True)
    leaf.select_set(True)
    bpy.context.scene.cursor.location = (1.0, 0.0, 0.0)
    bpy.ops.omi_joint.create(kind="HINGE", direction="GLOBAL_Y", place="CURSOR")
    bpy.context.scene.frame_end = 40


if __name__ == "__main__":
    _move(sys.argv[1], Path(sys.argv[2]))
