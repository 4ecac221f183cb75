# SPDX-License-Identifier: GPL-3.0-or-later
"""How the animations of a file move its kinematic bodies, frame by frame."""

from __future__ import annotations

import numpy as np

from ...gltf.animated.animation import Tracks, moving_poses
from ...model.body import MotionType
from ...model.geometry.frames import is_flat, rigid_frame
from ...model.geometry.transform import linear_part, quaternion_from_rotation, translation_of
from ...model.mechanism import Mechanism
from ...solver import KinematicMotion


def kinematic_motions(
    mechanism: Mechanism, tracks: Tracks, fps: float, frames: int
) -> dict[int, KinematicMotion]:
    """Return the motion of every kinematic body that an animation moves, by node.

    Args:
        mechanism: in glTF axes.
        tracks: what moves in the file.
        fps: frames a second.
        frames: output frames after the first.
    """
    times = np.arange(frames + 1) / fps
    motions: dict[int, KinematicMotion] = {}
    for index, node in enumerate(mechanism.nodes):
        if node.motion is None or node.motion.type is not MotionType.KINEMATIC:
            continue
        worlds = moving_poses(mechanism, tracks, index, times.tolist())
        if worlds is None:
            continue
        poses = [rigid_frame(world) for world in worlds if not is_flat(linear_part(world))]
        places = np.array([translation_of(pose) for pose in poses])
        turns = np.array([quaternion_from_rotation(linear_part(pose)) for pose in poses])
        if len(poses) == len(times) and np.isfinite(places).all() and np.isfinite(turns).all():
            motions[index] = KinematicMotion(times, places, turns)
    return motions
