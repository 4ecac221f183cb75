# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scene links from other .blend files and does not get; Blender shows nothing instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import bpy
from bpy.types import ID, Collection, Library, Object, Scene

from ...model.issue import Issue, Severity
from ...model.wording.words import some
from ..bridge.poses.second_frames import below

MOST_NAMES = 5
"""Names that one sentence lists."""


def missing_libraries(scenes: Iterable[Scene]) -> Iterator[Issue]:
    """Yield an error for each library that something in some scenes is missing from."""
    if not bpy.data.libraries:
        return
    lost: dict[Library, dict[str, None]] = {}
    for scene in scenes:
        for data, user in _linked(scene):
            if data is None or not data.is_missing or data.library is None:
                continue
            name = data.name if user in ("", data.name) else f"{data.name} (of {user})"
            lost.setdefault(data.library, {})[name] = None
    for library, names in lost.items():
        if library.is_missing:
            message = f"The linked file {library.filepath} is not there. Missing from it: "
            fix = "Bring the file back, or relocate the library in the Outliner (Blender File)."
        else:
            message = f"The linked file {library.filepath} no longer holds "
            fix = "Give it back its old name there, or link it anew."
        message += f"{some([*names], MOST_NAMES)}."
        yield Issue(Severity.ERROR, "library-missing", library.name, message, fix)


def _linked(scene: Scene) -> Iterator[tuple[ID | None, str]]:
    """Yield what a scene shows that may be linked, and the name of the object that uses it."""
    for collection in scene.collection.children_recursive:
        yield collection, ""
    instanced: set[Collection] = set()
    for obj in scene.objects:
        yield from _of_object(obj, instanced)


def _of_object(obj: Object, instanced: set[Collection]) -> Iterator[tuple[ID | None, str]]:
    """Yield an object, what it is made of and what it instances."""
    joint, body = obj.omi_physics_joint, obj.omi_physics_body
    yield obj, ""
    if obj.override_library is not None:
        yield obj.override_library.reference, obj.name
    for data in (obj.parent, obj.data, joint.settings, below(obj)):
        yield data, obj.name
    for slot in obj.material_slots:
        yield slot.material, obj.name
    for shape in (body.collider.shape, body.trigger.shape, body.gravity_shape):
        yield shape.mesh, obj.name
    collection = obj.instance_collection if obj.instance_type == "COLLECTION" else None
    if collection is None or collection in instanced:
        return
    instanced.add(collection)
    for one in (collection, *collection.children_recursive):
        yield one, obj.name
    for inner in collection.all_objects:
        yield from _of_object(inner, instanced)
