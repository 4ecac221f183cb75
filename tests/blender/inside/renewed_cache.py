# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulates again and again so that each cache lies where the last one lay, then undoes it all.

Prints of each time whether the address was the same, and of each undo step whether the scene
points at a cache that exists. Argument 1 says how a cache is renewed: "simulate" once more, or
"free" it first.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy

ROOT = Path(__file__).resolve().parents[3]
TIMES, MANY = 4, 100
"""How often a cache is renewed, and how many free places are filled meanwhile."""


class SamePlace:
    """Makes and removes node trees; a new one lies where the last one lay that was removed."""

    kept: bpy.types.NodeTree | None = None
    """Keeps that place until it is asked for."""

    def remove(self, tree: bpy.types.NodeTree) -> None:
        """Remove a tree and keep its place with another one, since no other place is free."""
        fillers = [_new_tree() for _ in range(MANY)]
        bpy.data.node_groups.remove(tree)
        self.kept = _new_tree()
        for filler in fillers:
            bpy.data.node_groups.remove(filler)

    def new(self, name: str, kind: str) -> bpy.types.NodeTree:
        """Make a tree at the place that is kept."""
        fillers = [_new_tree() for _ in range(MANY)]
        if self.kept is not None:
            bpy.data.node_groups.remove(self.kept)
            self.kept = None
        made = bpy.data.node_groups.new(name, kind)
        for filler in fillers:
            bpy.data.node_groups.remove(filler)
        return made


def _new_tree() -> bpy.types.NodeTree:
    return bpy.data.node_groups.new("", "OmiMotionCache")


def main() -> None:
    """Do it and print JSON."""
    import addon_utils  # once bpy has put Blender's own modules on the path

    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    addon_utils.enable("omi_physics_joint", default_set=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    from scenes import door

    from omi_physics_joint.blender.timeline.cache import storage

    door(direction="GLOBAL_Y", use_range=False)
    bpy.context.scene.frame_end = 4
    storage.bpy = SimpleNamespace(data=SimpleNamespace(node_groups=SamePlace()))
    found: dict[str, list[bool]] = {"again": [], "sound": []}
    _simulate()
    for _ in range(TIMES):
        found["again"].append(_renew(sys.argv[-1]))
    for _ in range(TIMES):
        bpy.ops.ed.undo()
        caches = {tree.as_pointer() for tree in bpy.data.node_groups}
        found["sound"].append(bpy.context.scene.omi_physics_timeline.cache.as_pointer() in caches)
        print("SO FAR", found, flush=True)
        bpy.context.view_layer.update()
    print("RESULT", json.dumps(found), flush=True)
    os._exit(0)


def _renew(how: str) -> bool:
    """Make another cache in one undo step; say whether it lies where the last one lay."""
    old = _cache().as_pointer()
    if how == "free":
        assert bpy.ops.omi_joint.free_cache() == {"FINISHED"}
    _simulate()
    return bool(_cache().as_pointer() == old)


def _cache() -> Any:
    return bpy.context.scene.omi_physics_timeline.cache


def _simulate() -> None:
    assert bpy.ops.omi_joint.simulate() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="simulated")


if __name__ == "__main__":
    main()
