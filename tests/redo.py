# SPDX-License-Identifier: GPL-3.0-or-later
"""Adjusts the last operator as the redo box does: undo, then execute, and nothing in between."""

from __future__ import annotations

import bpy


def press(identifier: str, **options: object) -> set[str]:
    """Press a button: the operator with its own step of undo, after one for the scene as it is."""
    bpy.ops.ed.undo_push(message="Scene")
    module, name = identifier.split(".")
    try:
        done: set[str] = getattr(getattr(bpy.ops, module), name)("EXEC_DEFAULT", True, **options)
    except RuntimeError:  # the sentence of a refusal
        return {"CANCELLED"}
    return done


def adjust(**options: object) -> None:
    """Change fields in the redo box of the last operator.

    Blender's own operator does the rest: unlike a call from Python, it brings nothing up to date
    between its undo and the operator's execute.
    """
    operator = bpy.context.active_operator
    for name, value in options.items():
        setattr(operator.properties, name, value)
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=window, screen=window.screen, area=area, region=region):
        if bpy.ops.ed.undo_redo.poll():  # else there is no redo box
            bpy.ops.ed.undo_redo()
