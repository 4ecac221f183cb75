# SPDX-License-Identifier: GPL-3.0-or-later
"""One limit and one drive, as lists of joint settings hold them. Axes are Blender's (Z up)."""

from __future__ import annotations

import bpy
from bpy.props import (
    BoolProperty,
    BoolVectorProperty,
    EnumProperty,
    FloatProperty,
    StringProperty,
)

# Fields ask for these digits, so that they show what is said beside them: left to itself, Blender
# shows 1.6' where that is 1.64', and 42 degrees where it is 42.5.
from ...model.wording.words import DIGITS
from ..registration import OVERRIDABLE

LIST = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}

FREEDOMS = (
    ("linear", "Linear", "Motion along an axis", "DRIVER_DISTANCE", 0),
    ("angular", "Angular", "Rotation about an axis", "DRIVER_ROTATIONAL_DIFFERENCE", 1),
)
AXES = (
    ("0", "X", "The X axis of the joint's frame"),
    ("1", "Y", "The Y axis of the joint's frame"),
    ("2", "Z", "The Z axis of the joint's frame"),
)


def unknown_property() -> StringProperty:
    """Return a hidden text for members of a file that the specification does not name."""
    return StringProperty(
        name="Unknown Members",
        description="Members of an imported file that are not in the specification, as JSON",
        options={"HIDDEN"},
        override=OVERRIDABLE,
    )


class OMI_JOINT_PG_limit(bpy.types.PropertyGroup):
    """Bounds on motion along or about some axes of a joint."""

    freedom: EnumProperty(
        name="Type",
        description="Limit a distance or an angle",
        items=FREEDOMS,
        override=OVERRIDABLE,
    )
    axes: BoolVectorProperty(
        name="Axes",
        description="Axes of the joint that are limited",
        size=3,
        subtype="XYZ",
        default=(True, False, False),
        override=OVERRIDABLE,
    )
    together: BoolProperty(
        name="Together",
        description="One bound on all axes together: the distance from a line or a point, a cone "
        "or the whole angle. OMI_physics_joint has only bounds on each axis by itself",
        override=OVERRIDABLE,
    )
    use_min: BoolProperty(
        name="Use Minimum",
        description="Stop at the minimum; if off, there is none",
        default=True,
        override=OVERRIDABLE,
    )
    use_max: BoolProperty(
        name="Use Maximum",
        description="Stop at the maximum; if off, there is none",
        default=True,
        override=OVERRIDABLE,
    )
    linear_min: FloatProperty(
        name="Minimum",
        description="Smallest distance along the axis",
        unit="LENGTH",
        precision=DIGITS,
        override=OVERRIDABLE,
    )
    linear_max: FloatProperty(
        name="Maximum",
        description="Largest distance along the axis",
        unit="LENGTH",
        precision=DIGITS,
        override=OVERRIDABLE,
    )
    angular_min: FloatProperty(
        name="Minimum",
        description="Smallest angle about the axis; counter-clockwise is positive",
        subtype="ANGLE",
        precision=DIGITS,
        override=OVERRIDABLE,
    )
    angular_max: FloatProperty(
        name="Maximum",
        description="Largest angle about the axis; counter-clockwise is positive",
        subtype="ANGLE",
        precision=DIGITS,
        override=OVERRIDABLE,
    )
    use_stiffness: BoolProperty(
        name="Soft",
        description="Give way beyond the limit like a spring; if off, the limit is rigid",
        override=OVERRIDABLE,
    )
    stiffness: FloatProperty(
        name="Stiffness",
        description="Force per distance (N/m) or torque per angle (N\u00b7m/rad) beyond the limit",
        min=0.0,
        default=1000.0,
        precision=3,
        override=OVERRIDABLE,
    )
    use_damping: BoolProperty(
        name="Damped",
        description="Slow the motion down beyond the limit",
        override=OVERRIDABLE,
    )
    damping: FloatProperty(
        name="Damping",
        description="Force per speed (N\u00b7s/m) or torque per speed (N\u00b7m\u00b7s/rad)",
        min=0.0,
        default=1.0,
        precision=3,
        override=OVERRIDABLE,
    )
    unknown: unknown_property()


class OMI_JOINT_PG_drive(bpy.types.PropertyGroup):
    """A motor or spring along or about one axis of a joint."""

    freedom: EnumProperty(
        name="Type",
        description="Move along the axis or turn about it",
        items=FREEDOMS,
        override=OVERRIDABLE,
    )
    mode: EnumProperty(
        name="Mode",
        description="Whether stiffness and damping give a force or an acceleration",
        items=(
            (
                "force",
                "Force",
                "Stiffness and damping give a force or torque; heavy bodies react slowly",
            ),
            (
                "acceleration",
                "Acceleration",
                "Stiffness and damping give an acceleration, independent of mass. "
                "Not supported by every engine",
            ),
        ),
        override=OVERRIDABLE,
    )
    axis: EnumProperty(
        name="Axis",
        description="Axis of the joint that is driven",
        items=AXES,
        override=OVERRIDABLE,
    )
    use_max_force: BoolProperty(
        name="Max Force",
        description="Limit the force or torque; if off, it is unlimited",
        override=OVERRIDABLE,
    )
    max_force: FloatProperty(
        name="Max Force",
        description="Largest force (N) or torque (N\u00b7m) of the drive",
        min=0.0,
        default=100.0,
        override=OVERRIDABLE,
    )
    use_position_target: BoolProperty(
        name="Spring",
        description="Pull towards a target position",
        override=OVERRIDABLE,
    )
    linear_position_target: FloatProperty(
        name="Target Position",
        description="Distance along the axis that the spring pulls towards",
        unit="LENGTH",
        precision=DIGITS,
        override=OVERRIDABLE,
    )
    angular_position_target: FloatProperty(
        name="Target Angle",
        description="Angle about the axis that the spring pulls towards",
        subtype="ANGLE",
        precision=DIGITS,
        override=OVERRIDABLE,
    )
    use_velocity_target: BoolProperty(
        name="Motor",
        description="Drive at a target velocity",
        override=OVERRIDABLE,
    )
    linear_velocity_target: FloatProperty(
        name="Target Velocity",
        description="Velocity along the axis that the motor drives at",
        unit="VELOCITY",
        precision=DIGITS,
        override=OVERRIDABLE,
    )
    angular_velocity_target: FloatProperty(
        name="Target Velocity (per second)",
        description="Angle per second that the motor drives at",
        subtype="ANGLE",
        precision=DIGITS,
        override=OVERRIDABLE,
    )
    stiffness: FloatProperty(
        name="Stiffness",
        description="Force per distance (N/m) or torque per angle (N\u00b7m/rad) to the target",
        min=0.0,
        precision=3,
        override=OVERRIDABLE,
    )
    damping: FloatProperty(
        name="Damping",
        description="Force per speed (N\u00b7s/m) or torque per speed (N\u00b7m\u00b7s/rad)",
        min=0.0,
        precision=3,
        override=OVERRIDABLE,
    )
    unknown: unknown_property()


classes = (OMI_JOINT_PG_limit, OMI_JOINT_PG_drive)
register, unregister = bpy.utils.register_classes_factory(classes)
