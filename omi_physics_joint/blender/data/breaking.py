# SPDX-License-Identifier: GPL-3.0-or-later
"""What a joint bears before it breaks: played, and exported to USD."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, FloatProperty

from ..registration import OVERRIDABLE


class OMI_JOINT_PG_breaking(bpy.types.PropertyGroup):
    """What one joint bears when it is played."""

    use_breaking: BoolProperty(
        name="Breaks",
        description="Let this joint break under too much load: played, and exported to USD. "
        "glTF cannot say it",
        override=OVERRIDABLE,
    )
    use_force: BoolProperty(
        name="Break Force",
        description="Let overloads of force break the joint",
        default=True,
        override=OVERRIDABLE,
    )
    force: FloatProperty(
        name="Force",
        description="Force in newtons above which the joint breaks",
        default=1000.0,
        min=0.0,
        soft_max=1e6,
        override=OVERRIDABLE,
    )
    use_torque: BoolProperty(
        name="Break Torque",
        description="Let overloads of torque break the joint",
        override=OVERRIDABLE,
    )
    torque: FloatProperty(
        name="Torque",
        description="Torque in newton meters above which the joint breaks",
        default=1000.0,
        min=0.0,
        soft_max=1e6,
        override=OVERRIDABLE,
    )


classes = (OMI_JOINT_PG_breaking,)
register, unregister = bpy.utils.register_classes_factory(classes)
