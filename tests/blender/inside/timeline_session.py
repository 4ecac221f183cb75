# SPDX-License-Identifier: GPL-3.0-or-later
"""A fresh Blender that opens a file with simulated joints: argument 1 is the file, 2 what to do.

"show" prints where the door is at some frames, in what is drawn; "render" renders them.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import bpy

FRAMES = (15, 3, 1)


def evaluated() -> list[float]:
    """Return the place of the door as the dependency graph has it."""
    door = bpy.data.objects["Door"].evaluated_get(bpy.context.evaluated_depsgraph_get())
    return [*door.matrix_world.translation]


def main() -> None:
    """Do what was asked for and print JSON."""
    import addon_utils  # once bpy has put Blender's own modules on the path

    root = str(Path(__file__).resolve().parents[3])
    sys.path.insert(0, root)
    addon_utils.enable("omi_physics_joint", default_set=True)
    path, what = sys.argv[-2:]
    bpy.ops.wm.open_mainfile(filepath=path)
    scene = bpy.context.scene
    found: dict[str, object] = {"opened": evaluated()}
    if what == "show":
        for frame in FRAMES:
            scene.frame_set(frame)
            found[str(frame)] = evaluated()
    else:
        places: dict[int, list[float]] = {}

        def note(scene: bpy.types.Scene, graph: bpy.types.Depsgraph | None = None) -> None:
            if graph is not None and graph.mode == "RENDER":
                door = bpy.data.objects["Door"].evaluated_get(graph)
                places[scene.frame_current] = [*door.matrix_world.translation]

        bpy.app.handlers.depsgraph_update_post.append(note)
        scene.render.filepath = f"{path}_"
        bpy.ops.render.render(animation=True)
        found["after"] = evaluated()
    print("RESULT", json.dumps(found))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
