# SPDX-License-Identifier: GPL-3.0-or-later
"""Which prim of a stage is which object, on a stage that Blender's exporter has just written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import bpy
from bpy.types import ID, Object

from ..bridge.placed import PlacedObject, objects_in

NAMED = "blender:object_name"
"""How the attribute ends in which Blender's exporter says of which object a prim is."""
_UNSAFE = re.compile(r"\W", re.ASCII)


def names_of_prims(
    context: Any,  # noqa: ANN401 - Blender's class, which 4.5 and 5.0 have with less in it
    posed: Iterable[str],
    said: Mapping[str, str],
) -> dict[str, list[str]]:
    """Return the paths of the prims of each object, by its name.

    Blender 5.2 knows the objects of prims itself. Others have the prims say which they are, by
    path, unless the user has turned that off; then names are compared of all that has a pose.
    """
    objects = _from_map(context.get_prim_map()) if hasattr(context, "get_prim_map") else said
    named = objects or {path: path.rpartition("/")[2] for path in posed}
    found: dict[str, list[str]] = {}
    for path, name in named.items():
        found.setdefault(name, []).append(path)
    if objects:
        return found
    return {obj.name: found.get(safe_name(obj.name), []) for obj in bpy.data.objects}


def paths_of(placed: Sequence[PlacedObject], prims: Mapping[str, Sequence[str]]) -> dict[int, str]:
    """Return the path of the prim of each placed object that was exported; prims are by name.

    An object has several where its collection is instanced: the one is meant that is below the
    prim of its parent or instancer, as near as can be.
    """
    paths: dict[int, str] = {}
    for index, obj in objects_in(placed):
        parent, known = placed[index].parent, prims.get(obj.name, ())
        above = "" if parent is None else paths.get(parent, "")
        below = [path for path in known if path.startswith(f"{above}/")]
        nearest = min(below or known, key=lambda path: path.count("/"), default="")
        if nearest:
            paths[index] = nearest
    return paths


def safe_name(name: str) -> str:
    """Return a name as Blender's exporter makes one of a prim of it."""
    plain = _UNSAFE.sub("_", name)
    return f"_{plain}" if plain[:1].isdigit() else plain


def _from_map(prim_map: Mapping[Any, Sequence[ID]]) -> dict[str, str]:
    return {
        str(path): data.name
        for path, blocks in prim_map.items()
        for data in blocks
        if isinstance(data, Object)
    }
