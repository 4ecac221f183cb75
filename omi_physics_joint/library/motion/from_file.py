# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file says beside its mechanism: how kinematic bodies move, and what meshes hold."""

from __future__ import annotations

import numpy as np

from ...gltf.animated.animation import Tracks, moving_poses
from ...gltf.document.files import Document
from ...gltf.source import MeshReader
from ...model.body import MotionType
from ...model.geometry.frames import is_flat, rigid_frame
from ...model.geometry.transform import linear_part, quaternion_from_rotation, translation_of
from ...model.issue import Issue, Severity
from ...model.mechanism import Mechanism
from ...solver import KinematicMotion
from ...weighing.inertia import (
    guessed_bodies,
    meshes_of,
    touching_meshes,
    with_solids,
    with_surfaces,
)
from ...weighing.solids import measured_triangles


def kinematic_motions(
    mechanism: Mechanism, tracks: Tracks, fps: float, frames: int
) -> dict[int, KinematicMotion]:
    """Return the motion of every kinematic body that an animation moves, by node.

    It is sampled at the rest pose and at so many output frames, of which a second has ``fps``.
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


def measured_mechanism(
    document: Document, mechanism: Mechanism, *, touching: bool = False
) -> tuple[Mechanism, tuple[Issue, ...]]:
    """Return the mechanism with what those of its meshes hold that matter, and what is not read.

    With the triangles of all of its meshes, if bodies are to touch.
    """
    reader, meshes = MeshReader(document), meshes_of(mechanism, guessed_bodies(mechanism))
    found = with_solids(mechanism, meshes, lambda index: measured_triangles(reader.read(index)))
    said = (
        "The triangles of this collision mesh cannot be read.",
        "The inertia of its body is taken from the bounds of the mesh.",
    )
    unread = [mesh for mesh in sorted(meshes) if found.solids_of(mesh) is None]
    if touching:
        found = with_surfaces(found, reader.read)
        unread = [i for i in sorted(touching_meshes(found)) if found.surface_of(i) is None]
        said = said[0], "Nothing touches it. The inertia of its body is taken from its bounds."
    issues = (Issue(Severity.WARNING, "mesh-not-read", f"/meshes/{i}", *said) for i in unread)
    return found, tuple(issues)
