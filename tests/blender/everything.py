# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that a play could leave behind, as one dictionary to compare."""

from __future__ import annotations

from functools import cache
from typing import Any

import bpy
from mathutils import Color, Euler, Matrix, Quaternion, Vector

KINDS = ("objects", "scenes", "node_groups", "actions", "collections", "worlds", "materials")
CHANGING = {
    "rna_type",
    "session_uid",
    "is_evaluated",
    "original",
    "tag",
    "is_dirty",
    "particle_edit",
}
"""Properties that say nothing of the data."""
DEPTH = 5


@cache
def _properties(kind: type, _: int) -> list[tuple[str, str]]:
    """Return names and types of what is walked of a kind of data, which has so many properties."""
    every = ((one.identifier, one.type) for one in kind.bl_rna.properties)  # type: ignore[attr-defined]
    return [one for one in every if one[0] not in CHANGING and not one[0].startswith("bl_")]


def everything(but: str = "") -> dict[str, Any]:
    """Return all properties of the data but those of one name, bit by bit, and all handlers."""
    bpy.context.view_layer.update()
    found: dict[str, Any] = {}
    for kind in KINDS:
        for one in getattr(bpy.data, kind):
            _walk(one, f"{kind}[{one.name_full}]", found, but)
    found.update(handlers())
    found["scene shown"] = bpy.context.window.scene.name if bpy.context.window else ""
    return found


def handlers() -> dict[str, Any]:
    """Return who listens to what, by name: an add-on that was off and on has new functions."""
    lists = {name: getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)}
    return {
        f"handlers.{name}": sorted(f"{one.__module__}.{one.__qualname__}" for one in value)
        for name, value in lists.items()
        if isinstance(value, list)
    }


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Return what is not the same."""
    return [
        f"{key}: {before.get(key)} -> {after.get(key)}"
        for key in sorted({*before, *after})
        if before.get(key) != after.get(key)
    ]


def _walk(struct: Any, path: str, found: dict[str, Any], but: str, depth: int = 0) -> None:
    for name, kind in _properties(type(struct), len(struct.bl_rna.properties)):
        if name == but:
            continue
        try:
            value = getattr(struct, name)
        except (AttributeError, TypeError, ValueError, RuntimeError):
            continue
        here = f"{path}.{name}"
        if kind == "POINTER":
            _one(value, here, found, but, depth)
        elif kind == "COLLECTION":
            found[here] = len(value)
            for number, item in enumerate(value):
                _one(item, f"{here}[{number}]", found, but, depth)
        else:
            found[here] = _plain(value)
    if isinstance(struct, bpy.types.ID):
        found[f"{path} own"] = sorted(struct.keys())


def _one(value: Any, path: str, found: dict[str, Any], but: str, depth: int) -> None:
    if value is None or isinstance(value, bpy.types.ID):
        found[path] = value and value.name_full
    elif depth < DEPTH:
        _walk(value, path, found, but, depth + 1)


def _plain(value: Any) -> Any:
    """Return numbers as text, in which -0.0 is not 0.0 and NaN equals NaN."""
    if isinstance(value, str | bytes | set):
        return value
    if isinstance(value, Color | Euler | Matrix | Quaternion | Vector):
        return repr(value)
    if hasattr(value, "__len__"):
        return tuple(_plain(part) for part in value)
    return repr(value)
