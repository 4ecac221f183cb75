# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens when one value of a joint is changed in a panel or by a script."""

from __future__ import annotations

import bpy

from .allowed import obstacle
from .rest import note_rest
from .session import session_for
from .stands import stand_of
from .writing import key_automatically


def set_slider(joint: bpy.types.Object, number: int, value: float) -> None:
    """Set one of a joint's six values, in Blender's axes, and move what follows.

    Nothing happens while something plays: what is edited then would be lost.
    """
    stand = stand_of(joint)
    context = bpy.context
    if stand is None or not stand.free[number] or obstacle(context.scene):
        return
    session = session_for(joint, context)
    if session is None:
        return
    note_rest(session.values())
    session.set_value(joint, number, value)
    session.write()
    context.view_layer.update()
    key_automatically(context.scene, session.moved)
