# SPDX-License-Identifier: GPL-3.0-or-later
"""What keeps an operator adjustable after it has used up what it asks for."""

from __future__ import annotations

from bpy.types import Context, Operator


def was_last(context: Context, kind: type[Operator]) -> bool:
    """Return whether an operator is the one in the redo box.

    Blender polls it before it undoes what it has made, and without its poll there is no redo box.
    """
    last = context.active_operator
    return last is not None and last.bl_idname == kind.__name__
