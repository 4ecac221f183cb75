# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms of objects, as the numbers that a user types, kept and put back bit by bit."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from math import atan2, pi, radians

import bpy
from bpy.types import Object
from mathutils import Quaternion, Vector

FIELDS: tuple[str, ...]
FIELDS = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")
"""What a pose changes. Reading them back from a matrix would round, and lose whole turns."""
GROUP = "Object Transforms"
"""Where Blender itself puts keys of transforms."""
NOISE = 1e-6
"""m and rad by which numbers differ that are the same: what single precision leaves of a matrix."""
ROUND_LENGTH, ROUND_ANGLE = 1e-4, radians(0.01)
"""m and rad: lengths and angles are round that are whole multiples of these."""


def rotation_field(mode: str) -> str:
    """Return which property of an object holds its rotation in a rotation mode."""
    field = f"rotation_{mode.lower()}"
    return field if field in FIELDS else "rotation_euler"


def axis_and_angle(turn: Quaternion) -> tuple[Vector, float]:
    """Return the axis and the angle of a turn, from 0 to 2 pi rad; the axis is Y where it is none.

    Blender's ``to_axis_angle`` takes turns of less than a thousandth of a rad for none.
    """
    cosine, *sines = turn.normalized()
    axis = Vector(sines)
    angle = 2.0 * atan2(axis.length, cosine)
    return axis.normalized() if axis.length else Vector((0.0, 1.0, 0.0)), angle


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


def tidy(frame: Object) -> None:
    """Round the location, Euler angles and scale of an object where they are off by noise.

    So they are as a user would type them: 0 and 180°, not -0 m, 0.000001 m and -180°.
    """
    frame.location = [_round(value, ROUND_LENGTH) for value in frame.location]
    frame.scale = [_round(value, ROUND_LENGTH) for value in frame.scale]
    if frame.rotation_mode not in {"QUATERNION", "AXIS_ANGLE"}:
        angles = [_round(value, ROUND_ANGLE) for value in frame.rotation_euler]
        frame.rotation_euler = [pi if value < NOISE - pi else value for value in angles]


def _round(value: float, step: float) -> float:
    """Return the nearest whole multiple of a step if it differs by noise; zero without a sign."""
    nearest = round(value / step) * step
    return (nearest or 0.0) if abs(value - nearest) <= NOISE else value
