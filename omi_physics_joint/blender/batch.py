# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports, checks and describes .blend files without a window, for the command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bpy

from ..cli.report import info_of
from .bridge.placed import placed_in_scene
from .bridge.read_nodes import mechanism_from_placed
from .diagnosis import diagnose_scene

Reply = dict[str, Any]
"""A JSON object: ok, issues, info, output, error."""


def run(request: Mapping[str, Any]) -> Reply:
    """Open a .blend file and do one thing with it.

    Args:
        request: a JSON object with ``command`` (export, check or info), ``path``, and for export
            ``output``, ``format`` (glb or gltf), and ``strict``, ``godot_angular_sign`` and
            ``current_frame`` (null: as the file says).
    """
    reply: Reply = {"ok": False, "issues": [], "info": {}, "output": "", "error": ""}
    path = Path(request["path"])
    try:
        bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False, use_scripts=False)
    except RuntimeError as error:
        reply["error"] = f"Blender cannot open it: {_sentence(error)}"
        return reply
    if request["command"] == "export":
        _export(request, reply)
    elif request["command"] == "check":
        for scene in bpy.data.scenes:
            issues, _, _ = diagnose_scene(scene)
            reply["issues"] += [issue.as_json() for issue in issues]
        reply["ok"] = True
    else:
        placed = placed_in_scene(bpy.context.scene)
        reply["info"] = info_of(mechanism_from_placed(placed).mechanism)
        reply["ok"] = True
    return reply


def _export(request: Mapping[str, Any], reply: Reply) -> None:
    """Export the open file as Blender's exporter does by itself."""
    output = Path(request["output"])
    output.parent.mkdir(parents=True, exist_ok=True)
    for name in ("strict", "godot_angular_sign"):
        if request.get(name) is not None:
            for scene in bpy.data.scenes:
                setattr(scene.omi_physics_joint, name, bool(request[name]))
    report = bpy.context.window_manager.omi_physics_joint
    report.issues.clear()
    options = saved_export_settings(bpy.context.scene)
    options["export_format"] = "GLB" if request["format"] == "glb" else "GLTF_SEPARATE"
    if request.get("current_frame") is not None:
        options["export_current_frame"] = bool(request["current_frame"])
    try:
        bpy.ops.export_scene.gltf(filepath=str(output), **options)
        reply["ok"] = True
        reply["output"] = str(output)
    except RuntimeError as error:
        reply["error"] = _sentence(error)
    names = ("severity", "code", "where", "message", "fix")
    reply["issues"] = [{name: getattr(line, name) for name in names} for line in report.issues]


def saved_export_settings(scene: bpy.types.Scene) -> dict[str, Any]:
    """Return what "Remember Export Settings" of the export dialog has saved in a scene.

    The dialog itself would load them; the exporter called from a script does not.
    """
    saved = scene.get("glTF2ExportSettings")
    known = bpy.ops.export_scene.gltf.get_rna_type().properties
    return {name: value for name, value in saved.items() if name in known} if saved else {}


def _sentence(error: RuntimeError) -> str:
    """Return what an operator reported, without Blender's prefix and line breaks."""
    return " ".join(str(error).removeprefix("Error: ").split())
