# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that bodies go through as they move, since nobody has made bodies of them."""

from __future__ import annotations

import numpy as np
from bpy.types import Scene
from mathutils import Vector

from ...model.wording.words import some
from ...solver.kinematics.rotation import Array
from ..bridge.placed import body_of
from ..bridge.poses.moving import BLENDER_FROM_GLTF


class PlainMeshes:
    """The meshes that a scene and its background show, no bodies of it, and which were met."""

    def __init__(self, scene: Scene) -> None:
        """Note where they are at rest."""
        found = [
            obj
            for obj in scene.objects
            if obj.type == "MESH" and obj.visible_get() and body_of(obj) is None
        ]
        self._names, self._own = [obj.name for obj in found], len(found)
        behind, own = scene.background_set, {*scene.objects}
        for obj in behind.objects if behind is not None else ():
            if obj.type == "MESH" and obj not in own and not obj.hide_viewport:
                found.append(obj)
                self._names.append(f"{obj.name} of the scene {behind.name}")
        corners = np.array(
            [[obj.matrix_world @ Vector(corner) for corner in obj.bound_box] for obj in found]
        ).reshape(-1, 8, 3)
        self._low, self._high = corners.min(axis=1), corners.max(axis=1)
        self._before: Array | None = None
        self._passed = np.zeros(len(found), np.bool_)

    def forget(self) -> None:
        """Begin again with what is followed next."""
        self._before = None
        self._passed[:] = False

    def follow(self, positions: Array) -> None:
        """Note what bodies have come into on the straight way from where they were before.

        Args:
            positions: of the bodies, always the same ones, (n, 3), in m in glTF's axes.
        """
        now = positions @ BLENDER_FROM_GLTF[:3, :3].T
        was, self._before = now if self._before is None else self._before, now
        low, high = np.minimum(was, now), np.maximum(was, now)
        around = low.min(axis=0), high.max(axis=0)
        near = np.flatnonzero(
            ~self._passed & ((around[0] <= self._high) & (around[1] >= self._low)).all(axis=1)
        )
        least, most = self._low[near], self._high[near]
        met = ((low[:, None] <= most) & (high[:, None] >= least)).all(axis=2)
        inside = ((was[:, None] <= most) & (was[:, None] >= least)).all(axis=2)
        self._passed[near] = (met & ~inside).any(axis=0)

    @property
    def said(self) -> tuple[str, str]:
        """What bodies have come into, and what to do; nothing if that is nothing."""
        passed = np.flatnonzero(self._passed)
        names = [self._names[at] for at in passed]
        if not names:
            return "", ""
        no_body, it = ("is no body", "it") if len(names) == 1 else ("are no bodies", "them")
        remedy = f"select {it}, and choose Object > Physics Joint > Make Static Body"
        if passed[-1] >= self._own:
            remedy = f"link {it} into this scene (Object > Link/Transfer Data), then {remedy}"
        return f"{some(names, 2)} {no_body}, so others go through {it}", remedy
