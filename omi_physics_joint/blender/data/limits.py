# SPDX-License-Identifier: GPL-3.0-or-later
"""One limit and one drive, as lists of joint settings hold them. Axes are Blender's (Z up)."""

from bpy.types import PropertyGroup

from ...model.wording.words import DIGITS
from .fields import angle, choice, distance, flag, flags, number, strength, unknown_members

STIFFNESS = "Force per distance (N/m) or torque per angle (N\u00b7m/rad)"
DAMPING = "Force per speed (N\u00b7s/m) or torque per speed (N\u00b7m\u00b7s/rad)"
FREEDOMS = (
    ("linear", "Linear", "Motion along an axis", "DRIVER_DISTANCE", 0),
    ("angular", "Angular", "Rotation about an axis", "DRIVER_ROTATIONAL_DIFFERENCE", 1),
)
AXES = (
    ("0", "X", "The X axis of the joint's frame"),
    ("1", "Y", "The Y axis of the joint's frame"),
    ("2", "Z", "The Z axis of the joint's frame"),
)
MODES = (
    ("force", "Force", "Stiffness and damping give a force or torque; heavy bodies react slowly"),
    (
        "acceleration",
        "Acceleration",
        "Stiffness and damping give an acceleration, independent of mass. "
        "Not supported by every engine",
    ),
)


class OMI_JOINT_PG_limit(PropertyGroup):
    """Bounds on motion along or about some axes of a joint."""

    freedom = choice("Type", "Limit a distance or an angle", items=FREEDOMS)
    axes = flags(
        "Axes", "Axes of the joint that are limited", subtype="XYZ", default=(True, False, False)
    )
    together = flag(
        "Together",
        "One bound on all axes together: the distance from a line or a point, a cone "
        "or the whole angle. OMI_physics_joint has only bounds on each axis by itself",
    )
    use_min = flag("Use Minimum", "Stop at the minimum; if off, there is none", default=True)
    use_max = flag("Use Maximum", "Stop at the maximum; if off, there is none", default=True)
    linear_min = distance("Minimum", "Smallest distance along the axis")
    linear_max = distance("Maximum", "Largest distance along the axis")
    angular_min = angle("Minimum", "Smallest angle about the axis; counter-clockwise is positive")
    angular_max = angle("Maximum", "Largest angle about the axis; counter-clockwise is positive")
    use_stiffness = flag(
        "Soft", "Give way beyond the limit like a spring; if off, the limit is rigid"
    )
    stiffness = strength("Stiffness", f"{STIFFNESS} beyond the limit", default=1000.0)
    use_damping = flag("Damped", "Slow the motion down beyond the limit")
    damping = strength("Damping", DAMPING, default=1.0)
    unknown = unknown_members()


class OMI_JOINT_PG_drive(PropertyGroup):
    """A motor or spring along or about one axis of a joint."""

    freedom = choice("Type", "Move along the axis or turn about it", items=FREEDOMS)
    mode = choice(
        "Mode", "Whether stiffness and damping give a force or an acceleration", items=MODES
    )
    axis = choice("Axis", "Axis of the joint that is driven", items=AXES)
    use_max_force = flag("Max Force", "Limit the force or torque; if off, it is unlimited")
    max_force = number(
        "Max Force", "Largest force (N) or torque (N\u00b7m) of the drive", min=0.0, default=100.0
    )
    use_position_target = flag("Spring", "Pull towards a target position")
    linear_position_target = distance(
        "Target Position", "Distance along the axis that the spring pulls towards"
    )
    angular_position_target = angle(
        "Target Angle", "Angle about the axis that the spring pulls towards"
    )
    use_velocity_target = flag("Motor", "Drive at a target velocity")
    linear_velocity_target = number(
        "Target Velocity",
        "Velocity along the axis that the motor drives at",
        unit="VELOCITY",
        precision=DIGITS,
    )
    angular_velocity_target = angle(
        "Target Velocity (per second)", "Angle per second that the motor drives at"
    )
    stiffness = strength("Stiffness", f"{STIFFNESS} to the target")
    damping = strength("Damping", DAMPING)
    unknown = unknown_members()


Item = OMI_JOINT_PG_limit | OMI_JOINT_PG_drive
