# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a scene, lent to the window manager while joints play.

A click on a property of a scene pushes an undo step, which would hold the played pose. The window
manager is outside of undo, so the panel shows its copy meanwhile; at the end, when everything is at
rest again, the scene gets what was changed.
"""

from __future__ import annotations

import bpy

from ..properties.preview import OmiPreview


def lend(scene: bpy.types.Scene) -> OmiPreview:
    """Return a copy of the settings of a scene that the user may change while joints play."""
    copy = bpy.context.window_manager.omi_joint_preview
    for name in _names():
        setattr(copy, name, getattr(scene.omi_joint_preview, name))
    return copy


def give_back(scene: bpy.types.Scene) -> bool:
    """Hand what was changed on to the scene; return whether anything was."""
    copy = bpy.context.window_manager.omi_joint_preview
    changed = False
    for name in _names():
        value = getattr(copy, name)
        copy.property_unset(name)
        if value != getattr(scene.omi_joint_preview, name):
            setattr(scene.omi_joint_preview, name, value)
            changed = True
    return changed


def _names() -> list[str]:
    own = OmiPreview.bl_rna.properties
    return [prop.identifier for prop in own if prop.identifier not in {"rna_type", "name"}]
