# SPDX-License-Identifier: GPL-3.0-or-later
"""From taking hold of a handle to letting go: what the operator calls."""

from __future__ import annotations

import bpy

from ...drawing.mouse.handles import Handle, Part
from ..interface.redrawing import done
from .frames import FrameDrag
from .values import ValueDrag

Drag = ValueDrag | FrameDrag


def begin(context: bpy.types.Context, joint: bpy.types.Object, handle: Handle) -> Drag:
    """Take hold of a handle of a joint.

    Raises:
        AuthoringError: it cannot be dragged here; the message says why.
    """
    if handle.part in (Part.MOVE, Part.TURN):
        return FrameDrag(joint, handle, context.scene)
    return ValueDrag(joint, handle, context.scene)


def confirm(drag: Drag) -> bool:
    """Keep what a drag has done, as one step to undo; False where it has done nothing."""
    if not drag.changed:
        drag.restore()
        return False
    bpy.ops.ed.undo_push(message=drag.name)
    done.edits += 1
    return True
