# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a mechanism stood before it was posed.

Rest is kept as the values of the joints, on the joints themselves: it stays true when the whole
mechanism is moved elsewhere, is saved, copied and undone with them, and asks for no frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bpy.types import Object


def note_rest(values: Mapping[Object, tuple[float, ...]]) -> None:
    """Keep where joints stand as their rest, for those that have none yet."""
    for joint, six in values.items():
        data = joint.omi_physics_pose
        if not data.has_rest and joint.is_editable:
            data.rest = six
            data.has_rest = True


def rest_of(joints: Iterable[Object]) -> dict[Object, tuple[float, ...]]:
    """Return where joints stood before they were posed; those that never were are left out."""
    return {
        joint: tuple(joint.omi_physics_pose.rest)
        for joint in joints
        if joint.omi_physics_pose.has_rest
    }


def forget_rest(joints: Iterable[Object]) -> None:
    """Take the present pose for the rest: there is nothing to go back to."""
    for joint in joints:
        if joint.omi_physics_pose.has_rest and joint.is_editable:
            for name in ("has_rest", "rest"):
                joint.omi_physics_pose.property_unset(name)
