# SPDX-License-Identifier: GPL-3.0-or-later
"""Which handles of the active joint are shown in the 3D view."""

from __future__ import annotations

import bpy

from ..data.fields import flag
from ..registration import OVERRIDABLE


class OMI_JOINT_PG_handles(bpy.types.PropertyGroup):
    """Switches of a scene, in the popover of the gizmos."""

    show_values: flag(
        "Limits and Targets", "Handles for the limits and targets of the active joint", default=True
    )
    show_frame: flag("Frame", "Handles that move and rotate the active joint", default=True)


POINTERS = ((bpy.types.Scene, "omi_physics_handles", OMI_JOINT_PG_handles, OVERRIDABLE),)
