# SPDX-License-Identifier: GPL-3.0-or-later
"""The six values of a joint as properties of its object: reading measures, writing poses.

They hold nothing themselves.
"""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import FloatProperty
from bpy.types import Object, PropertyGroup

from ...model.wording.words import DIGITS
from ..data.fields import flag, numbers
from ..registration import OVERRIDABLE
from .session import key_automatically, note_rest, obstacle, session_for
from .stands import stand_of

NAMES = ("along_x", "along_y", "along_z", "about_x", "about_y", "about_z")
"""Properties of the six values, in the order of the model."""


LABELS = [f"Pose {name.replace('_', ' ').title()}" for name in NAMES]
WAYS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Distance of the joint along", {"unit": "LENGTH", "step": 1}),
    ("Angle of the joint about", {"subtype": "ANGLE", "step": 100}),
)


def _value(number: int) -> float:
    measure, kind = WAYS[number // 3]

    def get(group: PropertyGroup) -> float:
        stand = stand_of(group.id_data)
        return 0.0 if stand is None else float(stand.values[number])

    def put(group: PropertyGroup, value: float) -> None:
        set_slider(group.id_data, number, value)

    return FloatProperty(
        name=LABELS[number],
        description=f"{measure} this axis. Changing it moves the bodies permanently (can be "
        "undone), and the pose is exported",
        precision=DIGITS,
        options=set(),
        get=get,
        set=put,
        **kind,
    )


def _share(number: int) -> float:
    """Return the property of one value as a part of its range."""

    def get(group: PropertyGroup) -> float:
        stand = stand_of(group.id_data)
        share = None if stand is None else stand.share(number)
        return 0.0 if share is None else 100.0 * share

    def put(group: PropertyGroup, value: float) -> None:
        stand = stand_of(group.id_data)
        if stand is not None and stand.share(number) is not None:
            set_slider(group.id_data, number, stand.at_share(number, 0.01 * value))

    return FloatProperty(
        name=LABELS[number],
        description="Position of the joint between its minimum and its maximum",
        subtype="PERCENTAGE",
        min=0.0,
        max=100.0,
        precision=0,
        options=set(),
        get=get,
        set=put,
    )


def set_slider(joint: Object, number: int, value: float) -> None:
    """Set one of a joint's six values, in Blender's axes, and move what follows.

    Nothing happens while something plays: what is edited then would be lost.
    """
    stand = stand_of(joint)
    context = bpy.context
    if stand is None or not stand.free[number] or obstacle(context.scene):
        return
    session = session_for(joint, context)
    if session is None:
        return
    note_rest(session.values())
    session.set_value(joint, number, value)
    session.write()
    context.view_layer.update()
    key_automatically(context.scene, session.moved)


class OMI_JOINT_PG_pose(PropertyGroup):
    """How a joint stands."""

    has_rest = flag("Posed", "The joint was posed, and its rest pose is kept", options={"HIDDEN"})
    rest = numbers(
        "Rest", "Value of the joint before it was first posed", size=6, options={"HIDDEN"}
    )
    along_x, along_y, along_z, about_x, about_y, about_z = map(_value, range(6))
    along_x_share, along_y_share, along_z_share = map(_share, range(3))
    about_x_share, about_y_share, about_z_share = map(_share, range(3, 6))


POINTERS = ((Object, "omi_physics_pose", OMI_JOINT_PG_pose, OVERRIDABLE),)
