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

ANGLE_DIGITS = 3
"""Blender turns two of them into whole degrees, and then 42.5 degrees are shown as 42."""

OVERRIDABLE = {"LIBRARY_OVERRIDABLE"}
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


class OmiLimit(bpy.types.PropertyGroup):
    """Bounds on motion along or about some axes of a joint."""

    freedom: EnumProperty(
        name="Type",
        description="Whether this limits distances or angles",
        items=FREEDOMS,
        override=OVERRIDABLE,
    )
    axes: BoolVectorProperty(
        name="Axes",
        description="The axes of the joint's frame that are limited",
        size=3,
        subtype="XYZ",
        default=(True, False, False),
        override=OVERRIDABLE,
    )
    use_min: BoolProperty(
        name="Use Minimum",
        description="Stop motion at the minimum; off is unbounded",
        default=True,
        override=OVERRIDABLE,
    )
    use_max: BoolProperty(
        name="Use Maximum",
        description="Stop motion at the maximum; off is unbounded",
        default=True,
        override=OVERRIDABLE,
    )
    linear_min: FloatProperty(
        name="Minimum",
        description="Smallest distance of the connected frame along the axis",
        unit="LENGTH",
        override=OVERRIDABLE,
    )
    linear_max: FloatProperty(
        name="Maximum",
        description="Largest distance of the connected frame along the axis",
        unit="LENGTH",
        override=OVERRIDABLE,
    )
    angular_min: FloatProperty(
        name="Minimum",
        description="Smallest angle of the connected frame about the axis, counter-clockwise",
        subtype="ANGLE",
        precision=ANGLE_DIGITS,
        override=OVERRIDABLE,
    )
    angular_max: FloatProperty(
        name="Maximum",
        description="Largest angle of the connected frame about the axis, counter-clockwise",
        subtype="ANGLE",
        precision=ANGLE_DIGITS,
        override=OVERRIDABLE,
    )
    use_stiffness: BoolProperty(
        name="Soft",
        description="Let the joint give way beyond its bounds like a spring; off is rigid",
        override=OVERRIDABLE,
    )
    stiffness: FloatProperty(
        name="Stiffness",
        description="Force per distance (N/m) or torque per angle (N\u00b7m/rad) beyond the bounds",
        min=0.0,
        default=1000.0,
        precision=3,
        override=OVERRIDABLE,
    )
    use_damping: BoolProperty(
        name="Damped",
        description="Slow motion down beyond the bounds",
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


class OmiDrive(bpy.types.PropertyGroup):
    """A motor or spring along or about one axis of a joint."""

    freedom: EnumProperty(
        name="Type",
        description="Whether this pushes along an axis or turns about it",
        items=FREEDOMS,
        override=OVERRIDABLE,
    )
    mode: EnumProperty(
        name="Mode",
        description="What stiffness and damping yield",
        items=(
            ("force", "Force", "They yield a force or torque; heavy bodies follow slowly"),
            (
                "acceleration",
                "Acceleration",
                "They yield an acceleration, whatever the mass; not every engine knows it",
            ),
        ),
        override=OVERRIDABLE,
    )
    axis: EnumProperty(
        name="Axis",
        description="The axis of the joint's frame that is driven",
        items=AXES,
        override=OVERRIDABLE,
    )
    use_max_force: BoolProperty(
        name="Limit Force",
        description="Never push harder than this; off is not limited",
        override=OVERRIDABLE,
    )
    max_force: FloatProperty(
        name="Maximum Force",
        description="Largest force (N) or torque (N\u00b7m) of the drive",
        min=0.0,
        default=100.0,
        override=OVERRIDABLE,
    )
    use_position_target: BoolProperty(
        name="Spring",
        description="Pull towards a position or angle",
        override=OVERRIDABLE,
    )
    linear_position_target: FloatProperty(
        name="Target Position",
        description="Distance of the connected frame along the axis that the drive pulls towards",
        unit="LENGTH",
        override=OVERRIDABLE,
    )
    angular_position_target: FloatProperty(
        name="Target Angle",
        description="Angle of the connected frame about the axis that the drive pulls towards",
        subtype="ANGLE",
        precision=ANGLE_DIGITS,
        override=OVERRIDABLE,
    )
    use_velocity_target: BoolProperty(
        name="Motor",
        description="Drive towards a speed",
        override=OVERRIDABLE,
    )
    linear_velocity_target: FloatProperty(
        name="Target Velocity",
        description="Speed of the connected frame along the axis that the drive aims at",
        unit="VELOCITY",
        override=OVERRIDABLE,
    )
    angular_velocity_target: FloatProperty(
        name="Target Velocity (per second)",
        description="Angle per second of the connected frame that the drive aims at",
        subtype="ANGLE",
        precision=ANGLE_DIGITS,
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


classes = (OmiLimit, OmiDrive)
register, unregister = bpy.utils.register_classes_factory(classes)
