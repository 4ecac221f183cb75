# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints drawn in the 3D view. Others add to it through ``extras``."""

PARTS = ("panels", "viewport")
