# SPDX-License-Identifier: GPL-3.0-or-later
"""What the exporter changes in the session before it asks us: frame, mode and active object."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
from bpy.types import Object, Scene


@dataclass(frozen=True, slots=True)
class SessionState:
    """Where the user was when an export began."""

    scene: Scene
    frame: int
    subframe: float
    active: Object | None
    mode: str

    @classmethod
    def now(cls) -> SessionState:
        """Return the state of this moment."""
        scene, active = bpy.context.scene, bpy.context.view_layer.objects.active
        mode = active.mode if active is not None else "OBJECT"
        return cls(scene, scene.frame_current, scene.frame_subframe, active, mode)

    def restore(self) -> None:
        """Go back there."""
        if (self.scene.frame_current, self.scene.frame_subframe) != (self.frame, self.subframe):
            self.scene.frame_set(self.frame, subframe=self.subframe)
        objects = bpy.context.view_layer.objects
        if objects.active != self.active:
            objects.active = self.active
        if self.active is not None and self.active.mode != self.mode:
            bpy.ops.object.mode_set(mode=self.mode)
