# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's colours."""

from __future__ import annotations

import bpy

from ...drawing.palette import Theme


def user_theme(context: bpy.types.Context) -> Theme:
    """Return what the preferences say of axes and selection."""
    theme = context.preferences.themes[0]
    view, axes = theme.view_3d, theme.user_interface
    return Theme(
        (tuple(axes.axis_x), tuple(axes.axis_y), tuple(axes.axis_z)),
        tuple(view.object_selected),
        tuple(view.object_active),
    )
