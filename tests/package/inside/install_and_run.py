# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs the zip, runs a script as Blender's --python does, and answers what Check lists then."""

from __future__ import annotations

import runpy

import bpy
from session import arguments, finish

given = arguments()
bpy.ops.extensions.package_install_files(
    filepath=given["zip"], repo="user_default", enable_on_install=False
)
runpy.run_path(given["file"], run_name="__main__")
bpy.ops.omi_joint.check()
issues = bpy.context.window_manager.omi_physics_joint.issues
finish({"issues": [issue.code for issue in issues if issue.severity != "hint"]})
