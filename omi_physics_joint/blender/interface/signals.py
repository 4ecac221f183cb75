# SPDX-License-Identifier: GPL-3.0-or-later
"""Notices that something may have changed, without looking at any object.

Each kind of change has a counter that only grows. Whoever draws compares the counters with those of
last time; that costs nothing while nothing happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import bpy
from bpy.app import handlers

from ..registration import on


@dataclass(slots=True)
class Signals:
    """Counters of changes."""

    pose: int = 0
    """Objects moved."""
    look: int = 0
    """Selection, visibility or something else of a scene."""
    structure: int = 0
    """Objects, collections, or what makes objects joints."""
    blocks: dict[int, int] = field(default_factory=dict)
    """By session uid of a settings block: the count of ``settings`` when it changed."""
    settings: int = 0
    generation: int = 0
    """Data-blocks were replaced: no reference to any of them is good any more."""
    joints: int = 0
    """A joint was switched, or its second frame follows another. For Blender the object has only
    moved then, if it announces anything."""
    away: int = 0
    """What is shown away from where the user put it, or how."""
    operators: int = 0
    """Operators of ours have worked."""
    edits: int = 0
    """Joints may have become others: by our operators, by undo and redo."""


signals = Signals()


@on(handlers.depsgraph_update_post)
def on_depsgraph(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Sort an update of the dependency graph by kind; runs for every update, so it is brief."""
    if depsgraph.id_type_updated("COLLECTION"):
        signals.structure += 1
    if depsgraph.id_type_updated("SCENE"):
        signals.look += 1
    if depsgraph.id_type_updated("OBJECT"):
        signals.pose += 1
        # What plays moves hundreds of objects; hence no call for each of them.
        signals.structure += any(
            not update.is_updated_transform
            and isinstance(update.id, bpy.types.Object)
            and update.id.type == "EMPTY"
            for update in depsgraph.updates
        )
    if depsgraph.id_type_updated("NODETREE"):
        _note_blocks(depsgraph)


def _note_blocks(depsgraph: bpy.types.Depsgraph) -> None:
    signals.settings += 1
    for update in depsgraph.updates:
        edited = update.id
        if isinstance(edited, bpy.types.NodeTree) and edited.bl_idname == "OmiJointSettings":
            signals.blocks[edited.original.session_uid] = signals.settings


@on(handlers.frame_change_post)
def on_frame(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Another frame: things moved, and keyed settings may have other values."""
    signals.pose += 1
    signals.look += 1
    if depsgraph.id_type_updated("NODETREE"):
        _note_blocks(depsgraph)


@on(handlers.undo_pre, handlers.undo_post, handlers.redo_pre, handlers.redo_post)
@on(handlers.load_pre, handlers.load_post)
def on_replaced(*_arguments: object) -> None:
    """Undo, redo and loading replace data-blocks: everything is to be found anew."""
    signals.generation += 1
    signals.blocks.clear()


def while_on() -> Iterator[None]:
    """Begin anew: what was drawn while the add-on was off is no good."""
    on_replaced()
    yield
