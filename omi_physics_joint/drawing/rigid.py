# SPDX-License-Identifier: GPL-3.0-or-later
"""Many rigid frames at once, as ``model.geometry.frames.rigid_frame`` makes them one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..model.geometry.frames import NEARLY_SQUARE, rigid_frame
from ..model.joint import JointSettings
from .layout import Floats

SMALLEST = 1e-12
"""Length of an axis below which a frame counts as flat: it is drawn unturned then. Nothing hangs on
it: scales are 0 or far larger."""


def rigid_frames(worlds: Floats, settings: Sequence[JointSettings | None]) -> Floats:
    """Return the right-handed, unscaled frames that nodes stand for: (n, 4, 4), world from node.

    The settings of each one's joint decide how a mirrored frame is turned back. Where a node is
    flat or not finite, its frame is not turned, and stands at the origin where even its place is
    not finite.
    """
    frames = np.array(worlds, np.float64)
    frames[~np.isfinite(frames).all(axis=(1, 2))] = np.eye(4)
    linear = frames[:, :3, :3]
    lengths = np.sqrt((linear * linear).sum(axis=1))
    flat = (lengths < SMALLEST).any(axis=1)
    unit = linear / np.maximum(lengths, SMALLEST)[:, None, :]
    square = np.abs(unit.transpose(0, 2, 1) @ unit - np.eye(3)).max(axis=(1, 2)) < NEARLY_SQUARE
    plain = square & ~flat & (np.linalg.det(unit) > 0.0)
    for _ in range(2):  # the model's own two steps towards the nearest rotation
        unit = 0.5 * unit @ (3.0 * np.eye(3) - unit.transpose(0, 2, 1) @ unit)
    linear[plain] = unit[plain]
    for index in np.flatnonzero(~plain).tolist():
        world = tuple(map(tuple, frames[index].tolist()))
        try:
            frames[index] = rigid_frame(world, settings[index])
        except ZeroDivisionError:  # flat: any turn is as good as another, and Check says so
            frames[index, :3, :3] = np.eye(3)
    return frames
