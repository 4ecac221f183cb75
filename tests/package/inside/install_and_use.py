# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs the zip as a user does, and answers what is there afterwards."""

from __future__ import annotations

import json
import struct
import sys
import tempfile
from pathlib import Path

import bpy
from session import ADDON, arguments, finish

given = arguments()
bpy.ops.extensions.package_install_files(
    filepath=given["zip"], repo="user_default", enable_on_install=True
)
module = sys.modules[ADDON]


def hinged_door_in_a_file() -> dict[str, object]:
    """Make a door from two boxes with the buttons, and return the JSON of the exported file."""
    bpy.ops.wm.read_homefile(use_empty=True)
    for x in (0.0, 2.0):
        bpy.ops.mesh.primitive_cube_add(location=(x, 0.0, 0.0))
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.omi_joint.create(kind="HINGE", place="MIDDLE")
    bpy.ops.omi_joint.check()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "door.glb"
        bpy.ops.export_scene.gltf(filepath=str(path))
        content = path.read_bytes()
    length = struct.unpack_from("<I", content, 12)[0]
    return json.loads(content[20 : 20 + length])


finish(
    {
        "enabled": ADDON in bpy.context.preferences.addons,
        "file": module.__file__,
        "hooks": {name: hasattr(module, name) for name in given["hooks"]},
        "object property": hasattr(bpy.types.Object, "omi_physics_joint"),
        "presets": bpy.utils.preset_paths("omi_physics_joint"),
        "manuals": [prefix for prefix, _ in bpy.utils.manual_map()],
        "manual is there": (Path(module.__file__).parent / "manual" / "index.html").is_file(),
        "door": hinged_door_in_a_file(),
        "other copies": [name for name in sys.modules if name.startswith("omi_physics_joint")],
    }
)
