# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms of objects, kept as the numbers that the user typed and put back bit by bit."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable
from dataclasses import dataclass

import bpy
from bpy.types import Object

FIELDS: tuple[str, ...]
FIELDS = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")
"""What a pose changes. Reading them back from a matrix would round, and lose whole turns."""


GROUP = "Object Transforms"
"""Where Blender itself puts keys of transforms."""


def rotation_field(mode: str) -> str:
    """Return which property of an object holds its rotation in a rotation mode."""
    field = f"rotation_{mode.lower()}"
    return field if field in FIELDS else "rotation_euler"


@dataclass(frozen=True, slots=True)
class Kept:
    """The transform of one object at one moment."""

    object: Object
    session_uid: int
    """Finds the object again where an undo step has replaced it."""
    name: str
    values: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, obj: Object) -> Kept:
        """Keep the transform that an object has now."""
        values = tuple(tuple(getattr(obj, field)) for field in FIELDS)
        return cls(obj, obj.session_uid, obj.name_full, values)

    def find(self) -> Object | None:
        """Return the object as it is called now, or None where it was deleted."""
        try:
            _ = self.object.name
        except ReferenceError:
            alike = (one for one in bpy.data.objects if one.session_uid == self.session_uid)
            return next(alike, None)
        return self.object

    def put_back(self) -> bool:
        """Give the object its transform back; False where it was deleted."""
        obj = self.find()
        if obj is None:
            return False
        for field, value in zip(FIELDS, self.values, strict=True):
            if repr(tuple(getattr(obj, field))) != repr(value):  # as -0.0 is not 0.0
                setattr(obj, field, value)
        return True


def keep(objects: Iterable[Object]) -> tuple[Kept, ...]:
    """Keep the transforms of objects."""
    return tuple(Kept.of(obj) for obj in objects)


def put_back(kept: Iterable[Kept]) -> list[str]:
    """Give objects their transforms back, whatever happens to some.

    Returns:
        The names of those that are gone or cannot be written.
    """
    lost = []
    for one in kept:
        try:
            if one.put_back():
                continue
        except Exception:  # noqa: BLE001 - all others have to come back
            traceback.print_exc(file=sys.stderr)
        lost.append(one.name)
    return lost
