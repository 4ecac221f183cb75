# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints with names: Blender's own preset system, with presets shipped beside the package."""

PARTS = ("operators", "panels")
