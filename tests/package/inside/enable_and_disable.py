# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs the zip, enables and disables it twice, and answers the registries after each step."""

from __future__ import annotations

import bpy
import registries
from session import ADDON, arguments, finish

given = arguments()
watch = registries.Watch()
bpy.ops.extensions.package_install_files(
    filepath=given["zip"], repo="user_default", enable_on_install=False
)

snapshots = {"before": registries.snapshot(watch)}
for turn in ("first", "second"):
    bpy.ops.preferences.addon_enable(module=ADDON)
    snapshots[f"{turn} enabled"] = registries.snapshot(watch)
    bpy.ops.preferences.addon_disable(module=ADDON)
    snapshots[f"{turn} disabled"] = registries.snapshot(watch)
    assert ADDON not in bpy.context.preferences.addons

finish(snapshots)
