# SPDX-License-Identifier: GPL-3.0-or-later
"""Which collections a new empty goes into: those of linked and overridden sets take none."""

from __future__ import annotations

import bpy
from bpy.types import Collection, Object

from .descendants import seen_once


def homes_beside(obj: Object) -> list[Collection]:
    """Return the object's collections that can be changed, else the first such of the scene.

    There is none where the scene itself is linked.
    """
    own = _homes().get(obj.session_uid)
    if own:
        return own
    scene = bpy.context.scene
    found = [scene.collection, *scene.collection.children_recursive]
    return [one for one in found if _takes_objects(one)][:1]


@seen_once
def _homes() -> dict[int, list[Collection]]:
    """Return the collections of all objects: Blender would look at all objects for each."""
    found: dict[int, list[Collection]] = {}
    for collection in (*bpy.data.collections, *(one.collection for one in bpy.data.scenes)):
        for obj in collection.objects if _takes_objects(collection) else ():
            found.setdefault(obj.session_uid, []).append(collection)
    return found


def _takes_objects(collection: Collection) -> bool:
    """Return whether objects can be linked: linked and overridden collections take none."""
    return bool(collection.is_editable) and collection.override_library is None
