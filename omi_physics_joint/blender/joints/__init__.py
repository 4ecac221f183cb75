# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that exist: how they are made and changed, and their panels."""

from . import lists, operators, panels, settings_operators, sidebar_panels

PARTS = (operators, settings_operators, lists, panels, sidebar_panels)
