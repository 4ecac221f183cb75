# SPDX-License-Identifier: GPL-3.0-or-later
"""The motion of bodies as arrays: what a cache holds, a frame shows and a bake keys."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import tau

import numpy as np
from bpy.types import Object
from mathutils import Euler, Quaternion, Vector
from numpy.typing import NDArray

from ...bridge.poses.transforms import FIELDS, axis_and_angle
from ..properties import OMI_JOINT_PG_cached_body

Array = NDArray[np.float64]
Single = NDArray[np.float32]

ENDS = (0, 3, 6, 10, 14, 17)
COLUMNS = {name: slice(*ends) for name, ends in zip(FIELDS, pairwise(ENDS), strict=True)}
"""Where the numbers of each of ``FIELDS`` are in a row of them all."""
NUMBERS = 7
"""Of a body in a frame: location x y z, rotation w x y z."""
NEARLY_WHOLE = 1e-6
"""Frames; closer to a whole frame than this there is nothing to interpolate."""

NO_TURN = 1e-6
"""rad; a smaller turn has no axis to speak of."""


def numbers_of(owners: Iterable[Object | OMI_JOINT_PG_cached_body | None]) -> Single:
    """Return transforms as rows of numbers, zeros for what is gone: (bodies, numbers)."""
    rows = [
        (0.0,) * ENDS[-1]
        if one is None
        else [number for name in FIELDS for number in getattr(one, name)]
        for one in owners
    ]
    return np.array(rows, dtype=np.float32).reshape(len(rows), ENDS[-1])


def rotation_of(mode: str, values: Sequence[float]) -> Quaternion:
    """Return the rotation that the numbers of a rotation property stand for."""
    if mode == "QUATERNION":
        return Quaternion(values).normalized()
    if mode == "AXIS_ANGLE":
        axis = Vector(values[1:])
        return Quaternion(axis.normalized(), values[0]) if axis.length else Quaternion()
    return Euler(values, mode).to_quaternion()


def values_after(mode: str, rotation: Quaternion, before: Sequence[float]) -> tuple[float, ...]:
    """Return a rotation as numbers of a rotation mode, the ones nearest to those before it.

    Euler angles go on beyond whole turns, quaternions and axes do not change their sign.
    """
    if mode == "QUATERNION":
        return tuple(rotation if rotation.dot(Quaternion(before)) >= 0.0 else -rotation)
    if mode == "AXIS_ANGLE":
        return _axis_angle_after(rotation, before)
    return tuple(rotation.to_euler(mode, Euler(before, mode)))


def _axis_angle_after(rotation: Quaternion, before: Sequence[float]) -> tuple[float, ...]:
    """Return angle and axis, nearest to an angle about nearly the same axis before."""
    axis, angle = axis_and_angle(rotation)
    earlier = Vector(before[1:])
    if abs(angle) < NO_TURN and earlier.length:
        axis = earlier.normalized()
    if axis.dot(earlier) < 0.0:
        axis, angle = -axis, -angle
    # Beyond half a turn the axis came out flipped and is now flipped back: the angle runs on.
    return (angle + tau * round((before[0] - angle) / tau), *axis)


@dataclass(slots=True)
class CachedMotion:
    """Transforms of bodies below their parents, frame by frame; the first is the rest pose.

    Attributes:
        locations: (frames, bodies, 3), as an object's own location.
        rotations: (frames, bodies, 4), w x y z, as an object's own rotation.
    """

    locations: Single
    rotations: Single
    _fields: dict[tuple[int, str], Single] = field(default_factory=dict)

    @property
    def frames(self) -> int:
        """How many frames there are."""
        return len(self.locations)

    def packed(self) -> bytes:
        """Return all numbers as bytes: body by body, number by number, over time; compressed."""
        both = np.concatenate([self.locations, self.rotations], axis=2).astype("<f4")
        planes = both.transpose(1, 2, 0).copy().view(np.uint8).reshape(-1, 4).T
        return zlib.compress(planes.tobytes(), 6)

    @classmethod
    def unpacked(cls, data: bytes, bodies: int) -> CachedMotion:
        """Return what was packed.

        Raises:
            ValueError: these are not the bytes of so many bodies.
        """
        try:
            raw = np.frombuffer(zlib.decompress(data), np.uint8).reshape(4, -1)
        except zlib.error as error:
            raise ValueError(str(error)) from None
        both = raw.T.copy().view("<f4").reshape(bodies, NUMBERS, -1).transpose(2, 0, 1)
        both = both.astype(np.float32)
        return cls(np.ascontiguousarray(both[:, :, :3]), np.ascontiguousarray(both[:, :, 3:]))

    def locations_at(self, frame: float) -> Single:
        """Return the locations of all bodies; frames count from 0, the ends hold: (bodies, 3)."""
        first, part = self._between(frame)
        here: Single = self.locations[first]
        return here + np.float32(part) * (self.locations[first + 1] - here) if part else here

    def rotation_at(
        self, body: int, frame: float, mode: str, rest: Sequence[float]
    ) -> tuple[float, ...]:
        """Return the rotation of a body as numbers of a rotation mode; see ``rotations_in``."""
        first, part = self._between(frame)
        values = self.rotations_in(body, mode, rest)
        if not part:
            return tuple(values[first].tolist())
        one, other = (Quaternion(self.rotations[k, body]) for k in (first, first + 1))
        return values_after(mode, one.slerp(other, part), values[first].tolist())

    def rotations_in(self, body: int, mode: str, rest: Sequence[float]) -> Single:
        """Return the rotations of a body as numbers of a rotation mode, without a jump.

        Those of the first frame are kept as they are: ``rest``.
        """
        key = (body, mode)
        if key not in self._fields:
            rows = [tuple(rest)]
            for values in self.rotations[1:, body].tolist():
                rows.append(values_after(mode, Quaternion(values), rows[-1]))
            self._fields[key] = np.array(rows, dtype=np.float32)
        return self._fields[key]

    def _between(self, frame: float) -> tuple[int, float]:
        """Return the frame at or before a moment, and how far it is from there to the next."""
        frame = min(max(frame, 0.0), self.frames - 1.0)
        first = int(frame + NEARLY_WHOLE)
        part = frame - first
        return first, part if part > NEARLY_WHOLE else 0.0
