# SPDX-License-Identifier: GPL-3.0-or-later
"""Ten mechanisms as small files to open: examples/blend and examples/glb.

    make examples

They are built with the operators and presets that a user presses. The oldest supported Blender
saves them, so that all can open them.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="omi_examples_"))

import bpy
import addon_utils

from examples import further, gallery

HERE = Path(__file__).resolve().parent

FILES: dict[str, Callable[[], None]] = {
    "door": gallery.build_door,
    "chain": gallery.build_chain,
    "four_bar": gallery.build_four_bar,
    "piston": gallery.build_piston,
    "arm": gallery.build_arm,
    "drawer": gallery.build_drawer,
    "wheel": further.build_wheel,
    "lamp": further.build_lamp,
    "scales": further.build_scales,
    "leg": further.build_leg,
}
"""By name of the file."""


APPLIED = {"export_apply": True}
"""What the export dialog remembers in each file: with modifiers, inertia and contacts are those of
play, and strict has nothing to refuse."""


def build(name: str) -> None:
    """Build one mechanism alone in an empty scene, at rest, with a first frame to simulate from."""
    bpy.ops.wm.read_homefile(use_empty=True)
    FILES[name]()
    scene = bpy.context.scene
    scene.cursor.location = (0.0, 0.0, 0.0)
    scene.frame_end = 120
    bpy.context.view_layer.update()


def save(folder: Path) -> None:
    """Write all files into two folders."""
    for kind in ("blend", "glb"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
    for name in FILES:
        build(name)
        _remove_workspaces()
        bpy.context.scene.omi_physics_joint.strict = True
        export(folder / "glb" / f"{name}.glb")
        bpy.context.scene.property_unset("omi_physics_joint")
        bpy.context.scene["glTF2ExportSettings"] = APPLIED
        with tempfile.TemporaryDirectory() as place:  # a .blend remembers where it was saved
            saved = Path(place) / f"{name}.blend"
            bpy.ops.wm.save_as_mainfile(filepath=str(saved), compress=True)
            shutil.move(saved, folder / "blend" / saved.name)


def export(path: Path) -> None:
    """Write the open scene as a .glb."""
    bpy.ops.export_scene.gltf(filepath=str(path), **APPLIED)


def _remove_workspaces() -> None:
    """Leave one workspace: the others are a fifth of a small file."""
    others = [other for other in bpy.data.workspaces if other != bpy.context.workspace]
    screens = [screen for other in others for screen in other.screens]
    bpy.data.batch_remove([*others, *screens])


def main() -> None:
    """Save them beside this file, or into the folder that is named."""
    addon_utils.enable("omi_physics_joint", default_set=True)
    code = 1
    try:
        save(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else HERE)
        code = 0
    except RuntimeError as error:
        print(error, file=sys.stderr, flush=True)
    sys.stdout.flush()
    os._exit(code)  # the interpreter's own end can hang or crash in some Blenders


if __name__ == "__main__":
    main()
