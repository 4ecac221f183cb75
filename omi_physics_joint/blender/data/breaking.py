# SPDX-License-Identifier: GPL-3.0-or-later
"""What a joint bears before it breaks: played, and exported to USD."""

from __future__ import annotations

import bpy

from .fields import flag, number


class OMI_JOINT_PG_breaking(bpy.types.PropertyGroup):
    """What one joint bears when it is played."""

    use_breaking: flag(
        "Breaks",
        "Let this joint break under too much load: played, and exported to USD. glTF cannot say it",
    )
    use_force: flag("Break Force", "Let overloads of force break the joint", default=True)
    force: number(
        "Force",
        "Force in newtons above which the joint breaks",
        default=1000.0,
        min=0.0,
        soft_max=1e6,
    )
    use_torque: flag("Break Torque", "Let overloads of torque break the joint")
    torque: number(
        "Torque",
        "Torque in newton meters above which the joint breaks",
        default=1000.0,
        min=0.0,
        soft_max=1e6,
    )
