# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a scene, copied to the window manager while joints play.

A click on a property of a scene pushes an undo step, which would hold the played pose. The window
manager is outside of undo, so the panel shows its copy meanwhile; at the end, when everything is at
rest again, the scene gets what was changed.
"""

from __future__ import annotations

import bpy
from bpy.types import Scene

from ..simulated.properties import OMI_JOINT_PG_preview


class SettingsCopy:
    """The settings of one scene, for as long as it plays."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.copy: OMI_JOINT_PG_preview = bpy.context.window_manager.omi_physics_preview
        self._before = {
            prop.identifier: getattr(scene.omi_physics_preview, prop.identifier)
            for prop in OMI_JOINT_PG_preview.bl_rna.properties
            if prop.identifier not in {"rna_type", "name"}
        }
        for name, value in self._before.items():
            setattr(self.copy, name, value)

    def write_back(self) -> bool:
        """Hand what was changed on to the scene; return whether anything was."""
        changed = False
        for name, before in self._before.items():
            value = getattr(self.copy, name)
            self.copy.property_unset(name)
            if value != before:
                setattr(self._scene.omi_physics_preview, name, value)
                changed = True
        return changed
