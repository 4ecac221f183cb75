# SPDX-License-Identifier: GPL-3.0-or-later
"""The six values of a joint as properties of its object: reading measures, writing poses.

They hold nothing themselves. What they show and do is connected from above (``connect``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
from bpy.props import BoolProperty, FloatProperty, FloatVectorProperty

from ...model.words import DIGITS
from .limits import OVERRIDABLE

NAMES = ("along_x", "along_y", "along_z", "about_x", "about_y", "about_z")
"""Properties of the six values, in the order of the model."""
_connected: dict[str, Callable[..., Any] | None] = {"read": None, "write": None}


def connect(read: Callable[..., Any] | None, write: Callable[..., Any] | None) -> None:
    """Say who measures and who moves.

    Args:
        read: object to its stand (see ``posing.stands``) or None.
        write: object, number of the value 0 to 5, value in m or rad.
    """
    _connected["read"], _connected["write"] = read, write


def _stand(group: bpy.types.PropertyGroup) -> Any:  # noqa: ANN401 - defined above this floor
    read = _connected["read"]
    return None if read is None else read(group.id_data)


def _set(group: bpy.types.PropertyGroup, number: int, value: float) -> None:
    write = _connected["write"]
    if write is not None:
        write(group.id_data, number, value)


def _value(number: int) -> FloatProperty:
    """Return the property of one value."""
    axis = "XYZ"[number % 3]

    def get(group: bpy.types.PropertyGroup) -> float:
        stand = _stand(group)
        return 0.0 if stand is None else float(stand.values[number])

    def put(group: bpy.types.PropertyGroup, value: float) -> None:
        _set(group, number, value)

    if number > 2:
        return FloatProperty(
            name=f"Pose About {axis}",
            description="Angle of the joint about this axis. Changing it moves the bodies "
            "permanently (can be undone), and the pose is exported",
            subtype="ANGLE",
            step=100,
            precision=DIGITS,
            options=set(),
            get=get,
            set=put,
        )
    return FloatProperty(
        name=f"Pose Along {axis}",
        description="Distance of the joint along this axis. Changing it moves the bodies "
        "permanently (can be undone), and the pose is exported",
        unit="LENGTH",
        precision=DIGITS,
        step=1,
        options=set(),
        get=get,
        set=put,
    )


def _share(number: int) -> FloatProperty:
    """Return the property of one value as a part of its range."""
    axis = "XYZ"[number % 3]

    def get(group: bpy.types.PropertyGroup) -> float:
        stand = _stand(group)
        share = None if stand is None else stand.share(number)
        return 0.0 if share is None else 100.0 * share

    def put(group: bpy.types.PropertyGroup, value: float) -> None:
        stand = _stand(group)
        if stand is not None and stand.share(number) is not None:
            _set(group, number, stand.at_share(number, 0.01 * value))

    return FloatProperty(
        name=f"Pose {'About' if number > 2 else 'Along'} {axis}",
        description="Position of the joint between its minimum and its maximum",
        subtype="PERCENTAGE",
        min=0.0,
        max=100.0,
        precision=0,
        options=set(),
        get=get,
        set=put,
    )


class OmiPose(bpy.types.PropertyGroup):
    """How a joint stands."""

    has_rest: BoolProperty(
        name="Posed",
        description="The joint was posed, and its rest pose is kept",
        options={"HIDDEN"},
        override=OVERRIDABLE,
    )
    rest: FloatVectorProperty(
        name="Rest",
        description="Value of the joint before it was first posed",
        size=6,
        options={"HIDDEN"},
        override=OVERRIDABLE,
    )
    along_x: _value(0)
    along_y: _value(1)
    along_z: _value(2)
    about_x: _value(3)
    about_y: _value(4)
    about_z: _value(5)
    along_x_share: _share(0)
    along_y_share: _share(1)
    along_z_share: _share(2)
    about_x_share: _share(3)
    about_y_share: _share(4)
    about_z_share: _share(5)


classes = (OmiPose,)
register, unregister = bpy.utils.register_classes_factory(classes)
