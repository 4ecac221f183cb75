# SPDX-License-Identifier: GPL-3.0-or-later
"""What "Remember Export Settings" of the export dialog has saved in a scene.

The dialog itself would load them; the exporter called from a script does not. They come with the
file, so they are taken as they are where this Blender knows them, and never lead out of a folder.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import bpy
from bpy.types import Scene

from ...files.replacing import real
from ...model.issue import Issue, Severity
from ..purpose.chosen import saved_options

PICTURES = "export_texture_dir"
OTHERS = frozenset(
    (
        *("use_selection", "use_visible", "use_renderable", "use_active_collection"),
        *("use_active_collection_with_nested", "use_mesh_edges", "use_mesh_vertices"),
        *("use_active_scene", "collection", "at_collection_center"),
    )
)
"""Settings that are saved, of those whose names do not begin with "export_"."""


def saved_export_settings(scene: Scene, folder: Path) -> tuple[dict[str, Any], list[Issue]]:
    """Return the options that a scene wants to be exported with, and a warning for each unused.

    What is exported must stay inside of the folder.
    """
    # Blender itself judges values here without exporting anything.
    judge = bpy.context.window_manager.operator_properties_last("EXPORT_SCENE_OT_gltf")
    known = bpy.ops.export_scene.gltf.get_rna_type().properties
    options: dict[str, Any] = {}
    issues: list[Issue] = []
    for name, value in saved_options(scene).items():
        if name not in known or not (name.startswith("export_") or name in OTHERS):
            continue
        before = getattr(judge, name)
        try:
            setattr(judge, name, value)
        except (TypeError, ValueError, AttributeError):
            issues.append(_unused(scene, name, value, "which this Blender does not know"))
            continue
        setattr(judge, name, before)
        if name == PICTURES and not _is_inside(folder, str(value)):
            issues.append(_unused(scene, name, value, "which leads out of the folder of the file"))
            continue
        options[name] = value
    return options, issues


def _is_inside(folder: Path, name: str) -> bool:
    """Return whether a folder for pictures lies inside of another one."""
    try:
        return real(Path(os.path.join(folder, name))).is_relative_to(real(folder))
    except (OSError, ValueError):
        return False


def _unused(scene: Scene, name: str, value: object, why: str) -> Issue:
    label = bpy.ops.export_scene.gltf.get_rna_type().properties[name].name
    shown = repr(value)
    what = f"The saved export setting {label} is {shown if len(shown) < 60 else 'a value'}, {why}."
    fix = "It is left at its default; save the export settings again."
    return Issue(Severity.WARNING, "export-setting-not-used", scene.name, what, fix)
