# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that animation writes, kept while the frame moves.

Going to another frame and back sets every animated property to what its curve says, and so loses
what the user changed without keying it. Whoever borrows the frame keeps the values first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import bpy
from bpy.types import ID, Object

from ..bridge.animation import animated_paths
from ..bridge.placed import with_parents

Value = bool | int | float | str | tuple[object, ...]

_STEP = re.compile(r'\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|\.?(\w+)')
"""One step of a data path: a key in quotes, an index, or a name."""


class AnimatedValues:
    """The values of all animated properties in the file at one moment."""

    def __init__(self) -> None:
        self._kept = [
            (owner, path, value)
            for owner in animated()
            for path in sorted(animated_paths(owner.animation_data))
            if (value := read(owner, path)) is not None
        ]

    def put_back(self) -> list[str]:
        """Write those that differ, whatever happens to some; return which could not be."""
        lost = []
        for owner, path, value in self._kept:
            try:
                if repr(read(owner, path)) != repr(value):
                    write(owner, path, value)
            except (ReferenceError, AttributeError):
                continue  # deleted meanwhile, or read-only: then no curve has written it either
            except Exception:  # noqa: BLE001 - all others have to come back
                lost.append(f"{owner.name}: {path}")
        return lost


def animated() -> Iterable[ID]:
    """Return everything in the file that has animation once, embedded node trees included."""
    found: dict[int, ID] = {}
    # Some releases have a collection of all data-blocks beside those of each type.
    for prop in bpy.data.bl_rna.properties:
        for owner in getattr(bpy.data, prop.identifier) if prop.type == "COLLECTION" else ():
            found.update(
                (one.as_pointer(), one)
                for one in (owner, getattr(owner, "node_tree", None))
                if one is not None and getattr(one, "animation_data", None) is not None
            )
    return found.values()


def is_moved_by_animation(obj: Object) -> bool:
    """Return whether an object, or anything above it, is keyed, driven or constrained."""
    for above in with_parents(obj):
        if above.animation_data is not None and animated_paths(above.animation_data):
            return True
        if not all(constraint.mute for constraint in above.constraints):
            return True
    return False


def read(owner: ID, path: str) -> Value | None:
    """Return a value as plain numbers; None where the path leads nowhere."""
    try:
        value = owner.path_resolve(path)
    except ValueError:
        return None
    if isinstance(value, bool | int | float | str):
        return value
    return tuple(value) if hasattr(value, "__len__") else None


def write(owner: ID, path: str, value: Value) -> None:
    """Write a value that ``read`` gave.

    Raises:
        ValueError: the path leads nowhere.
    """
    *_, last = _STEP.finditer(path)
    holder = path[: last.start()]
    target = owner.path_resolve(holder) if holder else owner
    key, index, name = last.groups()
    if key is not None:
        target[bpy.utils.unescape_identifier(key)] = value
    elif index is not None:
        target[int(index)] = value
    else:
        setattr(target, name, value)
