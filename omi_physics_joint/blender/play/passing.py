# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that bodies go through while they play, as nobody has made bodies of them."""

from __future__ import annotations

import numpy as np
from bpy.types import Scene
from mathutils import Vector

from ...model.wording.words import some
from ...solver.kinematics.rotation import Array
from ..bridge.placed import body_of
from ..bridge.poses.moving import BLENDER_FROM_GLTF


class PlainMeshes:
    """The meshes that are seen in a scene and are no bodies, and what of them was gone through."""

    def __init__(self, scene: Scene) -> None:
        """Note where they are at rest."""
        found = [
            obj
            for obj in scene.objects
            if obj.type == "MESH" and obj.visible_get() and body_of(obj) is None
        ]
        self._names = [obj.name for obj in found]
        corners = np.array(
            [[obj.matrix_world @ Vector(corner) for corner in obj.bound_box] for obj in found]
        ).reshape(-1, 8, 3)
        self._low, self._high = corners.min(axis=1), corners.max(axis=1)
        self._time = np.inf
        self._before = np.empty((0, 3))
        self._passed = np.zeros(len(found), np.bool_)

    def look(self, time: float, positions: Array) -> str:
        """Return in a sentence what bodies have come into since they were at rest, or nothing.

        Args:
            time: s since then; where it is less than before, it is looked at from there.
            positions: of the bodies, (n, 3), in m in glTF's axes.
        """
        now = positions @ BLENDER_FROM_GLTF[:3, :3].T
        if time < self._time or now.shape != self._before.shape:
            self._passed[:] = False
            self._before = now
        way = np.sort(np.stack((self._before, now)), axis=0)[:, :, None]
        was = self._before[:, None]
        met = ((way[0] <= self._high) & (way[1] >= self._low)).all(axis=2)
        inside = ((was <= self._high) & (was >= self._low)).all(axis=2)
        self._passed |= (met & ~inside).any(axis=0)
        self._time, self._before = time, now
        names = [self._names[at] for at in np.flatnonzero(self._passed)]
        if not names:
            return ""
        no_body, it = ("is no body", "it") if len(names) == 1 else ("are no bodies", "them")
        remedy = f"Stop, select {it}, and choose Object > Physics Joint > Make Static Body"
        return f"{some(names, 2)} {no_body}, so others go through {it}. {remedy}"
