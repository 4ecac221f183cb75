# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that animation writes, kept while the frame moves.

Going to another frame and back sets every animated property to what its curve says, and so loses
what the user changed without keying it. Whoever borrows the frame keeps the values first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import bpy

from ..bridge.animation import animated_paths

Value = Any

_STEP = re.compile(r'\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|\.?(\w+)')
"""One step of a data path: a key in quotes, an index, or a name."""


class AnimatedValues:
    """The values of all animated properties in the file at one moment."""

    def __init__(self) -> None:
        self._kept: list[tuple[bpy.types.ID, str, Value]] = []
        for owner in animated():
            for path in sorted(animated_paths(owner.animation_data)):
                value = read(owner, path)
                if value is not None:
                    self._kept.append((owner, path, value))

    def put_back(self) -> list[str]:
        """Write those that differ, whatever happens to some; return which could not be."""
        lost = []
        for owner, path, value in self._kept:
            try:
                if repr(read(owner, path)) != repr(value):
                    write(owner, path, value)
            except ReferenceError:
                continue  # deleted meanwhile, with all its values
            except AttributeError:
                continue  # read-only: then no curve has written it either
            except Exception:  # noqa: BLE001 - all others have to come back
                lost.append(f"{owner.name}: {path}")
        return lost


def animated() -> Iterator[bpy.types.ID]:
    """Yield everything in the file that has animation once, embedded node trees included."""
    seen = set()  # some releases have a collection of all data-blocks beside those of each type
    for prop in bpy.data.bl_rna.properties:
        if prop.type != "COLLECTION":
            continue
        for owner in getattr(bpy.data, prop.identifier):
            for one in (owner, getattr(owner, "node_tree", None)):
                if one is None or getattr(one, "animation_data", None) is None:
                    continue
                if one.as_pointer() not in seen:
                    seen.add(one.as_pointer())
                    yield one


def is_moved_by_animation(obj: bpy.types.Object) -> bool:
    """Return whether an object, or anything above it, is keyed, driven or constrained."""
    above: bpy.types.Object | None = obj
    while above is not None:
        data = above.animation_data
        if data is not None and animated_paths(data):
            return True
        if any(not constraint.mute for constraint in above.constraints):
            return True
        above = above.parent
    return False


def read(owner: bpy.types.ID, path: str) -> Value | None:
    """Return a value as plain numbers; None where the path leads nowhere."""
    try:
        value = owner.path_resolve(path)
    except ValueError:
        return None
    if isinstance(value, bool | int | float | str):
        return value
    return tuple(value) if hasattr(value, "__len__") else None


def write(owner: bpy.types.ID, path: str, value: Value) -> None:
    """Write a value that ``read`` gave.

    Raises:
        ValueError: the path leads nowhere.
    """
    steps = list(_STEP.finditer(path))
    if not steps:
        raise ValueError(path)
    last = steps[-1]
    holder = path[: last.start()]
    target = owner.path_resolve(holder) if holder else owner
    key, index, name = last.groups()
    if key is not None:
        target[bpy.utils.unescape_identifier(key)] = value
    elif index is not None:
        target[int(index)] = value
    else:
        setattr(target, name, value)
