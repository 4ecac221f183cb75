# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender in this process, with the add-on enabled; whoever starts it gives it a profile."""

from __future__ import annotations

import logging
from typing import Any

import bpy  # isort: skip
import addon_utils  # isort: skip - bpy puts it on the path

from .cases import heard

addon_utils.enable("omi_physics_joint", default_set=True)


def empty_file() -> None:
    """Open an empty file; the importer's loggers do not pile up."""
    for name in ("glTFImporter", "glTFImporter_errors"):
        logging.getLogger(name).handlers.clear()
    bpy.ops.wm.read_homefile(use_empty=True)


def issue_names() -> set[str]:
    """Return what the last report names, and the objects that its lines are about."""
    report = bpy.context.window_manager.omi_physics_joint
    names = {line.where for line in report.issues} | {line.object_name for line in report.issues}
    return names - {""}


def issue_codes() -> set[str]:
    """Return the codes of the last report."""
    return {line.code for line in bpy.context.window_manager.omi_physics_joint.issues}


def errors() -> int:
    """Return how many errors the last report has."""
    report = bpy.context.window_manager.omi_physics_joint
    return sum(line.severity == "error" for line in report.issues)


def press(operator: Any, **options: object) -> tuple[str, str]:  # noqa: ANN401 - bpy.ops
    """Press a button; return what was said meanwhile, and why it was refused."""
    refused = ""
    with heard() as said:
        try:
            operator(**options)
        except RuntimeError as error:
            refused = str(error) or "refused"
    return said[0], refused
