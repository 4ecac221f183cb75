# SPDX-License-Identifier: GPL-3.0-or-later
"""MJCF and URDF in Blender: File > Import and File > Export."""

from __future__ import annotations

from .operators import classes, register, unregister

__all__ = ["classes", "register", "unregister"]
