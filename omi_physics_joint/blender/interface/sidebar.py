# SPDX-License-Identifier: GPL-3.0-or-later
"""The tab Joints in the sidebar of the 3D view, and what its panels share."""

from __future__ import annotations

from bpy.types import Context, PropertyGroup, UILayout

from .manual import HelpedPanel
from .playing import is_playing

FIELD_SHARE = 0.7
"""Share of a row that a choice takes beside its name: the longest choice is not cut off."""


class SidebarPanel(HelpedPanel):
    """A panel in our tab of the sidebar; while joints play it is greyed, but stays where it is."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Joints"

    def draw(self, context: Context) -> None:
        """Draw the panel: nothing in it can be edited while joints play."""
        self.layout.enabled = not is_playing()
        self.draw_inside(self.layout, context)

    def draw_inside(self, layout: UILayout, context: Context) -> None:
        """Draw what the panel is for: each panel its own."""


def draw_options(
    layout: UILayout, options: PropertyGroup, fields: tuple[str, ...], *, narrow: bool
) -> None:
    """Draw choices, each beside its name, or where it is narrow below it."""
    column = layout.column(align=narrow)
    for field in fields:
        row = column if narrow else column.split(factor=1.0 - FIELD_SHARE)
        row.label(text=options.bl_rna.properties[field].name)
        row.prop(options, field, text="")
