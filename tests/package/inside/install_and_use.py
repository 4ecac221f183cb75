# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs the zip as a user does, and answers what is there afterwards."""

from __future__ import annotations

import sys

import bpy
from session import ADDON, arguments, finish

given = arguments()
bpy.ops.extensions.package_install_files(
    filepath=given["zip"], repo="user_default", enable_on_install=True
)
module = sys.modules[ADDON]

finish(
    {
        "enabled": ADDON in bpy.context.preferences.addons,
        "file": module.__file__,
        "hooks": {name: hasattr(module, name) for name in given["hooks"]},
        "object property": hasattr(bpy.types.Object, "omi_physics_joint"),
        "presets": bpy.utils.preset_paths("omi_physics_joint"),
        "other copies": [name for name in sys.modules if name.startswith("omi_physics_joint")],
    }
)
