# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the workshop, exports it, checks the file, imports it back and renders what it holds.

    python examples/demo.py --output build/demo

Needs Blender as a Python module (bpy).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="omi_demo_"))

import bpy
import addon_utils

from examples.markers import mark_joints
from examples.workshop import build_workshop
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.read import read

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Do it all and return 0 if every step did what it should."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/demo"), metavar="FOLDER")
    parser.add_argument("--samples", type=int, default=48, help="samples for each pixel")
    options = parser.parse_args()
    folder: Path = options.output.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    addon_utils.enable("omi_physics_joint", default_set=True)
    blend, glb, picture = (folder / f"workshop.{kind}" for kind in ("blend", "glb", "png"))

    bpy.ops.wm.read_homefile(use_empty=True)
    build_workshop()
    bpy.ops.wm.save_as_mainfile(filepath=str(blend), compress=True)
    bpy.context.scene.omi_physics_joint.strict = True
    bpy.ops.export_scene.gltf(filepath=str(glb), export_cameras=True, export_lights=True)
    checked = subprocess.run(
        [sys.executable, "-m", "omi_physics_joint", "check", str(glb)], cwd=ROOT, check=False
    )
    joints, bodies = import_back(glb)
    render(picture, options.samples)
    say(f"built     {blend}")
    say(f"exported  {glb}")
    say(f"imported  {joints} joints between {bodies} bodies")
    say(f"rendered  {picture}")
    return checked.returncode


def import_back(glb: Path) -> tuple[int, int]:
    """Import a file into an empty scene, mark its joints, and count joints and bodies."""
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(glb))
    objects = list(bpy.context.scene.objects)
    joints = sum(obj.omi_physics_joint.is_joint for obj in objects)
    bodies = sum(obj.omi_physics_body.is_body for obj in objects)
    mechanism = read(load(glb).json).mechanism
    marked = mark_joints(mechanism)
    if marked != joints:
        raise SystemExit(f"the file has {marked} joints, but {joints} came back into Blender")
    return joints, bodies


def render(path: Path, samples: int) -> None:
    """Render the scene with Cycles, which needs neither window nor graphics card."""
    scene = bpy.context.scene
    scene.camera = next(obj for obj in scene.objects if obj.type == "CAMERA")
    world = bpy.data.worlds.new("Sky")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.75, 0.82, 0.9, 1.0)
    world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.6
    scene.world = world
    scene.render.engine = "CYCLES"
    scene.cycles.samples = samples
    scene.cycles.use_denoising = False
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y = 1280, 720
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


def say(line: str) -> None:
    """Print a line that stands out from Blender's own."""
    print(line, flush=True)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # the interpreter's own end can hang or crash in some Blenders
