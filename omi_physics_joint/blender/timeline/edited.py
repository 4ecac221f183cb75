# SPDX-License-Identifier: GPL-3.0-or-later
"""Where bodies rest that were edited, moved or copied while a simulated frame of them was shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import bpy
from bpy.types import Object
from mathutils import Matrix, Vector

from ...model.geometry import transform
from ..bridge.placed import bodies_of
from .cache.storage import frames_of
from .properties import OmiMotionCache

ALIKE = 1e-4
"""By which what moves several objects alike differs, and m that what stays is off, a part of its
size."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a body looked like before anything was shown of it."""

    above: Matrix
    """World matrix of the space that its own transform is in."""
    corners: tuple[Vector, ...]
    """Some vertices, in its own space; none where it is no mesh."""

    @classmethod
    def of(cls, obj: Object) -> Look:
        """Look at an object."""
        return cls(_above(obj), _corners(obj))

    def kept(self, obj: Object, shown: Matrix) -> tuple[Matrix, Matrix] | None:
        """Return what its rest is multiplied by from left and right, where it was not moved.

        Its vertices are where ``shown`` had them, and its transform says it in another way: its
        origin was set, its rotation applied, its parent cleared. Else None.
        """
        left = self.above if obj.parent is None else Matrix()
        now = left.inverted_safe() @ obj.matrix_basis
        before, after = [shown @ at for at in self.corners], [now @ at for at in _corners(obj)]
        size = max(((a - before[0]).length for a in before), default=0.0)
        if not before or len(after) != len(before):
            return None
        if any((a - b).length > ALIKE * size for a, b in zip(before, after, strict=True)):
            return None
        return left, shown.inverted_safe() @ now


def _above(obj: Object) -> Matrix:
    return obj.matrix_world @ obj.matrix_basis.inverted_safe()


def _corners(obj: Object) -> tuple[Vector, ...]:
    vertices = obj.data.vertices if obj.type == "MESH" else ()
    return tuple(vertices[at * len(vertices) // 4].co.copy() for at in range(min(4, len(vertices))))


def moved_along(cache: OmiMotionCache, shown: Mapping[int, Matrix]) -> dict[int, Matrix]:
    """Return by what bodies that were moved as others were, below their parents, by session uid.

    Of one that was moved alone nobody knows whether it is meant to stay there.
    """
    bpy.context.view_layer.update()  # after undo, matrices are old
    found = [obj.matrix_world @ one.inverted_safe() for obj, one in frames_of(cache.stands).items()]
    own: dict[int, tuple[Matrix, Matrix]] = {}
    for obj in filter(None, (item.object for item in cache.bodies)):
        way = obj.matrix_basis @ shown.get(obj.session_uid, obj.matrix_basis).inverted_safe()
        above = _above(obj)
        own[obj.session_uid] = way, above @ way @ above.inverted_safe()
    found += [world for _, world in own.values()]
    found = [one for one in found if transform.difference(one, Matrix()) > ALIKE]
    return {
        uid: way
        for uid, (way, world) in own.items()
        if sum(transform.difference(world, one) <= ALIKE for one in found) > 1
    }


def copies_of(cache: OmiMotionCache) -> dict[Object, Object]:
    """Return which bodies are copies, made with their joint, of bodies as a cache shows them.

    A copied joint remembers of both bodies what its original does, and they stand to each other as
    those do, but for the place where one joint's body alone was copied.
    """
    assert cache.scene is not None  # whose cache it is
    moves, known = {one.object for one in cache.bodies}, frames_of(cache.joints)
    joints = (obj for obj in cache.scene.objects if obj.omi_physics_joint.is_joint)
    new = [obj for obj in joints if obj not in known and any(obj.omi_physics_joint.joined)]
    if new:
        bpy.context.view_layer.update()  # after undo, matrices are old
    remembered = defaultdict(list)
    for one in known if new else ():
        remembered[tuple(one.omi_physics_joint.joined)].append(one)
    found: dict[Object, Object] = {}
    for joint in new:
        alike = remembered[tuple(joint.omi_physics_joint.joined)]
        for one in (one for one in alike if _stand_alike(joint, one)):
            for copy, own in zip(bodies_of(joint), bodies_of(one), strict=True):
                if copy is not None and own is not None and copy not in moves and own in moves:
                    found[copy] = own
    return found


def _stand_alike(joint: Object, other: Object) -> bool:
    """Return whether the connected bodies of two joints are alike in their frames."""
    both = [(one, one.omi_physics_joint.connected_body) for one in (joint, other)]
    seen = [
        one.matrix_world.inverted_safe() @ (b.matrix_world if b else Matrix()) for one, b in both
    ]
    if both[0][1] == both[1][1]:
        seen = [one.to_3x3() for one in seen]
    return transform.difference(*seen) <= ALIKE
