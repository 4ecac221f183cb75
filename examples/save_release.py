# SPDX-License-Identifier: GPL-3.0-or-later
"""Saves the workshop as tests/data/release_VERSION.blend, once for each release.

Run it with the oldest supported Blender, so that all can open the file:

    PYTHONPATH=. .venv/bpy-4.5.15/bin/python examples/save_release.py
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path

os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp(prefix="omi_release_")

import bpy
import addon_utils

from examples.workshop import build_workshop

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Build the workshop and save it under the version of the manifest."""
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    addon_utils.enable("omi_physics_joint", default_set=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    build_workshop()
    path = ROOT / "tests" / "data" / f"release_{manifest['version']}.blend"
    with tempfile.TemporaryDirectory() as folder:  # a .blend remembers where it was saved
        saved = Path(folder) / path.name
        bpy.ops.wm.save_as_mainfile(filepath=str(saved), compress=True)
        shutil.move(saved, path)
    print(path)
    sys.stdout.flush()
    os._exit(0)  # the interpreter's own end can hang or crash in some Blenders


main()
