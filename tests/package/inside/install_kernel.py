# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs the zip on this system or on what passes for another, and answers which solver runs."""

from __future__ import annotations

import sys
import sysconfig
from importlib import import_module
from pathlib import Path

import bpy
from session import ADDON, arguments, finish

given = arguments()
if given["system"]:  # what Blender chooses wheels by
    sysconfig.get_platform = lambda: given["system"]
bpy.ops.extensions.package_install_files(
    filepath=given["zip"], repo="user_default", enable_on_install=True
)
kernel = import_module(f"{ADDON}.omi_physics_joint.solver.engines.kernel").kernel()
enabled = ADDON in bpy.context.preferences.addons
index = next(
    number
    for number, repository in enumerate(bpy.context.preferences.extensions.repos)
    if repository.module == "user_default"
)
bpy.ops.extensions.package_uninstall(repo_index=index, pkg_id="omi_physics_joint")
extensions = Path(bpy.utils.user_resource("EXTENSIONS"))
finish(
    {
        "enabled": enabled,
        "solver": kernel.sentence,
        "path": kernel.path,
        "left": [str(path) for path in extensions.rglob("*kernel*")],
        "removed": ADDON not in sys.modules,
    }
)
