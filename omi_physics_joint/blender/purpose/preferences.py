# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user has chosen for all files: Edit > Preferences > Add-ons."""

from __future__ import annotations

import bpy
from bpy.props import EnumProperty
from bpy.types import AddonPreferences, Context

from ..addon_id import MODULE
from ..data.scene import DIALECTS, outdate


class OMI_JOINT_AP_preferences(AddonPreferences):
    """Choices of the user, which scenes follow unless they choose by themselves."""

    bl_idname = MODULE

    dialect: EnumProperty(
        name="glTF Extensions",
        description="Which extensions of glTF say the physics, where a scene does not choose",
        items=DIALECTS,
        default="BOTH",
        update=outdate,
    )

    def draw(self, _context: Context) -> None:
        """Draw the choices."""
        self.layout.use_property_split = True
        self.layout.prop(self, "dialect")


def preferred_dialect() -> str:
    """Return which extensions the user wants; both where the add-on has no preferences."""
    addon = bpy.context.preferences.addons.get(MODULE)
    preferences = addon.preferences if addon is not None else None
    return "BOTH" if preferences is None else str(preferences.dialect)
