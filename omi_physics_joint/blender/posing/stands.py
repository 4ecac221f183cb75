# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a joint stands and how far it may go, in Blender's axes: what sliders show.

A joint is measured in glTF's axes, as everywhere, and each value is then named and signed as
Blender has its axis: glTF's Z is Blender's -Y.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import degrees, isfinite, radians
from operator import lt

from bpy.types import Object

from ...model.geometry.axes import Y_UP_FROM_Z_UP, Z_UP_FROM_Y_UP
from ...model.geometry.frames import is_sound, rigid_frame
from ...model.geometry.transform import Matrix
from ...model.joint import AXES, Freedom, JointSettings
from ...model.settings.coordinates import coordinates
from ...model.settings.spans import spans_of
from ...posing.links import bounds_of
from ..bridge.placed import plain
from ..bridge.poses.second_frames import second_world
from ..bridge.read_settings import settings_from_block
from ..interface.words import way

Six = tuple[float, ...]
"""X, Y, Z in m, then about X, Y, Z in rad."""
LENGTH_DIGITS, ANGLE_DIGITS, SHARE_DIGITS = 6, 3, 4
"""Decimals of a value in m, in degrees, and of a part of a range; what is beyond is noise."""


def freedom_of(number: int) -> Freedom:
    """Return what the number of one of six values is along or about."""
    return (Freedom.LINEAR, Freedom.ANGULAR)[number // 3]


@dataclass(frozen=True, slots=True)
class Stand:
    """Six values of a joint in Blender's axes, m and rad, their bounds, and which are free."""

    values: Six
    low: Six
    high: Six
    free: tuple[bool, ...]

    def name(self, number: int) -> str:
        """Return "Turn" or "Slide" where all that moves has one axis, else "About Y", "Along X"."""
        axis, moving = number % 3, {n % 3 for n, free in enumerate(self.free) if free}
        return way(freedom_of(number), (axis,), axis if len(moving) == 1 else None)

    def share(self, number: int) -> float | None:
        """Return how far through its range a value is, 0 to 1; None where it has no range."""
        low, high = self.low[number], self.high[number]
        if not (isfinite(low) and isfinite(high) and high > low):
            return None
        share = (self.values[number] - low) / (high - low)
        return round(min(max(share, 0.0), 1.0), SHARE_DIGITS)

    def at_share(self, number: int, share: float) -> float:
        """Return the value at a part of the range."""
        return self.low[number] + share * (self.high[number] - self.low[number])


def stand_of(joint: Object) -> Stand | None:
    """Return where a joint stands now; None where it is off or lacks something."""
    data = joint.omi_physics_joint
    second = second_world(joint)
    if not data.is_joint or data.mute or data.settings is None or second is None:
        return None
    frames = (plain(joint.matrix_world), plain(second))
    return _stand(settings_from_block(data.settings), *frames)


@lru_cache(maxsize=512)
def _stand(settings: JointSettings, joint: Matrix, connected: Matrix) -> Stand | None:
    own = Y_UP_FROM_Z_UP.settings(settings)
    worlds = [Y_UP_FROM_Z_UP.matrix(world) for world in (joint, connected)]
    if not all(map(is_sound, worlds)):
        return None
    spans = spans_of(own.limits)
    values = coordinates(spans, *(rigid_frame(world, own) for world in worlds))
    said = tuple(_said(number, value) for number, value in enumerate(in_blender(values)))
    ends = [in_blender(bounds.tolist()) for bounds in bounds_of(spans)]
    low, high = tuple(map(min, *ends)), tuple(map(max, *ends))
    return Stand(said, low, high, tuple(map(lt, low, high)))


def in_blender(six: Six) -> Six:
    """Return six values of the model in Blender's axes."""
    return (*Z_UP_FROM_Y_UP.vector(six[:3]), *Z_UP_FROM_Y_UP.vector(six[3:]))


def _said(number: int, value: float) -> float:
    """Return a value without the noise of single precision, as a field should show it."""
    if number < len(AXES):
        return round(value, LENGTH_DIGITS)
    return radians(round(degrees(value), ANGLE_DIGITS))


def in_model(six: Six) -> Six:
    """Return six values of Blender's axes in those of the model."""
    return (*Y_UP_FROM_Z_UP.vector(six[:3]), *Y_UP_FROM_Z_UP.vector(six[3:]))
